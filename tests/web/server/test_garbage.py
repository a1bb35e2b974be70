"""Memory that only refers to itself is looked for by ourselves, and rarely."""

import gc
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from ludotheque.web.server import garbage
from ludotheque.web.server.garbage import Waste
from web.lines import Line, run
from web.people import browser, seated


class Thing:
    """Refers to itself, so that only looking finds it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def _python_does_not_look() -> Iterator[None]:
    was = gc.isenabled()
    gc.disable()
    yield
    if was:
        gc.enable()


def _lost(*, old: bool = False) -> Callable[[], Thing | None]:
    """Something that only looking finds; if old, not where the young are."""
    thing = Thing()
    if old:
        gc.collect(0)
    return weakref.ref(thing)


def _after(ended: int) -> Waste:
    waste = Waste()
    for _ in range(ended):
        waste.one_more()
    return waste


def test_the_server_has_told_python_not_to_look() -> None:
    gc.enable()
    garbage.look_rarely()
    assert not gc.isenabled()


def test_nobody_looks_while_little_has_ended() -> None:
    gone = _lost()
    _after(garbage.SOME - 1).look(is_quiet=True)
    _after(garbage.MANY - 1).look(is_quiet=False)
    assert gone() is not None


def test_in_a_quiet_moment_everything_is_looked_through() -> None:
    gone = _lost(old=True)
    _after(garbage.SOME).look(is_quiet=True)
    assert gone() is None


def test_in_a_busy_one_only_what_is_young() -> None:
    young, old = _lost(), _lost(old=True)
    _after(garbage.MANY).look(is_quiet=False)
    assert young() is None
    assert old() is not None


def test_however_busy_waste_does_not_grow_for_ever() -> None:
    gone, busy = _lost(old=True), Waste()
    for _ in range(garbage.TOO_MANY // garbage.MANY):
        assert gone() is not None
        for _ in range(garbage.MANY):
            busy.one_more()
        busy.look(is_quiet=False)
    assert gone() is None


def test_it_is_counted_from_the_last_look_on() -> None:
    looked = _after(garbage.SOME)
    looked.look(is_quiet=True)
    gone = _lost()
    looked.look(is_quiet=True)
    assert gone() is not None


def test_requests_that_end_are_counted() -> None:
    before = garbage.waste.young
    browser("ada").get("/")
    assert garbage.waste.young == before + 1


def test_lines_that_end_are_counted() -> None:
    table, before = seated(), garbage.waste.young

    async def story() -> None:
        line = Line(table, "ada")
        assert await line.open()
        assert garbage.waste.young == before
        await line.close()
        assert garbage.waste.young == before + 1

    run(story)


def test_somebody_keeps_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "LOOK", 0.01)
    monkeypatch.setattr(garbage, "MANY", 1)
    garbage.look_rarely()
    gone = _lost()
    garbage.waste.one_more()
    end = time.monotonic() + 10
    while gone() is not None and time.monotonic() < end:
        time.sleep(0.01)
    assert gone() is None
