"""What somebody does with seats of their own beside the game: links to other devices, the list of one's tables."""

import secrets

from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.refusals import Refused
from ludotheque.web.table.transaction import locked
from ludotheque.web.visitors import hashed, owns

Kind = Event.Kind


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
        before, mine.visitor, mine.link = mine.visitor, hashed(visitor), None
        mine.save()
        if change.table.creator == before and all(seat.visitor != before for seat in change.seats):
            change.table.creator = mine.visitor  # it goes with the last seat of whoever set the table
        change.add(Kind.SIT, mine.number)
    return change.table


# The list of one's tables


def put_away(table: str, visitor: str, number: int) -> None:
    """Take the table off the list of whoever has this seat, until something happens at it."""
    _set_put_away(table, visitor, number, Table.objects.filter(pk=table).values_list("version", flat=True).first())


def bring_back(table: str, visitor: str, number: int) -> None:
    """Undo `put_away`."""
    _set_put_away(table, visitor, number, None)


def _set_put_away(table: str, visitor: str, number: int, version: int | None) -> None:
    """For all seats that they have there. It is no event of the table: nobody else is told."""
    seats = list(Seat.objects.filter(table_id=table))
    if not any(seat.number == number and owns(seat, visitor) for seat in seats):
        raise Refused("not-your-seat")
    mine = [seat.pk for seat in seats if owns(seat, visitor)]
    Seat.objects.filter(pk__in=mine, visitor=hashed(visitor)).update(put_away=version)
