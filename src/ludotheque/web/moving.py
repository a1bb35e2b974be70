"""Moves of people, quickly: checked against what is in memory, written many at a time, and only then told.

The usual way (`actions.py`) takes a table, reads it, and commits alone. A move that was made at the version in memory
needs no reading: the table's row is changed only if it still is at that version, so whoever is quicker wins, in
whatever process, and the other takes the usual way, where it is answered with what changed. So does every move that
is refused here. Moves that come while others are being written share the next transaction and its wait for the disk.
"""

import asyncio
import logging
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import NamedTuple

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from ludotheque.errors import LudothequeError
from ludotheque.web import actions
from ludotheque.web import standing as folding
from ludotheque.web.actions import Desk
from ludotheque.web.doing import Asked
from ludotheque.web.models import Event, Table

log = logging.getLogger("ludotheque.web.moving")

MOST = 200  # moves in one transaction
CHANGE = f"UPDATE {Table._meta.db_table} SET version=%s, status=%s, due=%s, changed=%s WHERE id=%s AND version=%s"  # noqa: S608 - a name of ours
COLUMNS = "table_id, number, kind, actor, text, client, time"
ADD = f"INSERT INTO {Event._meta.db_table} ({COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s)"  # noqa: S608


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
        self._thread: Thread | None = None
        self._lock = Lock()

    def take(self, written: Written) -> None:
        self._waiting.put(written)
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="moves", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            batch = self._next()
            try:
                for written, stored in zip(batch, _write(batch), strict=True):
                    _settle(written, stored=stored)
            except Exception:
                log.exception("moves could not be told")

    def _next(self) -> list[Written]:
        batch = [self._waiting.get()]
        try:
            while len(batch) < MOST:
                batch.append(self._waiting.get_nowait())
        except Empty:
            pass
        return sorted(batch, key=lambda written: written.desk.table.id)  # rows are always locked in the same order


_writer = _Writer()


def _write(batch: list[Written]) -> list[bool]:
    """Which of these are stored: all that still fit, in one transaction; if that fails, each for itself."""
    try:
        with transaction.atomic():
            return [_store(written) for written in batch]
    except DatabaseError as error:
        connection.close()
        if len(batch) > 1:
            return [stored for written in batch for stored in _write([written])]
        log.info("not stored the quick way", extra={"facts": {"error": type(error).__name__}})
        return [False]


def _store(written: Written) -> bool:
    table, now = written.desk.table, connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(CHANGE, (table.version, str(table.status), table.due, now, table.id, written.before))
        if cursor.rowcount != 1:
            return False
        for event in written.desk.events:
            cursor.execute(ADD, (table.id, event.number, str(event.kind), event.actor, event.text, event.client, now))
    return True


def _settle(written: Written, *, stored: bool) -> None:
    """Tell whoever waits, then those who watch."""
    if stored:
        written.desk.remember()
    loop = written.done.get_loop()
    if not loop.is_closed():
        loop.call_soon_threadsafe(_answer, written.done, stored)
    if stored:
        written.desk.tell()


def _answer(done: "asyncio.Future[bool]", stored: bool) -> None:
    if not done.done():
        done.set_result(stored)
