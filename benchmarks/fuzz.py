"""Malformed requests and messages by the hundred thousand: `scripts/benchmark fuzz`.

Three sources: hypothesis makes requests, hypothesis makes messages for live tables, schemathesis makes requests from
`docs/reference/openapi.yaml`. All go to the whole application in one process, over SQLite and then over PostgreSQL.
After each it is checked that nothing broke, hung, was written although it was refused, or told a secret
(`tests/web/fuzzer.py`). The first failure ends it. It also fails if one answer took too much computing, if memory
grew, or if the time was over before all was sent; then no page is written.
"""

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import django
import psutil

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/benchmarks/fuzz.md"
DATABASES = ("sqlite", "postgres")
MIB = 2**20
MAX_COMPUTED_S = 1.0  # of a core, for one answer
MAX_GROWTH_MIB = 50  # of the process, from a tenth of the messages to the end, with what hypothesis keeps
MAX_SHOWN_CHARS = 1000  # of a message
sys.path.insert(0, str(ROOT / "tests"))


class Row(NamedTuple):
    """What came of one source over one database; memory is that of the process, after a tenth and at the end."""

    name: str
    database: str
    sent: int
    seconds: float
    slowest_s: float
    most_computed_s: float
    first_mib: float
    last_mib: float
    wanted: int
    most_computed: str  # the message for which most was computed

    def failures(self) -> Iterator[str]:
        """What must not be, in sentences."""
        if self.most_computed_s > MAX_COMPUTED_S:
            yield (
                f"one answer took {self.most_computed_s:.2f} s of computing, more than {MAX_COMPUTED_S:.0f} s: "
                f"{self.most_computed[:MAX_SHOWN_CHARS]}"
            )
        if self.last_mib - self.first_mib > MAX_GROWTH_MIB:
            yield f"memory grew from {self.first_mib:.0f} to {self.last_mib:.0f} MiB, by more than {MAX_GROWTH_MIB}"
        if self.sent < self.wanted:
            yield f"only {self.sent:,} of {self.wanted:,} were sent in {self.seconds:.0f} s; give it more --seconds"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)  # by default 300,000, half of them over each database
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--messages", type=int, default=80_000)
    parser.add_argument("--described", type=int, default=20_000, help="requests made by schemathesis")
    parser.add_argument("--databases", nargs="+", choices=DATABASES, default=DATABASES)
    parser.add_argument("--seconds", type=float, default=7200, help="at most, for each source and database")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/fuzz.md")
    parser.add_argument("--rows", type=Path, help=argparse.SUPPRESS)  # of one database, for the process that asked
    asked = parser.parse_args()
    if asked.rows:
        asked.rows.write_text(json.dumps(_all(asked)), encoding="utf-8")
        return
    rows = [row for database in asked.databases for row in _over(database, asked)]
    page = _page(rows)
    print(page)
    if failures := [f"{row.name}, {row.database}: {each}" for row in rows for each in row.failures()]:
        sys.exit("\n".join(failures))
    if asked.write:
        PAGE.write_text(page, encoding="utf-8")


def _over(database: str, asked: argparse.Namespace) -> list[Row]:
    """The rows of one database: Django has its settings once in a process."""
    with tempfile.TemporaryDirectory(prefix="ludotheque-fuzz-") as folder:
        rows, environment = Path(folder) / "rows.json", {**os.environ, "LUDOTHEQUE_DATA": folder}
        environment |= {"LUDOTHEQUE_LOG": "ERROR", "LUDOTHEQUE_LIMITS": "off", "LUDOTHEQUE_THINKER": ""}
        environment |= {"DJANGO_SETTINGS_MODULE": "ludotheque.web.settings", "DATABASE_URL": "", "REDIS_URL": ""}
        words = [f"--{name}={getattr(asked, name)}" for name in ("requests", "messages", "described", "seconds")]
        command = [sys.executable, __file__, *words, "--databases", database, "--rows", str(rows)]
        if database == "sqlite":
            subprocess.run(command, env=environment, check=True)  # noqa: S603 - our own
        else:
            _run_over_postgres(command, environment)
        return [Row(*row) for row in json.loads(rows.read_text(encoding="utf-8"))]


def _run_over_postgres(command: list[str], environment: dict[str, str]) -> None:
    from services import Postgres  # noqa: PLC0415 - not needed for SQLite

    postgres = Postgres(durable=False)
    try:
        postgres.start()
        subprocess.run(command, env={**environment, "DATABASE_URL": postgres.url}, check=True)  # noqa: S603
    finally:
        postgres.close()


def _all(asked: argparse.Namespace) -> list[Row]:
    _open_house()
    database = asked.databases[0]
    rows = [
        _storm("messages to live tables, by hypothesis", database, _messages, asked.messages, asked.seconds),
        _storm(
            "requests from the description, by schemathesis", database, _described, asked.described, asked.seconds
        ),
        _storm("requests, by hypothesis", database, _requests, asked.requests, asked.seconds),
    ]
    from web.fuzzer import clear  # noqa: PLC0415 - only now is Django set up

    clear()
    return rows


def _open_house() -> None:
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)


def _storm(name: str, database: str, send: Callable[["object", int], None], number: int, seconds: float) -> Row:
    """Send in rounds, each with another seed, until the number is reached or the time is over."""
    from web.fuzzer import Fuzzer  # noqa: PLC0415

    fuzzer, began, seed, first_mib = Fuzzer(), time.monotonic(), 0, 0.0
    fuzzer.warm_up()
    try:
        while fuzzer.sent < number and time.monotonic() - began < seconds:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                send(fuzzer, seed)
            seed += 1
            gc.collect()  # what hypothesis leaves behind; the site itself collects rarely
            if not first_mib and fuzzer.sent >= number / 10:
                first_mib = _mib()
            times = f"slowest {fuzzer.slowest_s:.2f} s, computed {fuzzer.most_computed_s:.2f} s"
            print(f"{database}, {name}: {fuzzer.sent}, {times}, {_mib():.0f} MiB", file=sys.stderr, flush=True)
    finally:
        fuzzer.close()
        print(f"the slowest: {fuzzer.slowest[:MAX_SHOWN_CHARS]}", file=sys.stderr, flush=True)
    return Row(
        name,
        database,
        sent=fuzzer.sent,
        seconds=time.monotonic() - began,
        slowest_s=fuzzer.slowest_s,
        most_computed_s=fuzzer.most_computed_s,
        first_mib=first_mib or _mib(),
        last_mib=_mib(),
        wanted=number,
        most_computed=fuzzer.most_computed,
    )


def _mib() -> float:
    return float(psutil.Process().memory_info().rss / MIB)


def _requests(fuzzer: object, seed: int) -> None:
    from web.fuzzer import Fuzzer, requests_in_a_row  # noqa: PLC0415

    assert isinstance(fuzzer, Fuzzer)
    requests_in_a_row(fuzzer, seed)


def _messages(fuzzer: object, seed: int) -> None:
    from web.fuzzer import Fuzzer, messages_in_a_row  # noqa: PLC0415

    assert isinstance(fuzzer, Fuzzer)
    messages_in_a_row(fuzzer, seed)


def _described(fuzzer: object, seed: int) -> None:
    from web.fuzzer import Fuzzer, described_in_a_row  # noqa: PLC0415

    assert isinstance(fuzzer, Fuzzer)
    described_in_a_row(fuzzer, seed)


def _page(rows: list[Row]) -> str:
    lines, sent = "\n".join(_line(row) for row in rows), sum(row.sent for row in rows)
    failures = sum(1 for row in rows for _ in row.failures())
    return f"""# Malformed messages

After each malformed request or batch of messages the run checks that nothing broke (no status 500, no error in the
log), nothing hung (every answer within 20 seconds), nothing was written that was refused (the database is asked), and
no secret was sent (a sealed cut, luck's seed, seat links, cookies and their hashes). Requests go to all addresses,
those of `/admin/` included, by a keeper who is logged in, too. The whole application runs in one process, without
rate limits. The slowest answer is by the clock, which others on the machine slow down; computed is the most processor
time of this process for one answer. Memory is that of the process, with what makes the messages, after a tenth of
them and at the end. The run fails if one answer took more than {MAX_COMPUTED_S:.0f} s of computing, or if memory
grew by more than {MAX_GROWTH_MIB} MiB in that time.

Written by `scripts/benchmark fuzz --write`, on a shared machine with two cores ({platform.machine()}, Python
{platform.python_version()}).

| | over | sent | a second | slowest answer | computed | memory |
|---|---|---|---|---|---|---|
{lines}

{sent:,} in all; failures: {failures}. The tests contain a short form (`tests/web/test_fuzz.py`); what is sent is
described in `tests/web/fuzzer.py` and [openapi.yaml](../reference/openapi.yaml).
"""


def _line(row: Row) -> str:
    speed, memory = f"{row.sent / row.seconds:.0f}", f"{row.first_mib:.0f} → {row.last_mib:.0f} MiB"
    times = f"{row.slowest_s:.2f} s | {row.most_computed_s:.2f} s"
    return f"| {row.name} | {row.database} | {row.sent:,} | {speed} | {times} | {memory} |"


if __name__ == "__main__":
    main()
