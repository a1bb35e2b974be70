"""The cache of texts: bounded in bytes, and what is asked for again stays."""

import tracemalloc

import pytest

from ludotheque.web.screen.texts import CachedText

CACHE_BYTES = 200_000
MAX_ERROR = 2.0


def test_it_computes_once() -> None:
    asked = []

    def text(number: int) -> str:
        asked.append(number)
        return f"text {number}"

    kept = CachedText(text, CACHE_BYTES)
    assert [kept(1), kept(2), kept(1)] == ["text 1", "text 2", "text 1"]
    assert asked == [1, 2]
    kept.cache_clear()
    assert (kept(1), asked) == ("text 1", [1, 2, 1])


@pytest.mark.parametrize("chars", [10, 1000])
def test_it_takes_no_more_bytes_than_it_may(chars: int) -> None:
    kept = CachedText(lambda number, _name: f"{number}" * chars, CACHE_BYTES)
    tracemalloc.start()
    for number in range(10_000):
        kept(number, f"a name of a table {number}")
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert CACHE_BYTES / 2 / MAX_ERROR < taken < CACHE_BYTES * MAX_ERROR


def test_what_is_asked_for_again_and_again_stays() -> None:
    asked = []

    def text(number: int) -> str:
        asked.append(number)
        return "x" * 100

    kept = CachedText(text, CACHE_BYTES)
    for number in range(1, 5000):
        kept(0)
        kept(number)
    assert asked.count(0) == 1
    kept(1)
    assert asked.count(1) == 2, "the others went"


def test_what_is_larger_than_half_of_it_is_not_kept() -> None:
    kept = CachedText(lambda number: "x" * number, 1000)
    assert len(kept(5000)) == 5000
    assert not kept._young
