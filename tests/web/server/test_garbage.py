"""The cyclic garbage collector runs when requests and connections have ended, not when Python would run it."""

import asyncio
import gc
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from ludotheque.web.server import garbage
from ludotheque.web.server.garbage import Counter
from web.connections import PageConnection, run
from web.guard.test_rate_limits import ask
from web.people import seated


class Cycle:
    """Refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def _no_automatic_collection() -> Iterator[None]:
    was = gc.isenabled()
    gc.disable()
    yield
    if was:
        gc.enable()


def _cycle(*, old: bool = False) -> Callable[[], Cycle | None]:
    """A cycle that nothing refers to any more; if old, not in the young generation."""
    cycle = Cycle()
    if old:
        gc.collect(0)
    return weakref.ref(cycle)


def _after(ended: int) -> Counter:
    counter = Counter()
    for _ in range(ended):
        counter.count_one()
    return counter


def test_automatic_collection_is_off() -> None:
    gc.enable()
    garbage.collect_rarely()
    assert not gc.isenabled()


def test_nothing_is_collected_while_little_has_ended() -> None:
    old, young = _cycle(old=True), _cycle()
    _after(garbage.YOUNG_AFTER - 1).collect(is_quiet=False)
    assert young() is not None
    _after(garbage.FULL_WHEN_QUIET - 1).collect(is_quiet=True)
    assert old() is not None


def test_a_quiet_process_collects_everything() -> None:
    cycle = _cycle(old=True)
    _after(garbage.FULL_WHEN_QUIET).collect(is_quiet=True)
    assert cycle() is None


def test_a_busy_process_collects_the_young_generation() -> None:
    young, old = _cycle(), _cycle(old=True)
    _after(garbage.YOUNG_AFTER).collect(is_quiet=False)
    assert young() is None
    assert old() is not None


def test_a_process_that_is_always_busy_collects_everything_in_the_end() -> None:
    cycle, busy = _cycle(old=True), Counter()
    for _ in range(garbage.FULL_AFTER // garbage.YOUNG_AFTER):
        assert cycle() is not None
        for _ in range(garbage.YOUNG_AFTER):
            busy.count_one()
        busy.collect(is_quiet=False)
    assert cycle() is None


def test_counting_begins_anew_after_a_collection() -> None:
    counter = _after(garbage.FULL_WHEN_QUIET)
    counter.collect(is_quiet=True)
    cycle = _cycle()
    counter.collect(is_quiet=True)
    assert cycle() is not None


def test_requests_that_end_are_counted() -> None:
    before = garbage.counter.since_young
    ask("/")
    assert garbage.counter.since_young == before + 1


def test_connections_that_end_are_counted() -> None:
    table, before = seated(), garbage.counter.since_young

    async def story() -> None:
        line = PageConnection(table, "ada")
        assert await line.open()
        assert garbage.counter.since_young == before
        await line.close()
        assert garbage.counter.since_young == before + 1

    run(story)


def test_requests_that_fail_are_counted() -> None:
    async def broken(_scope: object, _receive: object, _send: object) -> None:
        raise ZeroDivisionError

    before = garbage.counter.since_young
    with pytest.raises(ZeroDivisionError):
        asyncio.run(garbage.counted(broken)({}, broken, broken))  # type: ignore[arg-type]  # nothing is sent or received
    assert garbage.counter.since_young == before + 1


def test_the_thread_keeps_collecting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "CHECK_INTERVAL_S", 0.01)
    monkeypatch.setattr(garbage, "YOUNG_AFTER", 1)
    garbage.collect_rarely()
    cycle = _cycle()
    garbage.counter.count_one()
    deadline = time.monotonic() + 60
    while cycle() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert cycle() is None
