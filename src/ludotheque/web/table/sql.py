"""Statements over many rows at once, which Django's models cannot say."""

from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

from django.db import connection
from django.db.backends.utils import CursorWrapper

Row: TypeAlias = tuple[str | int | None, ...]


def execute(cursor: CursorWrapper, statement: str, rows: Sequence[Row], **names: str) -> int:
    """Execute a statement whose `{rows}` follow VALUES, with tables by their names. How many rows it changed."""
    one = f"({', '.join(['%s'] * len(rows[0]))})"
    marks = ", ".join([one] * len(rows))
    cursor.execute(statement.format(rows=marks, **names), list(chain.from_iterable(rows)))
    changed: int = cursor.rowcount
    return changed


def update(statement: str, rows: Sequence[Row], **names: str) -> int:
    """Execute a statement of which only the number of changed rows matters."""
    with connection.cursor() as cursor:
        return execute(cursor, statement, rows, **names)
