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
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from killing.bots import Ledger
from killing.report import Report, page
from killing.sites import SITES, Site
from killing.tables import Seated, count, play_all, set_tables


async def play_and_kill(
    site: Site, ledger: Ledger, tables: list[Seated], *, kills: int, pace: float, most: float
) -> Counter[str]:
    """Play at all tables while things are killed. In the end everything is up, and the matches go on to their end."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(200))
    playing = asyncio.create_task(play_all(site, ledger, tables, pace))
    killed = await _kill(site, ledger, kills, playing)
    ledger.calm = datetime.now(UTC)
    with suppress(TimeoutError):
        await asyncio.wait_for(playing, most)
    return killed


async def _kill(site: Site, ledger: Ledger, kills: int, playing: "asyncio.Task[None]") -> Counter[str]:
    """One after the other, each while moves are made, dead for a moment; until there is nobody left who plays."""
    killed: Counter[str] = Counter()
    random, loop, hand = Random(kills), asyncio.get_running_loop(), ThreadPoolExecutor(1)
    while killed.total() < kills and not playing.done():
        await ledger.moves_go_on(random.randint(1, 4))
        name = random.choice(sorted(site.victims))
        await loop.run_in_executor(hand, site.victims[name].kill)
        killed[name] += 1
        await asyncio.sleep(random.choice([0, 0.2, 1.0]))
        await loop.run_in_executor(hand, site.victims[name].start)
        print(f"  {killed.total()}. {name}; {len(ledger.acknowledged)} moves", file=sys.stderr, flush=True)
    return killed


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
