"""Is anything lost when processes die? Bots play while processes are killed and restarted; then moves are counted.

    scripts/benchmark crash [--tables 300] [--kills 240] [--write docs/benchmarks/crash.md]

Two sites at the same time: one process with SQLite, which is killed; and two web processes behind nginx with two
workers, PostgreSQL and Redis, of which any is killed, nginx included (SIGKILL). Bots play as pages do: over
WebSockets, or by plain requests while these fail or from the beginning, sending a move again under the same id until
it is answered, and now and then twice at once. A move that was answered with "ok" counts as acknowledged. In the end
every one of them must be in the database exactly once, no refused one may be there, every table must have been
played to its end, its events numbered without gaps, and its record must replay and verify. Everything runs on this
machine, and it stops by itself.
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

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from services import Nginx, Postgres, Redis, Running, free_port

ANSWER_TIMEOUT_S = 4.0  # until a move is sent again by a plain request, as a page does
QUIET_TIMEOUT_S = 12.0  # without a message, until a bot asks for the screen
POLL_INTERVAL_S = 1.5  # of bots without a WebSocket
SENT_TWICE = 0.1  # of the moves, at once
WITHOUT_WEBSOCKET = 0.2  # of the bots
GAMES: dict[str, dict[str, object]] = {  # with options for short matches
    "hepta": {"legs": 1},
    "pizza": {"rounds": 3},
    "tfortwo": {"legs": 1},
    "pegs": {},
    "tricolore": {"quiet": 12},
}
CSRF = "c" * 32
WEB_PROCESSES = 2  # behind nginx


@dataclass
class Ledger:
    """What the bots were told."""

    acknowledged: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    resent: int = 0
    doubled: int = 0
    missed: int = 0  # changes that a WebSocket had not told of
    last: float = field(default_factory=time.monotonic)
    longest_silence: float = 0.0
    calm: datetime | None = None  # when the last kill was over; from then on bots do not pause

    def settle(self, message: dict[str, Any], answer: dict[str, Any], table: str) -> None:
        if answer.get("ok"):
            now = time.monotonic()
            self.longest_silence, self.last = max(self.longest_silence, now - self.last), now
            self.acknowledged[message["id"]] = (table, message["seat"], message["move"])
        else:
            self.refused[message["id"]] = str(answer.get("code"))


@dataclass
class Report:
    """What became of one site."""

    site: str
    tables: int = 0
    with_computer: int = 0
    kills: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    acknowledged: int = 0
    refused: int = 0
    resent: int = 0
    doubled: int = 0
    missed: int = 0
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


# Sites


class Victim(Protocol):
    """What can be killed and started again."""

    def start(self) -> None: ...
    def kill(self) -> None: ...


class Site:
    """All processes of a site, and the environment they run in. Bots use `port`."""

    def __init__(self, folder: Path, kind: str) -> None:
        shared = kind == "two"
        self.backends: list[Postgres | Redis] = [Postgres(), Redis()] if shared else []
        for backend in self.backends:
            backend.start()
        database, redis = [backend.url for backend in self.backends] or ["", ""]
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
        self.log = folder / "log"
        ports = [free_port() for _ in range(WEB_PROCESSES if shared else 1)]
        self.nginx = Nginx(ports) if shared else None
        self.port = self.nginx.port if self.nginx else ports[0]
        self.victims: dict[str, Victim] = {
            f"server {number}": self._running("serve", "--port", str(port)) for number, port in enumerate(ports, 1)
        }
        if self.nginx:
            self.victims |= {
                "worker 1": self._running("work"),
                "worker 2": self._running("work"),
                "nginx": self.nginx,
            }

    def _running(self, *words: str) -> Running:
        command = [sys.executable, "-m", "ludotheque.cli", *words]
        return Running(command, os.environ | self.environment, self.log)

    def open(self) -> None:
        for victim in self.victims.values():
            victim.start()
        self.victims |= {type(backend).__name__.lower(): backend for backend in self.backends}

    def close(self) -> None:
        for victim in self.victims.values():
            victim.kill()
        for service in (*self.backends, *([self.nginx] if self.nginx else [])):
            service.close()


# Bots


class Bot:
    """One visitor with one page open."""

    def __init__(self, site: Site, ledger: Ledger, table: str, seat: int, visitor: str) -> None:
        from ludotheque.web.visitors import COOKIE, sign  # noqa: PLC0415 - Django must be set up first

        self.site, self.ledger, self.table, self.seat = site, ledger, table, seat
        self.random = random = Random(visitor)
        self.cookies = f"{COOKIE}={sign(visitor)}; csrftoken={CSRF}"
        self.by_request = random.random() < WITHOUT_WEBSOCKET
        self.version, self.moves, self.over = -1, list[str](), False
        self.pending: dict[str, Any] | None = None
        self.since = 0.0
        self.number = 0

    async def play(self, pace: float) -> None:
        """Until the match is over, whatever is killed."""
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
        address = f"ws://127.0.0.1:{self.site.port}/live/{self.table}?lang=en&version={self.version}&seat=-1"
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
            self._hear(
                json.loads(
                    await asyncio.wait_for(socket.recv(), ANSWER_TIMEOUT_S if self.pending else QUIET_TIMEOUT_S)
                )
            )
        except TimeoutError:
            if self.pending is not None:
                await self._insist()
            before = self.version
            await self._look()
            self.ledger.missed += self.version > before
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
        twice = self.random.random() < SENT_TWICE
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
            await asyncio.sleep(POLL_INTERVAL_S)

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
        def ask() -> tuple[int, bytes]:
            connection = HTTPConnection("127.0.0.1", self.site.port, timeout=20)
            try:
                connection.request(method, path, body, {"Cookie": self.cookies, **(headers or {})})
                reply = connection.getresponse()
                return reply.status, reply.read()
            finally:
                connection.close()

        return await asyncio.to_thread(ask)


# Playing and killing


async def play_and_kill(
    site: Site, ledger: Ledger, tables: list["Seated"], *, kills: int, pace: float, most: float
) -> Counter[str]:
    """Play at all tables while things are killed. In the end everything is up, and the matches go on to their end."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(200))
    playing = asyncio.create_task(_play_all(site, ledger, tables, pace))
    killed = await _kill(site, ledger, kills, playing)
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


async def _play_all(site: Site, ledger: Ledger, tables: list["Seated"], pace: float) -> None:
    await asyncio.gather(*(_play(site, ledger, table, pace) for table in tables))


async def _play(site: Site, ledger: Ledger, table: Seated, pace: float) -> None:
    await asyncio.sleep(table.begin)
    await asyncio.gather(*(Bot(site, ledger, table.id, seat, who).play(pace) for seat, who in table.people))


async def _kill(site: Site, ledger: Ledger, kills: int, playing: "asyncio.Task[None]") -> Counter[str]:
    """One after the other, each while moves are made, dead for a moment; until there is nobody left who plays."""
    killed: Counter[str] = Counter()
    random, loop, hand = Random(kills), asyncio.get_running_loop(), ThreadPoolExecutor(1)
    while killed.total() < kills and not playing.done():
        await _moves_go_on(ledger, random.randint(1, 4))
        name = random.choice(sorted(site.victims))
        await loop.run_in_executor(hand, site.victims[name].kill)
        killed[name] += 1
        await asyncio.sleep(random.choice([0, 0.2, 1.0]))
        await loop.run_in_executor(hand, site.victims[name].start)
        print(f"  {killed.total()}. {name}; {len(ledger.acknowledged)} moves", file=sys.stderr, flush=True)
    return killed


async def _moves_go_on(ledger: Ledger, moves: int, seconds: float = 60) -> None:
    """Wait for some moves to be acknowledged, so that the next kill hits a site in use."""
    goal, end = len(ledger.acknowledged) + moves, time.monotonic() + seconds
    while len(ledger.acknowledged) < goal and time.monotonic() < end:  # noqa: ASYNC110 - bots only count
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

    connections.close_all()  # their servers were killed
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
    """Test one site. Django has one configuration a process, so each site needs a process of its own."""
    report, ledger = Report(kind, tables), Ledger()
    with tempfile.TemporaryDirectory(prefix="ludotheque-crash-") as folder:
        site = Site(Path(folder), kind)
        os.environ.update(site.environment)
        try:
            from ludotheque.web.server import serve  # noqa: PLC0415 - it reads the environment

            serve.set_up(static=False)
            seated = set_tables(tables, spread)
            report.with_computer = sum(len(table.people) == 1 for table in seated)
            site.open()
            begin = ledger.last = time.monotonic()
            report.kills = dict(asyncio.run(play_and_kill(site, ledger, seated, kills=kills, pace=pace, most=most)))
            report.seconds = time.monotonic() - begin
            count(report, ledger)
        finally:
            site.close()
            if keep and site.log.exists():
                keep.write_bytes(site.log.read_bytes())
    report.acknowledged, report.refused = len(ledger.acknowledged), len(ledger.refused)
    report.resent, report.doubled, report.missed = ledger.resent, ledger.doubled, ledger.missed
    report.longest_silence = ledger.longest_silence
    return report


SITES = {
    "one": "one process, SQLite",
    "two": f"{WEB_PROCESSES} web processes, 2 workers, nginx, PostgreSQL, Redis",
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
        lambda report: report.missed,
    ),
    ("longest time without any acknowledged move, seconds", lambda report: f"{report.longest_silence:.1f}"),
]


def page(reports: list[Report], words: str) -> str:
    head = "| | " + " | ".join(SITES[report.site] for report in reports) + " |"
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
    parser = argparse.ArgumentParser(description="Play while processes are killed, then count.")
    parser.add_argument("--tables", type=int, default=300, help="at each site")
    parser.add_argument("--kills", type=int, default=240, help="a quarter of them at the site with one process")
    parser.add_argument("--pace", type=float, default=5.0, help="seconds that bots think about a move, on average")
    parser.add_argument("--spread", type=float, default=300.0, help="seconds within which all tables begin")
    parser.add_argument("--most", type=float, default=900.0, help="seconds to go on after the last kill, at most")
    parser.add_argument("--site", choices=SITES, action="append", help="only this one")
    parser.add_argument("--write", type=Path, help="the page to write")
    parser.add_argument("--log", type=Path, help="keep what the servers said in this file")
    parser.add_argument("--alone", choices=SITES, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    how = {name: getattr(asked, name) for name in ("tables", "kills", "pace", "spread", "most")}
    if asked.alone:
        print(json.dumps(asdict(run(asked.alone, **how, keep=asked.log))))
        return 0
    quarter = asked.kills // 4
    shares = {"one": quarter, "two": asked.kills - quarter}
    kinds = asked.site or list(SITES)
    with ThreadPoolExecutor() as sites:
        reports = list(sites.map(lambda kind: _in_a_process(kind, how | {"kills": shares[kind]}, asked.log), kinds))
    text = page(reports, " ".join(_words({name: how[name] for name in ("tables", "kills", "pace", "spread")})))
    print(text)
    if asked.write:
        asked.write.write_text(text, encoding="utf-8")
    return 0 if all(report.good for report in reports) else 1


def _words(how: dict[str, Any]) -> list[str]:
    return [word for name, value in how.items() for word in (f"--{name}", str(value))]


def _in_a_process(kind: str, how: dict[str, Any], log: Path | None) -> Report:
    print(f"{SITES[kind]} …", file=sys.stderr, flush=True)
    kept = ["--log", f"{log}-{kind}"] if log else []
    command = [sys.executable, __file__, "--alone", kind, *_words(how), *kept]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603 - ourselves
    return Report(**json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    sys.exit(main())
