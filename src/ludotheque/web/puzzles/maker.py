"""Puzzles are made, and hints worked out, where work is done (`pool.making`), so that the site stays quick meanwhile.

A page waits a moment; what is not ready by then goes on being made, and the page asks again. The same puzzle asked
for twice is made once, and made puzzles are kept in the database: they are the same for everyone.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import ParamSpec, TypeVar

from django.core.cache import cache as memory
from django.db import DatabaseError, connection
from django.utils import timezone

from ludotheque.game import Json
from ludotheque.puzzles.making.names import KEYS, PuzzleOf, Wanted, day, grades, known, read
from ludotheque.web.jobs import pool
from ludotheque.web.models import Puzzle
from ludotheque.web.puzzles import worker
from ludotheque.web.puzzles.worker import Help
from ludotheque.web.refusals import Refused, WorkerUnavailable

log = logging.getLogger("ludotheque.web.puzzles.maker")

PATIENCE = 2.0  # seconds that a page waits
OFTEN = 0.03  # seconds between looks
LONGEST = 300  # seconds after which whoever makes a puzzle is taken to be gone; compiling takes a while
MOST = 24  # puzzles that wait to be made at once
AHEAD = 2  # puzzles of each grade that are made before anyone asks
P = ParamSpec("P")
R = TypeVar("R")


class NotYet(Exception):  # noqa: N818 - reads as what happened
    """It is being made: ask again."""


def find(name: str) -> PuzzleOf:
    """The puzzle of a name, short or long."""
    found = read(name)
    return made(found) if isinstance(found, Wanted) else _known(found)


def made(wanted: Wanted) -> PuzzleOf:
    """A puzzle by its short name, made if nobody has asked for it before."""
    kept = Puzzle.objects.filter(pk=str(wanted)).first()
    end = time.monotonic() + PATIENCE
    if kept is None:
        _begin(wanted)
    while kept is None:
        if time.monotonic() > end:
            raise NotYet
        time.sleep(OFTEN)
        kept = Puzzle.objects.filter(pk=str(wanted)).first()
    return known(kept.seed, kept.description)


def _begin(wanted: Wanted) -> None:
    """Have it made, unless it is being made; refused if too many wait already."""
    mark = f"making:{wanted}"
    if pool.making.waiting() >= MOST:
        raise Refused("busy")
    if memory.add(mark, 1, LONGEST):
        try:
            pool.making.post(make, *wanted)
        except WorkerUnavailable:
            memory.delete(mark)
            raise


def make(key: str, grade: int, number: int) -> None:
    """Make a puzzle and keep it, where work is done."""
    wanted = Wanted(key, grade, number)
    try:
        keep(wanted, pool.making)
    except DatabaseError:
        log.warning("the database is away", extra={"facts": {"puzzle": str(wanted)}})
    except Exception:
        if not pool.closing.is_set():
            log.exception("could not make a puzzle", extra={"facts": {"puzzle": str(wanted)}})
    finally:
        memory.delete(f"making:{wanted}")


def keep(wanted: Wanted, jobs: pool.Pool) -> str:
    """The description of a puzzle, which is made in this pool unless it was made before."""
    kept = Puzzle.objects.filter(pk=str(wanted)).first()
    if kept is None:
        connection.close()  # others can use it meanwhile
        description = jobs.compute(worker.make, *wanted)
        kept, _ = Puzzle.objects.get_or_create(pk=str(wanted), defaults={"description": description})
    return kept.description


def _known(puzzle: PuzzleOf) -> PuzzleOf:
    """A described puzzle, with its short name if we know one."""
    kept = Puzzle.objects.filter(description=puzzle.description).first()
    return known(kept.seed, kept.description) if kept else puzzle


def is_made(wanted: Wanted) -> bool:
    return Puzzle.objects.filter(pk=str(wanted)).exists()


def make_ahead(wanted: Wanted) -> None:
    """Begin to make what will be asked for next, unless there is much to do."""
    if not is_made(wanted) and pool.making.waiting() < MOST // 2:
        with suppress(Refused, WorkerUnavailable):
            _begin(wanted)


def hint(puzzle: str, moves: list[str], told: int, lang: str) -> Help:
    return Help.read(_asked(hint_at, puzzle, moves, told, lang))


def check(puzzle: str, moves: list[str], lang: str) -> Help:
    return Help.read(_asked(check_at, puzzle, moves, lang))


def solution(puzzle: str, moves: list[str]) -> list[str]:
    return _asked(solution_at, puzzle, moves)


def _asked(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return pool.making.ask(function, *args, **kwargs)
    except WorkerUnavailable as error:
        raise NotYet from error


# What is asked, where work is done


def hint_at(puzzle: str, moves: list[str], told: int, lang: str) -> list[Json]:
    return pool.making.compute(worker.hint, puzzle, tuple(moves), told, lang).plain()


def check_at(puzzle: str, moves: list[str], lang: str) -> list[Json]:
    return pool.making.compute(worker.check, puzzle, tuple(moves), lang).plain()


def solution_at(puzzle: str, moves: list[str]) -> list[str]:
    return list(pool.making.compute(worker.solution, puzzle, tuple(moves)))


# Before anyone asks


def warm_up() -> None:
    """Compile, and make what is asked for first: today's puzzles, tomorrow's, and the first of each grade."""
    today = timezone.localdate()
    days = [day(key, today + timedelta(days=more)) for more in (0, 1) for key in KEYS]
    firsts = [Wanted(key, grade, number) for number in range(1, AHEAD + 1) for key in KEYS for grade in grades(key)]
    try:
        for wanted in (*days, *firsts):
            keep(wanted, pool.making)
        pool.making.compute(worker.warm_up)
    except Exception:
        if not pool.closing.is_set():
            log.warning("could not warm up", exc_info=True)  # pages make what they need
    finally:
        connection.close()
