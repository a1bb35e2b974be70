"""Figures in files whose room is reserved before they are mapped into memory.

A process that writes to a mapped file for which the disk has no room is killed (SIGBUS). The library maps its files
without asking; here a figure that finds no room waits in memory, and is told as soon as there is some.
"""

import mmap
import os
from contextlib import suppress
from pathlib import Path

from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

FIRST_BYTES = 1 << 16
ENTRY_BYTES = 4 + 8 + 16  # beside its key: the length, padding at most, value and time


class ReservedDict(MmapedDict):
    """The values of one process, in a file that has all its room already."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:  # noqa: ARG002 - the library's
        self._fname = filename
        self._positions: dict[str, int] = {}
        self._capacity = self._used = 0
        self._is_open = False
        self._has_room("")

    def read_value(self, key: str) -> tuple[float, float]:
        return super().read_value(key) if self._has_room(key) else (0.0, 0.0)  # type: ignore[no-untyped-call]

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        if self._has_room(key):
            super().write_value(key, value, timestamp)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        if self._is_open:
            super().close()  # type: ignore[no-untyped-call]

    def _has_room(self, key: str) -> bool:
        """Whether the file has this key, or has room for it, now."""
        if key in self._positions:
            return True
        try:
            if not self._is_open:
                create(Path(self._fname))
                super().__init__(self._fname)  # type: ignore[no-untyped-call]
                self._is_open = True
            while self._used + ENTRY_BYTES + len(key.encode()) > self._capacity:
                self._grow()
        except OSError:
            return False
        return True

    def _grow(self) -> None:
        os.posix_fallocate(self._f.fileno(), 0, 2 * self._capacity)
        self._capacity *= 2
        self._m = mmap.mmap(self._f.fileno(), self._capacity)


def create(file: Path) -> None:
    """A file of zeros, which has its room as soon as it has its name."""
    if file.exists() and file.stat().st_size >= FIRST_BYTES:
        with file.open("r+b") as known:
            os.posix_fallocate(known.fileno(), 0, file.stat().st_size)
        return
    fresh = file.with_suffix(".new")
    try:
        with fresh.open("wb") as made:
            os.posix_fallocate(made.fileno(), 0, FIRST_BYTES)
        fresh.replace(file)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def install() -> None:
    """Have the library keep its values so; to be called before the first figure is made."""
    values.MmapedDict = ReservedDict  # type: ignore[attr-defined]  # there is no other way in
