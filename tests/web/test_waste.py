"""Memory that only refers to itself is looked for by ourselves, and rarely."""

import gc
import time
import weakref
from collections.abc import Iterator

import pytest

from ludotheque.web import waste


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


def test_the_server_has_told_python_not_to_look() -> None:
    gc.enable()
    waste.look_rarely()
    assert not gc.isenabled()


@pytest.mark.parametrize(("quiet", "much"), [(1, "MUCH"), (0, "TOO_MUCH")])
def test_what_refers_only_to_itself_is_found_once_there_is_much(
    monkeypatch: pytest.MonkeyPatch, quiet: int, much: str
) -> None:
    monkeypatch.setattr(waste, "LOOK", 0.01)
    monkeypatch.setattr(waste, much, 1000)
    monkeypatch.setattr(waste, "QUIET", quiet)
    waste.look_rarely()
    gone = weakref.ref(Thing())
    time.sleep(0.1)
    assert gone() is not None
    kept = [[number] for number in range(2000)]
    end = time.monotonic() + 10
    while gone() is not None and time.monotonic() < end:
        time.sleep(0.01)
    assert gone() is None
    assert len(kept) == 2000
