"""People and computer players play at a site while something happens to it; in the end everything is counted."""

import asyncio
import http.client
import os
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from killing.bots import Bot, Ledger
from killing.report import Report
from killing.sites import Site
from killing.tables import count, play_all, set_tables
from services import START_TIMEOUT_S, Running

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from contextlib import AbstractContextManager

MAX_BACK_S = 90.0  # until moves must be accepted again
HEALTH_EVERY_S = 0.05
HEALTH_TIMEOUT_S = 30.0
MOVES_AFTERWARDS = 10
WORKER_IS_THERE = "Ludothèque thinks."  # what it says then
MAX_LOG_CHARS = 8000  # of what the site said last, if it went wrong
FINISH_S = 120.0  # for the matches to come to their end


@dataclass
class Size:
    """How much is played, and how often the fault is brought about, for how long each time."""

    tables: int
    pace_s: float  # that bots think about a move, on average
    times: int
    hold_s: float
    spread_s: float = 0  # within which the matches begin
    to_end: bool = True  # whether they are played to their end
    max_back_s: float = MAX_BACK_S


@dataclass
class Outcome:
    """What became of a site."""

    fault: str
    tables: int = 0
    times: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    wrong: int = 0  # gaps, records that do not verify, refused moves that were stored
    unfinished: int = 0
    max_back_s: float = MAX_BACK_S
    died: int = 0  # processes that should have lived
    untrue: int = 0  # screens that showed what was not stored, or came out of order
    back_s: list[float] = field(default_factory=list)  # until moves were accepted again
    computer_back_s: list[float] = field(default_factory=list)  # until a computer player moved
    health_p99_s: float = 0.0
    pages_refused: int = 0
    seconds: float = 0.0
    more: dict[str, float] = field(default_factory=dict)

    def add(self, what: str, number: float) -> None:
        """Count something that this fault alone has."""
        self.more[what] = self.more.get(what, 0) + number

    def longest(self, what: str, seconds: float) -> None:
        """Note how long something took that this fault alone has, if it never took longer."""
        self.more[what] = max(self.more.get(what, 0), seconds)

    @property
    def good(self) -> bool:
        broken = self.lost, self.doubled, self.wrong, self.unfinished, self.died, self.untrue
        back_s = max([*self.back_s, *self.computer_back_s], default=0)
        return not any(broken) and self.times > 0 and back_s < self.max_back_s


class Stage:
    """A site in use, for whoever disturbs it."""

    def __init__(self, site: Site, ledger: Ledger, size: Size, outcome: Outcome) -> None:
        self.site, self.ledger, self.size, self.outcome = site, ledger, size, outcome

    async def each_time(self, disturb: Callable[[], Awaitable[None]]) -> None:
        """Bring a fault about as often as wanted, each time while moves are made."""
        for _ in range(self.size.times):
            if not await self.ledger.moves_go_on(5, self.size.max_back_s):
                return  # all matches are over
            await disturb()
            self.outcome.times += 1

    async def moves_are_back(self, since: float) -> None:
        """Wait for a move to be acknowledged, and note how long that took."""
        await self.ledger.moves_go_on(1, self.size.max_back_s)
        self.outcome.back_s.append(time.monotonic() - since)

    async def computer_moves(self, since: float) -> None:
        """Wait for a move of a computer player, and note how long that took."""
        moved = await asyncio.to_thread(_next_computer_move, since + self.size.max_back_s)
        if moved is not None:
            self.outcome.computer_back_s.append(moved - since)


def _next_computer_move(deadline: float) -> float | None:
    """When a computer player moves, or the deadline; None if none is left."""
    from django.db import DatabaseError, connection  # noqa: PLC0415

    before: int | None = None
    while time.monotonic() < deadline:
        with suppress(DatabaseError):  # while it is away nobody moves
            stored, playing = _computer_moves()
            before = stored if before is None else before
            if stored > before:
                break
            if not playing:
                return None
        connection.close()
        time.sleep(0.05)
    return time.monotonic()


def _computer_moves() -> tuple[int, bool]:
    """How many are stored, and whether more will be."""
    from ludotheque.web.models import Event, Seat, Table  # noqa: PLC0415
    from ludotheque.web.table.transaction import COMPUTER  # noqa: PLC0415

    going_on = Table.objects.exclude(status=Table.Status.OVER).filter(seats__kind=Seat.Kind.COMPUTER)
    return Event.objects.filter(client__startswith=COMPUTER).count(), going_on.exists()


class Fault(NamedTuple):
    """Something that can happen: the site it happens to, and what is done."""

    title: str
    site: "Callable[[Path], AbstractContextManager[Site]]"
    disturb: "Callable[[Stage], Coroutine[None, None, None]]"
    short: Size
    long: Size
    bot: type[Bot] = Bot
    lacking: Callable[[], str] = lambda: ""  # why it cannot be brought about here


def run(name: str, fault: Fault, size: Size) -> Outcome:
    """Play and disturb. Django has one configuration a process, so each site needs a process of its own."""
    outcome, ledger = Outcome(name, size.tables, max_back_s=size.max_back_s), Ledger()
    with tempfile.TemporaryDirectory(prefix="ludotheque-faults-") as folder, fault.site(Path(folder)) as site:
        os.environ.update(site.environment)
        try:
            from ludotheque.web.server import serve  # noqa: PLC0415 - it reads the environment

            serve.set_up(static=False)
            tables = set_tables(size.tables, size.spread_s)
            site.open()
            _wait_until_open(site)
            stage = Stage(site, ledger, size, outcome)
            began = time.monotonic()
            with looking(site.port) as looks:
                asyncio.run(_play(stage, play_all(site, ledger, tables, size.pace_s, fault.bot), fault))
            outcome.seconds = time.monotonic() - began
            outcome.health_p99_s = float(np.quantile(looks.seconds, 0.99))
            outcome.pages_refused = looks.refused
            _stop(site, outcome)
            _settle(outcome, ledger)
            outcome.unfinished *= size.to_end
        finally:
            site.close()
            if not outcome.good and site.log.exists():
                sys.stderr.write(site.log.read_text(encoding="utf-8", errors="replace")[-MAX_LOG_CHARS:])
    return outcome


def _wait_until_open(site: Site) -> None:
    """Until it answers, and its workers are there: a process that is just starting needs its database."""
    workers = sum(name.startswith("worker") for name in site.victims)
    deadline = time.monotonic() + START_TIMEOUT_S
    while _status(site.port) != 200 or site.log.read_text(encoding="utf-8").count(WORKER_IS_THERE) < workers:
        assert time.monotonic() < deadline, "the site does not open"
        time.sleep(0.1)


async def _play(stage: Stage, playing: "Coroutine[None, None, None]", fault: Fault) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(100))
    everybody = asyncio.create_task(playing)
    await fault.disturb(stage)
    if stage.size.to_end:
        stage.ledger.calm = datetime.now(UTC)
    else:
        await stage.ledger.moves_go_on(MOVES_AFTERWARDS, stage.size.max_back_s)
    with suppress(TimeoutError):
        await asyncio.wait_for(everybody, FINISH_S if stage.size.to_end else 0)


def _stop(site: Site, outcome: Outcome) -> None:
    """End what has not died before."""
    for each in site.victims.values():
        if isinstance(each, Running):
            outcome.died += not each.alive
            each.kill()


def _settle(outcome: Outcome, ledger: Ledger) -> None:
    report = Report(outcome.fault, outcome.tables)
    count(report, ledger)
    outcome.acknowledged, outcome.lost, outcome.doubled = report.acknowledged, report.lost, report.counted_twice
    outcome.wrong = report.gaps + report.wrong_records + report.refused_but_there
    outcome.unfinished = report.unfinished
    outcome.untrue = ledger.untrue


class Looks:
    """How long `/health` took, again and again: what stands in its way is the event loop alone."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.refused = 0  # pages that were not answered, or not by a page


@contextmanager
def looking(port: int) -> Iterator[Looks]:
    """While somebody asks for `/health`, and reads a page now and then."""
    looks, over = Looks(), threading.Event()

    def look() -> None:
        number = 0
        while not over.wait(HEALTH_EVERY_S):
            since = time.monotonic()
            _status(port)
            looks.seconds.append(time.monotonic() - since)
            number += 1
            if number % 10 == 0:
                looks.refused += _status(port, "/") != 200

    looker = threading.Thread(target=look)
    looker.start()
    try:
        yield looks
    finally:
        over.set()
        looker.join()


def _status(port: int, path: str = "/health") -> int:
    """0 if nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HEALTH_TIMEOUT_S)
    try:
        connection.request("GET", path)
        reply = connection.getresponse()
        reply.read()
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
    return reply.status
