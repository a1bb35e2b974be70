"""Moves of people, quickly: checked against what is in memory, written many at a time, and only then told.

The usual way (`actions.py`) takes a table, reads it, and commits alone. A move that was made at the version in memory
needs no reading: the table's row is changed only if it still is at that version, so whoever is quicker wins, in
whatever process, and the other takes the usual way, where it is answered with what changed. So does every move that
is refused here. Moves that come while others are being written share the next transaction and its wait for the disk.
"""

import asyncio
import logging
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import NamedTuple

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from ludotheque.errors import LudothequeError
from ludotheque.web.guard import outage
from ludotheque.web.models import Event, Row, Table, rows
from ludotheque.web.table import actions
from ludotheque.web.table import state as folding
from ludotheque.web.table.actions import Desk
from ludotheque.web.table.commands import Asked

log = logging.getLogger("ludotheque.web.table.moves")

MOST = 200  # moves in one transaction
CROWD = 3  # moves that were written together and make a crowd
COMPANY = 0.01  # seconds for which a crowd's moves wait for each other, so that more of them share a transaction
CHANGE = (
    "UPDATE {table} SET version=new.column3, status=new.column4, due=new.column5, changed=new.column6 "
    "FROM (VALUES {rows}) AS new WHERE {table}.id=new.column1 AND {table}.version=new.column2"
)
ADD = "INSERT INTO {table} (table_id, number, kind, actor, text, client, time) VALUES {rows}"


class Outdated(Exception):  # noqa: N818 - reads as what happened
    """A table is no longer as it was when the move was made."""


class Written(NamedTuple):
    """A move on its way to the database, and who waits for it."""

    desk: Desk
    before: int  # the version it was made at
    done: "asyncio.Future[bool]"


async def move(table: str, visitor: str, asked: Asked) -> bool:
    """Whether the move was stored this way; if not, nothing has changed."""
    desk = prepare(table, visitor, asked)
    if desk is None:
        return False
    written = Written(desk, asked.version, asyncio.get_running_loop().create_future())
    _writer.take(written)
    return await written.done


def prepare(table: str, visitor: str, asked: Asked) -> Desk | None:
    """The table as it would be after the move, if that is allowed on what is in memory."""
    kept = folding.remembered(table, asked.version)
    if kept is None or kept.stands.version != asked.version:
        return None
    desk = Desk.of(kept)
    try:
        desk.own(asked.seat, visitor)
        actions.play(desk, asked.seat, asked.move, asked.client)
    except LudothequeError:
        return None
    return desk


class _Writer:
    """A thread that writes whatever has come meanwhile."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[Written] = SimpleQueue()
        self._aside: list[Written] = []
        self._thread: Thread | None = None
        self._lock = Lock()

    def take(self, written: Written) -> None:
        self._waiting.put(written)
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="moves", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        batch: list[Written] = []
        while True:
            waiting = self._aside or [self._waiting.get()]
            if len(batch) >= CROWD:
                time.sleep(COMPANY)
            batch = self._next(waiting)
            try:
                _settle(batch, _write(batch))
            except Exception:
                log.exception("moves could not be told")

    def _next(self, waiting: list[Written]) -> list[Written]:
        """What has come, one move of each table; another one of the same table waits until the first is written."""
        with suppress(Empty):
            while len(waiting) < MOST:
                waiting.append(self._waiting.get_nowait())
        batch: dict[str, Written] = {}
        self._aside = [
            written for written in waiting if batch.setdefault(written.desk.table.id, written) is not written
        ]
        return [batch[table] for table in sorted(batch)]


_writer = _Writer()


def _write(batch: list[Written]) -> list[bool]:
    """Which of these are stored: all in one transaction; if one of them does not fit any more, each for itself.

    While the database is away nobody waits for that: they take the usual way, where everybody is told.
    """
    try:
        with transaction.atomic():
            _store(batch)
    except (DatabaseError, Outdated) as error:
        if isinstance(error, DatabaseError):
            connection.close()
            outage.is_away(error)
        if len(batch) > 1 and not isinstance(error, OperationalError | InterfaceError):
            return [stored for written in batch for stored in _write([written])]
        log.info("not stored the quick way", extra={"facts": {"error": type(error).__name__}})
        return [False] * len(batch)
    return [True] * len(batch)


def _store(batch: list[Written]) -> None:
    """Two statements, however many they are: each one waits anew for the interpreter, which others use meanwhile."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    tables: list[Row] = [
        (row.id, written.before, row.version, str(row.status), row.due, now)
        for written in batch
        for row in (written.desk.table,)
    ]
    events: list[Row] = [
        (written.desk.table.id, event.number, str(event.kind), event.actor, event.text, event.client, now)
        for written in batch
        for event in written.desk.events
    ]
    if _execute(CHANGE, Table, tables) != len(batch):
        raise Outdated
    _execute(ADD, Event, events)


def _execute(statement: str, model: type[Model], new: list[Row]) -> int:
    """How many rows it has changed."""
    marks, values = rows(new)
    with connection.cursor() as cursor:
        cursor.execute(statement.format(table=model._meta.db_table, rows=marks), values)
        changed: int = cursor.rowcount
    return changed


def _settle(batch: list[Written], stored: list[bool]) -> None:
    """Tell whoever waits, then those who watch; all at once, because each word interrupts the one who draws."""
    kept = [written.desk for written, is_stored in zip(batch, stored, strict=True) if is_stored]
    actions.remember(kept)
    for loop in {written.done.get_loop() for written in batch}:
        answers = [pair for pair in zip(batch, stored, strict=True) if pair[0].done.get_loop() is loop]
        if not loop.is_closed():
            loop.call_soon_threadsafe(_answer, answers)
    actions.tell([desk.table for desk in kept])


def _answer(answers: list[tuple[Written, bool]]) -> None:
    for written, stored in answers:
        if not written.done.done():
            written.done.set_result(stored)
