"""Worker processes that run out of memory: the kernel kills them, or they are refused more."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

import mover
from faults.play import Fault, Size, Stage
from killing.sites import Site
from ludotheque.web.players.questions import Question

NEEDED_BYTES = 64_000_000


def greedy(question: Question) -> str:
    """A computer player that needs memory to think."""
    assert len(bytearray(NEEDED_BYTES)) == NEEDED_BYTES
    return mover.anything(question)


@contextmanager
def _greedy_site(folder: Path) -> Iterator[Site]:
    yield Site(folder, "one", {"LUDOTHEQUE_THINKER": "faults.memory:greedy"})


def _workers(stage: Stage) -> list[psutil.Process]:
    """Processes of the site that compute."""
    server = stage.site.victims["server 1"].process  # type: ignore[attr-defined]
    children = psutil.Process(server.pid).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


async def _kill(stage: Stage) -> None:
    """One process with SQLite, and the worker process beside it in which computer players think, which is killed
    (SIGKILL). Counted from the kill.
    """

    async def kill_once() -> None:
        await stage.computer_moves(time.monotonic())
        since = time.monotonic()
        for worker in _workers(stage):
            worker.kill()
            stage.outcome.add("worker processes killed", 1)
        await stage.moves_are_back(since)
        await stage.computer_moves(since)

    await stage.each_time(kill_once)


KILLED = Fault(
    "The kernel kills worker processes, for lack of memory",
    _greedy_site,
    _kill,
    Size(tables=6, pace_s=0.6, times=1, hold_s=0, to_end=False),
    Size(tables=40, pace_s=2, times=15, hold_s=0, spread_s=60),
)


async def _refuse(stage: Stage) -> None:
    """One process with SQLite, and the worker process beside it in which computer players think. For {hold} seconds
    it gets no more memory (RLIMIT_AS), and a move needs 64 MB. A computer player whose computation has failed tries
    again after a minute. Counted from the beginning.
    """

    async def refuse_once() -> None:
        await stage.computer_moves(time.monotonic())
        since = time.monotonic()
        for worker in _workers(stage):
            most = worker.memory_info().vms
            before = worker.rlimit(psutil.RLIMIT_AS)
            worker.rlimit(psutil.RLIMIT_AS, (most, before[1]))
            await asyncio.sleep(stage.size.hold_s)
            worker.rlimit(psutil.RLIMIT_AS, before)
        await stage.moves_are_back(since)
        await stage.computer_moves(since)

    await stage.each_time(refuse_once)


REFUSED = Fault(
    "Worker processes are refused more memory (MemoryError)",
    _greedy_site,
    _refuse,
    Size(tables=6, pace_s=0.6, times=1, hold_s=2, to_end=False),
    Size(tables=40, pace_s=4, times=2, hold_s=4, spread_s=150),
)
