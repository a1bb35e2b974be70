"""Moves: of people and of computer players, and the two ways to the log.

`play` takes the usual way of every command: it locks the table, reads it, and commits alone. `play_in_batch` is for
the WebSocket, where nearly all moves arrive: a move made at the cached version is checked against the cache, and
written together with whatever else has come. The row is updated only if it still is at that version, so of two
processes one wins; the other's move, and every move that is refused here, takes the usual way, which says why.
"""

import asyncio
import logging
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import NamedTuple

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from ludotheque import move_words
from ludotheque.errors import LudothequeError
from ludotheque.web.guard import outage
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.refusals import Refused, VersionConflict
from ludotheque.web.table import cache, sql
from ludotheque.web.table.sql import Row
from ludotheque.web.table.transaction import (
    COMPUTER,
    TableTransaction,
    cache_stored,
    check_client_id,
    locked,
    notify,
)

log = logging.getLogger("ludotheque.web.table")

Kind = Event.Kind
MAX_BATCH_MOVES = 200
BUSY_BATCH_MOVES = 3  # a batch of so many means that more are coming
BUSY_WAIT_S = 0.01  # then the next batch waits this long, so that more moves share its transaction
UPDATE_TABLES = (
    "UPDATE {table} SET version=new.column3, status=new.column4, due=new.column5, to_act=new.column6, "
    "changed=new.column7 FROM (VALUES {rows}) AS new WHERE {table}.id=new.column1 AND {table}.version=new.column2"
)
INSERT_EVENTS = "INSERT INTO {table} (table_id, number, kind, actor, text, client, time) VALUES {rows}"


# The usual way


def play(table: str, visitor: str, seat: int, text: str, *, version: int, client: str | None = None) -> None:
    """Play a person's move that was made at this version of the table. The same client id counts once."""
    check_client_id(client)
    with locked(table) as change:
        change.own_seat(seat, visitor)
        _play_once(change, seat, text, version, client)


def play_for_computer(table: str, seat: int, text: str, version: int) -> None:
    """Play the move of a computer player; asked twice, it counts once."""
    with locked(table) as change:
        if change.seat(seat).kind != Seat.Kind.COMPUTER:
            raise Refused("not-your-seat")
        _play_once(change, seat, text, version, f"{COMPUTER} {seat} {version}")


def _play_once(change: TableTransaction, seat: int, text: str, version: int, client: str | None) -> None:
    known = change.table.events.filter(client=client).first() if client else None
    if known is not None and known.actor == str(seat):
        return
    if known is not None:  # another seat's id for a move: to ignore it would lose this move in silence
        raise Refused("bad-message")
    if _has_changed(change, version):
        raise VersionConflict
    _play(change, seat, text, client)


def _has_changed(change: TableTransaction, version: int) -> bool:
    """Whether anything this seat can see happened after the version: choices that are still sealed have not."""
    if not 0 <= version <= change.state.version:
        return True
    if version == change.state.version:
        return False
    sealed = change.running_match().chosen
    events = change.table.events.filter(number__gt=version, kind__in=[Kind.START, Kind.MOVE, Kind.UNDO])
    return any(event.kind != Kind.MOVE or event.actor == "luck" or int(event.actor) not in sealed for event in events)


def _play(change: TableTransaction, seat: int, text: str, client: str | None) -> None:
    change.running_match()
    played = change.match_copy()
    played.play(seat, move_words.understood(played.game, text))
    change.add_played(played, client)


# In a batch


class PendingMove(NamedTuple):
    """A move on its way to the database, and who waits for it."""

    change: TableTransaction
    version: int  # at which it was made
    stored: "asyncio.Future[bool]"


async def play_in_batch(table: str, visitor: str, seat: int, text: str, *, version: int, client: str) -> bool:
    """Whether the move was stored this way; if not, nothing has changed."""
    change = prepare(table, visitor, seat, text, version=version, client=client)
    if change is None:
        return False
    pending = PendingMove(change, version, asyncio.get_running_loop().create_future())
    _writer.add(pending)
    return await pending.stored


def prepare(table: str, visitor: str, seat: int, text: str, *, version: int, client: str) -> TableTransaction | None:
    """The change that the move makes to the cached table, if that is at its version and the move is allowed."""
    cached = cache.at_least(table, version)
    if cached is None or cached.state.version != version:
        return None
    change = TableTransaction.from_cache(cached)
    try:
        check_client_id(client)
        change.own_seat(seat, visitor)
        _play(change, seat, text, client)
    except LudothequeError:
        return None
    change.update_row()
    return change


class _BatchWriter:
    """A thread that writes whatever has come since its last transaction."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[PendingMove] = SimpleQueue()
        self._deferred: list[PendingMove] = []
        self._thread: Thread | None = None
        self._lock = Lock()

    def add(self, pending: PendingMove) -> None:
        self._queue.put(pending)
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="moves", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        batch: list[PendingMove] = []
        while True:
            waiting = self._deferred or [self._queue.get()]
            if len(batch) >= BUSY_BATCH_MOVES:
                time.sleep(BUSY_WAIT_S)
            batch = self._next_batch(waiting)
            try:
                _publish(batch, write(batch))
            except Exception:
                log.exception("stored moves were not published")

    def _next_batch(self, waiting: list[PendingMove]) -> list[PendingMove]:
        """What has come, one move of each table; a second one of a table waits until the first is written."""
        with suppress(Empty):
            while len(waiting) < MAX_BATCH_MOVES:
                waiting.append(self._queue.get_nowait())
        batch: dict[str, PendingMove] = {}
        self._deferred = [
            pending for pending in waiting if batch.setdefault(pending.change.table.id, pending) is not pending
        ]
        return [batch[table] for table in sorted(batch)]


_writer = _BatchWriter()


def write(batch: list[PendingMove]) -> list[bool]:
    """Which of these were stored: all in one transaction; if one no longer fits, each in its own.

    While the database is away none is tried again: they take the usual way, which tells everybody so.
    """
    try:
        with transaction.atomic():
            _store(batch)
    except (DatabaseError, VersionConflict) as error:
        if isinstance(error, DatabaseError):
            connection.close()
            outage.is_outage(error)
        if len(batch) > 1 and not isinstance(error, OperationalError | InterfaceError):
            return [stored for pending in batch for stored in write([pending])]
        log.info("move not stored in a batch", extra={"facts": {"error": type(error).__name__}})
        return [False] * len(batch)
    return [True] * len(batch)


def _store(batch: list[PendingMove]) -> None:
    """Two statements for the whole batch: after each one the thread has to wait for the interpreter lock."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    tables: list[Row] = [
        (row.id, pending.version, row.version, str(row.status), row.due, row.to_act, now)
        for pending in batch
        for row in (pending.change.table,)
    ]
    events: list[Row] = [
        (pending.change.table.id, event.number, str(event.kind), event.actor, event.text, event.client, now)
        for pending in batch
        for event in pending.change.events
    ]
    if sql.update(UPDATE_TABLES, tables, table=Table._meta.db_table) != len(batch):
        raise VersionConflict
    sql.update(INSERT_EVENTS, events, table=Event._meta.db_table)


def _publish(batch: list[PendingMove], stored: list[bool]) -> None:
    """Answer who waits, then tell who listens: one call for each event loop, since each call interrupts it."""
    changes = [pending.change for pending, is_stored in zip(batch, stored, strict=True) if is_stored]
    cache_stored(changes)
    for loop in {pending.stored.get_loop() for pending in batch}:
        answers = [pair for pair in zip(batch, stored, strict=True) if pair[0].stored.get_loop() is loop]
        if not loop.is_closed():
            loop.call_soon_threadsafe(_answer, answers)
    notify([change.table for change in changes])


def _answer(answers: list[tuple[PendingMove, bool]]) -> None:
    for pending, is_stored in answers:
        if not pending.stored.done():
            pending.stored.set_result(is_stored)
