"""How many moves a second a server carries while every opponent sees them in time."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import psutil

from crowd.pairs import PATIENCE, Pair, script
from crowd.servers import Server
from crowd.wire import Wire

PACE = 1.0  # seconds from move to move at each table
LIMIT = 0.1  # seconds within which 99 of 100 moves must have arrived
WARM_UP, MEASURED = 1.5, 5.0  # seconds of a step
KEPT_UP = 0.97  # part of the moves asked for that must have been made in time
FIRST, FASTER, CLOSER = 60.0, 1.7, 3  # the first rate, each next one, and how often the limit is closed in on
TRIES = 2  # misses after which a rate is given up: one may be somebody else's fault
LONGEST = 420.0  # seconds after which the best rate so far is good enough
STEADY, STEPS = 60.0, 3  # the rate at which all are compared, and how often
GAMES = 40  # different ones, played at many tables


@dataclass(frozen=True)
class Step:
    """What one rate came to."""

    asked: float  # moves a second
    made: float
    tables: int
    median: float  # seconds
    p99: float
    crowd: float  # cores that the crowd itself took
    server: float  # cores that the server took
    database: float  # cores that PostgreSQL took
    redis: float  # cores that Redis took
    sent: float  # bytes to both screens for one move
    mistakes: tuple[str, ...]

    @property
    def good(self) -> bool:
        return self.p99 <= LIMIT and self.made >= KEPT_UP * self.asked and not self.mistakes

    @property
    def cost(self) -> float:
        """Seconds of a core that the server takes for one move."""
        return self.server / self.made if self.made else float("inf")

    def __str__(self) -> str:
        times = f"median {self.median * 1000:.0f} ms, p99 {self.p99 * 1000:.0f} ms"
        cores = f"server {self.server:.2f} cores ({self.cost * 1000:.2f} ms a move), crowd {self.crowd:.2f}"
        return f"{self.made:.0f} of {self.asked:.0f} moves a second, {times}, {cores} {'+' if self.good else '-'}"


@dataclass
class Crowd:
    """Pairs at one server; more come as they are needed."""

    server: Server
    pairs: list[Pair] = field(default_factory=list)
    came: int = 0

    async def steady(self) -> Step:
        """What a move costs at a rate that everybody can carry: the step in the middle of several."""
        steps = [await self.step(STEADY) for _ in range(STEPS)]
        return sorted(steps, key=lambda step: step.cost)[STEPS // 2]

    async def highest(self) -> Step | None:
        """The best step: the rate grows until it is too much, then the limit is closed in on."""
        best, rate, too_much, ends = None, FIRST, None, time.monotonic() + LONGEST
        while too_much is None:
            step = await self.fair_step(rate)
            best, too_much = (step, None) if step.good else (best, rate)
            rate *= FASTER
        if best is None:
            return None
        low, high = best.asked, too_much
        for _ in range(CLOSER):
            if time.monotonic() > ends:
                break
            step = await self.fair_step((low * high) ** 0.5)
            if step.good:
                best, low = step, step.asked
            else:
                high = step.asked
        return best

    async def fair_step(self, rate: float) -> Step:
        """A step that fails may have met something else on the machine, so it is tried again."""
        for _ in range(TRIES):
            step = await self.step(rate)
            if step.good:
                break
        return step

    async def step(self, rate: float, seconds: float = MEASURED) -> Step:
        pairs = await self._gather(round(rate * PACE), seconds)
        begun = time.perf_counter() + 0.3
        counted, ends = begun + WARM_UP, begun + WARM_UP + seconds
        took: list[float] = []
        playing = [
            _Playing(pair, begun + PACE * number / len(pairs), counted, ends, took).over
            for number, pair in enumerate(pairs)
        ]
        await asyncio.sleep(counted - time.perf_counter())
        mine, theirs, heard, since = _own_cpu(), self.server.cpu(), Wire.received, time.perf_counter()
        await asyncio.sleep(ends - time.perf_counter())
        passed = time.perf_counter() - since
        crowd, sent = _own_cpu() - mine, Wire.received - heard
        cores = [(after - before) / passed for before, after in zip(theirs, self.server.cpu(), strict=True)]
        server, database, redis = [*cores, 0.0, 0.0][:3]
        _, late = await asyncio.wait(playing, timeout=PATIENCE)
        for pair in pairs if late else ():
            pair.give_up()
        await asyncio.gather(*playing)
        mistakes = tuple(mistake for pair in pairs for mistake in pair.mistakes)
        step = Step(
            asked=rate,
            made=len(took) / seconds,
            tables=len(pairs),
            median=float(np.median(took or [PATIENCE])),
            p99=float(np.quantile(took or [PATIENCE], 0.99)),
            crowd=crowd / passed,
            server=server,
            database=database,
            redis=redis,
            sent=sent / max(1, len(took)),
            mistakes=mistakes,
        )
        print(f"  {self.server.host.name}: {step}", flush=True)
        return step

    async def _gather(self, number: int, seconds: float) -> list[Pair]:
        """So many pairs that can go on playing for a step; those who are done or confused leave."""
        need = round((WARM_UP + seconds) / PACE) + 3
        fit = [pair for pair in self.pairs if not pair.mistakes and len(pair.moves) - pair.played >= need]
        for pair in self.pairs:
            if pair not in fit:
                pair.leave()
        self.pairs = fit
        while len(self.pairs) < number:
            self.came += 1
            pair = Pair(_game(self.came % GAMES))
            await pair.sit_down(self.server.host)
            self.pairs.append(pair)
        return self.pairs[:number]

    def leave(self) -> None:
        for pair in self.pairs:
            pair.leave()


@asynccontextmanager
async def crowd_at(server: Server) -> AsyncIterator[Crowd]:
    crowd = Crowd(server)
    try:
        with _after_others():
            yield crowd
    finally:
        crowd.leave()


@contextmanager
def _after_others() -> Iterator[None]:
    """The crowd waits until a core is free for it, or its turn has come.

    Usually who is sent something takes the core from whoever sent it, at once. So each word to a screen would stop
    the server that says it, which no screen on another machine does.
    """
    if not hasattr(os, "SCHED_BATCH"):  # only Linux has it
        yield
        return
    before = os.sched_getscheduler(0)
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        yield
    finally:
        os.sched_setscheduler(0, before, os.sched_param(0))


@cache
def _game(seed: int) -> list[tuple[int, str]]:
    return script(seed)


class _Playing:
    """A pair for a step: a move every so often; a late one makes the next one late, as it would between people."""

    def __init__(self, pair: Pair, first: float, counted: float, ends: float, took: list[float]) -> None:
        self.pair, self.due, self.counted, self.ends, self.took = pair, first, counted, ends, took
        self.begun = 0.0
        self.loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = self.loop.create_future()
        self._wait()

    def _wait(self) -> None:
        if self.due < self.ends and not self.pair.over and not self.pair.mistakes:
            self.loop.call_later(max(0.0, self.due - time.perf_counter()), self._move)
        else:
            self.over.set_result(None)

    def _move(self) -> None:
        self.begun = time.perf_counter()
        self.pair.move(self._moved)

    def _moved(self, seconds: float) -> None:
        if self.begun >= self.counted and self.begun + seconds <= self.ends:
            self.took.append(seconds)
        self.due = max(self.due + PACE, time.perf_counter())
        self._wait()


def _own_cpu() -> float:
    times = psutil.Process().cpu_times()
    return float(times.user + times.system)
