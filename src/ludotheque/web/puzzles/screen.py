"""What the page of a puzzle shows of an attempt: the board, the clock, the help given, the legal moves."""

from typing import TypedDict

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

import ludotheque
from ludotheque import move_words, words
from ludotheque.board.square import names
from ludotheque.match import Match
from ludotheque.pictures.kit.pencil import pencilled
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
from ludotheque.puzzles.human import pencil
from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making.names import PuzzleSpec
from ludotheque.web.models import Attempt
from ludotheque.web.puzzles import attempts, progress
from ludotheque.web.puzzles.addresses import address, day_of
from ludotheque.web.puzzles.commands import Answer
from ludotheque.web.puzzles.worker import PageHint
from ludotheque.web.screen import history, position
from ludotheque.web.screen import moves as picker
from ludotheque.web.screen.moves import MAX_LISTED_MOVES
from ludotheque.web.words import language, said, say


class PuzzleScreen(TypedDict):
    """What the page gets."""

    version: int
    html: str
    moves: list[picker.Move]
    stuck: list[str]
    last: list[str]
    seconds: float
    running: bool
    suggest: str


def screen(visitor: str, puzzle: PuzzleSpec, name: str, answer: Answer, csrf_token: str) -> PuzzleScreen:
    """The visitor's attempt at a puzzle, after the answer to a command."""
    lang, attempt = language(), attempts.attempt(visitor, puzzle)
    match, hint = attempts.match(puzzle, attempt.moves), answer.hint
    context = _context(puzzle, attempt, match, lang) | {
        "csrf_token": csrf_token,
        "name": name,
        "when": day_of(puzzle.seed or name),
        "given": hint,
        "asking": answer.asking,
        "picture": _picture(match, hint, pencil.marks(attempt.pencilled), lang),
        "marks": pencil.marks(attempt.pencilled),
        "note": _missing(attempt, hint),
    }
    return {
        "version": attempt.version,
        "html": render_to_string("web/puzzle_board.html", context),
        "moves": picker.picks(match, 0, lang, match.moves(0)),
        "stuck": picker.stuck(match, 0, match.moves(0)),
        "last": [] if hint or match.over else history.last_touched(match, 0),
        "seconds": round(attempt.seconds, 1),
        "running": attempt.pk is not None and not attempt.closed,
        "suggest": hint.move if hint and not match.over else "",
    }


def _context(puzzle: PuzzleSpec, attempt: Attempt, match: Match, lang: str) -> dict[str, object]:
    moves, phase = match.moves(0), match.game.phase(match.state, 0)
    return {
        "box": ludotheque.game(puzzle.key),
        "lang": lang,
        "puzzle": puzzle,
        "grade": progress.grade_name(puzzle.key, puzzle.grade, lang),
        "number": puzzle.seed.partition("#")[2] if puzzle.seed else "",
        "address": address(puzzle.seed or puzzle.description),
        "attempt": attempt,
        "time": progress.clock(attempt.seconds),
        "over": match.over,
        "goal": words.say(match.game.stem, lang, "puzzles", "goal", **match.options),
        "todo": said(match.game.stem, lang, "phases", phase),
        "phase": "" if match.over else phase,
        "result": _result(attempt, match, lang),
        "record": match.save() if match.over else "",
        "rows": [*position.rows(match, 0, lang), *_pencil_row(attempt, lang)],
        "best": _best(attempt, match, lang),
        "moves": [(text, move_words.written(match.game.stem, text, lang)) for text in moves[:MAX_LISTED_MOVES]],
        "moves_left_out": len(moves[MAX_LISTED_MOVES:]),
        "writing": position.writing(match.game.stem, lang),
    }


def _missing(attempt: Attempt, hint: PageHint | None) -> str:
    """The pencil marks of a hint that are not there yet."""
    there = set(pencil.marks(attempt.pencilled))
    return " ".join(mark for mark in hint.marks if mark not in there) if hint else ""


def _pencil_row(attempt: Attempt, lang: str) -> list[tuple[str, str]]:
    """The pencil marks as a row of the position in words, if there are any."""
    marks = pencil.marks(attempt.pencilled)
    return [(say("pencil-marks", lang), ", ".join(marks))] if marks else []


def _best(attempt: Attempt, match: Match, lang: str) -> str:
    """The visitor's best time at this grade, with those who had hints apart; nothing before it is solved."""
    if not (match.over and attempt.solved and attempt.grade is not None):
        return ""
    best = progress.best_times(attempt.visitor, attempt.key, attempt.grade)
    name, time = ("best-aided-here", best.aided) if attempt.hints else ("best-here", best.unaided)
    return say(name, lang, time=time)


def _result(attempt: Attempt, match: Match, lang: str) -> list[str]:
    """How it went, once the board is full: praise, time and hints."""
    if not match.over:
        return []
    if attempt.given_up and not attempt.solved:
        return [say("given-up", lang)]

    def sentence(name: str, **values: object) -> str:
        return words.say(match.game.stem, lang, "puzzles", "hints", name, **values)

    praise = kind(match.game.key).praise(match.state)
    report = sentence(
        "report" if attempt.hints else "report-none", time=progress.clock(attempt.seconds), hints=attempt.hints
    )
    return [sentence(praise), report] if praise else [report]


def _picture(match: Match, hint: PageHint | None, marks: list[str], lang: str) -> SafeString:
    """The board, with the pencil marks and what a hint or a check is about."""
    drawn = render_match(match, 0, style=False, lang=lang, over=pencilled(_shown(match, marks)))
    if hint is not None:
        mark = "wrong-mark" if hint.kind == "wrong" else "hint-mark"
        parts = [f"cell-{cell}" for cell in hint.cells] + [f"tray-{piece}" for piece in hint.pieces]
        for part in dict.fromkeys((*parts, *_picks(match, hint.move)[:1])):
            drawn = drawn.replace(f'id="{part}" class="', f'id="{part}" class="{mark} ')
    return mark_safe(drawn)  # noqa: S308 - drawn by us, from numbers


def _shown(match: Match, marks: list[str]) -> dict[str, list[str]]:
    """The pencil marks of open cells, by cell, and in each the pieces that are still to be laid."""
    of = kind(match.game.key)
    left = ("", *of.pieces_left(match.state))
    shown: dict[str, list[str]] = {cell: [] for cell in names(of.open_cells(match.state))}
    for piece, cell in map(pencil.parts, marks):
        if cell in shown and piece in left:
            shown[cell].append(piece)
    return {cell: sorted(pieces, key=left.index) for cell, pieces in shown.items() if pieces}


def _picks(match: Match, move: str) -> tuple[str, ...]:
    if move not in match.moves(0):
        return ()
    return picture_of(match.game).picks(match.state, 0, match.game.numbers[move])
