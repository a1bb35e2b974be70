"""Disks that are full, or slow."""

import asyncio
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from faults.dial import Dial
from faults.play import Fault, Size, Stage
from faults.watchful import WatchfulBot
from killing.sites import Site

DISK_MB = 160
CHUNK = bytes(1 << 20)
SLOW_COMMIT_S, STALLED_COMMIT_S = 0.3, 3.0


@contextmanager
def small_disk(folder: Path, megabytes: int = DISK_MB) -> Iterator[Path]:
    """A file system in memory, so large; needs root."""
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "tmpfs", str(folder)]
    subprocess.run(mount, check=True, capture_output=True)  # noqa: S603 - our own command
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)  # noqa: S603, S607 - as above


def cannot_mount() -> str:
    """Why there is no small disk here, if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with small_disk(Path(folder), 1):
                return ""
        except (OSError, subprocess.CalledProcessError) as error:
            return f"a small disk cannot be mounted here: {error}"


def fill(folder: Path) -> Path:
    """Use the disk up to its last byte; the file to delete."""
    filler = folder / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (len(CHUNK), 4096, 1):
            with suppress(OSError):
                while file.write(CHUNK[:size]) == size:
                    pass
    return filler


# Full


@contextmanager
def _on_small_disk(folder: Path) -> Iterator[Site]:
    with small_disk(folder / "disk") as disk:
        there = {"LUDOTHEQUE_DATA": str(disk / "data")}
        site = Site(folder, "one", there)
        site.environment |= there
        yield site
        site.close()


async def _fill_and_clear(stage: Stage) -> None:
    """One process with SQLite, its data on a disk of their own, which is filled for {hold} seconds, then cleared.
    Counted from the clearing.
    """
    disk = Path(stage.site.environment["LUDOTHEQUE_DATA"]).parent

    async def fill_once() -> None:
        before, end = len(stage.ledger.acknowledged), time.monotonic() + stage.size.hold_s
        while time.monotonic() < end:
            filler = fill(disk)  # again: a checkpoint may have left some room
            await asyncio.sleep(0.2)
        stage.outcome.add("moves accepted while the disk was full", len(stage.ledger.acknowledged) - before)
        filler.unlink()
        await stage.moves_are_back(time.monotonic())

    await stage.each_time(fill_once)
    stage.outcome.add("moves refused or sent again", len(stage.ledger.refused) + stage.ledger.resent)


FULL = Fault(
    "The disk is full, to its last byte",
    _on_small_disk,
    _fill_and_clear,
    Size(tables=6, pace_s=0.6, times=1, hold_s=3, to_end=False),
    Size(tables=40, pace_s=2, times=8, hold_s=6, spread_s=60),
    lacking=cannot_mount,
)


# Slow


@contextmanager
def _with_slow_commits(folder: Path) -> Iterator[Site]:
    delay = folder / "delay"
    Dial(delay).turn(0)
    yield Site(folder, "one", {"DJANGO_SETTINGS_MODULE": "faults.slow_commits", "FAULTS_COMMIT_S": str(delay)})


async def _slow_down(stage: Stage) -> None:
    """One process with SQLite. Each delay lasts for {hold} seconds; the lock is held meanwhile. Bots look into the
    database whenever their screen changes. Counted from the end of the delays.
    """
    delay = Dial(Path(stage.site.own["FAULTS_COMMIT_S"]))

    async def slow_once() -> None:
        for seconds in (SLOW_COMMIT_S, STALLED_COMMIT_S):
            delay.turn(seconds)
            before = len(stage.ledger.acknowledged)
            await asyncio.sleep(stage.size.hold_s)
            moves = len(stage.ledger.acknowledged) - before
            stage.outcome.add(f"moves accepted while every commit took {seconds} s", moves)
        delay.turn(0)
        await stage.moves_are_back(time.monotonic())

    await stage.each_time(slow_once)


SLOW = Fault(
    f"The disk is slow: every commit takes {SLOW_COMMIT_S} s, then {STALLED_COMMIT_S} s",
    _with_slow_commits,
    _slow_down,
    Size(tables=6, pace_s=0.6, times=1, hold_s=4, to_end=False),
    Size(tables=40, pace_s=2, times=3, hold_s=12, spread_s=60),
    bot=WatchfulBot,
)
