"""How a table stands: the fold of its events.

Folded tables are kept in memory by version. Events are never changed, so whoever has version 40 only reads what came
after it, whichever process wrote it; and whoever knows that the table is at 40 need not ask. A standing is never
changed once it is kept; writers work on a `copy`.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from django.db import connection

import ludotheque
from ludotheque.luck import Luck
from ludotheque.match import Actor, Ending, Match
from ludotheque.match import Event as Move
from ludotheque.pictures.picture import draw
from ludotheque.web.models import Event, Seat, Table, rows

KEPT = 2000  # tables in memory that nobody watches
Kind = Event.Kind
CAME = (
    "SELECT table_id, number, kind, actor, text, client FROM {events}, (VALUES {known}) AS known "
    "WHERE table_id=known.column1 AND number>known.column2 ORDER BY table_id, number"
)
SEATING = (Kind.SIT, Kind.LEAVE, Kind.START)  # events with which seats change


@dataclass(frozen=True)
class Offer:
    """A draw or an undo that one seat wants and the others have to agree to."""

    seat: int
    what: str
    agreed: frozenset[int]


class Listed(NamedTuple):
    """A list of moves as it is shown, how many they are, and the last of them."""

    html: str
    number: int
    last: Move


class Entry(NamedTuple):
    """An event, less what only the database needs."""

    number: int
    kind: str
    actor: str
    text: str
    client: str | None


@dataclass
class Standing:
    """What the log comes to. There is no match before everybody is seated."""

    version: int = 0
    match: Match | None = None
    offer: Offer | None = None
    rematch: str = ""  # the table at which it goes on
    accounts: dict[tuple[int | None, str], object] = field(default_factory=dict)
    """What was drawn up to be shown of it, by `screen.py`."""

    lists: dict[tuple[int | None, str], "Listed"] = field(default_factory=dict)
    """The list of moves as it was shown last, which the next one goes on from."""

    @property
    def over(self) -> bool:
        return self.match is not None and self.match.over

    @property
    def ending(self) -> Ending | None:
        """How the match ended, if people ended it before its rules did."""
        return self.match.ending if self.match else None

    def twin(self) -> "Standing":
        """The same, with the same match, which is not to be played on."""
        return Standing(self.version, self.match, self.offer, self.rematch, lists=dict(self.lists))

    def copy(self) -> "Standing":
        twin = self.twin()
        twin.match = self.match and self.match.copy()
        return twin

    def after(self, table: Table, news: Iterable[Event | Entry]) -> "Standing":
        """As it is with these events folded in."""
        then = self.copy()
        for event in news:
            then.enter(table, event)
        return then

    def enter(self, table: Table, event: Event | Entry) -> None:
        """Fold one more event in."""
        assert event.number == self.version + 1, "the log has a gap"
        self.version = event.number
        if event.kind == Kind.START:
            self.match = fresh(table)
        elif event.kind == Kind.OFFER:
            self.offer = Offer(int(event.actor), event.text, frozenset({int(event.actor)}))
        elif event.kind == Kind.AGREE and self.offer:
            self.offer = Offer(self.offer.seat, self.offer.what, self.offer.agreed | {int(event.actor)})
        elif event.kind in (Kind.MOVE, Kind.UNDO):
            self._enter_move(event)
        elif event.kind == Kind.REMATCH:
            self.rematch = event.text
        elif event.kind == Kind.RESIGN and self.match:
            self.match.resign(int(event.actor))
        elif event.kind == Kind.DRAW and self.match:
            self.match.agree()
        if event.kind in (Kind.MOVE, Kind.UNDO, Kind.DECLINE, Kind.DRAW, Kind.RESIGN):
            self.offer = None

    def _enter_move(self, event: Event | Entry) -> None:
        assert self.match is not None
        if event.kind == Kind.UNDO:
            self.match.enter(("undo", int(event.text)))
        else:
            self.match.enter((actor(event.actor), event.text))


def actor(text: str) -> Actor:
    """An actor of a match, as the log writes it."""
    return "luck" if text == "luck" else int(text)


class Kept(NamedTuple):
    """A table as it is kept in memory: its row, its seats, and how it stands."""

    table: Table
    seats: list[Seat]
    stands: Standing


def fresh(table: Table, seats: list[Seat] | None = None) -> Match:
    """The match of a table before its first event, luck's included."""
    if seats is None:  # as they are now: those read with the table may have been still free
        seats = list(Seat.objects.filter(table=table))
    match = Match(ludotheque.game(table.game).rules, len(seats), None, table.options, draw)
    match.luck = Luck(table.seed, table.id, tuple(seat.entropy for seat in seats))
    return match


def standing(table: Table) -> Standing:
    """How the table, whose row was read just now, stands. It is shared: to change it, take a copy."""
    return look(table).stands


def look(table: Table) -> Kept:
    """The table, whose row was read just now, with its seats and how it stands."""
    known = _shelf.take(table.id)
    if known is not None and known.stands.version >= table.version:
        return known
    before = known.stands if known is not None else Standing()
    news = list(table.events.filter(number__gt=before.version).order_by("number"))
    stands = before.after(table, news)
    seats = None if known is None or any(event.kind in SEATING for event in news) else known.seats
    kept = Kept(table, seats or list(Seat.objects.filter(table=table)), stands)  # seats are read after the events
    _shelf.keep(kept)
    return kept


def newest(table: str) -> Kept:
    """The table as it is now: what is in memory, and the events that came after that."""
    catch_up([table])
    return _shelf.take(table) or look(Table.objects.get(pk=table))


def catch_up(tables: Iterable[str]) -> None:
    """Read what came to those of these tables that are in memory: one question, however many they are."""
    known = {table: kept for table in tables if (kept := _shelf.take(table)) is not None}
    for table, news in _came({table: kept.stands.version for table, kept in known.items()}).items():
        if any(entry.kind in SEATING for entry in news):
            look(Table.objects.get(pk=table))
            continue
        row, seats, before = known[table]
        _shelf.keep(Kept(row, seats, before.after(row, news)))


def _came(versions: dict[str, int]) -> dict[str, list[Entry]]:
    """The events of tables after these versions; a table to which nothing came is left out."""
    found: dict[str, list[Entry]] = {}
    if versions:
        marks, known = rows(list(versions.items()))
        with connection.cursor() as cursor:
            cursor.execute(CAME.format(events=Event._meta.db_table, known=marks), known)
            for table, *entry in cursor.fetchall():
                found.setdefault(table, []).append(Entry(*entry))
    return found


def remembered(table: str, version: int) -> Kept | None:
    """What is in memory, if that is at least this version."""
    known = _shelf.take(table)
    return known if known is not None and known.stands.version >= version else None


def keep(kept: Kept) -> None:
    """Remember what was written."""
    _shelf.keep(kept)


def hold(table: str) -> None:
    """Somebody watches this table from now on: it stays in memory."""
    _shelf.hold(table)


def release(table: str) -> None:
    """Nobody watches it any more."""
    _shelf.release(table)


def forget() -> None:
    """Empty the memory."""
    _shelf.clear()


class _Shelf:
    """The tables that somebody watches, as far as they were looked at, and the last of the others."""

    def __init__(self) -> None:
        self._watched: dict[str, Kept | None] = {}
        self._others: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def take(self, table: str) -> Kept | None:
        with self._lock:
            if table in self._watched:
                return self._watched[table]
            if table in self._others:
                self._others.move_to_end(table)
            return self._others.get(table)

    def keep(self, kept: Kept) -> None:
        with self._lock:
            tables = self._watched if kept.table.id in self._watched else self._others
            known = tables.get(kept.table.id)
            if known is None or known.stands.version < kept.stands.version:
                tables[kept.table.id] = kept
            self._tidy()

    def hold(self, table: str) -> None:
        with self._lock:
            self._watched.setdefault(table, self._others.pop(table, None))

    def release(self, table: str) -> None:
        with self._lock:
            kept = self._watched.pop(table, None)
            if kept is not None:
                self._others[table] = kept
            self._tidy()

    def clear(self) -> None:
        with self._lock:
            self._watched = dict.fromkeys(self._watched)
            self._others.clear()

    def _tidy(self) -> None:
        if len(self._others) > KEPT:
            self._others.popitem(last=False)


_shelf = _Shelf()
