"""The SQLite file of a running site: kept open while it runs, and whole by itself when it has stopped.

SQLite writes into a log beside the database (`-wal`) first. One connection that is never closed keeps that log and
its index in place, so that a disk that gets full does not prevent reading. At the end of the process the whole log is
copied into the database: who then copies this one file has everything.
"""

import atexit
import logging
import sqlite3
from pathlib import Path

from django.db import connection

log = logging.getLogger("ludotheque.web.server.sqlite_file")

LAST_WRITER_S = 10  # that the end waits for somebody who is still writing


def keep_open() -> None:
    """Hold the database open until this process ends, then make it whole.

    Threads of jobs are waited for before that: what they still wrote is in it, too.
    """
    if connection.vendor != "sqlite":
        return
    held = sqlite3.connect(_file(), timeout=LAST_WRITER_S, isolation_level=None, check_same_thread=False)
    held.execute("PRAGMA journal_mode=WAL")
    held.execute("SELECT count(*) FROM django_migrations").fetchone()  # until it is read, nothing is open
    atexit.register(_close, held)


def make_whole() -> None:
    """Copy the log into the database now."""
    if connection.vendor == "sqlite":
        connection.close()
        _close(sqlite3.connect(_file(), timeout=LAST_WRITER_S, isolation_level=None))


def _close(held: sqlite3.Connection) -> None:
    try:
        is_busy, _, _ = held.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        log.warning("the database could not be made whole", extra={"facts": {"error": str(error)}})
        return
    finally:
        held.close()
    if is_busy:
        log.warning("the database is still being used: its -wal file belongs to it")


def _file() -> Path:
    return Path(connection.settings_dict["NAME"])
