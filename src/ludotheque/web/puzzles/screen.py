"""What the page of a puzzle shows of an attempt: the board, the clock, the help given, the legal moves."""

from typing import TypedDict

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

import ludotheque
from ludotheque import words
from ludotheque.match import Match
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
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
        "picture": _picture(match, hint, lang),
    }
    return {
        "version": attempt.version,
        "html": render_to_string("web/puzzle_board.html", context),
        "moves": picker.picks(match, 0, lang, match.moves(0)),
        "last": [] if hint or match.over else history.last_touched(match, 0),
        "seconds": round(attempt.seconds, 1),
        "running": attempt.pk is not None and not attempt.closed,
        "suggest": hint.move if hint and not match.over else "",
    }


def _context(puzzle: PuzzleSpec, attempt: Attempt, match: Match, lang: str) -> dict[str, object]:
    moves = match.moves(0)
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
        "todo": said(match.game.stem, lang, "phases", match.game.phase(match.state, 0)),
        "result": _result(attempt, match, lang),
        "record": match.save() if match.over else "",
        "rows": position.rows(match, 0, lang),
        "moves": moves[:MAX_LISTED_MOVES],
        "moves_left_out": len(moves[MAX_LISTED_MOVES:]),
        "writing": position.writing(match.game.stem, lang),
    }


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


def _picture(match: Match, hint: PageHint | None, lang: str) -> SafeString:
    """The board, with what a hint or a check is about marked on it."""
    drawn = render_match(match, 0, style=False, lang=lang)
    if hint is not None:
        mark = "wrong-mark" if hint.kind == "wrong" else "hint-mark"
        parts = [f"cell-{cell}" for cell in hint.cells] + [f"tray-{piece}" for piece in hint.pieces]
        for part in dict.fromkeys((*parts, *_picks(match, hint.move)[:1])):
            drawn = drawn.replace(f'id="{part}" class="', f'id="{part}" class="{mark} ')
    return mark_safe(drawn)  # noqa: S308 - drawn by us, from numbers


def _picks(match: Match, move: str) -> tuple[str, ...]:
    if move not in match.moves(0):
        return ()
    return picture_of(match.game).picks(match.state, 0, match.game.numbers[move])
