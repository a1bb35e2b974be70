"""Who uses most, without saying who: addresses are counted under labels that nobody can turn back into addresses.

A label is an HMAC with a random key of the day, which the processes of this machine share in a file that is deleted
the next day. Each process counts the last minutes in memory, and writes what its heaviest addresses did into a file
for the keeper, by label. The addresses themselves are written nowhere.
"""

import hmac
import json
import logging
import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from threading import Lock

from cachetools import LRUCache, TTLCache

from ludotheque.web.monitor import metrics

log = logging.getLogger("ludotheque.web.monitor.usage")

FOLDER = metrics.FOLDER / "usage"
WINDOW_S = 600  # figures are of this window and the one before
MAX_ADDRESSES = 5_000  # of a process, in a window
MAX_LISTED = 50  # of each figure
WRITE_EVERY_S = 5
GONE_AFTER_S = 12 * WRITE_EVERY_S  # then the process that wrote a file has ended
LABEL_CHARS = 12
KEY_BYTES = 32
REPEAT_S = 60  # a refusal of the same kind and address is logged once in this time
MAX_LINES = 50  # about refusals, in this time


@dataclass(slots=True)
class Usage:
    """What came from an address, and what was done for it."""

    requests: int = 0
    refused: int = 0
    work_ms: float = 0
    connections: int = 0  # WebSockets, open now
    bytes: int = 0  # both ways
    tables: int = 0

    def add(self, other: "Usage") -> None:
        for name in FIGURES:
            setattr(self, name, getattr(self, name) + getattr(other, name))


FIGURES = tuple(field.name for field in fields(Usage))


# Labels


def key_of_day(day: str = "") -> str:
    """The key with which addresses are labelled today, the same for every process of this machine."""
    return _key(day or datetime.now(UTC).date().isoformat())


@lru_cache(2)
def _key(day: str) -> str:
    made = secrets.token_hex(KEY_BYTES)
    try:
        FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
        for old in FOLDER.glob("key-*"):
            if old.name < f"key-{day}":
                old.unlink(missing_ok=True)
        return _shared(FOLDER / f"key-{day}", made)
    except OSError as error:  # a full disk: then other processes of this machine have other labels
        log.warning("the key of today's labels is not shared", extra={"facts": {"error": type(error).__name__}})
        return made


def _shared(file: Path, made: str) -> str:
    """What the file holds; whichever process comes first writes it, whole."""
    if not file.is_file():
        handle, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "w") as text:
            text.write(made)
        try:
            os.link(name, file)
        except FileExistsError:
            pass
        finally:
            Path(name).unlink()
    return file.read_text()


def label(address: str) -> str:
    """What an address is called in logs and lists today."""
    return labelled(address, key_of_day())


@lru_cache(MAX_ADDRESSES)
def labelled(address: str, key: str) -> str:
    return hmac.new(key.encode(), address.encode(), "sha256").hexdigest()[:LABEL_CHARS]


def is_label(text: str) -> bool:
    return len(text) == LABEL_CHARS and all(mark in "0123456789abcdef" for mark in text)


# Counting


class Counters:
    """What each address used in this window and the one before; of very many addresses the latest."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._now, self._before = self._empty(), self._empty()
        self._connected: dict[str, int] = {}
        self._since = time.monotonic()

    @staticmethod
    def _empty() -> "LRUCache[str, Usage]":
        return LRUCache(MAX_ADDRESSES)

    def count(
        self, address: str, *, requests: int = 0, refused: int = 0, work_ms: float = 0, sent: int = 0, tables: int = 0
    ) -> None:
        with self._lock:
            self._turn()
            used = self._now.get(address)
            if used is None:
                used = self._now[address] = Usage()
            used.requests += requests
            used.refused += refused
            used.work_ms += work_ms
            used.bytes += sent
            used.tables += tables

    def connect(self, address: str, number: int) -> None:
        """So many more WebSockets are open, or, below zero, fewer."""
        with self._lock:
            left = self._connected.pop(address, 0) + number
            if left > 0:
                self._connected[address] = left

    def by_address(self) -> dict[str, Usage]:
        with self._lock:
            self._turn()
            found = {address: Usage(connections=number) for address, number in self._connected.items()}
            for window in (self._before, self._now):
                for address, used in window.items():
                    found.setdefault(address, Usage()).add(used)
            return found

    def _turn(self) -> None:
        """Begin a new window when its time has come."""
        passed = time.monotonic() - self._since
        if passed >= WINDOW_S:
            self._before = self._now if passed < 2 * WINDOW_S else self._empty()
            self._now, self._since = self._empty(), time.monotonic()

    def clear(self) -> None:
        with self._lock:
            self._now, self._before = self._empty(), self._empty()
            self._connected.clear()


counters = Counters()
count, connect = counters.count, counters.connect


def heaviest(used: dict[str, Usage]) -> Iterator[tuple[str, Usage]]:
    """The first of each figure, by how much was computed for them and then by requests."""
    names: set[str] = set()
    for figure in FIGURES:
        names.update(sorted(used, key=lambda name: -getattr(used[name], figure))[:MAX_LISTED])
    yield from sorted(
        ((name, used[name]) for name in names), key=lambda pair: (-pair[1].work_ms, -pair[1].requests, pair[0])
    )


# What the keeper is shown


def write(caches: dict[str, int]) -> None:
    """Write what this process has counted, by label, and how much its caches hold, for whoever asks."""
    used = counters.by_address()
    told = {
        "process": os.getpid(),
        "caches": caches,
        "visitors": [[label(address), asdict(figures)] for address, figures in heaviest(used)],
    }
    FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=FOLDER)
    with os.fdopen(handle, "w") as file:
        json.dump(told, file)
    Path(name).replace(FOLDER / f"{os.getpid()}.json")


@dataclass(frozen=True)
class Report:
    """What the processes of this machine have written lately."""

    processes: list[int]
    caches: dict[str, int]
    visitors: list[tuple[str, Usage]]


def report() -> Report:
    processes: list[int] = []
    caches: dict[str, int] = {}
    visitors: dict[str, Usage] = {}
    for file in sorted(FOLDER.glob("*.json")):
        try:
            told = json.loads(file.read_text())
            if file.stat().st_mtime < time.time() - GONE_AFTER_S:
                file.unlink()
                continue
        except FileNotFoundError:  # another process has just deleted it
            continue
        processes.append(told["process"])
        for name, number in told["caches"].items():
            caches[name] = caches.get(name, 0) + number
        for name, figures in told["visitors"]:
            visitors.setdefault(name, Usage()).add(Usage(**figures))
    return Report(processes, caches, list(heaviest(visitors)))


# What is logged of refusals

_logged: "TTLCache[tuple[str, str], bool]" = TTLCache(MAX_LINES, REPEAT_S)
_logging = Lock()


def refused(what: str, address: str) -> None:
    """Count a refusal, and log it so that the keeper can act: who by label, what, and the command."""
    count(address, refused=1)
    with _logging:
        _logged.expire()
        if (what, address) in _logged or len(_logged) >= MAX_LINES:
            return
        _logged[what, address] = True
    who = label(address)
    facts = {"refused": what, "who": who, "to act": "ludotheque keeper visitors; ludotheque keeper block " + who}
    log.warning("refused", extra={"facts": facts})
