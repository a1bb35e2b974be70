"""Waiting for a connection to PostgreSQL: patiently while all are busy, not at all once it is gone."""

from collections.abc import Iterator

import pytest
from django.db import OperationalError
from django.db.backends.postgresql import base as djangos
from psycopg_pool import PoolTimeout

from ludotheque.web.guard import outage
from ludotheque.web.server.postgres import base


@pytest.fixture
def knocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What happens at the server's door; the pool has nothing to give twice, and then a connection."""
    heard: list[str] = []

    def give(_self: object, _params: object) -> str:
        heard.append("asked")
        if heard.count("asked") < 3:
            raise PoolTimeout
        return "a connection"

    monkeypatch.setattr(djangos.DatabaseWrapper, "get_new_connection", give)
    monkeypatch.setattr(outage, "notice", lambda: heard.append("knocked"))
    yield heard
    outage._outage.clear()


@pytest.fixture
def wrapper() -> base.DatabaseWrapper:
    return base.DatabaseWrapper({"OPTIONS": {}, "TIME_ZONE": None}, "other")


def test_while_all_are_busy_one_waits(knocks: list[str], wrapper: base.DatabaseWrapper) -> None:
    assert wrapper.get_new_connection({}) == "a connection"
    assert knocks == ["asked", "knocked", "asked", "knocked", "asked"]


def test_but_not_for_ever(knocks: list[str], wrapper: base.DatabaseWrapper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "PATIENCE", -1)
    with pytest.raises(PoolTimeout):
        wrapper.get_new_connection({})
    assert knocks == ["asked", "knocked"]


def test_who_finds_nobody_there_waits_no_longer(
    knocks: list[str], wrapper: base.DatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outage, "notice", outage._outage.set)
    with pytest.raises(OperationalError, match="cannot be reached"):
        wrapper.get_new_connection({})
    assert knocks == ["asked"]
