"""The cyclic garbage collector runs when requests and connections have ended, not when Python would run it."""

import asyncio
import gc
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from ludotheque.web import waste
from ludotheque.web.waste import Garbage
from web.lines import Line, run
from web.people import seated
from web.test_limits import ask


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


def _after(ended: int) -> Garbage:
    garbage = Garbage()
    for _ in range(ended):
        garbage.count_one()
    return garbage


def test_automatic_collection_is_off() -> None:
    gc.enable()
    waste.collect_rarely()
    assert not gc.isenabled()


def test_nothing_is_collected_while_little_has_ended() -> None:
    cycle = _cycle()
    _after(waste.FULL_WHEN_QUIET - 1).collect(is_quiet=True)
    _after(waste.YOUNG_AFTER - 1).collect(is_quiet=False)
    assert cycle() is not None


def test_a_quiet_process_collects_everything() -> None:
    cycle = _cycle(old=True)
    _after(waste.FULL_WHEN_QUIET).collect(is_quiet=True)
    assert cycle() is None


def test_a_busy_process_collects_the_young_generation() -> None:
    young, old = _cycle(), _cycle(old=True)
    _after(waste.YOUNG_AFTER).collect(is_quiet=False)
    assert young() is None
    assert old() is not None


def test_a_process_that_is_always_busy_collects_everything_in_the_end() -> None:
    cycle, busy = _cycle(old=True), Garbage()
    for _ in range(waste.FULL_AFTER // waste.YOUNG_AFTER):
        assert cycle() is not None
        for _ in range(waste.YOUNG_AFTER):
            busy.count_one()
        busy.collect(is_quiet=False)
    assert cycle() is None


def test_counting_begins_anew_after_a_collection() -> None:
    garbage = _after(waste.FULL_WHEN_QUIET)
    garbage.collect(is_quiet=True)
    cycle = _cycle()
    garbage.collect(is_quiet=True)
    assert cycle() is not None


def test_requests_that_end_are_counted() -> None:
    before = waste.garbage.since_young
    ask("/")
    assert waste.garbage.since_young == before + 1


def test_connections_that_end_are_counted() -> None:
    table, before = seated(), waste.garbage.since_young

    async def story() -> None:
        line = Line(table, "ada")
        assert await line.open()
        assert waste.garbage.since_young == before
        await line.close()
        assert waste.garbage.since_young == before + 1

    run(story)


def test_requests_that_fail_are_counted() -> None:
    async def broken(_scope: object, _receive: object, _send: object) -> None:
        raise ZeroDivisionError

    before = waste.garbage.since_young
    with pytest.raises(ZeroDivisionError):
        asyncio.run(waste.counted(broken)({}, broken, broken))  # type: ignore[arg-type]  # nothing is sent or received
    assert waste.garbage.since_young == before + 1


def test_the_thread_keeps_collecting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waste, "CHECK_INTERVAL_S", 0.01)
    monkeypatch.setattr(waste, "YOUNG_AFTER", 1)
    waste.collect_rarely()
    cycle = _cycle()
    waste.garbage.count_one()
    deadline = time.monotonic() + 60
    while cycle() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert cycle() is None
