"""Tables in memory: those that somebody watches stay, of the others only the last."""

import pytest

from ludotheque.web import standing
from web.people import seated


def remembered(*tables: str) -> list[bool]:
    return [standing.remembered(table, 0) is not None for table in tables]


def test_tables_that_are_watched_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "KEPT", 2)
    tables = [seated("hepta", 2).id for _ in range(5)]
    assert remembered(*tables) == [False, False, False, True, True]
    for table in tables[:4]:
        standing.hold(table)
        standing.newest(table)
    standing.newest(tables[4])
    assert remembered(*tables) == [True] * 5
    for table in tables[:4]:
        standing.release(table)
    assert remembered(*tables) == [False, False, True, True, False]


def test_a_table_that_is_watched_before_it_was_looked_at_is_kept_once_it_is() -> None:
    table = seated("hepta", 2).id
    standing.forget()
    standing.hold(table)
    assert remembered(table) == [False]
    standing.newest(table)
    assert remembered(table) == [True]
    standing.forget()
    assert remembered(table) == [False]
    standing.newest(table)
    standing.release(table)
    assert remembered(table) == [True]
