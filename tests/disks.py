"""Small disks and read-only ones, for tests of what happens on them; skipped without root, who alone can mount."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BLOCK_BYTES = 65_536
FILLER = "filler"


@contextmanager
def small_disk(folder: Path, size_mb: int) -> Iterator[Path]:
    """A disk of its own at this folder, with room for so much."""
    folder.mkdir(parents=True, exist_ok=True)
    _mount("-t", "tmpfs", "-o", f"size={size_mb}m,mode=700", "tmpfs", str(folder))
    try:
        yield folder
    finally:
        _unmount(folder)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """While this lasts nobody can write to the folder, root included."""
    _mount("--bind", str(folder), str(folder))
    try:
        _mount("-o", "remount,ro,bind", str(folder))
        yield
    finally:
        _unmount(folder)


def fill(folder: Path, *, leaving: int = 0) -> None:
    """Fill the disk of this folder, but for so many bytes."""
    with (folder / FILLER).open("ab") as file:
        while (free := free_bytes(folder) - leaving) > 0:
            try:
                file.write(b"x" * min(BLOCK_BYTES, free))
                file.flush()
            except OSError:
                return


def empty(folder: Path) -> None:
    """Take away what filled it."""
    (folder / FILLER).unlink()


def free_bytes(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def _mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607
    if done.returncode:
        pytest.skip(f"cannot mount here: {done.stderr.strip()}")


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", "-l", str(folder)], check=True)  # noqa: S603, S607 - whoever still uses it keeps it
