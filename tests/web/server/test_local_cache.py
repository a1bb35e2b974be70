"""What is cached expires, whatever happens to the clock on the wall."""

import time

import pytest

from ludotheque.web.server.local_cache import MonotonicCache


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that have truly passed."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_what_was_to_last_ten_seconds_does_so_although_the_clock_was_put_back(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = MonotonicCache("clocks", {})
    assert cache.add("swept", 1, 10)
    put_back = time.time() - 3600
    monkeypatch.setattr(time, "time", lambda: put_back)
    clock[0] += 9
    assert not cache.add("swept", 1, 10)
    clock[0] += 2
    assert cache.add("swept", 1, 10)


def test_what_never_expires_and_what_expires_at_once(clock: list[float]) -> None:
    cache = MonotonicCache("clocks", {})
    cache.set("for-ever", 1, None)
    cache.set("not-at-all", 1, 0)
    cache.set("as-usual", 1)
    clock[0] += 299
    assert cache.get_many(["for-ever", "not-at-all", "as-usual"]) == {"for-ever": 1, "as-usual": 1}
    clock[0] += 10_000
    assert cache.get_many(["for-ever", "not-at-all", "as-usual"]) == {"for-ever": 1}
