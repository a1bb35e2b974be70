"""Waiting for a connection to PostgreSQL: while all are in use, but not once the server is down."""

from collections.abc import Iterator

import pytest
from django.db import OperationalError
from django.db.backends.postgresql import base as djangos
from psycopg_pool import PoolTimeout

from ludotheque.web.guard import outage
from ludotheque.web.server.postgres import base


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was called; the pool times out twice, and then gives a connection."""
    called: list[str] = []

    def give(_self: object, _params: object) -> str:
        called.append("asked")
        if called.count("asked") < 3:
            raise PoolTimeout
        return "a connection"

    monkeypatch.setattr(djangos.DatabaseWrapper, "get_new_connection", give)
    monkeypatch.setattr(outage, "notice", lambda: called.append("checked"))
    yield called
    outage._outage.clear()


@pytest.fixture
def wrapper() -> base.DatabaseWrapper:
    return base.DatabaseWrapper({"OPTIONS": {}, "TIME_ZONE": None}, "other")


def test_a_busy_pool_is_waited_for(calls: list[str], wrapper: base.DatabaseWrapper) -> None:
    assert wrapper.get_new_connection({}) == "a connection"
    assert calls == ["asked", "checked", "asked", "checked", "asked"]


def test_a_busy_pool_times_out(
    calls: list[str], wrapper: base.DatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "BUSY_POOL_TIMEOUT_S", -1)
    with pytest.raises(PoolTimeout):
        wrapper.get_new_connection({})
    assert calls == ["asked", "checked"]


def test_a_server_that_is_down_is_not_waited_for(
    calls: list[str], wrapper: base.DatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outage, "notice", outage._outage.set)
    with pytest.raises(OperationalError, match="cannot be reached"):
        wrapper.get_new_connection({})
    assert calls == ["asked"]
