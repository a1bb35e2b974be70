"""Everything that changes a visitor's attempt at a puzzle. Nothing else writes there.

Each action takes the attempt for itself, plays its moves again, checks, and commits; a refusal changes nothing. What
was done on a position that is no longer there is refused: sent twice, it counts once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from ludotheque.match import Match
from ludotheque.pictures.output.render import render_match
from ludotheque.puzzles.making.names import PuzzleOf, Wanted, read
from ludotheque.web.models import Attempt
from ludotheque.web.puzzles import maker
from ludotheque.web.puzzles.worker import Help
from ludotheque.web.refusals import Refused, VersionConflict
from ludotheque.web.visitors import hashed

LONGEST = 1000  # moves on one board, taken back or not
MOST_HINTS = 999  # counted
IDLE = 300.0  # seconds after which someone without a script is thought to have gone for a walk
DAY = 24 * 3600.0


def attempt(visitor: str, puzzle: PuzzleOf) -> Attempt:
    """The visitor's attempt, or a fresh one that is not kept before something happens."""
    known = Attempt.objects.filter(visitor=hashed(visitor), puzzle=puzzle.description).first()
    return known or _fresh(visitor, puzzle)


def _fresh(visitor: str, puzzle: PuzzleOf) -> Attempt:
    short = read(puzzle.seed) if puzzle.seed else None
    number = short.number if isinstance(short, Wanted) else None
    return Attempt(
        visitor=hashed(visitor), puzzle=puzzle.description, key=puzzle.key, grade=puzzle.grade, number=number
    )


def match(puzzle: PuzzleOf, moves: list[str]) -> Match:
    """The puzzle with these moves made."""
    played = puzzle.match(render_match)
    for text in moves:
        played.play(0, text)
    return played


@contextmanager
def _taken(visitor: str, puzzle: PuzzleOf, version: int, spent: float | None) -> Iterator[Attempt]:
    """The attempt, for one change that was made at this version of it."""
    try:
        with transaction.atomic():
            found = _locked(visitor, puzzle) or _fresh(visitor, puzzle)
            if found.version != version:
                raise VersionConflict
            _count_time(found, spent, timezone.now())
            yield found
            found.version += 1
            found.save()
    except IntegrityError as error:  # begun twice at the same moment
        raise VersionConflict from error


def _locked(visitor: str, puzzle: PuzzleOf) -> Attempt | None:
    mine = Attempt.objects.select_for_update().filter(visitor=hashed(visitor), puzzle=puzzle.description)
    return mine.first()


def _count_time(found: Attempt, spent: float | None, now: datetime) -> None:
    """Add the time since the last change: as much as the page says, but never more than has passed."""
    if found.pk is None or found.closed:
        return
    passed = max(0.0, (now - found.changed).total_seconds())
    claimed = min(passed, IDLE) if spent is None else spent - found.seconds
    found.seconds = min(found.seconds + min(max(0.0, claimed), passed), 100 * DAY)


def move(visitor: str, puzzle: PuzzleOf, text: str, version: int, spent: float | None) -> None:
    """Make a move."""
    with _taken(visitor, puzzle, version, spent) as found:
        played = match(puzzle, found.moves)
        played.play(0, text)
        if len(found.moves) >= LONGEST:
            raise Refused("too-many-moves")
        _lie(found, [*found.moves, text], [])
        if played.solved and not found.closed:
            found.solved = timezone.now()


def undo(visitor: str, puzzle: PuzzleOf, version: int, spent: float | None) -> None:
    with _taken(visitor, puzzle, version, spent) as found:
        if not found.moves:
            raise Refused("nothing-to-undo")
        _lie(found, found.moves[:-1], [*found.undone, found.moves[-1]])


def redo(visitor: str, puzzle: PuzzleOf, version: int, spent: float | None) -> None:
    with _taken(visitor, puzzle, version, spent) as found:
        if not found.undone:
            raise Refused("no-redo")
        _lie(found, [*found.moves, found.undone[-1]], found.undone[:-1])


def again(visitor: str, puzzle: PuzzleOf, version: int, spent: float | None) -> None:
    """Clear the board; all of it can be put back, move by move, unless the puzzle was over."""
    with _taken(visitor, puzzle, version, spent) as found:
        if not found.moves:
            raise Refused("nothing-to-undo")
        over = match(puzzle, found.moves).over
        _lie(found, [], [] if over else [*found.undone, *reversed(found.moves)])


def hint(visitor: str, puzzle: PuzzleOf, lang: str, version: int, spent: float | None) -> Help:
    """The next deduction; once all are told the last again, which counts for nothing."""
    known = attempt(visitor, puzzle)
    found = maker.hint(puzzle.description, known.moves, known.told, lang)
    if found.number:
        with _taken(visitor, puzzle, version, spent) as mine:
            is_new = found.number > mine.told and not mine.closed
            mine.told, mine.hints = found.number, min(mine.hints + is_new, MOST_HINTS)
    return found


def check(visitor: str, puzzle: PuzzleOf, lang: str) -> Help:
    """What is wrong; looking changes nothing."""
    return maker.check(puzzle.description, attempt(visitor, puzzle).moves, lang)


def give_up(visitor: str, puzzle: PuzzleOf, version: int, spent: float | None) -> None:
    """Put a solution on the board."""
    moves = maker.solution(puzzle.description, attempt(visitor, puzzle).moves)
    if not moves:
        raise Refused("unsolvable")
    with _taken(visitor, puzzle, version, spent) as found:
        _lie(found, list(moves), [])
        if not found.closed:
            found.given_up = timezone.now()


def pause(visitor: str, puzzle: PuzzleOf, version: int, spent: float | None) -> None:
    """Only write the time down."""
    with transaction.atomic():
        found = _locked(visitor, puzzle)
        if found is not None and found.version == version:
            _count_time(found, spent, timezone.now())
            found.save()


def _lie(found: Attempt, moves: list[str], undone: list[str]) -> None:
    found.moves, found.undone, found.told = moves, undone, 0
