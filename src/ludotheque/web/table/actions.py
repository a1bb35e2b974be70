"""Every command that changes a table, except moves (`moves.py`). Each one is a single transaction."""

import secrets
from collections.abc import Mapping
from random import SystemRandom

from django.db import transaction

import ludotheque
from ludotheque.errors import UndoRefused
from ludotheque.match import Match
from ludotheque.web.inputs import display_name
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.models.table import LEVELS
from ludotheque.web.refusals import Refused
from ludotheque.web.table.state import TableState
from ludotheque.web.table.transaction import TableTransaction, locked
from ludotheque.web.visitors import hashed, owns

Kind = Event.Kind
MAX_ENTROPY_CHARS = 64


# Before the match


def open_table(
    game: str, seats: int, options: Mapping[str, object], *, listed: bool = False, by_lot: bool = False
) -> Table:
    """A new table with free seats."""
    match = Match(ludotheque.game(game).rules, seats, None, options)
    chosen = {name: list(value) if isinstance(value, tuple) else value for name, value in match.options.items()}
    with transaction.atomic():
        table = Table.objects.create(game=match.game.key, options=chosen, listed=listed, by_lot=by_lot)
        Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(match.seats))
    return table


def sit(table: str, visitor: str, number: int, name: str, entropy: str = "", *, client: str | None = None) -> None:
    """Take a free seat; the match starts with the last one."""
    with locked(table, client) as change:
        seat = change.seat(number)
        if not visitor:
            raise Refused("not-your-seat")
        if not seat.free:
            raise Refused("seat-taken")
        seat.kind, seat.name, seat.visitor = Seat.Kind.PERSON, display_name(name), hashed(visitor)
        seat.entropy = entropy[:MAX_ENTROPY_CHARS]
        seat.save()
        change.add(Kind.SIT, number)
        _start_if_full(change)


def seat_computer(table: str, visitor: str, number: int, level: str, *, client: str | None = None) -> None:
    """Give a free seat to a computer player; whoever sits at the table may do that."""
    with locked(table, client) as change:
        seat = change.seat(number)
        if not any(owns(other, visitor) for other in change.seats):
            raise Refused("not-your-seat")
        if len(change.seats) == 1 or level not in LEVELS:
            raise Refused("no-such-level")
        if not seat.free:
            raise Refused("seat-taken")
        seat.kind, seat.level, seat.entropy = Seat.Kind.COMPUTER, level, secrets.token_hex(8)
        seat.save()
        change.add(Kind.SIT, number)
        _start_if_full(change)


def leave(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    """Give a seat back before the match has started."""
    with locked(table, client) as change:
        seat = change.own_seat(number, visitor)
        if change.state.match is not None:
            raise Refused("already-started")
        seat.kind, seat.name, seat.visitor, seat.link, seat.entropy = Seat.Kind.FREE, "", "", None, ""
        seat.save()
        change.add(Kind.LEAVE, number)


def _start_if_full(change: TableTransaction) -> None:
    if not any(seat.free for seat in change.seats):
        _start(change)


def _start(change: TableTransaction) -> None:
    if change.table.by_lot:
        _draw_lots(change.seats)
    change.add(Kind.START)
    played = change.match_copy()
    while (text := played.due()) is not None:
        played.enter(("luck", text))
    change.add_played(played)


def _draw_lots(seats: list[Seat]) -> None:
    """Shuffle the people over the seats."""
    people = [(seat.kind, seat.level, seat.name, seat.visitor, seat.link, seat.entropy) for seat in seats]
    SystemRandom().shuffle(people)
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(link=None)  # unique, so out of the way first
    for seat, person in zip(seats, people, strict=True):
        seat.kind, seat.level, seat.name, seat.visitor, seat.link, seat.entropy = person
        seat.save()


# During the match


def resign(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    """Give the match up; the others win it."""
    with locked(table, client) as change:
        change.own_seat(number, visitor)
        change.running_match()
        change.add(Kind.RESIGN, number)


def ask_undo(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    """Take one's last move back, at once where that is fair, else when all others agree."""
    with locked(table, client) as change:
        change.own_seat(number, visitor)
        change.running_match()
        played = change.match_copy()
        try:
            played.undo(number)
        except UndoRefused as refusal:
            if refusal.code == "nothing-to-undo":
                raise
            _offer(change, number, "undo")
        else:
            change.add_played(played)


def offer_draw(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    with locked(table, client) as change:
        change.own_seat(number, visitor)
        if change.running_match().seats == 1:
            raise Refused("alone")
        if any(seat.kind == Seat.Kind.COMPUTER for seat in change.seats):
            raise Refused("plays-on")  # it would have to think about it; people could escape every defeat
        _offer(change, number, "draw")


def answer_offer(table: str, visitor: str, number: int, *, agrees: bool, client: str | None = None) -> None:
    """Agree to what another seat offers, or decline it."""
    with locked(table, client) as change:
        change.own_seat(number, visitor)
        change.running_match()
        offer = change.state.offer
        if offer is None or number in offer.agreed:
            raise Refused("no-offer")
        change.add(Kind.AGREE if agrees else Kind.DECLINE, number)
        _carry_out(change)


def _offer(change: TableTransaction, number: int, what: str) -> None:
    """Put it to the others. Seats of the same person agree of themselves, and computer players to every undo."""
    if change.state.offer is not None:
        raise Refused("offer-pending")
    change.add(Kind.OFFER, number, what)
    for seat in change.seats:
        if seat.number != number and (
            seat.kind == Seat.Kind.COMPUTER or seat.visitor == change.seats[number].visitor
        ):
            change.add(Kind.AGREE, seat.number)
    _carry_out(change)


def _carry_out(change: TableTransaction) -> None:
    """Carry an offer out once all agree."""
    offer = change.state.offer
    if offer is None or len(offer.agreed) < len(change.seats):
        return
    if offer.what == "draw":
        change.add(Kind.DRAW)
        return
    played = change.match_copy()
    played.undo(offer.seat, agreed=True)
    change.add_played(played)


# After the match


def rematch(table: str, visitor: str) -> Table:
    """The next match of the same people, each one seat further. Asked twice, it is the same table."""
    with locked(table) as change:
        if not any(owns(seat, visitor) for seat in change.seats):
            raise Refused("not-your-seat")
        if not change.state.over:
            raise Refused("not-over")
        known = Table.objects.filter(previous=change.table).first()
        if known is not None:
            return known
        following = _seated_again(change)
        change.add(Kind.REMATCH, "", following.id)
    return following


def _seated_again(change: TableTransaction) -> Table:
    before = change.table
    after = Table.objects.create(game=before.game, options=before.options, by_lot=False, previous=before)
    number = len(change.seats)
    for seat in change.seats:
        Seat.objects.create(
            table=after,
            number=(seat.number + 1) % number,
            kind=seat.kind,
            level=seat.level,
            name=seat.name,
            visitor=seat.visitor,
            entropy=secrets.token_hex(8),
        )
    following = TableTransaction(after, list(after.seats.all()), TableState())
    _start(following)
    following.commit()
    return after


# Seats on other devices


def make_link(table: str, visitor: str, number: int) -> str:
    """A new secret that moves this seat to whoever brings it; an older one of the seat is no longer good."""
    with locked(table) as change:
        seat = change.own_seat(number, visitor)
        secret = secrets.token_urlsafe(24)
        seat.link = hashed(secret)
        seat.save()
    return secret


def take_link(secret: str, visitor: str) -> Table:
    """Take the seat of this link to another device."""
    found = Seat.objects.filter(link=hashed(secret)).first()
    if found is None:
        raise Refused("dead-link")
    with locked(found.table_id) as change:
        mine = next((seat for seat in change.seats if seat.link == hashed(secret)), None)
        if mine is None:  # somebody was quicker
            raise Refused("dead-link")
        mine.visitor, mine.link = hashed(visitor), None
        mine.save()
        change.add(Kind.SIT, mine.number)
    return change.table
