"""Lists of tables, as one visitor sees them: their own, and those that wait for players. One query a list.

Nothing is folded for it: whose turn it is stands in the table's row (`Table.to_act`), and pictures are fetched by the
page, each when it comes into view.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import groupby

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable, CombinedExpression
from django.utils import timezone

import ludotheque
from ludotheque.shelf import Box
from ludotheque.web.models import Seat, Table
from ludotheque.web.screen.people import isolated
from ludotheque.web.visitors import hashed
from ludotheque.web.words import level, listed, say

MAX_FRONT_TABLES = 12  # of each list on the front page
MAX_PAGE_TABLES = 48  # on one page of all my tables
FINISHED_STAYS = timedelta(days=7)  # below the running tables
OPEN_STAYS = timedelta(days=1)  # on the front page
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86_400


class Shelf(StrEnum):
    """Where a table of mine is found. What is put away is nowhere else."""

    RUNNING = "running"  # and what ended lately
    FINISHED = "finished"
    AWAY = "away"


@dataclass(frozen=True)
class TableSummary:
    """A line of the list. `seat` is one of mine, or -1."""

    table: str
    game: str
    version: int
    seat: int
    people: str
    turn: str
    since: str
    my_turn: bool
    over: bool
    waiting: bool
    free: int

    @property
    def box(self) -> Box:
        return ludotheque.game(self.game)


@dataclass(frozen=True)
class TablePage:
    """Some tables of a list, and whether there are more."""

    tables: tuple[TableSummary, ...] = ()
    number: int = 1
    has_more: bool = False

    @property
    def running(self) -> list[TableSummary]:
        return [table for table in self.tables if not table.over]

    @property
    def finished(self) -> list[TableSummary]:
        return [table for table in self.tables if table.over]

    @property
    def turns(self) -> int:
        """How many of these wait for me."""
        return sum(table.my_turn for table in self.tables)

    @property
    def earlier(self) -> int:
        return self.number - 1

    @property
    def later(self) -> int:
        """The number of the next page, or 0."""
        return self.number + 1 if self.has_more else 0


def my_tables(who: str, shelf: Shelf, lang: str, number: int = 1, size: int = MAX_PAGE_TABLES) -> TablePage:
    """A page of my tables on a shelf: those that wait for me first, then by their last event."""
    acts = CombinedExpression(F("table__to_act"), Combinable.BITRIGHTSHIFT, F("number")).bitand(1)
    my_turn = Seat.objects.filter(table=OuterRef("pk"), visitor=hashed(who)).annotate(acts=acts).filter(acts=1)
    tables = Table.objects.filter(pk__in=_my_seats(who, shelf).values("table")).annotate(
        running=~Q(status=Table.Status.OVER), my_turn=Exists(my_turn)
    )
    first = (number - 1) * size
    found = _summaries(tables.order_by("-running", "-my_turn", "-changed", "pk")[first : first + size + 1], who, lang)
    return TablePage(found[:size], number, len(found) > size)


def open_tables(who: str, lang: str) -> tuple[TableSummary, ...]:
    """Tables on the front page that wait for players, less my own; the newest first."""
    since = timezone.now() - OPEN_STAYS
    waiting = Table.objects.filter(status=Table.Status.WAITING, listed=True, changed__gt=since, game__in=_games())
    others = waiting.exclude(pk__in=Seat.objects.filter(visitor=hashed(who)).values("table"))
    return _summaries(others.order_by("-changed", "pk")[:MAX_FRONT_TABLES], who, lang)


def one_of_mine(who: str, table: str, lang: str) -> TableSummary | None:
    """A table that I have put away, if it is one."""
    mine = _my_seats(who, Shelf.AWAY).filter(table=table)
    return next(iter(_summaries(Table.objects.filter(pk__in=mine.values("table")), who, lang)), None)


def _games() -> list[str]:
    """Tables of a game that is no longer installed cannot be shown."""
    return [box.key for box in ludotheque.games()]


def _my_seats(who: str, shelf: Shelf) -> QuerySet[Seat]:
    mine = Seat.objects.filter(kind=Seat.Kind.PERSON, visitor=hashed(who), table__game__in=_games()).order_by()
    away, over = Q(put_away__gte=F("table__version")), Q(table__status=Table.Status.OVER)
    if shelf == Shelf.AWAY:
        return mine.filter(away)
    mine = mine.filter(Q(put_away=None) | Q(put_away__lt=F("table__version")))
    lately = Q(table__changed__gt=timezone.now() - FINISHED_STAYS)
    return mine.filter(over if shelf == Shelf.FINISHED else ~over | lately)


def _summaries(tables: QuerySet[Table], who: str, lang: str) -> tuple[TableSummary, ...]:
    """These tables in the order of `my_tables`: one query, for all their seats, each with its table."""
    seats = Seat.objects.filter(table__in=tables.values("pk")).select_related("table").order_by("table", "number")
    places = [list(group) for _, group in groupby(seats, lambda seat: seat.table_id)]
    places.sort(key=lambda seats: seats[0].table.changed, reverse=True)
    found = [_summary(seats, hashed(who), timezone.now(), lang) for seats in places]
    return tuple(sorted(found, key=lambda summary: (summary.over, not summary.my_turn)))


def _summary(seats: list[Seat], me: str, now: datetime, lang: str) -> TableSummary:
    table = seats[0].table
    mine = [seat for seat in seats if seat.kind == Seat.Kind.PERSON and seat.visitor == me]
    acting = [seat for seat in seats if table.to_act >> seat.number & 1]
    others = seats if len(mine) == len(seats) else [seat for seat in seats if seat not in mine]
    over = table.status == Table.Status.OVER
    return TableSummary(
        table=table.id,
        game=table.game,
        version=table.version,
        seat=mine[0].number if mine else -1,
        people=" · ".join([_called(seat, lang) for seat in others if not seat.free and len(seats) > 1]),
        turn=listed([_called(seat, lang) for seat in acting], lang),
        since=_since(now - table.changed, "ago" if over else "since", lang),
        my_turn=any(seat in acting for seat in mine),
        over=over,
        waiting=table.status == Table.Status.WAITING,
        free=sum(seat.free for seat in seats),
    )


def _called(seat: Seat, lang: str) -> str:
    if seat.kind == Seat.Kind.COMPUTER and seat.name:
        return say("then-computer", lang, name=isolated(seat.name))
    if seat.kind == Seat.Kind.COMPUTER:
        return f"{say('computer', lang)} ({level(seat.level, lang)})" if seat.level else say("computer", lang)
    return isolated(seat.name) or say("somebody", lang)


def _since(passed: timedelta, sentence: str, lang: str) -> str:
    """How long ago something was, coarsely: the page shows it until that changes."""
    seconds = int(passed.total_seconds())
    if seconds < MINUTE_S:
        return say("just-now", lang)
    return say(sentence, lang, time=_duration(seconds, lang))


def _duration(seconds: int, lang: str) -> str:
    if seconds < HOUR_S:
        return say("minutes", lang, number=seconds // MINUTE_S)
    if seconds < DAY_S:
        return say("hours", lang, number=seconds // HOUR_S)
    days = seconds // DAY_S
    return say("one-day", lang) if days == 1 else say("days", lang, number=days)
