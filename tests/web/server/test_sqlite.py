"""Writers of one process wait for each other without polling, and whatever happens to one, the next may write."""

from collections.abc import Callable, Iterator
from threading import Event, Thread

import pytest
from django.db import OperationalError, connection, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper

from ludotheque.web.models import Table
from ludotheque.web.server.sqlite import base
from waiting import TIMEOUT_S

pytestmark = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="this is SQLite's backend")


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    yield
    assert not base._writing.locked()
    Table.objects.filter(game="nothing").delete()


def elsewhere(write: Callable[[], None]) -> Thread:
    """Another thread, with a connection of its own."""

    def run() -> None:
        try:
            write()
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


def add_row() -> None:
    with transaction.atomic():
        Table.objects.create(game="nothing", options={})


def test_who_waits_does_not_ask_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, asked = Event(), list[str]()
    start = DatabaseWrapper._start_transaction_under_autocommit  # type: ignore[attr-defined]  # not in the stubs

    def counted(self: DatabaseWrapper) -> None:
        asked.append("BEGIN")
        start(self)

    monkeypatch.setattr(DatabaseWrapper, "_start_transaction_under_autocommit", counted)

    def write() -> None:
        begun.set()
        add_row()

    with transaction.atomic():
        thread = elsewhere(write)
        assert begun.wait(TIMEOUT_S)
        assert asked == ["BEGIN"]
    thread.join(TIMEOUT_S)
    assert asked == ["BEGIN", "BEGIN"]
    assert Table.objects.filter(game="nothing").count() == 1


def test_whatever_happens_to_one_the_next_may_write() -> None:
    def fail() -> None:
        with transaction.atomic():
            raise LookupError

    def lose_connection() -> None:
        with transaction.atomic():
            connection.close()

    with pytest.raises(LookupError):
        fail()
    lose_connection()
    with transaction.atomic(), transaction.atomic():  # a savepoint is no transaction
        Table.objects.create(game="nothing", options={})
    add_row()
    assert Table.objects.filter(game="nothing").count() == 2


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.01)
    refused = list[BaseException]()

    def write() -> None:
        try:
            add_row()
        except OperationalError as error:
            refused.append(error)

    with transaction.atomic():
        elsewhere(write).join(TIMEOUT_S)
    assert [str(error) for error in refused] == ["database is locked"]
