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

from crowd.pairs import MOVE_TIMEOUT_S, Pair, script
from crowd.servers import Server
from crowd.wire import Wire

MOVE_INTERVAL_S = 1.0  # at each table
P99_LIMIT_S = 0.1
WARM_UP_S, STEP_S = 1.5, 5.0
MIN_THROUGHPUT = 0.97  # of the rate asked for
FIRST_RATE, RATE_FACTOR, BISECTIONS = 60.0, 1.7, 3  # moves a second, growth until a miss, then steps in between
ATTEMPTS = 2  # at a rate: other processes on the machine may have disturbed the first
MAX_SEARCH_S = 420.0
STEADY_RATE, STEADY_STEPS = 60.0, 3  # moves a second that every server can carry, at which costs are compared
GAMES = 40  # different ones, played at many tables


@dataclass(frozen=True)
class Step:
    """What was measured at one rate."""

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
    proxy: float = 0.0  # cores that nginx took

    @property
    def good(self) -> bool:
        return self.p99 <= P99_LIMIT_S and self.made >= MIN_THROUGHPUT * self.asked and not self.mistakes

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
    """Pairs of bots at one server; more come as they are needed."""

    server: Server
    pairs: list[Pair] = field(default_factory=list)
    came: int = 0
    move_timeout_s: float = MOVE_TIMEOUT_S

    async def steady(self) -> Step:
        """What a move costs at a rate that everybody can carry: the step in the middle of several."""
        steps = [await self.step(STEADY_RATE) for _ in range(STEADY_STEPS)]
        return sorted(steps, key=lambda step: step.cost)[STEADY_STEPS // 2]

    async def highest(self) -> Step | None:
        """The best step: the rate grows until it is too much, then the limit is closed in on."""
        best, rate, too_much, deadline = None, FIRST_RATE, None, time.monotonic() + MAX_SEARCH_S
        while too_much is None:
            step = await self.fair_step(rate)
            best, too_much = (step, None) if step.good else (best, rate)
            rate *= RATE_FACTOR
        if best is None:
            return None
        low, high = best.asked, too_much
        for _ in range(BISECTIONS):
            if time.monotonic() > deadline:
                break
            step = await self.fair_step((low * high) ** 0.5)
            if step.good:
                best, low = step, step.asked
            else:
                high = step.asked
        return best

    async def fair_step(self, rate: float) -> Step:
        """A step that fails is repeated: other processes may have disturbed it."""
        for _ in range(ATTEMPTS):
            step = await self.step(rate)
            if step.good:
                break
        return step

    async def step(self, rate: float, seconds: float = STEP_S) -> Step:
        pairs = await self._gather(round(rate * MOVE_INTERVAL_S), seconds)
        begun = time.perf_counter() + 0.3
        counted, ends = begun + WARM_UP_S, begun + WARM_UP_S + seconds
        took: list[float] = []
        playing = [
            _Playing(pair, begun + MOVE_INTERVAL_S * number / len(pairs), counted, ends, took).over
            for number, pair in enumerate(pairs)
        ]
        await asyncio.sleep(counted - time.perf_counter())
        mine, theirs, heard, since = _own_cpu(), self.server.cpu(), Wire.received_bytes, time.perf_counter()
        await asyncio.sleep(ends - time.perf_counter())
        passed = time.perf_counter() - since
        crowd, sent = _own_cpu() - mine, Wire.received_bytes - heard
        cores = [(after - before) / passed for before, after in zip(theirs, self.server.cpu(), strict=True)]
        server, database, redis, proxy = [*cores, 0.0, 0.0, 0.0][:4]
        _, late = await asyncio.wait(playing, timeout=self.move_timeout_s)
        for pair in pairs if late else ():
            pair.give_up()
        await asyncio.gather(*playing)
        mistakes = tuple(mistake for pair in pairs for mistake in pair.mistakes)
        step = Step(
            asked=rate,
            made=len(took) / seconds,
            tables=len(pairs),
            median=float(np.median(took or [MOVE_TIMEOUT_S])),
            p99=float(np.quantile(took or [MOVE_TIMEOUT_S], 0.99)),
            crowd=crowd / passed,
            server=server,
            database=database,
            redis=redis,
            sent=sent / max(1, len(took)),
            mistakes=mistakes,
            proxy=proxy,
        )
        print(f"  {self.server.host.name}: {step}", flush=True)
        return step

    async def _gather(self, number: int, seconds: float) -> list[Pair]:
        """So many pairs with enough moves left for a step; those without, or with mistakes, leave."""
        need = round((WARM_UP_S + seconds) / MOVE_INTERVAL_S) + 3
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
async def crowd_at(server: Server, move_timeout_s: float = MOVE_TIMEOUT_S) -> AsyncIterator[Crowd]:
    crowd = Crowd(server, move_timeout_s=move_timeout_s)
    try:
        with _batch_scheduling():
            yield crowd
    finally:
        crowd.leave()


@contextmanager
def _batch_scheduling() -> Iterator[None]:
    """Schedule the bots as a batch job (SCHED_BATCH).

    By default the scheduler lets the receiver of a message preempt its sender. So each message to a bot would stop
    the server that sends it, which no page on another machine does.
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
    """A pair for a step: a move at every interval; a late one makes the next one late, as between people."""

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
        self.due = max(self.due + MOVE_INTERVAL_S, time.perf_counter())
        self._wait()


def _own_cpu() -> float:
    times = psutil.Process().cpu_times()
    return float(times.user + times.system)
