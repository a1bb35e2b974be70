"""How much memory tables need that were looked at once, and that nobody is at: `scripts/benchmark memory`.

    scripts/benchmark memory [--write] [--tables 600] [--before ../older-checkout]

A site is started: one process, SQLite, a folder of its own. In its database are tables of all games for several, two
thirds into matches of ordinary length. The page of each is read once, as by the person at its first seat, without
a connection that stays, and its picture. What the site has for itself (USS) is measured after the first pages,
which load what all tables share, and then again and again, once the garbage collector has run. `--before` does the
same to an older checkout, with its own dependencies.
"""

import argparse
import http.client
import os
import platform
import subprocess
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import psutil

import services
from crowd.servers import HERE, Checkout
from services import Running

PAGE = Path(__file__).parent.parent / "docs/benchmarks/memory.md"
FIRST_TABLES = 48  # of which the pages load what all tables share
PARTS = 3  # between which memory is measured
QUIET_S = 8.0  # after which the garbage collector has run, if there were
COLLECTED_AFTER = 500  # requests since the last time
Looked = list[tuple[int, int]]
"""Tables looked at, and bytes."""


@dataclass(frozen=True)
class Place:
    """A table, and the cookie of whoever is at its first seat."""

    table: str
    cookie: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=600)
    parser.add_argument("--before", type=Path, help="a checkout of an older version")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/memory.md")
    wanted = parser.parse_args()
    versions = {"before": Checkout.at(wanted.before)} if wanted.before else {}
    versions["now"] = HERE
    found = {name: measured(checkout, wanted.tables) for name, checkout in versions.items()}
    page = written(found)
    print(page)
    if wanted.write:
        PAGE.write_text(page, encoding="utf-8")


def measured(checkout: Checkout, tables: int) -> Looked:
    """Start a site and look at its tables."""
    port = services.free_port()
    with tempfile.TemporaryDirectory(prefix="ludotheque-memory-", ignore_cleanup_errors=True) as folder:
        site = checkout.serve(Path(folder), port, {})
        site.start()
        try:
            services.wait_for(port)
            return _looked_at(site, port, set_tables(checkout, site, FIRST_TABLES + tables))
        finally:
            site.kill()


def set_tables(checkout: Checkout, site: Running, count: int) -> list[Place]:
    """Tables in the database of this site, whose version sets them."""
    folders = [str(checkout.folder / "src"), str(Path(__file__).parent)]
    done = subprocess.run(  # noqa: S603 - our own program
        [checkout.python, "-m", "crowd.tables", str(count)],
        env=site.environment | {"PYTHONPATH": os.pathsep.join(folders)},
        check=True,
        capture_output=True,
        text=True,
    )
    return [Place(*line.split(" ", 1)) for line in done.stdout.splitlines()]


def _looked_at(site: Running, port: int, places: list[Place]) -> Looked:
    first, rest = places[:FIRST_TABLES], places[FIRST_TABLES:]
    for place in first:
        look(port, place)
    found = [(0, _memory(site, port))]
    for number, place in enumerate(rest, 1):
        look(port, place)
        if number % max(1, len(rest) // PARTS) == 0:
            found.append((number, _memory(site, port)))
            print(f"{found[-1][0]} tables: {found[-1][1] / 1e6:.0f} MB", flush=True)
    return found


def look(port: int, place: Place) -> None:
    """The page of a table, and its picture for everybody, each once."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=services.START_TIMEOUT_S)
    for path in (f"/t/{place.table}", f"/t/{place.table}/picture.svg"):
        connection.request("GET", path, headers={"Cookie": place.cookie})
        reply = connection.getresponse()
        reply.read()
        if reply.status != 200:
            raise ConnectionError(f"{path}: {reply.status}")
    connection.close()


def _memory(site: Running, port: int) -> int:
    """Bytes that its processes have for themselves, once they are quiet and the garbage is gone."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=services.START_TIMEOUT_S)
    for _ in range(COLLECTED_AFTER):
        connection.request("GET", "/health")
        connection.getresponse().read()
    connection.close()
    time.sleep(QUIET_S)
    assert site.process is not None
    head = psutil.Process(site.process.pid)
    return sum(int(process.memory_full_info().uss) for process in [head, *head.children(recursive=True)])


def each_mb(found: Looked) -> float:
    """Megabytes that one more table takes, over all that were looked at."""
    (_, before), (tables, after) = found[0], found[-1]
    return (after - before) / tables / 1e6


def written(found: dict[str, Looked]) -> str:
    head = " | ".join(f"{name}, MB | a table, MB" for name in found)
    counts = [tables for tables, _ in next(iter(found.values()))]
    rows = [
        f"| {count} | {' | '.join(_cells(looked, number) for looked in found.values())} |"
        for number, count in enumerate(counts)
    ]
    again = " --before …" if "before" in found else ""
    return f"""# Memory of tables that nobody is at

How much memory the site has for itself (USS) after the pages of so many tables were looked at once, with their
pictures, nobody stayed, and the garbage collector has run. The tables are of all games for several, two thirds into
matches of ordinary length. “A table” is what each of the tables since the line before has added. One process with
SQLite ({os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}).

| tables | {head} |
|--:|{"--:|--:|" * len(found)}
{chr(10).join(rows)}

Over all of them a table takes {_means(found)}. The first tables fill caches that are bounded in bytes, the later ones
replace what is in there: what the site keeps of tables that nobody is at does not grow with their number.

Written by `scripts/benchmark memory --write{again}`.
"""


def _means(found: dict[str, Looked]) -> str:
    return ", ".join(f"{each_mb(looked):.3f} MB {name}" for name, looked in found.items())


def _cells(found: Looked, number: int) -> str:
    tables, size = found[number]
    if not number:
        return f"{size / 1e6:.0f} | "
    before_tables, before = list(pairwise(found))[number - 1][0]
    return f"{size / 1e6:.0f} | {(size - before) / (tables - before_tables) / 1e6:.3f}"


if __name__ == "__main__":
    main()
