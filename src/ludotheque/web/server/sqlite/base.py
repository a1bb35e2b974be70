"""Where Django looks for an engine of databases."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Whoever finds the database locked looks again after a while, each time after a longer one.

    Meanwhile others come and go, and who is unlucky waits for a tenth of a second and more. So one stands in line
    until it is one's turn to look: then there is only one who writes in front, and nobody overtakes.
    """

    def _start_transaction_under_autocommit(self) -> None:
        with _in_line():
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # it is there, and there for this


@contextmanager
def _in_line() -> Iterator[None]:
    held = os.open(Path(settings.TOGETHER) / "writing.held", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
