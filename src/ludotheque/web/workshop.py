"""Puzzles and hints come from a process of their own, so that the site stays quick while they are made.

A page waits a moment; what is not ready by then goes on being made, and the page asks again. The same thing asked
twice is made once, and made puzzles are kept in the database: they are the same for everyone.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import timedelta
from threading import Lock
from typing import TypeVar

from django.db import connection
from django.utils import timezone

from ludotheque.puzzles.making.names import KEYS, PuzzleOf, Wanted, day, grades, read
from ludotheque.web import bench, work
from ludotheque.web.actions import Refused
from ludotheque.web.bench import Help
from ludotheque.web.models import Puzzle

log = logging.getLogger("ludotheque.web.workshop")

PATIENCE = 2.0  # seconds that a page waits
LONGER = 15.0  # seconds that a hint is waited for
MOST = 24  # things that wait to be made at once
AHEAD = 2  # puzzles of each grade that are made before anyone asks
T = TypeVar("T")


class NotYet(Exception):  # noqa: N818 - reads as what happened
    """It is being made: ask again."""


class Bench:
    """A process, and what it has been asked and not yet answered."""

    def __init__(self, nice: int) -> None:
        self.nice = nice
        self.asked: dict[tuple[object, ...], Future[object]] = {}
        self.pool: ProcessPoolExecutor | None = None
        self.lock = Lock()

    def ask(self, question: Callable[..., T], *words: object) -> "Future[T]":
        """The answer to come; refused if too many wait already."""
        name = (question.__name__, *words)
        with self.lock:
            known = self.asked.get(name)
            if known is not None:
                return known  # type: ignore[return-value]  # it answers the same question
            if len(self.asked) >= MOST:
                raise Refused("busy")
            answer = self._begin(question, *words)
            self.asked[name] = answer  # type: ignore[assignment]
        answer.add_done_callback(lambda _: self.asked.pop(name, None))
        return answer

    def wait(self, seconds: float, question: Callable[..., T], *words: object) -> T:
        """The answer, if it comes within so many seconds."""
        try:
            return self.ask(question, *words).result(seconds)
        except TimeoutError as error:
            raise NotYet from error
        except BrokenProcessPool as error:  # it was killed; the next question begins anew
            log.warning("a process has gone", exc_info=True)
            raise NotYet from error

    def _begin(self, question: Callable[..., T], *words: object) -> "Future[T]":
        try:
            return self._process().submit(question, *words)
        except BrokenProcessPool:
            self.pool = None
            return self._process().submit(question, *words)

    def _process(self) -> ProcessPoolExecutor:
        if self.pool is None:
            self.pool = work.processes(1, self.nice)
        return self.pool


desk = Bench(work.POLITE)


def find(name: str) -> PuzzleOf:
    """The puzzle of a name, short or long."""
    found = read(name)
    return made(found) if isinstance(found, Wanted) else _known(found)


def made(wanted: Wanted) -> PuzzleOf:
    """A puzzle by its short name, made if nobody has asked for it before."""
    kept = Puzzle.objects.filter(pk=str(wanted)).first()
    if kept is None:
        description = desk.wait(PATIENCE, bench.make, *wanted)
        kept, _ = Puzzle.objects.get_or_create(pk=str(wanted), defaults={"description": description})
    return _named(kept)


def _known(puzzle: PuzzleOf) -> PuzzleOf:
    """A described puzzle, with its short name if we know one."""
    kept = Puzzle.objects.filter(description=puzzle.description).first()
    return _named(kept) if kept else puzzle


def _named(kept: Puzzle) -> PuzzleOf:
    puzzle, wanted = read(kept.description), read(kept.seed)
    assert isinstance(puzzle, PuzzleOf)
    assert isinstance(wanted, Wanted)
    return puzzle._replace(seed=kept.seed, grade=wanted.grade)


def is_made(wanted: Wanted) -> bool:
    return Puzzle.objects.filter(pk=str(wanted)).exists()


def make_ahead(wanted: Wanted) -> None:
    """Begin to make what will be asked for next, unless there is much to do."""
    if not is_made(wanted) and len(desk.asked) < MOST // 2:
        with suppress(Refused):
            desk.ask(bench.make, *wanted)


def hint(puzzle: str, moves: list[str], told: int, lang: str) -> Help:
    return desk.wait(LONGER, bench.hint, puzzle, tuple(moves), told, lang)


def check(puzzle: str, moves: list[str], lang: str) -> Help:
    return desk.wait(LONGER, bench.check, puzzle, tuple(moves), lang)


def solution(puzzle: str, moves: list[str]) -> tuple[str, ...]:
    return desk.wait(LONGER, bench.solution, puzzle, tuple(moves))


# Before anyone asks


def warm_up() -> None:
    """Compile, and make what is asked for first: today's puzzles, tomorrow's, and the first of each grade."""
    today = timezone.localdate()
    days = [day(key, today + timedelta(days=more)) for more in (0, 1) for key in KEYS]
    firsts = [Wanted(key, grade, number) for number in range(1, AHEAD + 1) for key in KEYS for grade in grades(key)]
    try:
        for wanted in (*days, *firsts):
            if not is_made(wanted):
                description = desk.ask(bench.make, *wanted).result()
                Puzzle.objects.get_or_create(pk=str(wanted), defaults={"description": description})
        desk.ask(bench.warm_up).result()
    except (BrokenProcessPool, Refused):
        log.warning("could not warm up", exc_info=True)  # or the house is closing; pages make what they need
    finally:
        connection.close()
