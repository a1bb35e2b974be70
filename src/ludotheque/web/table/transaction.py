"""One change of one table: lock it, fold its log, check, add events, commit, and only then tell who listens.

The lock is on the table's row; SQLite locks the whole database for a moment. A refusal is raised and changes nothing.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import transaction

from ludotheque.match import Match
from ludotheque.web import visitors
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.monitor import metrics
from ludotheque.web.refusals import DuplicateCommand, Refused
from ludotheque.web.table import cache
from ludotheque.web.table.cache import CachedTable
from ludotheque.web.table.state import LogEntry, TableState
from ludotheque.web.visitors import owns

log = logging.getLogger("ludotheque.web.table")

Kind = Event.Kind
MAX_CLIENT_ID_CHARS = 40
COMPUTER = "computer"  # begins the client ids of computer players, and of nobody else


class TableTransaction:
    """A table taken for one command: its state, and the events that the command adds."""

    def __init__(self, table: Table, seats: list[Seat], state: TableState, client: str | None = None) -> None:
        self.table, self.seats, self.state, self.client = table, seats, state, client
        self.events: list[LogEntry] = []

    @classmethod
    def from_cache(cls, cached: CachedTable) -> "TableTransaction":
        """A move on the cached table: row and state are copies, the match is shared until it is played on."""
        row = Table.__new__(Table)
        row.__dict__.update(cached.table.__dict__)  # copy() ends there, too, after ten times as long
        return cls(row, cached.seats, cached.state.shallow_copy())

    def running_match(self) -> Match:
        """The match, if it has started and is not over."""
        if self.state.match is None:
            raise Refused("not-started")
        if self.state.over:
            raise Refused("over")
        return self.state.match

    def match_copy(self) -> Match:
        """A copy of the match to play on, for `add_played`."""
        assert self.state.match is not None
        return self.state.match.copy()

    def seat(self, number: int) -> Seat:
        if not 0 <= number < len(self.seats):
            raise Refused("no-such-seat")
        return self.seats[number]

    def own_seat(self, number: int, visitor: str) -> Seat:
        """The seat, if it is the visitor's."""
        seat = self.seat(number)
        if not owns(seat, visitor):
            raise Refused("not-your-seat")
        return seat

    def add(self, kind: Kind, actor: str | int = "", text: str = "") -> None:
        """Add an event, and fold it in."""
        event = self._entry(self.state.version + 1, kind, str(actor), text)
        self.state.fold(self.table, event)
        self.events.append(event)

    def add_played(self, played: Match, client: str | None = None) -> None:
        """Add what a copy of the match has more in its log: a move or an undo, and luck's answer to it."""
        assert self.state.match is not None
        for actor, what in played.log[len(self.state.match.log) :]:
            self.state.version += 1
            kind, who = (Kind.UNDO, "") if actor == "undo" else (Kind.MOVE, str(actor))
            self.events.append(self._entry(self.state.version, kind, who, str(what), client))
            client = None
            self.state.answer_by_playing(kind, who)
        self.state.match = played

    def _entry(self, number: int, kind: Kind, actor: str, text: str, client: str | None = None) -> LogEntry:
        client, self.client = client or self.client or None, None  # the first event carries the command's id
        return LogEntry(number, kind, actor, text, client)

    def commit(self) -> None:
        """Write events and row; once they are stored, cache them and tell who listens."""
        Event.objects.bulk_create(Event(table=self.table, **event._asdict()) for event in self.events)
        self.update_row()
        self.table.save()
        if self.events:
            transaction.on_commit(lambda: cache_stored([self]))
            transaction.on_commit(lambda: notify([self.table]))

    def update_row(self) -> None:
        """Bring the table's row up to date with its log; nothing is written."""
        if self.state.over:
            self.table.status = Table.Status.OVER
        elif self.state.match is not None:
            self.table.status = Table.Status.PLAYING
        self.table.version = self.state.version
        self.table.changed_from = visitors.address.get() or self.table.changed_from
        acting = self.state.to_act
        self.table.to_act = sum(1 << seat for seat in acting)
        self.table.due = any(self.seats[seat].kind == Seat.Kind.COMPUTER for seat in acting)

    def movers(self) -> Iterator[str]:
        """The kinds of seats that made the moves among the events."""
        for event in self.events:
            if event.kind == Kind.MOVE and event.actor != "luck":
                yield self.seats[int(event.actor)].kind


@contextmanager
def locked(table: str, client: str | None = None) -> Iterator[TableTransaction]:
    """The table, locked until the events that are added here are committed."""
    check_client_id(client)
    with transaction.atomic():
        found = Table.objects.select_for_update().filter(pk=table).first()
        if found is None:
            raise Refused("no-such-table")
        if client and found.events.filter(client=client).exists():
            raise DuplicateCommand
        change = TableTransaction(found, list(found.seats.all()), cache.state_of(found).copy(), client)
        yield change
        change.commit()


def check_client_id(client: str | None) -> None:
    if client and (client.startswith(COMPUTER) or len(client) > MAX_CLIENT_ID_CHARS):
        raise Refused("bad-message")


def cache_stored(stored: list[TableTransaction]) -> None:
    """Cache what is stored, and count its moves."""
    for change in stored:
        cache.put(CachedTable(change.table, change.seats, change.state))
    for kind, number in Counter(kind for change in stored for kind in change.movers()).items():
        metrics.MOVES.labels(kind).inc(number)


listeners: list[Callable[[list[Table]], None]] = []
"""Called after every commit with the tables that changed. Whatever a listener does, the tables are stored."""


def notify(tables: list[Table]) -> None:
    """Tell every listener; if one fails, the others are still told."""
    for listen in listeners:
        try:
            listen(tables)
        except Exception as error:  # noqa: BLE001 - whatever it is, the tables are stored
            facts = {
                "tables": [table.id for table in tables],
                "listener": listen.__module__,
                "error": type(error).__name__,
            }
            log.warning("listener failed", extra={"facts": facts})
