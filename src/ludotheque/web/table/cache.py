"""Folded tables in memory, by version.

Events never change, so a process that has version 40 reads only what came after it, whichever process wrote that; and
a process that knows the table to be at 40 reads nothing. Tables that somebody watches stay in the cache; of the
others, the least recently used are evicted.
"""

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple

from django.db import connection

from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.table import sql
from ludotheque.web.table.state import LogEntry, TableState

MAX_UNWATCHED_TABLES = 2000
NEW_EVENTS = (
    "SELECT table_id, number, kind, actor, text, client FROM {events}, (VALUES {rows}) AS known "
    "WHERE table_id=known.column1 AND number>known.column2 ORDER BY table_id, number"
)
SEATING = (Event.Kind.SIT, Event.Kind.LEAVE, Event.Kind.START)  # events that change seats


class CachedTable(NamedTuple):
    """A table's row, its seats, and its state."""

    table: Table
    seats: list[Seat]
    state: TableState


def state_of(table: Table) -> TableState:
    """The state of a table whose row was read just now. It is shared: to change it, take a copy."""
    return read(table).state


def read(table: Table) -> CachedTable:
    """A table whose row was read just now, with its seats and its state."""
    known = _cache.get(table.id)
    if known is not None and known.state.version >= table.version:
        return known
    before = known.state if known is not None else TableState()
    events = list(table.events.filter(number__gt=before.version).order_by("number"))
    state = before.after(table, events)
    seats = None if known is None or any(event.kind in SEATING for event in events) else known.seats
    found = CachedTable(table, seats or list(Seat.objects.filter(table=table)), state)  # seats after the events
    _cache.put(found)
    return found


def latest(table: str) -> CachedTable:
    """The table as it is now: what is cached, and the events that came after that."""
    catch_up([table])
    return _cache.get(table) or read(Table.objects.get(pk=table))


def at_least(table: str, version: int) -> CachedTable | None:
    """The cached table, if it is at this version or a later one."""
    known = _cache.get(table)
    return known if known is not None and known.state.version >= version else None


def catch_up(tables: Iterable[str]) -> None:
    """Read the new events of those of these tables that are cached: one query, however many they are."""
    known = {table: found for table in tables if (found := _cache.get(table)) is not None}
    for table, entries in _new_entries({table: found.state.version for table, found in known.items()}).items():
        if any(entry.kind in SEATING for entry in entries):
            read(Table.objects.get(pk=table))
            continue
        row, seats, before = known[table]
        _cache.put(CachedTable(row, seats, before.after(row, entries)))


def _new_entries(versions: dict[str, int]) -> dict[str, list[LogEntry]]:
    """The events of tables after these versions; tables without new events are left out."""
    found: dict[str, list[LogEntry]] = {}
    if versions:
        with connection.cursor() as cursor:
            sql.execute(cursor, NEW_EVENTS, list(versions.items()), events=Event._meta.db_table)
            for table, *entry in cursor.fetchall():
                found.setdefault(table, []).append(LogEntry(*entry))
    return found


def put(table: CachedTable) -> None:
    """Cache what was stored."""
    _cache.put(table)


def pin(table: str) -> None:
    """Keep this table in the cache: somebody watches it."""
    _cache.pin(table)


def unpin(table: str) -> None:
    """Nobody watches this table any more."""
    _cache.unpin(table)


def clear() -> None:
    _cache.clear()


class _TableCache:
    """Pinned tables, as far as they were read, and the most recently used of the others."""

    def __init__(self) -> None:
        self._pinned: dict[str, CachedTable | None] = {}
        self._others: OrderedDict[str, CachedTable] = OrderedDict()
        self._lock = Lock()

    def get(self, table: str) -> CachedTable | None:
        with self._lock:
            if table in self._pinned:
                return self._pinned[table]
            if table in self._others:
                self._others.move_to_end(table)
            return self._others.get(table)

    def put(self, found: CachedTable) -> None:
        with self._lock:
            tables = self._pinned if found.table.id in self._pinned else self._others
            known = tables.get(found.table.id)
            if known is None or known.state.version < found.state.version:
                tables[found.table.id] = found
            self._evict()

    def pin(self, table: str) -> None:
        with self._lock:
            self._pinned.setdefault(table, self._others.pop(table, None))

    def unpin(self, table: str) -> None:
        with self._lock:
            known = self._pinned.pop(table, None)
            if known is not None:
                self._others[table] = known
            self._evict()

    def clear(self) -> None:
        with self._lock:
            self._pinned = dict.fromkeys(self._pinned)
            self._others.clear()

    def _evict(self) -> None:
        if len(self._others) > MAX_UNWATCHED_TABLES:
            self._others.popitem(last=False)


_cache = _TableCache()
