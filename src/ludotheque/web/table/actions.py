"""During the match: every command that changes a table, except moves (`moves.py`). One transaction each."""

from collections.abc import Sequence

from django.conf import settings

from ludotheque.errors import UndoRefused
from ludotheque.search.levels import DEFAULT_LEVEL
from ludotheque.web.models import Event, Seat
from ludotheque.web.refusals import Refused
from ludotheque.web.table.state import TableState
from ludotheque.web.table.transaction import TableTransaction, locked

Kind = Event.Kind


def resign(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    """Give up. Two others or more play on, with a computer player in that seat; else the others win the match."""
    with locked(table, client) as change:
        seat = change.own_seat(number, visitor)
        change.running_match()
        if goes_on_without(change.seats, seat):
            _leave_to_computer(change, seat)
        else:
            change.add(Kind.RESIGN, number)


def goes_on_without(seats: Sequence[Seat], leaving: Seat) -> bool:
    """Whether the match goes on when this person gives up: among three or four, if another is there.

    Of people round one screen, too, whose seats all belong to one visitor.
    """
    is_another_there = any(seat.kind == Seat.Kind.PERSON and seat.number != leaving.number for seat in seats)
    return bool(settings.THINKER) and len(seats) > 2 and is_another_there


def _leave_to_computer(change: TableTransaction, seat: Seat) -> None:
    """The name stays for the others to read; whoever left is a stranger from now on."""
    seat.kind, seat.level, seat.visitor, seat.link = Seat.Kind.COMPUTER, str(DEFAULT_LEVEL), "", None
    seat.save()
    change.add(Kind.QUIT, seat.number, seat.level)
    if change.state.offer is not None and seat.number not in change.state.offer.agreed:
        change.add(Kind.AGREE, seat.number)
        _carry_out(change)


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
        if not may_draw(change.seats, change.state):
            raise Refused("plays-on")
        _offer(change, number, "draw")


def may_draw(seats: Sequence[Seat], state: TableState) -> bool:
    """Whether all who have a say about a draw are people.

    A computer player would have to think about it, and people could escape every defeat. In the place of somebody who
    left it agrees to what at least two others agree on.
    """
    people = [seat for seat in seats if seat.kind == Seat.Kind.PERSON]
    left = {leaver.seat for leaver in state.leavers}
    played_from_the_start = len(seats) - len(people) - len(left)
    return len(people) > 1 and not played_from_the_start


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
