"""Before the match: a new table, who sits down, and the start once every seat is taken. One transaction each."""

from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction

import ludotheque
from ludotheque.match import Event as MatchEvent
from ludotheque.match import Match
from ludotheque.web import names
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.models.table import LEVELS
from ludotheque.web.refusals import PromiseKept, Refused
from ludotheque.web.table.commitments import Promise
from ludotheque.web.table.state import LOTS, fresh_match
from ludotheque.web.table.transaction import TableTransaction, locked
from ludotheque.web.visitors import hashed, owns

Kind = Event.Kind
MAX_ENTROPY_CHARS = 64
OF_A_PERSON = ("kind", "level", "name", "visitor", "link", "entropy", "added")  # of a seat's row, when seats change


def open_table(
    game: str,
    seats: int,
    options: Mapping[str, object],
    *,
    listed: bool = False,
    by_lot: bool = False,
    creator: str = "",
    promise: Promise | None = None,
) -> Table:
    """A new table with free seats. Without a `creator` whoever sits down first is; a `promise` is kept once."""
    match = Match(ludotheque.game(game).rules, seats, None, options)
    chosen = {name: list(value) if isinstance(value, tuple) else value for name, value in match.options.items()}
    with transaction.atomic():
        table = new_row(promise, game=match.game.key, options=chosen, listed=listed, by_lot=by_lot)
        if creator:
            table.creator = hashed(creator)
            table.save()
        Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(match.seats))
    return table


def new_row(promise: Promise | None, **row: object) -> Table:
    """A new table's row: the one that was promised, with the luck published for it, or any."""
    if promise is None:
        return Table.objects.create(**row)
    try:
        with transaction.atomic():
            return Table.objects.create(id=promise.table, seed=promise.seed, **row)
    except IntegrityError as error:  # its seed may be known by now
        raise PromiseKept(promise.table) from error


def sit(table: str, visitor: str, number: int, name: str, entropy: str = "", *, client: str | None = None) -> None:
    """Take a free seat; the match starts with the last one. Whoever adds entropy has seen the commitment first."""
    with locked(table, client) as change:
        seat = change.seat(number)
        if not visitor:
            raise Refused("not-your-seat")
        if not seat.free:
            raise Refused("seat-taken")
        _check_may_sit(change, visitor)
        called = names.read_for_table(name, [other.name for other in change.seats])
        seat.kind, seat.name, seat.visitor = Seat.Kind.PERSON, called, hashed(visitor)
        add_entropy(seat, entropy)
        seat.save()
        change.table.creator = change.table.creator or hashed(visitor)
        change.add(Kind.SIT, number)
        _start_if_full(change)


def _check_may_sit(change: TableTransaction, visitor: str) -> None:
    """At an open table everybody takes one seat, so that others find one; who set it may seat others beside them."""
    sits_there = any(owns(seat, visitor) for seat in change.seats)
    if change.table.listed and sits_there and not is_creator(change.table, visitor):
        raise Refused("one-seat")


def is_creator(table: Table, visitor: str) -> bool:
    """Whether the visitor set the table, or has the seat of whoever did."""
    return bool(visitor) and table.creator == hashed(visitor)


def add_entropy(seat: Seat, entropy: str) -> None:
    """Whoever calls this knows that the seat has seen the commitment first."""
    seat.entropy, seat.added = entropy[:MAX_ENTROPY_CHARS], bool(entropy)


def seat_computer(table: str, visitor: str, number: int, level: str, *, client: str | None = None) -> None:
    """Give a free seat to a computer player; whoever set the table and sits at it may do that.

    It adds no entropy: the site would choose that after it has seen everybody else's.
    """
    with locked(table, client) as change:
        seat = change.seat(number)
        if not any(owns(other, visitor) for other in change.seats):
            raise Refused("not-your-seat")
        if not is_creator(change.table, visitor):
            raise Refused("not-your-table")
        if len(change.seats) == 1 or level not in LEVELS:
            raise Refused("no-such-level")
        if not seat.free:
            raise Refused("seat-taken")
        seat.kind, seat.level = Seat.Kind.COMPUTER, level
        seat.save()
        change.add(Kind.SIT, number)
        _start_if_full(change)


def leave(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    """Give a seat back before the match has started."""
    with locked(table, client) as change:
        seat = change.own_seat(number, visitor)
        if change.state.match is not None:
            raise Refused("already-started")
        seat.kind, seat.name, seat.visitor, seat.link = Seat.Kind.FREE, "", "", None
        add_entropy(seat, "")
        seat.save()
        change.add(Kind.LEAVE, number)


def _start_if_full(change: TableTransaction) -> None:
    if not any(seat.free for seat in change.seats):
        start(change)


def start(change: TableTransaction, entered: Sequence[MatchEvent] = ()) -> None:
    """Begin the match, with these events of another one if it goes on from there."""
    change.add(Kind.START, "", _draw_lots(change) if change.table.by_lot else str(len(entered) or ""))
    played = change.match_copy()
    for event in entered:
        played.enter(event)
    while (text := played.due()) is not None:
        played.enter(("luck", text))
    change.add_played(played)


def _draw_lots(change: TableTransaction) -> str:
    """Let the table's luck, now that all entropy is in it, say who sits where; what it drew, for the log."""
    seats = change.seats
    luck = fresh_match(change.table, seats).luck
    assert luck is not None
    people = [[getattr(seat, field) for field in OF_A_PERSON] for seat in seats]
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(link=None)  # unique, so out of the way first
    for seat, before in zip(seats, luck.lots, strict=True):
        for field, value in zip(OF_A_PERSON, people[before], strict=True):
            setattr(seat, field, value)
        seat.save()
    return LOTS + " ".join(map(str, luck.lots))
