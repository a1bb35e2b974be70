"""All attacks by name, and how to run one in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from attack import records, requests, sockets

Attack = Callable[[int, float], None]


def _by_name(*attacks: Attack) -> dict[str, Attack]:
    return {attack.__name__: attack for attack in attacks}


CONNECTIONS = _by_name(
    sockets.pings,
    sockets.frames,
    sockets.fragments,
    sockets.endless_header,
    sockets.endless_trailer,
    sockets.slow_headers,
    sockets.idle_connections,
    sockets.slow_readers,
    sockets.pipelined,
)
RECORDS = _by_name(records.records, records.looks, requests.previews)
OVERLOADS = _by_name(
    sockets.malformed,
    requests.pages,
    requests.table_pages,
    requests.looks_at_tables,
    requests.tables,
    requests.screens,
    requests.computers,
    requests.puzzles,
    requests.puzzle_hints,
    requests.booklets,
    requests.log_ins,
)
ATTACKS = CONNECTIONS | RECORDS | OVERLOADS
BEGINS = "The attack begins."
GRACE_S = 30  # for an attack to end


class AttackFailed(Exception):  # noqa: N818 - reads as what happened
    """The attack ended by a mistake of its own."""


@contextmanager
def under_attack(name: str, port: int, seconds: float) -> Iterator[None]:
    """While one of the attacks goes on, for so long at most, beside what is done here."""
    folders = [str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(  # noqa: S603 - our own program
        ["timeout", str(seconds + GRACE_S), sys.executable, "-m", "attack", name, str(port), str(seconds)],  # noqa: S607
        env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        if process.stdout.readline() != f"{BEGINS}\n":
            raise AttackFailed(f"{name} did not begin")
        yield
        if process.poll():
            raise AttackFailed(f"{name} ended with exit status {process.returncode}: nothing was attacked")
    finally:
        process.terminate()
        process.wait(GRACE_S)
        process.stdout.close()
