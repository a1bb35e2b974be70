"""How many moves a second the site carries, in its set-ups, beside an older checkout and boardgame.io's own server.

    scripts/benchmark load [--write docs/benchmarks/load.md] [--only one two boardgame.io memory]
    scripts/benchmark load --before ../older-checkout --write docs/benchmarks/load.md
    scripts/benchmark load --again docs/benchmarks/load.json --write docs/benchmarks/load.md
    scripts/benchmark load --only one boardgame.io --onto docs/benchmarks/load.json --write …

Pairs of bots play Hepta, each bot over a WebSocket of its own as a browser has it, a move a second at every table:
first at a rate that every server can carry, for the cost of a move; then the rate grows with the number of tables,
as long as 99 of 100 moves are on the opponent's screen within 100 ms. Everything runs on this machine, bots
included; it takes some minutes for each set-up and stops by itself. Beside the page the measures are written as
JSON, and what they mean for many players into docs/concepts/capacity.md. `--before` measures the server of another
checkout, with its own dependencies, in the same run. `--again` writes the pages from such a JSON, and `--onto`
keeps from one what is not measured this time, marked as earlier.
"""

import argparse
import json
import os
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from pathlib import Path
from typing import TypeVar

import psutil
import uvloop

from crowd import pages, servers
from crowd.pages import Measured, Measures, Memory
from crowd.pairs import Pair
from crowd.rates import crowd_at
from crowd.servers import Start

IDLE_TABLES = 300  # for the measure of memory
PROCESSES = 2  # behind nginx
PARTS = ("one", "two", "boardgame.io", "memory")
CAPACITY = Path("docs/concepts/capacity.md")
Answer = TypeVar("Answer")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="some set-ups")
    parser.add_argument("--before", type=Path, help="a checkout of an older version, measured in the same run")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the figures to")
    parser.add_argument("--again", type=Path, help="measures from this JSON instead of new ones")
    parser.add_argument("--onto", type=Path, help="keep from this JSON what is not measured")
    wanted = parser.parse_args()
    found = read(wanted.again) if wanted.again else uvloop.run(measure(wanted.only, wanted.before))
    if wanted.onto:
        found = found.onto(read(wanted.onto))
    print(pages.load(found))
    if wanted.write:
        wanted.write.write_text(pages.load(found), encoding="utf-8")
        wanted.write.with_suffix(".json").write_text(json.dumps(found.plain(), indent=1) + "\n", encoding="utf-8")
        CAPACITY.write_text(pages.capacity(CAPACITY.read_text(encoding="utf-8"), found), encoding="utf-8")


def read(file: Path) -> Measures:
    return Measures.read(json.loads(file.read_text(encoding="utf-8")))


async def measure(parts: Collection[str], before: Path | None = None) -> Measures:
    found, begun = Measures(machine()), time.monotonic()
    for name, start in set_ups(parts, before).items():
        print(f"{name}, after {time.monotonic() - begun:.0f} s:", flush=True)
        found.set_ups[name] = await twice(partial(measured, start))
    if "memory" in parts:
        print(f"Memory, after {time.monotonic() - begun:.0f} s", flush=True)
        for name, start in (("Ludothèque", servers.one_process), ("boardgame.io", servers.boardgame_io)):
            found.memory[name] = await twice(partial(memory, start))
    print(f"Done, after {time.monotonic() - begun:.0f} s", flush=True)
    return found


async def twice(measuring: Callable[[], Awaitable[Answer]]) -> Answer:
    """What could not be measured is tried once more: other processes may have disturbed it."""
    try:
        return await measuring()
    except (OSError, TimeoutError) as error:
        print(f"  disturbed: {error!r}; once more", flush=True)
        return await measuring()


def set_ups(parts: Collection[str], before: Path | None) -> dict[str, Start]:
    """What is measured, the older version right before ours."""
    older = servers.Checkout.at(before) if before else None
    shared = f"{PROCESSES} processes, PostgreSQL, Redis"
    found: dict[str, Start] = {}
    if "one" in parts:
        if older:
            found[f"{pages.BEFORE}, one process, SQLite"] = partial(servers.one_process, older)
        found["Ludothèque, one process, SQLite"] = servers.one_process
    if "two" in parts:
        if older:
            found[f"{pages.BEFORE}, {shared}"] = partial(servers.behind_one_port, PROCESSES, older)
        found[f"Ludothèque, {shared}, nginx"] = partial(servers.behind_nginx, PROCESSES)
    if "boardgame.io" in parts:
        found["boardgame.io, one process, in memory"] = servers.boardgame_io
    return found


async def measured(start: Start) -> Measured:
    with start() as server:
        async with crowd_at(server) as crowd:
            return Measured(await crowd.steady(), await crowd.highest())


async def memory(start: Start) -> Memory:
    """What a table costs at which two people sit and nobody is connected, and what a connection costs."""
    with start() as server:
        host = server.host
        for _ in range(20):  # so that everything is loaded
            await Pair([]).sit_down(host)
        before = server.memory()
        seats = [host.open() for _ in range(IDLE_TABLES)]
        tables = server.memory()
        opened = [await host.connect(each, _ignore, lambda: None) for each in seats]
        connections = server.memory()
        for each in opened:
            each.close()
    return Memory(before, (tables - before) / IDLE_TABLES, (connections - tables) / IDLE_TABLES / 2)


def _ignore(_seat: int, _moves: int) -> None:
    """No moves are made."""


def machine() -> dict[str, str]:
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)  # noqa: S607
    return {
        "cores": str(os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f}",
        "python": platform.python_version(),
        "built": "the system's" if sys.base_prefix == "/usr" else "not the system's",
        "node": node.stdout.strip().removeprefix("v") or "missing",
        "sqlite": sqlite3.sqlite_version,
        "fsync": f"{fsync_s() * 1000:.1f}",
        "busy": f"{psutil.cpu_percent(1):.0f}",
    }


def fsync_s() -> float:
    """The median time of an fsync, in seconds."""
    took = []
    with tempfile.TemporaryFile() as file:
        for _ in range(50):
            file.write(b"x" * 4096)
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            took.append(time.perf_counter() - begun)
    return statistics.median(took)


if __name__ == "__main__":
    main()
