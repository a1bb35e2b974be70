"""Puzzles are made by the worker processes (`pool.making`) and kept in the database: they are the same for everyone.

A page waits a moment; what is not ready by then goes on being made, and the page asks again. The same puzzle asked
for twice is made once.
"""

import logging
import time
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from django.core.cache import cache as memory
from django.db import DatabaseError, connection
from django.utils import timezone

from ludotheque.puzzles.kinds import kinds
from ludotheque.puzzles.making.names import PuzzleSpec, ShortName, known, of_day, read
from ludotheque.web.guard import disk_space
from ludotheque.web.jobs import pool
from ludotheque.web.models import Puzzle
from ludotheque.web.puzzles import worker
from ludotheque.web.refusals import Refused, WorkerUnavailable

log = logging.getLogger("ludotheque.web.puzzles.maker")

PAGE_WAIT_S = 2.0  # that a page waits for a puzzle
POLL_EVERY_S = 0.03
CLAIM_TIMEOUT_S = 300  # after which whoever makes a puzzle is taken to be gone; compiling takes a while
MAX_QUEUED_AHEAD = 4  # jobs of a visitor that may wait already when a puzzle is made ahead for them
USUAL_TIME_KEPT_S = 24 * 3600  # that it is remembered how long puzzles of a grade take
MADE_AHEAD = 2  # puzzles of each grade that are made before anyone asks


class PuzzleNotReady(Exception):  # noqa: N818 - reads as what happened
    """It is being made: ask again."""


class Making(NamedTuple):
    """How far a puzzle is: since when it is being made, and how long the last one of its grade took; 0 if unknown."""

    seconds: int
    usual_seconds: int


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
    """Have it made, unless it is being made; refused if too much that was asked for from this address waits, or if it
    could not be kept."""
    disk_space.require()
    if memory.add(_claim(short), time.time(), CLAIM_TIMEOUT_S):
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
        memory.set(_usual_time(short), making(short).seconds, USUAL_TIME_KEPT_S)
    except DatabaseError:
        log.warning("the database is away", extra={"facts": {"puzzle": str(short)}})
    except Refused as error:
        log.warning("not made", extra={"facts": {"puzzle": str(short), "code": error.code}})
    except Exception:
        if not pool.closing.is_set():
            log.exception("could not make a puzzle", extra={"facts": {"puzzle": str(short)}})
    finally:
        memory.delete(_claim(short))


def making(short: ShortName) -> Making:
    """How far a puzzle is that is being made."""
    begun = memory.get(_claim(short))
    passed = min(max(0.0, time.time() - begun), CLAIM_TIMEOUT_S) if begun else 0  # clocks are put back, too
    return Making(round(passed), memory.get(_usual_time(short), 0))


def _usual_time(short: ShortName) -> str:
    """The key in the cache that says how many seconds the last puzzle of a grade took, waiting included."""
    return f"making-took:{short.key}:{short.grade}"


def _claim(short: ShortName) -> str:
    """The key in the cache that says that somebody makes it, and since when."""
    return f"making:{short}"


def keep(short: ShortName, jobs: pool.Pool) -> str:
    """The description of a puzzle, which is made in this pool unless it was made before."""
    kept = Puzzle.objects.filter(pk=str(short)).first()
    if kept is None:
        disk_space.require()
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
    if not is_made(short) and pool.making.waiting(pool.Asker.now()).of_visitor < MAX_QUEUED_AHEAD:
        with suppress(WorkerUnavailable), pool.with_urgency(pool.Urgency.AHEAD):
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
    except Refused as error:
        log.warning("did not warm up", extra={"facts": {"code": error.code}})
    except Exception:
        if not pool.closing.is_set():
            log.warning("could not warm up", exc_info=True)  # pages make what they need
    finally:
        connection.close()
