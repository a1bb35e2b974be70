"""Tables in memory: those that somebody watches stay, of the others only the last."""

import pytest

from ludotheque.web.table import cache
from web.people import seated


def remembered(*tables: str) -> list[bool]:
    return [cache.at_least(table, 0) is not None for table in tables]


def test_tables_that_are_watched_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_UNWATCHED_TABLES", 2)
    tables = [seated("hepta", 2).id for _ in range(5)]
    assert remembered(*tables) == [False, False, False, True, True]
    for table in tables[:4]:
        cache.pin(table)
        cache.latest(table)
    cache.latest(tables[4])
    assert remembered(*tables) == [True] * 5
    for table in tables[:4]:
        cache.unpin(table)
    assert remembered(*tables) == [False, False, True, True, False]


def test_a_table_that_is_watched_before_it_was_looked_at_is_kept_once_it_is() -> None:
    table = seated("hepta", 2).id
    cache.clear()
    cache.pin(table)
    assert remembered(table) == [False]
    cache.latest(table)
    assert remembered(table) == [True]
    cache.clear()
    assert remembered(table) == [False]
    cache.latest(table)
    cache.unpin(table)
    assert remembered(table) == [True]
