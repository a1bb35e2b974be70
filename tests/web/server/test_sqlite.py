"""Who wants to write to SQLite, in whatever process, is served in the order of coming."""

import time
from pathlib import Path
from threading import Thread

from django.db.utils import ConnectionHandler
from django.test.utils import override_settings

from ludotheque.web import backends


def test_nobody_overtakes_who_waits_to_write(tmp_path: Path) -> None:
    house = ConnectionHandler({"default": backends.database("", tmp_path, str(tmp_path))})
    came: list[str] = []

    def write(name: str, seconds: float) -> None:
        """In a transaction that lasts so long; each thread has a connection, as each process has."""
        connection = house["default"]
        connection.ensure_connection()
        connection._start_transaction_under_autocommit()  # type: ignore[attr-defined]
        came.append(name)
        time.sleep(seconds)
        connection.cursor().execute("COMMIT")
        connection.close()

    def at_once() -> None:
        writers = [Thread(target=write, args=args) for args in (("first", 0.35), ("second", 0), ("third", 0))]
        for writer in writers:
            writer.start()
            time.sleep(0.15)  # by now whoever waits by SQLite's own rules looks ten times a second
        for writer in writers:
            writer.join()

    with override_settings(TOGETHER=str(tmp_path)):
        for _ in range(8):
            at_once()
    assert came == ["first", "second", "third"] * 8
