"""How many tables can be played at once, and how many moves a second: ours, and boardgame.io's own server beside it.

    scripts/benchmark load [--write docs/benchmarks/load.md] [--only embedded boardgame.io scaled memory]
    scripts/benchmark load --again docs/benchmarks/load.json --write docs/benchmarks/load.md
    scripts/benchmark load --only embedded boardgame.io --onto docs/benchmarks/load.json --write …

Pairs of bots play Hepta, each over a WebSocket of their own as a browser has it, a move a second at every table:
first at a rate that everybody can carry, for the cost of a move; then the rate grows with the number of tables, for
as long as 99 of 100 moves are on the opponent's screen within 100 ms of being sent. Everything runs on this machine,
the bots included; it takes about half an hour and stops by itself. Beside the page the measures are written
as JSON, and what they mean for crowds into docs/concepts/capacity.md; `--again` writes all of it from such a JSON,
and `--onto` keeps from one what is not measured this time, marked as earlier.
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

IDLE = 300  # tables for the measure of memory
EMBEDDED = 2  # processes of the house that has nothing but SQLite, beside the one
PROCESSES = (1, 2, 4)
ADDRESSES = 2
PARTS = ("embedded", "boardgame.io", "scaled", "memory")
CAPACITY = Path("docs/concepts/capacity.md")
Answer = TypeVar("Answer")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts of it")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the figures to")
    parser.add_argument("--again", type=Path, help="measures from this JSON instead of new ones")
    parser.add_argument("--onto", type=Path, help="keep from this JSON what is not measured")
    wanted = parser.parse_args()
    found = read(wanted.again) if wanted.again else uvloop.run(measure(wanted.only))
    if wanted.onto:
        found = found.onto(read(wanted.onto))
    print(pages.load(found))
    if wanted.write:
        wanted.write.write_text(pages.load(found), encoding="utf-8")
        wanted.write.with_suffix(".json").write_text(json.dumps(found.plain(), indent=1) + "\n", encoding="utf-8")
        CAPACITY.write_text(pages.capacity(CAPACITY.read_text(encoding="utf-8"), found), encoding="utf-8")


def read(file: Path) -> Measures:
    return Measures.read(json.loads(file.read_text(encoding="utf-8")))


async def measure(parts: Collection[str]) -> Measures:
    found, begun = Measures(machine()), time.monotonic()
    for name, start in set_ups(parts).items():
        print(f"{name}, after {time.monotonic() - begun:.0f} s:", flush=True)
        found.set_ups[name] = await twice(partial(measured, start))
    if "memory" in parts:
        print(f"Memory, after {time.monotonic() - begun:.0f} s", flush=True)
        for name, start in (("Ludothèque", servers.embedded), ("boardgame.io", servers.boardgame_io)):
            found.memory[name] = await twice(partial(memory, start))
    print(f"Done, after {time.monotonic() - begun:.0f} s", flush=True)
    return found


async def twice(measuring: Callable[[], Awaitable[Answer]]) -> Answer:
    """What could not be measured is tried once more: something else may have disturbed it."""
    try:
        return await measuring()
    except (OSError, TimeoutError) as error:
        print(f"  disturbed: {error!r}; once more", flush=True)
        return await measuring()


def set_ups(parts: Collection[str]) -> dict[str, Start]:
    found: dict[str, Start] = {}
    if "embedded" in parts:
        found["Ludothèque, one process, SQLite"] = servers.embedded
        found[f"Ludothèque, {_many(EMBEDDED)}, SQLite"] = partial(servers.embedded, EMBEDDED)
    if "boardgame.io" in parts:
        found["boardgame.io, one process, in memory"] = servers.boardgame_io
    if "scaled" in parts:
        shared = "Ludothèque, PostgreSQL and Redis"
        apart = f"{shared}, {ADDRESSES} addresses"
        found[f"{apart}, anywhere"] = partial(servers.apart, ADDRESSES, by_table=False)
        found[f"{apart}, by table"] = partial(servers.apart, ADDRESSES, by_table=True)
        found |= {f"{shared}, {_many(number)}": partial(servers.scaled, number) for number in PROCESSES}
    return found


def _many(processes: int) -> str:
    return "1 process" if processes == 1 else f"{processes} processes"


async def measured(start: Start) -> Measured:
    with start() as server:
        async with crowd_at(server) as crowd:
            return Measured(await crowd.steady(), await crowd.highest())


async def memory(start: Start) -> Memory:
    """What tables cost where two people sit and nobody is connected, and what the connections of both cost."""
    with start() as server:
        host = server.host
        for _ in range(20):  # whatever is loaded once
            await Pair([]).sit_down(host)
        before = server.memory()
        seats = [host.open() for _ in range(IDLE)]
        tables = server.memory()
        lines = [await host.connect(each, _ignore, lambda: None) for each in seats]
        connections = server.memory()
        for line in lines:
            line.close()
    return Memory(before, (tables - before) / IDLE, (connections - tables) / IDLE / 2)


def _ignore(_seat: int, _moves: int) -> None:
    """Nobody plays here."""


def machine() -> dict[str, str]:
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)  # noqa: S607
    return {
        "cores": str(os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f}",
        "python": platform.python_version(),
        "built": "the system's" if sys.base_prefix == "/usr" else "not the system's",
        "node": node.stdout.strip().removeprefix("v") or "missing",
        "sqlite": sqlite3.sqlite_version,
        "fsync": f"{disk() * 1000:.1f}",
        "busy": f"{psutil.cpu_percent(1):.0f}",
    }


def disk() -> float:
    """Seconds until the disk says that something is safe, usually."""
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
