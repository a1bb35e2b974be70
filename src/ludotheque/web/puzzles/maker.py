"""Puzzles are made by the worker processes (`pool.making`) and kept in the database: they are the same for everyone.

A page waits a moment; what is not ready by then goes on being made, and the page asks again. The same puzzle asked
for twice is made once.
"""

import logging
import time
from contextlib import suppress
from datetime import timedelta

from django.core.cache import cache as memory
from django.db import DatabaseError, connection
from django.utils import timezone

from ludotheque.puzzles.kinds import kinds
from ludotheque.puzzles.making.names import PuzzleSpec, ShortName, known, of_day, read
from ludotheque.web.jobs import pool
from ludotheque.web.models import Puzzle
from ludotheque.web.puzzles import worker
from ludotheque.web.refusals import Refused, WorkerUnavailable

log = logging.getLogger("ludotheque.web.puzzles.maker")

PAGE_WAIT_S = 2.0  # that a page waits for a puzzle
POLL_EVERY_S = 0.03
CLAIM_TIMEOUT_S = 300  # after which whoever makes a puzzle is taken to be gone; compiling takes a while
MAX_QUEUED = 24  # puzzles that wait to be made at once
MADE_AHEAD = 2  # puzzles of each grade that are made before anyone asks


class PuzzleNotReady(Exception):  # noqa: N818 - reads as what happened
    """It is being made: ask again."""


def find(name: str) -> PuzzleSpec:
    """The puzzle of a name, short or long."""
    found = read(name)
    return made(found) if isinstance(found, ShortName) else _described(found)


def made(short: ShortName) -> PuzzleSpec:
    """A puzzle by its short name, made if nobody has asked for it before."""
    kept = Puzzle.objects.filter(pk=str(short)).first()
    end = time.monotonic() + PAGE_WAIT_S
    if kept is None:
        _begin(short)
    while kept is None:
        if time.monotonic() > end:
            raise PuzzleNotReady
        time.sleep(POLL_EVERY_S)
        kept = Puzzle.objects.filter(pk=str(short)).first()
    return known(kept.seed, kept.description)


def _begin(short: ShortName) -> None:
    """Have it made, unless it is being made; refused if too many wait already."""
    if pool.making.waiting() >= MAX_QUEUED:
        raise Refused("busy")
    if memory.add(_claim(short), 1, CLAIM_TIMEOUT_S):
        try:
            pool.making.post(make, *short)
        except WorkerUnavailable:
            memory.delete(_claim(short))
            raise


def make(key: str, grade: int, number: int) -> None:
    """Make a puzzle and keep it, where work is done."""
    short = ShortName(key, grade, number)
    try:
        keep(short, pool.making)
    except DatabaseError:
        log.warning("the database is away", extra={"facts": {"puzzle": str(short)}})
    except Exception:
        if not pool.closing.is_set():
            log.exception("could not make a puzzle", extra={"facts": {"puzzle": str(short)}})
    finally:
        memory.delete(_claim(short))


def _claim(short: ShortName) -> str:
    """The key in the cache that says that somebody makes it."""
    return f"making:{short}"


def keep(short: ShortName, jobs: pool.Pool) -> str:
    """The description of a puzzle, which is made in this pool unless it was made before."""
    kept = Puzzle.objects.filter(pk=str(short)).first()
    if kept is None:
        connection.close()  # others can use it meanwhile
        description = jobs.compute(worker.make, *short)
        kept, _ = Puzzle.objects.get_or_create(pk=str(short), defaults={"description": description})
    return kept.description


def _described(puzzle: PuzzleSpec) -> PuzzleSpec:
    """A described puzzle, with its short name if we know one."""
    kept = Puzzle.objects.filter(description=puzzle.description).first()
    return known(kept.seed, kept.description) if kept else puzzle


def is_made(short: ShortName) -> bool:
    return Puzzle.objects.filter(pk=str(short)).exists()


def make_ahead(short: ShortName) -> None:
    """Begin to make what will be asked for next, unless there is much to do."""
    if not is_made(short) and pool.making.waiting() < MAX_QUEUED // 2:
        with suppress(Refused, WorkerUnavailable):
            _begin(short)


def warm_up() -> None:
    """Compile, and make what is asked for first: today's puzzles, tomorrow's, and the first of each grade."""
    today = timezone.localdate()
    days = [of_day(kind.key, today + timedelta(days=more)) for more in (0, 1) for kind in kinds()]
    firsts = [
        ShortName(kind.key, grade, number)
        for number in range(1, MADE_AHEAD + 1)
        for kind in kinds()
        for grade in kind.grades
    ]
    try:
        for short in (*days, *firsts):
            keep(short, pool.making)
        pool.making.compute(worker.warm_up)
    except Exception:
        if not pool.closing.is_set():
            log.warning("could not warm up", exc_info=True)  # pages make what they need
    finally:
        connection.close()
