"""Worker processes that run out of memory: the kernel kills them, or refuses them more."""

import os
import resource
import signal
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from ludotheque.web.jobs.pool import Pool
from web import memory_hogs


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool("hungry", 1, 1, 0)
    yield made
    made.close()


def test_a_computation_whose_process_is_killed_is_done_again(pool: Pool, tmp_path: Path) -> None:
    assert pool.compute(memory_hogs.dies, str(tmp_path / "died"), times=1) == "done"


def test_a_computation_that_kills_every_process_fails_and_the_next_one_does_not(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(BrokenProcessPool):
        pool.compute(memory_hogs.dies, str(tmp_path / "died"), times=2)
    assert pool.compute(memory_hogs.dies, str(tmp_path / "died"), times=2) == "done"


def test_what_needs_more_memory_than_there_is_fails_and_the_next_one_does_not(pool: Pool) -> None:
    process = pool.compute(os.getpid)
    before = resource.prlimit(process, resource.RLIMIT_AS)
    resource.prlimit(
        process, resource.RLIMIT_AS, (memory_hogs.bytes_used(process) + memory_hogs.LEFT_BYTES, before[1])
    )
    with pytest.raises(MemoryError):
        pool.compute(memory_hogs.eats, 4 * memory_hogs.LEFT_BYTES)
    assert pool.compute(memory_hogs.eats, memory_hogs.LEFT_BYTES // 4) == memory_hogs.LEFT_BYTES // 4
    assert pool.compute(os.getpid) == process, "it lives"


def test_a_process_that_is_killed_while_it_rests_is_replaced(pool: Pool) -> None:
    os.kill(pool.compute(os.getpid), signal.SIGKILL)
    assert pool.compute(memory_hogs.eats, 1) == 1
