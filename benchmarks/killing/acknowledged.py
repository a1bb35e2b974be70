"""Acknowledged moves against those that are stored."""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple


class Move(NamedTuple):
    """A move at a table, and the id under which it was sent."""

    table: str
    seat: str
    text: str
    client: str


def lost(acknowledged: Iterable[Move], stored: "Counter[Move]") -> int:
    """How many are not there."""
    return sum(not stored[move] for move in acknowledged)


def stored_in_sqlite(file: Path) -> "Counter[Move]":
    """All moves that came with an id."""
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute("SELECT table_id, actor, text, client FROM web_event WHERE client IS NOT NULL")
        return Counter(map(Move._make, rows))
