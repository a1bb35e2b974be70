"""Malformed requests and messages by the hundred thousand: `scripts/benchmark fuzz`.

Three sources: hypothesis makes requests, hypothesis makes messages for live tables, schemathesis makes requests from
`docs/reference/openapi.yaml`. All go to the whole application in this process. After each it is checked that nothing
broke, hung, was written although it was refused, or told a secret (`tests/web/fuzzer.py`). The first failure ends it.
"""

import argparse
import os
import platform
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import django

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/benchmarks/fuzz.md"
sys.path.insert(0, str(ROOT / "tests"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--described", type=int, default=20_000, help="requests made by schemathesis")
    parser.add_argument("--seconds", type=float, default=7200, help="for each of the three at most")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/fuzz.md")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludotheque-fuzz-") as folder:
        os.environ |= {"LUDOTHEQUE_DATA": folder, "LUDOTHEQUE_LOG": "ERROR", "LUDOTHEQUE_LIMITS": "off"}
        os.environ |= {"LUDOTHEQUE_THINKER": "", "DJANGO_SETTINGS_MODULE": "ludotheque.web.settings"}
        _open_house()
        rows = [
            _storm("messages to live tables, by hypothesis", _messages, asked.messages, asked.seconds),
            _storm("requests from the description, by schemathesis", _described, asked.described, asked.seconds),
            _storm("requests, by hypothesis", _requests, asked.requests, asked.seconds),
        ]
        from web.fuzzer import clear  # noqa: PLC0415 - only now is Django set up

        clear()
    page = _page(rows)
    print(page)
    if asked.write:
        PAGE.write_text(page, encoding="utf-8")


def _open_house() -> None:
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)


Row = tuple[str, int, float]


def _storm(name: str, send: Callable[["object", int], None], number: int, seconds: float) -> Row:
    """Send in rounds, each with another seed, until the number is reached or the time is over."""
    from web.fuzzer import Fuzzer  # noqa: PLC0415

    fuzzer, began, seed = Fuzzer(), time.monotonic(), 0
    try:
        while fuzzer.sent < number and time.monotonic() - began < seconds:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                send(fuzzer, seed)
            seed += 1
            print(f"{name}: {fuzzer.sent}", file=sys.stderr, flush=True)
    finally:
        fuzzer.close()
    return name, fuzzer.sent, time.monotonic() - began


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
    lines = "\n".join(f"| {name} | {number:,} | {number / seconds:.0f} |" for name, number, seconds in rows)
    return f"""# Malformed messages

After each malformed request or batch of messages the run checks that nothing broke (no status 500, no error in the
log), nothing hung (every answer within 20 seconds), nothing was written that was refused (SQLite is asked), and no
secret was sent (a sealed cut, luck's seed, seat links, cookies and their hashes). The whole application runs in one
process, without rate limits.

Written by `scripts/benchmark fuzz --write`, on a shared machine with two cores ({platform.machine()}, Python
{platform.python_version()}).

| | sent | a second |
|---|---|---|
{lines}

Failures: 0. The first one would have ended the run. The tests contain a short form (`tests/web/test_fuzz.py`); what
is sent is described in `tests/web/fuzzer.py` and [openapi.yaml](../reference/openapi.yaml).
"""


if __name__ == "__main__":
    main()
