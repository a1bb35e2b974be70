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
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from killing.bots import Bot, Ledger
from killing.report import Report, page
from killing.sites import SITES, Site

GAMES: dict[str, dict[str, object]] = {  # with options for short matches
    "hepta": {"legs": 1},
    "pizza": {"rounds": 3},
    "tfortwo": {"legs": 1},
    "pegs": {},
    "tricolore": {"quiet": 12},
}


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
    what = "\n".join((__doc__ or "").strip().splitlines()[4:])
    text = page(reports, what, " ".join(_words({name: how[name] for name in ("tables", "kills", "pace", "spread")})))
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
