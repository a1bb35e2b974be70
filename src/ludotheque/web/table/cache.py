"""Folded tables in memory, by version.

Events never change, so a process that has version 40 reads only what came after it, whichever process wrote that; and
a process that knows the table to be at 40 reads nothing. Tables that somebody watches stay in the cache; of the
others, the least recently used are evicted: as many as it takes to stay below a number of bytes. Who sits there is
remembered for longer.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

from cachetools import LRUCache
from django.db import connection

from ludotheque.match import Match
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.table import sql
from ludotheque.web.table.sizes import deep_size
from ludotheque.web.table.state import LogEntry, TableState
from ludotheque.web.visitors import hashed, owns

MAX_UNWATCHED_BYTES = 8_000_000  # of states: a hundred tables or more, so that a page and its pictures fold once
MAX_SEATED_BYTES = 2_000_000  # of who sits where: about 3,000 tables
SEATED_BYTES, HASH_BYTES = 400, 115  # of an entry, and of each visitor in it
ROW_BYTES, SEAT_BYTES = 3000, 2000  # of a table's row and of a seat, as Django has them
NEW_EVENTS = (
    "SELECT table_id, number, kind, actor, text, client FROM {events}, (VALUES {rows}) AS known "
    "WHERE table_id=known.column1 AND number>known.column2 ORDER BY table_id, number"
)
SEATING = (Event.Kind.SIT, Event.Kind.LEAVE, Event.Kind.START, Event.Kind.QUIT)  # events that change seats


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
    put(found)
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
        put(CachedTable(row, seats, before.after(row, entries)))


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
    _cache.put(table.table.id, table)
    with _seated_lock:
        _seated[table.table.id] = frozenset(seat.visitor for seat in table.seats if seat.kind == Seat.Kind.PERSON)


def has_seat(table: str, visitor: str) -> bool:
    """Whether the visitor has a seat there, as far as this process knows without asking the database."""
    if not visitor:
        return False
    known = _cache.get(table)
    if known is not None:
        return any(owns(seat, visitor) for seat in known.seats)
    with _seated_lock:
        return hashed(visitor) in _seated.get(table, ())


V = TypeVar("V")


class ByTable(Generic[V]):
    """Something about each table: kept while somebody watches it; of other tables as much as fits into some bytes.

    What was put here is replaced, never changed: its size is taken once.
    """

    def __init__(
        self, max_bytes: int, size: Callable[[V], int], replaces: Callable[[V, V], bool] = lambda _old, _new: True
    ) -> None:
        self._replaces = replaces
        self._of_watched: dict[str, V] = {}
        self._others: LRUCache[str, V] = LRUCache(max_bytes, size)
        self._lock = Lock()
        _all.append(self)

    def get(self, table: str) -> V | None:
        with self._lock:
            found = self._of_watched.get(table)
            return self._others.get(table) if found is None else found

    def put(self, table: str, value: V) -> None:
        """Keep it instead of what was kept, unless that is better."""
        with self._lock:
            if table in _watched:
                known = self._of_watched.get(table)
                if known is None or self._replaces(known, value):
                    self._of_watched[table] = value
            else:
                self._put_other(table, value)

    def watched(self, table: str) -> None:
        with self._lock:
            if table not in self._of_watched and (known := self._others.pop(table, None)) is not None:
                self._of_watched[table] = known

    def unwatched(self, table: str) -> None:
        with self._lock:
            known = self._of_watched.pop(table, None)
            if known is not None:
                self._put_other(table, known)

    def tables(self) -> list[str]:
        with self._lock:
            return [*self._of_watched, *self._others]

    def drop(self, table: str) -> None:
        with self._lock:
            self._of_watched.pop(table, None)
            self._others.pop(table, None)

    def clear(self) -> None:
        with self._lock:
            self._of_watched.clear()
            self._others.clear()

    @property
    def bytes_of_others(self) -> int:
        """What those take that nobody watches."""
        return int(self._others.currsize)

    def _put_other(self, table: str, value: V) -> None:
        known = self._others.get(table)
        if known is None or self._replaces(known, value):
            self._others.pop(table, None)
            with suppress(ValueError):  # too large for the whole cache: then it is computed each time
                self._others[table] = value


_all: list[ByTable[Any]] = []
_watched: set[str] = set()


def pin(table: str) -> None:
    """Keep what is known of this table: somebody watches it."""
    _watched.add(table)
    for each in _all:
        each.watched(table)


def unpin(table: str) -> None:
    """Nobody watches this table any more."""
    _watched.discard(table)
    for each in _all:
        each.unwatched(table)


def tables() -> list[str]:
    """The tables of which something is cached."""
    return list({table for each in _all for table in each.tables()})


def forget(names: set[str]) -> None:
    """Drop the tables whose ids have these hashes: they were deleted."""
    for table in [table for table in tables() if hashed(table) in names]:
        for each in _all:
            each.drop(table)
    with _seated_lock:
        for table in [table for table in _seated if hashed(table) in names]:
            del _seated[table]


def clear() -> None:
    for each in _all:
        each.clear()
    with _seated_lock:
        _seated.clear()


def size(found: CachedTable) -> int:
    """About how many bytes a cached table takes."""
    return ROW_BYTES + SEAT_BYTES * len(found.seats) + match_size(found.state.match)


def match_size(match: Match | None) -> int:
    """About how many bytes a match takes: its history, most of all."""
    return deep_size(match.__dict__) if match is not None else 0


_cache: ByTable[CachedTable] = ByTable(
    MAX_UNWATCHED_BYTES, size, lambda known, found: known.state.version < found.state.version
)
_seated: LRUCache[str, frozenset[str]] = LRUCache(
    MAX_SEATED_BYTES, lambda visitors: SEATED_BYTES + HASH_BYTES * len(visitors)
)
"""The visitors, as hashes, of each table."""
_seated_lock = Lock()
