"""How many tables can be played at once, and how many moves a second: ours, and boardgame.io's own server beside it.

    scripts/benchmark load [--write docs/benchmarks/load.md] [--only embedded boardgame.io scaled memory]

Pairs of bots play Hepta, each over a WebSocket of their own as a browser has it, a move a second at every table. The
rate grows with the number of tables, for as long as 99 of 100 moves are on the opponent's screen within 100 ms of
being sent. Everything runs on this machine, the bots included; it takes about ten minutes and stops by itself.
"""

import argparse
import os
import platform
import sqlite3
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil
import uvloop

from crowd import servers
from crowd.pairs import Pair
from crowd.rates import FIRST, LIMIT, PACE, Step, crowd_at
from crowd.servers import Start

IDLE = 300  # tables for the measure of memory
PLAYERS = (10_000, 100_000, 1_000_000)
NARROW = "\N{NARROW NO-BREAK SPACE}"
SECONDS, BUSY = 20, 0.6  # from move to move of a player; how busy machines may be
WORKERS = (1, 2, 4)
PARTS = ("embedded", "boardgame.io", "scaled", "memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts of it")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the figures to")
    wanted = parser.parse_args()
    page = uvloop.run(report(wanted.only))
    print(page)
    if wanted.write:
        wanted.write.write_text(page, encoding="utf-8")


async def report(parts: list[str]) -> str:
    head = HEAD.format(limit=round(LIMIT * 1000), pace=PACE, **machine())
    found = {name: await highest(start) for name, start in set_ups(parts).items()}
    sections = [head + "".join(f"\n| {name} | {figures(best)} |" for name, best in found.items())]
    if "memory" in parts:
        ours, theirs = await memory(servers.embedded), await memory(servers.boardgame_io)
        sections.append(f"{MEMORY}\n| Ludothèque | {ours} |\n| boardgame.io | {theirs} |")
        best = [step for name, step in found.items() if "PostgreSQL" in name and step is not None]
        if best:
            sections.append(crowds(best[-1], ours))
    return "\n\n".join(sections) + "\n"


def set_ups(parts: list[str]) -> dict[str, Start]:
    found: dict[str, Start] = {}
    if "embedded" in parts:
        found["Ludothèque, one process, SQLite"] = servers.embedded
    if "boardgame.io" in parts:
        found["boardgame.io, one process, in memory"] = servers.boardgame_io
    if "scaled" in parts:
        for workers in WORKERS:
            name = f"Ludothèque, PostgreSQL and Redis, {workers} process{'es' if workers > 1 else ''}"
            found[name] = partial(servers.scaled, workers)
    return found


async def highest(start: Start) -> Step | None:
    with start() as server:
        async with crowd_at(server) as crowd:
            return await crowd.highest()


def figures(best: Step | None) -> str:
    if best is None:
        return f"fewer than {FIRST:.0f} | | | | | | | |"
    times = f"{best.median * 1000:.1f} | {best.p99 * 1000:.0f}"
    cores = f"{best.server:.2f} | {best.beside:.2f} | {best.crowd:.2f}"
    cost = f"{best.server / best.made * 1000:.2f} | {best.sent / 1000:.1f}"
    return f"**{best.made:.0f}** | {best.tables} | {times} | {cores} | {cost}"


@dataclass(frozen=True)
class Memory:
    """Bytes: to begin with, for a table at which nobody is connected, for a connection."""

    before: int
    table: float
    connection: float

    def __str__(self) -> str:
        return f"{self.before / 1e6:.0f} | {self.table / 1000:.0f} | {self.connection / 1000:.0f}"


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


def crowds(step: Step, memory: Memory) -> str:
    """What so many players at once would take, from the costs of this step."""
    lines = [CROWDS.format(seconds=SECONDS, busy=round(BUSY * 100))]
    for players in PLAYERS:
        moves = players / SECONDS
        web, database = (moves * cores / step.made / BUSY for cores in (step.server, step.beside))
        gigabytes = players * (memory.connection + memory.table / 2) / 1e9
        megabits = moves * step.sent * 8 / 1e6
        numbers = f"{players:,} | {moves:,.0f} | {web:,.0f} | {database:,.1f} | {gigabytes:,.1f} | {megabits:,.0f}"
        lines.append(f"| {numbers.replace(',', NARROW)} |")
    return "\n".join(lines)


def _ignore(_seat: int, _moves: int) -> None:
    """Nobody plays here."""


def machine() -> dict[str, object]:
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)  # noqa: S607
    return {
        "cores": os.cpu_count(),
        "memory": round(psutil.virtual_memory().total / 2**30),
        "python": platform.python_version(),
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


HEAD = """# Tables at once, moves a second

Written by `scripts/benchmark load`: pairs of bots play whole series of Hepta, each bot over a WebSocket of its own as
a browser has it, a move every {pace:.0f} s at every table. The rate, and with it the number of tables, grows for as
long as 99 of 100 moves are on the opponent's screen within {limit} ms of being sent, and none is lost, doubled or out
of order. Ours are in the database, synced to disk, before anyone hears of them; boardgame.io's are in memory.

The machine: {cores} cores, {memory} GB, {fsync} ms for a write to be safe on disk, {busy} % busy before we began;
Python {python}, SQLite {sqlite}, Node {node}. The bots run on the same cores. “ms a move” is the time of a core that the web
processes took for one move, to both screens and the disk.

| | moves a second | tables | median, ms | p99, ms | cores, web | cores, PostgreSQL and Redis | cores, bots | ms a move | kB a move |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"""  # noqa: E501

MEMORY = """## Memory

Tables at which two people have sat down and nobody is connected, then the connections of both.

| | MB to begin with | kB a table | kB a connection |
|---|--:|--:|--:|"""

CROWDS = """## Players at once

What the costs of the last set-up above come to, if every player moves every {seconds} s and machines are {busy} %
busy. [What it means](../concepts/capacity.md).

| players | moves a second | web cores | database cores | GB for connections and tables | Mbit/s |
|--:|--:|--:|--:|--:|--:|"""


if __name__ == "__main__":
    main()
