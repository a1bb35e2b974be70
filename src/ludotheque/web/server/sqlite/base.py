"""The module in which Django looks for a database backend.

SQLite has one writer at a time. Whoever finds the database locked sleeps and tries again, longer and longer, and
while others write one after the other may find it locked each time: under load moves waited for a second. So the
threads of this process stand in line for a lock of Python's before they begin a transaction, which wakes the next at
once. Other processes, such as a backup, are waited for as ever.
"""

from threading import Lock

from django.db import OperationalError
from django.db.backends.sqlite3 import base

_writing = Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    """One transaction at a time in this process; all of them write."""

    _is_writing = False

    def _start_transaction_under_autocommit(self) -> None:
        timeout_s = self.get_connection_params().get("timeout", 5.0)  # SQLite's own default
        if not _writing.acquire(timeout=timeout_s):
            raise OperationalError("database is locked")
        self._is_writing = True
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs leave it out
        except BaseException:
            self._end_writing()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # the stubs leave it out; after a failure it is rolled back
        self._end_writing()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # the stubs leave it out
        finally:
            self._end_writing()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # the stubs leave it out
        finally:
            self._end_writing()

    def _end_writing(self) -> None:
        if self._is_writing:
            self._is_writing = False
            _writing.release()
