"""The day on which a page was last connected to a table, so that retention deletes none that somebody looks at."""

import logging
from collections.abc import Iterable
from datetime import date

from django.db import DatabaseError, transaction
from django.utils import timezone

from ludotheque.web.models import Table

log = logging.getLogger("ludotheque.web.table.visits")

BATCH_TABLES = 200


def visit(table: str) -> bool:
    """Whether there is such a table. That somebody came is stored once a day, if anything can be stored."""
    row = Table.objects.filter(pk=table).values_list("visited", flat=True)
    try:
        visited = row.get()
    except Table.DoesNotExist:
        return False
    return visited == _today() or _stored(table)


def _stored(table: str) -> bool:
    """Store that somebody is here; whether the table is still there then."""
    try:
        return bool(Table.objects.filter(pk=table).update(visited=_today()))
    except DatabaseError as error:  # a full disk, say: looking on must work
        log.warning("a visit was not stored", extra={"facts": {"error": type(error).__name__}})
        return True


def stay(tables: Iterable[str]) -> None:
    """Store that somebody is still there, where it was not yet today."""
    left = list(tables)
    for begin in range(0, len(left), BATCH_TABLES):
        with transaction.atomic():
            some = Table.objects.filter(pk__in=left[begin : begin + BATCH_TABLES])
            some.exclude(visited=_today()).update(visited=_today())


def _today() -> date:
    return timezone.now().date()
