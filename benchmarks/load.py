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
from functools import partial
from pathlib import Path

import psutil
import uvloop

from crowd import servers
from crowd.pairs import Pair
from crowd.rates import LIMIT, PACE, Step, crowd_at
from crowd.servers import Start

IDLE = 300  # tables for the measure of memory
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
    lines = HEAD.format(limit=round(LIMIT * 1000), pace=PACE, **machine()).splitlines()
    lines += [await rate_line(name, start) for name, start in set_ups(parts).items()]
    if "memory" in parts:
        lines += ["", *MEMORY.splitlines()]
        lines += [await memory_line("Ludothèque", servers.embedded)]
        lines += [await memory_line("boardgame.io", servers.boardgame_io)]
    return "\n".join(lines) + "\n"


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


async def rate_line(name: str, start: Start) -> str:
    with start() as server:
        async with crowd_at(server) as crowd:
            best = await crowd.highest()
    return f"| {name} | {figures(best)} |"


def figures(best: Step | None) -> str:
    if best is None:
        return "fewer than tried | | | | | | |"
    times = f"{best.median * 1000:.1f} | {best.p99 * 1000:.0f}"
    cost = f"{best.server / best.made * 1000:.2f}"
    return (
        f"**{best.made:.0f}** | {best.tables} | {times} | {best.server:.2f} | {cost} | {best.crowd:.2f} | "
        f"{best.sent / 1000:.1f}"
    )


async def memory_line(name: str, start: Start) -> str:
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
    table, connection = (tables - before) / IDLE, (connections - tables) / IDLE / 2
    return f"| {name} | {before / 1e6:.0f} | {table / 1000:.0f} | {connection / 1000:.0f} |"


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
Python {python}, SQLite {sqlite}, Node {node}. The bots run on the same cores; “bots” is what they took.

| | moves a second | tables | median, ms | p99, ms | cores, server | ms of a core a move | cores, bots | kB a move |
|---|--:|--:|--:|--:|--:|--:|--:|--:|"""

MEMORY = """## Memory

Tables at which two people have sat down and nobody is connected, then the connections of both.

| | MB to begin with | kB a table | kB a connection |
|---|--:|--:|--:|"""


if __name__ == "__main__":
    main()
