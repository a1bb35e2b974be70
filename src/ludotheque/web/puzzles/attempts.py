"""Everything that changes a visitor's attempt at a puzzle. Nothing else writes there.

An attempt is a stored `PuzzleSession`. Each action takes the row for itself, plays its moves again, acts on the
session, and commits; a refusal changes nothing. What was done at another version of the attempt is refused: sent
twice, it counts once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from ludotheque import move_words
from ludotheque.match import Match
from ludotheque.pictures.output.render import render_match
from ludotheque.puzzles.human.hints import LAY
from ludotheque.puzzles.human.session import PuzzleSession
from ludotheque.puzzles.making.names import PuzzleSpec, ShortName, read
from ludotheque.web.guard import disk_space
from ludotheque.web.models import Attempt
from ludotheque.web.puzzles import hints
from ludotheque.web.puzzles.worker import PageHint
from ludotheque.web.refusals import Refused, VersionConflict
from ludotheque.web.visitors import hashed

MAX_MOVES = 1000  # on one board
MAX_HINTS = 999  # counted
MAX_PAUSE_S = 300.0  # someone without a script who stays away longer is thought to have gone for a walk
MAX_SECONDS = 100 * 24 * 3600.0


def attempt(visitor: str, puzzle: PuzzleSpec) -> Attempt:
    """The visitor's attempt, or a fresh one that is not stored before something happens."""
    known = Attempt.objects.filter(visitor=hashed(visitor), puzzle=puzzle.description).first()
    return known or _fresh(visitor, puzzle)


def _fresh(visitor: str, puzzle: PuzzleSpec) -> Attempt:
    short = read(puzzle.seed) if puzzle.seed else None
    number = short.number if isinstance(short, ShortName) else None
    return Attempt(
        visitor=hashed(visitor), puzzle=puzzle.description, key=puzzle.key, grade=puzzle.grade, number=number
    )


def _begun(visitor: str, puzzle: PuzzleSpec) -> Attempt:
    """A fresh one that is about to be stored."""
    disk_space.require()
    return _fresh(visitor, puzzle)


def match(puzzle: PuzzleSpec, moves: list[str]) -> Match:
    """The puzzle with these moves made."""
    played = puzzle.match(render_match)
    for text in moves:
        played.play(0, text)
    return played


@contextmanager
def _opened(visitor: str, puzzle: PuzzleSpec, version: int, spent: float | None) -> Iterator[Attempt]:
    """The attempt, locked for one change that was made at this version of it."""
    try:
        with transaction.atomic():
            found = _locked(visitor, puzzle) or _begun(visitor, puzzle)
            if found.version != version:
                raise VersionConflict
            _count_time(found, spent, timezone.now())
            yield found
            found.version += 1
            found.save()
    except IntegrityError as error:  # begun twice at the same moment
        raise VersionConflict from error


@contextmanager
def _session(visitor: str, puzzle: PuzzleSpec, version: int, spent: float | None) -> Iterator[PuzzleSession]:
    """The attempt as a session for one change, which is stored afterwards."""
    with _opened(visitor, puzzle, version, spent) as found:
        played = match(puzzle, found.moves)
        session = PuzzleSession(
            played, undone=found.undone, told=found.told, given=found.hints, pencilled=found.pencilled
        )
        yield session
        if len(session.moves) > MAX_MOVES:
            raise Refused("too-many-moves")
        found.moves, found.undone, found.told = session.moves, session.undone, session.told
        found.pencilled = session.pencilled
        if not found.closed:
            found.hints = min(session.hints, MAX_HINTS)
            found.solved = timezone.now() if played.solved else None


def _locked(visitor: str, puzzle: PuzzleSpec) -> Attempt | None:
    mine = Attempt.objects.select_for_update().filter(visitor=hashed(visitor), puzzle=puzzle.description)
    return mine.first()


def _count_time(found: Attempt, spent: float | None, now: datetime) -> None:
    """Add the time since the last change: as much as the page says, but never more than has passed."""
    if found.pk is None or found.closed:
        return
    passed = max(0.0, (now - found.changed).total_seconds())
    claimed = min(passed, MAX_PAUSE_S) if spent is None else spent - found.seconds
    found.seconds = min(found.seconds + min(max(0.0, claimed), passed), MAX_SECONDS)


def move(visitor: str, puzzle: PuzzleSpec, text: str, version: int, spent: float | None) -> None:
    """Make a move."""
    with _session(visitor, puzzle, version, spent) as session:
        session.play(move_words.understood(session.match.game, text))


def undo(visitor: str, puzzle: PuzzleSpec, version: int, spent: float | None) -> None:
    with _session(visitor, puzzle, version, spent) as session:
        session.undo()


def redo(visitor: str, puzzle: PuzzleSpec, version: int, spent: float | None) -> None:
    with _session(visitor, puzzle, version, spent) as session:
        if session.redo() is None:
            raise Refused("no-redo")


def again(visitor: str, puzzle: PuzzleSpec, version: int, spent: float | None) -> None:
    """Clear the board, pencil marks and all."""
    with _session(visitor, puzzle, version, spent) as session:
        session.restart()


def mark(visitor: str, puzzle: PuzzleSpec, marks: list[str], version: int, spent: float | None) -> bool:
    """Set pencil marks, or take them away where they are: whether the last of them is there now."""
    with _session(visitor, puzzle, version, spent) as session:
        session.mark(marks)
        return marks[-1] in session.marks


def note(visitor: str, puzzle: PuzzleSpec, marks: list[str], version: int, spent: float | None) -> None:
    """Set the pencil marks that are not there."""
    with _session(visitor, puzzle, version, spent) as session:
        session.note(marks)


def hint(  # noqa: PLR0917 - as all commands
    visitor: str, puzzle: PuzzleSpec, strength: int | None, lang: str, version: int, spent: float | None
) -> PageHint:
    """A hint of this strength, or the next one; the strongest lays the piece."""
    known = attempt(visitor, puzzle)
    wanted = strength or min(known.told + 1, LAY)
    found = hints.hint(puzzle.description, known.moves, wanted, lang)
    if found.strength:
        with _session(visitor, puzzle, version, spent) as session:
            session.count_hint(wanted)
            if wanted == LAY:
                session.play(found.move)
                found = found._replace(move="", pieces=())
    return found


def check(visitor: str, puzzle: PuzzleSpec, lang: str) -> PageHint:
    """What is wrong; looking changes nothing."""
    return hints.check(puzzle.description, attempt(visitor, puzzle).moves, lang)


def give_up(visitor: str, puzzle: PuzzleSpec, version: int, spent: float | None) -> None:
    """Put a solution on the board."""
    moves = hints.solution(puzzle.description, attempt(visitor, puzzle).moves)
    if not moves:
        raise Refused("unsolvable")
    with _opened(visitor, puzzle, version, spent) as found:
        found.moves, found.undone, found.pencilled, found.told = moves, [], [], 0
        if not found.closed:
            found.given_up = timezone.now()


def pause(visitor: str, puzzle: PuzzleSpec, version: int, spent: float | None) -> None:
    """Only write the time down."""
    with transaction.atomic():
        found = _locked(visitor, puzzle)
        if found is not None and found.version == version:
            _count_time(found, spent, timezone.now())
            found.save()
