"""Is anything lost when things die? Bots play, everything is killed (`kill -9`) and comes back; then all is counted.

    scripts/benchmark crash [--tables 300] [--kills 240] [--write docs/benchmarks/crash.md]

Three houses at the same time: the embedded one (SQLite, one process), whose server is killed; the same with two
processes, of which one is killed, or all; and a large one (two servers, the second with two processes, two workers,
PostgreSQL, Redis), of which anything is killed. Bots play as pages do: over WebSockets, or by plain requests while
these are away or from the beginning, sending a move again under the same id until it is answered, and now and then
twice at once. A move that was answered with "ok" is written down as acknowledged. In the end every one of them must
be in the database exactly once, no refused one may be there, every table must have been played to its end, its events
numbered without gaps, and its record must replay and verify. Only this machine is touched, and it stops by itself.
"""

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from typing import Any, Protocol

import psutil
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from services import Postgres, Redis, Running, free_port

PATIENCE = 4.0  # seconds until an answer is asked for by a plain request, as a page does
QUIET = 12.0  # seconds without a word after which a bot looks for itself
POLL = 1.5  # seconds between the looks of those who have no WebSocket
TWICE = 0.1  # of the moves are sent twice at once
BY_REQUEST = 0.2  # of the bots never use a WebSocket
GAMES: dict[str, dict[str, object]] = {  # with options for short matches
    "hepta": {"legs": 1},
    "pizza": {"rounds": 3},
    "tfortwo": {"legs": 1},
    "pegs": {},
    "tricolore": {"quiet": 12},
}
CSRF = "c" * 32
PROCESSES = {"embedded": [1], "together": [2], "large": [1, 2]}  # of the servers of each house


@dataclass
class Ledger:
    """What the bots were told."""

    acknowledged: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    resent: int = 0
    doubled: int = 0
    lost_words: int = 0  # changes that a quiet WebSocket had not told of
    last: float = field(default_factory=time.monotonic)
    longest_silence: float = 0.0
    calm: datetime | None = None  # when the last blow had fallen; from then on bots hurry

    def settle(self, message: dict[str, Any], answer: dict[str, Any], table: str) -> None:
        if answer.get("ok"):
            now = time.monotonic()
            self.longest_silence, self.last = max(self.longest_silence, now - self.last), now
            self.acknowledged[message["id"]] = (table, message["seat"], message["move"])
        else:
            self.refused[message["id"]] = str(answer.get("code"))


@dataclass
class Report:
    """How it went with one house."""

    house: str
    tables: int = 0
    with_computer: int = 0
    kills: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    acknowledged: int = 0
    refused: int = 0
    resent: int = 0
    doubled: int = 0
    lost_words: int = 0
    longest_silence: float = 0.0
    events: int = 0
    lost: int = 0
    counted_twice: int = 0
    refused_but_there: int = 0
    gaps: int = 0
    wrong_records: int = 0
    unfinished: int = 0
    stuck: int = 0

    @property
    def good(self) -> bool:
        wrong = (
            self.lost,
            self.counted_twice,
            self.refused_but_there,
            self.gaps,
            self.wrong_records,
            self.unfinished,
        )
        return not any(wrong)


# Houses


class Victim(Protocol):
    """What can be killed and started again."""

    def start(self) -> None: ...
    def kill(self) -> None: ...


class OneProcess:
    """One of the processes of a server, which looks after them and starts another; or one that thinks for it."""

    def __init__(self, server: Running) -> None:
        self.server, self.random = server, Random(0)

    def start(self) -> None:
        """That is not for us to do."""

    def kill(self) -> None:
        if self.server.process is None:
            return
        with suppress(psutil.NoSuchProcess):
            family = psutil.Process(self.server.process.pid).children(recursive=True)
            if serving := [each for each in family if any("spawn_main" in word for word in each.cmdline())]:
                self.random.choice(serving).kill()


class House:
    """Everything that runs, and the environment it runs in."""

    def __init__(self, folder: Path, kind: str) -> None:
        large = kind == "large"
        self.services: list[Postgres | Redis] = [Postgres(), Redis()] if large else []
        for service in self.services:
            service.start()
        database, redis = [service.url for service in self.services] or ["", ""]
        self.environment = {
            "DATABASE_URL": database,
            "REDIS_URL": redis,
            "LUDOTHEQUE_DATA": str(folder / "data"),
            "LUDOTHEQUE_LOG": "WARNING",
            "LUDOTHEQUE_LIMITS": "off",
            "LUDOTHEQUE_PACE": "0",
            "LUDOTHEQUE_SWEEP": "3",
            "LUDOTHEQUE_THINKER": "mover:anything",
            "LUDOTHEQUE_THINKERS": "1",
            "LUDOTHEQUE_WARM_UP": "0",
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]),
        }
        self.ports = [free_port() for _ in PROCESSES[kind]]
        self.log = folder / "log"
        self.victims: dict[str, Victim] = {}
        for number, (port, processes) in enumerate(zip(self.ports, PROCESSES[kind], strict=True), 1):
            server = self._running("serve", "--port", str(port), "--workers", str(processes))
            self.victims[f"server {number}"] = server
            if processes > 1:
                self.victims[f"process of server {number}"] = OneProcess(server)
        if large:
            self.victims |= {"worker 1": self._running("work"), "worker 2": self._running("work")}

    def _running(self, *words: str) -> Running:
        command = [sys.executable, "-m", "ludotheque.cli", *words]
        return Running(command, os.environ | self.environment, self.log)

    def open(self) -> None:
        for victim in self.victims.values():
            victim.start()
        self.victims |= {type(service).__name__.lower(): service for service in self.services}

    def close(self) -> None:
        for victim in self.victims.values():
            victim.kill()
        for service in self.services:
            service.close()


# Bots


class Bot:
    """One visitor with one page open."""

    def __init__(self, house: House, ledger: Ledger, table: str, seat: int, visitor: str) -> None:
        from ludotheque.web.visitors import COOKIE, sign  # noqa: PLC0415 - only now is Django set up

        self.house, self.ledger, self.table, self.seat = house, ledger, table, seat
        self.random = random = Random(visitor)
        self.cookies = f"{COOKIE}={sign(visitor)}; csrftoken={CSRF}"
        self.by_request = random.random() < BY_REQUEST
        self.version, self.moves, self.over = -1, list[str](), False
        self.pending: dict[str, Any] | None = None
        self.since = 0.0
        self.number = 0

    @property
    def port(self) -> int:
        return self.random.choice(self.house.ports)

    async def play(self, pace: float) -> None:
        """Until the match is over, whatever happens to the house."""
        while not self.over:
            try:
                await (self._by_request(pace) if self.by_request else self._by_socket(pace))
            except (OSError, WebSocketException, HTTPException, TimeoutError):
                await asyncio.sleep(self.random.uniform(0.2, 1.0))

    def _choose(self) -> dict[str, Any]:
        self.number += 1
        self.pending = {
            "do": "move",
            "id": f"{self.seat}-{self.number}-{self.random.getrandbits(60)}",
            "seat": self.seat,
            "move": self.random.choice(self.moves),
            "version": self.version,
        }
        self.since = time.monotonic()
        return self.pending

    def _hear(self, message: dict[str, Any]) -> None:
        if "answer" in message:
            self._settle(message)
        if message.get("version", -1) >= self.version:
            self.version = message["version"]
            self.moves = [move if isinstance(move, str) else move[0] for move in message["moves"]]
            shown = message.get("html") or "".join(change[-1] for change in message["changes"])
            self.over = self.over or 'id="after"' in shown

    def _settle(self, answer: dict[str, Any]) -> None:
        if self.pending is not None and answer.get("answer", self.pending["id"]) == self.pending["id"]:
            self.ledger.settle(self.pending, answer, self.table)
            self.pending, self.moves = None, []

    # With a WebSocket

    async def _by_socket(self, pace: float) -> None:
        address = f"ws://127.0.0.1:{self.port}/live/{self.table}?lang=en&version={self.version}&seat=-1"
        headers = {"Cookie": self.cookies, "Origin": "http://127.0.0.1"}
        async with connect(address, additional_headers=headers, open_timeout=10, max_size=None) as socket:
            if self.pending is not None:
                self.ledger.resent += 1
                await socket.send(json.dumps(self.pending))
            elif self.moves:
                await self._send(socket, pace)
            while not self.over:
                await self._listen(socket, pace)

    async def _listen(self, socket: ClientConnection, pace: float) -> None:
        try:
            self._hear(json.loads(await asyncio.wait_for(socket.recv(), PATIENCE if self.pending else QUIET)))
        except TimeoutError:
            if self.pending is not None:
                await self._insist()
            before = self.version
            await self._look()
            self.ledger.lost_words += self.version > before
        if self.moves and self.pending is None and not self.over:
            await self._send(socket, pace)

    async def _send(self, socket: ClientConnection, pace: float) -> None:
        await self._think(pace)
        message = json.dumps(self._choose())
        for _ in range(self._times()):
            await socket.send(message)

    async def _think(self, pace: float) -> None:
        await asyncio.sleep(self.random.uniform(0, 2 * pace) if self.ledger.calm is None else 0)

    def _times(self) -> int:
        twice = self.random.random() < TWICE
        self.ledger.doubled += twice
        return 2 if twice else 1

    # Without

    async def _by_request(self, pace: float) -> None:
        if self.pending is not None:
            await self._insist()
        await self._look()
        if self.moves and not self.over:
            await self._think(pace)
            message = self._choose()
            answers = await asyncio.gather(*(self._post(message) for _ in range(self._times())))
            self._settle(answers[0])
        else:
            await asyncio.sleep(POLL)

    async def _insist(self) -> None:
        """The same message again until it gets through."""
        while self.pending is not None:
            self.ledger.resent += 1
            try:
                self._settle(await self._post(self.pending))
            except (OSError, HTTPException):
                await asyncio.sleep(self.random.uniform(0.2, 1.0))

    async def _post(self, message: dict[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "X-CSRFToken": CSRF}
        status, body = await self._ask("POST", f"/t/{self.table}/do", json.dumps(message), headers)
        if status >= 500:
            raise OSError(status)
        found: dict[str, Any] = json.loads(body)
        return found

    async def _look(self) -> None:
        status, body = await self._ask("GET", f"/t/{self.table}/screen?version=-1&seat=-1")
        if status >= 500:
            raise OSError(status)
        if status == 200:
            self._hear(json.loads(body))

    async def _ask(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        def ask(port: int) -> tuple[int, bytes]:
            line = HTTPConnection("127.0.0.1", port, timeout=20)
            try:
                line.request(method, path, body, {"Cookie": self.cookies, **(headers or {})})
                reply = line.getresponse()
                return reply.status, reply.read()
            finally:
                line.close()

        return await asyncio.to_thread(ask, self.port)


# The evening


async def evening(
    house: House, ledger: Ledger, tables: list["Seated"], *, kills: int, pace: float, most: float
) -> Counter[str]:
    """Play at all tables while things are killed. In the end everything is up, and the matches go on to their end."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(200))
    playing = asyncio.create_task(_play_all(house, ledger, tables, pace))
    killed = await _kill(house, ledger, kills, playing)
    ledger.calm = datetime.now(UTC)
    with suppress(TimeoutError):
        await asyncio.wait_for(playing, most)
    return killed


@dataclass
class Seated:
    """A table and who sits there; people only."""

    id: str
    people: list[tuple[int, str]]
    begin: float


async def _play_all(house: House, ledger: Ledger, tables: list["Seated"], pace: float) -> None:
    await asyncio.gather(*(_play(house, ledger, table, pace) for table in tables))


async def _play(house: House, ledger: Ledger, table: Seated, pace: float) -> None:
    await asyncio.sleep(table.begin)
    await asyncio.gather(*(Bot(house, ledger, table.id, seat, who).play(pace) for seat, who in table.people))


async def _kill(house: House, ledger: Ledger, kills: int, playing: "asyncio.Task[None]") -> Counter[str]:
    """One after the other, each in the midst of play, dead for a moment. Nobody is left to hurt: that ends it."""
    killed: Counter[str] = Counter()
    random, loop, hand = Random(kills), asyncio.get_running_loop(), ThreadPoolExecutor(1)
    while killed.total() < kills and not playing.done():
        await _moves_go_on(ledger, random.randint(1, 4))
        name = random.choice(sorted(house.victims))
        await loop.run_in_executor(hand, house.victims[name].kill)
        killed[name] += 1
        await asyncio.sleep(random.choice([0, 0.2, 1.0]))
        await loop.run_in_executor(hand, house.victims[name].start)
        print(f"  {killed.total()}. {name}; {len(ledger.acknowledged)} moves", file=sys.stderr, flush=True)
    return killed


async def _moves_go_on(ledger: Ledger, moves: int, seconds: float = 60) -> None:
    """Wait for some moves to be acknowledged, so that the next blow hits people who play."""
    goal, end = len(ledger.acknowledged) + moves, time.monotonic() + seconds
    while len(ledger.acknowledged) < goal and time.monotonic() < end:  # noqa: ASYNC110 - a moment is all it takes
        await asyncio.sleep(0.02)


def set_tables(number: int, spread: float) -> list[Seated]:
    """Tables with everybody seated, every third against the computer."""
    from ludotheque.web.table import actions  # noqa: PLC0415

    tables, random = [], Random(number)
    for place in range(number):
        game = sorted(GAMES)[place % len(GAMES)]
        table = actions.open_table(game, 2, GAMES[game])
        people = [(seat, f"{table.id}-{seat}") for seat in range(1 if place % 3 == 0 else 2)]
        for seat, who in people:
            actions.sit(table.id, who, seat, f"Bot {seat}", entropy=who)
        if len(people) == 1:
            actions.seat_computer(table.id, people[0][1], 1, "1")
        tables.append(Seated(table.id, people, random.uniform(0, spread)))
    return tables


def count(report: Report, ledger: Ledger) -> None:
    """What is in the database, against what the bots were told."""
    from django.db import connections  # noqa: PLC0415

    from ludotheque.web.models import Event, Table  # noqa: PLC0415

    connections.close_all()  # they were killed, too
    there = Counter(Event.objects.exclude(client=None).values_list("table", "actor", "text", "client"))
    named = Counter(client for *_, client in there.elements())
    for name, (table, seat, move) in ledger.acknowledged.items():
        report.lost += not there[table, str(seat), move, name]
        report.counted_twice += named[name] > 1
    report.refused_but_there = sum(1 for name in ledger.refused if named[name] and name not in ledger.acknowledged)
    report.events = Event.objects.count()
    for played in Table.objects.prefetch_related("events"):
        numbers = [event.number for event in played.events.all()]
        report.gaps += numbers != list(range(1, len(numbers) + 1)) or played.version != len(numbers)
        report.unfinished += played.status != Table.Status.OVER
        report.stuck += played.status != Table.Status.OVER and played.changed < (ledger.calm or played.changed)
        report.wrong_records += not _verifies(played.id)


def _verifies(table: str) -> bool:
    import ludotheque  # noqa: PLC0415
    from ludotheque.web.models import Table  # noqa: PLC0415
    from ludotheque.web.table import cache  # noqa: PLC0415

    cache.clear()
    match = cache.state_of(Table.objects.get(pk=table)).match
    return match is not None and ludotheque.load(match.save()) == match


def run(
    kind: str, *, tables: int, kills: int, pace: float, spread: float, most: float, keep: Path | None = None
) -> Report:
    """One evening in one house. Its settings are those of this process: one house a process."""
    report, ledger = Report(kind, tables), Ledger()
    with tempfile.TemporaryDirectory(prefix="ludotheque-crash-") as folder:
        house = House(Path(folder), kind)
        os.environ.update(house.environment)
        try:
            from ludotheque.web.server import serve  # noqa: PLC0415 - it reads the environment

            serve.set_up(static=False)
            seated = set_tables(tables, spread)
            report.with_computer = sum(len(table.people) == 1 for table in seated)
            house.open()
            begin = ledger.last = time.monotonic()
            report.kills = dict(asyncio.run(evening(house, ledger, seated, kills=kills, pace=pace, most=most)))
            report.seconds = time.monotonic() - begin
            count(report, ledger)
        finally:
            house.close()
            if keep and house.log.exists():
                keep.write_bytes(house.log.read_bytes())
    report.acknowledged, report.refused = len(ledger.acknowledged), len(ledger.refused)
    report.resent, report.doubled, report.lost_words = ledger.resent, ledger.doubled, ledger.lost_words
    report.longest_silence = ledger.longest_silence
    return report


HOUSES = {
    "embedded": "embedded: SQLite, one process",
    "together": "embedded: SQLite, 2 processes",
    "large": "large: 2 servers (1 and 2 processes), 2 workers, PostgreSQL, Redis",
}
ROWS: list[tuple[str, Callable[[Report], object]]] = [
    ("tables played to their end", lambda report: f"{report.tables - report.unfinished} of {report.tables}"),
    ("… of them against the computer", lambda report: report.with_computer),
    ("minutes", lambda report: f"{report.seconds / 60:.1f}"),
    ("kills", lambda report: sum(report.kills.values())),
    ("… of what", lambda report: ", ".join(f"{name} {number}" for name, number in sorted(report.kills.items()))),
    ("acknowledged moves", lambda report: f"{report.acknowledged:,}"),
    ("events stored, computer players’ and luck’s too", lambda report: f"{report.events:,}"),
    ("moves sent again because no answer came", lambda report: f"{report.resent:,}"),
    ("moves sent twice at once, on purpose", lambda report: f"{report.doubled:,}"),
    ("**acknowledged moves lost**", lambda report: f"**{report.lost}**"),
    ("**moves counted twice**", lambda report: f"**{report.counted_twice}**"),
    ("refused moves that were stored all the same", lambda report: report.refused_but_there),
    ("tables with a gap in their numbers", lambda report: report.gaps),
    ("records that do not replay and verify", lambda report: report.wrong_records),
    ("tables at which nothing happened after the last kill, of those not over by then", lambda report: report.stuck),
    (
        "changes a WebSocket had not told of within 12 s, or 4 s after one’s own move",
        lambda report: report.lost_words,
    ),
    ("longest time without any acknowledged move, seconds", lambda report: f"{report.longest_silence:.1f}"),
]


def page(reports: list[Report], words: str) -> str:
    head = "| | " + " | ".join(HOUSES[report.house] for report in reports) + " |"
    rows = [f"| {name} | " + " | ".join(str(value(report)) for report in reports) + " |" for name, value in ROWS]
    measured = (
        f"Measured by `scripts/benchmark crash {words}` on {platform.system()} with Python "
        f"{platform.python_version()}, {os.cpu_count()} cores shared with the bots."
    )
    return "\n".join(
        [
            "# Killed at random",
            "",
            *(line for line in (__doc__ or "").strip().splitlines()[4:]),
            "",
            head,
            "|---|" + "---|" * len(reports),
            *rows,
            "",
            measured,
            "",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Play while everything is killed, then count.")
    parser.add_argument("--tables", type=int, default=300, help="in each house")
    parser.add_argument("--kills", type=int, default=240, help="a quarter of them in each embedded house")
    parser.add_argument("--pace", type=float, default=5.0, help="seconds that bots think about a move, on average")
    parser.add_argument("--spread", type=float, default=300.0, help="seconds within which all tables begin")
    parser.add_argument("--most", type=float, default=900.0, help="seconds to go on after the last kill, at most")
    parser.add_argument("--house", choices=HOUSES, action="append", help="only this one")
    parser.add_argument("--write", type=Path, help="the page to write")
    parser.add_argument("--log", type=Path, help="keep what the servers said in this file")
    parser.add_argument("--alone", choices=HOUSES, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    how = {name: getattr(asked, name) for name in ("tables", "kills", "pace", "spread", "most")}
    if asked.alone:
        print(json.dumps(asdict(run(asked.alone, **how, keep=asked.log))))
        return 0
    quarter = asked.kills // 4
    shares = {"embedded": quarter, "together": quarter, "large": asked.kills - 2 * quarter}
    kinds = asked.house or list(HOUSES)
    with ThreadPoolExecutor() as houses:
        reports = list(houses.map(lambda kind: _in_a_process(kind, how | {"kills": shares[kind]}, asked.log), kinds))
    text = page(reports, " ".join(_words({name: how[name] for name in ("tables", "kills", "pace", "spread")})))
    print(text)
    if asked.write:
        asked.write.write_text(text, encoding="utf-8")
    return 0 if all(report.good for report in reports) else 1


def _words(how: dict[str, Any]) -> list[str]:
    return [word for name, value in how.items() for word in (f"--{name}", str(value))]


def _in_a_process(kind: str, how: dict[str, Any], log: Path | None) -> Report:
    print(f"{HOUSES[kind]} …", file=sys.stderr, flush=True)
    kept = ["--log", f"{log}-{kind}"] if log else []
    command = [sys.executable, __file__, "--alone", kind, *_words(how), *kept]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603 - ourselves
    return Report(**json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    sys.exit(main())
