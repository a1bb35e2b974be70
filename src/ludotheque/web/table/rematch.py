"""After the match: the next one of the same people, and a new table that plays on from a position."""

from django.db import transaction

from ludotheque.match import Event as MatchEvent
from ludotheque.match import Match
from ludotheque.web import names
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.models.table import LEVELS
from ludotheque.web.refusals import Refused
from ludotheque.web.table import commitments
from ludotheque.web.table.commitments import Promise
from ludotheque.web.table.seating import MAX_ENTROPY_CHARS, add_entropy, new_row, start
from ludotheque.web.table.state import TableState
from ludotheque.web.table.transaction import TableTransaction, locked
from ludotheque.web.visitors import hashed, owns

Kind = Event.Kind


def add_next_entropy(table: str, visitor: str, number: int, entropy: str, commitment: str) -> None:
    """What a seat adds to the luck of the next match, whose commitment its page has; what came first counts."""
    seat = Seat.objects.select_related("table").filter(table_id=table, number=number).first()
    if seat is None or not owns(seat, visitor):
        raise Refused("not-your-seat")
    if seat.table.status != Table.Status.OVER:
        raise Refused("not-over")
    if not _is_promised(table, commitment):
        raise Refused("other-luck")
    untouched = Seat.objects.filter(pk=seat.pk, visitor=seat.visitor).exclude(next_commitment=commitment)
    if entropy:
        untouched.update(next_entropy=entropy[:MAX_ENTROPY_CHARS], next_commitment=commitment)


def rematch(table: str, visitor: str, entropy: str = "", commitment: str = "") -> Table:
    """The next match of the same people, each one seat further. Asked twice, it is the same table.

    Entropy counts if it was added to the very commitment that the match has: another secret key makes another one.
    """
    with locked(table) as change:
        mine = next((seat for seat in change.seats if owns(seat, visitor)), None)
        if mine is None:
            raise Refused("not-your-seat")
        if not change.state.over:
            raise Refused("not-over")
        known = Table.objects.filter(previous=change.table).first()
        if known is not None:
            return known
        if entropy and mine.next_commitment != commitment and _is_promised(table, commitment):
            mine.next_entropy, mine.next_commitment = entropy[:MAX_ENTROPY_CHARS], commitment
        following = _seated_again(change)
        change.add(Kind.REMATCH, "", following.id)
    return following


def _is_promised(table: str, commitment: str) -> bool:
    return any(promise.commitment == commitment for promise in commitments.of_rematch(table))


def _next_promise(change: TableTransaction) -> Promise | None:
    """The luck of a rematch that most seats have added to; if it was made and deleted, that may be known by now."""
    if change.table.events.filter(kind=Kind.REMATCH).exists():
        return None
    added_to = [seat.next_commitment for seat in change.seats]
    return max(commitments.of_rematch(change.table.id), key=lambda promise: added_to.count(promise.commitment))


def _seated_again(change: TableTransaction) -> Table:
    before, promise = change.table, _next_promise(change)
    after = new_row(promise, game=before.game, options=before.options, previous=before)
    number = len(change.seats)
    for seat in change.seats:
        again = Seat(table=after, number=(seat.number + 1) % number, kind=seat.kind, level=seat.level)
        if seat.kind == Seat.Kind.PERSON:
            again.name, again.visitor = seat.name, seat.visitor
            has_added = promise is not None and seat.next_commitment == promise.commitment
            add_entropy(again, seat.next_entropy if has_added else "")
        again.save()
    following = TableTransaction(after, list(after.seats.all()), TableState())
    start(following)
    following.commit()
    return after


def play_on(
    match: Match,
    step: int,
    visitor: str,
    number: int,
    level: str = "",
    *,
    name: str = "",
    promise: Promise | None = None,
    entropy: str = "",
) -> Table:
    """A new table that goes on from a position of a finished match, after so many of its events.

    The visitor takes one seat and computer players of a level the others. Choices that were still sealed there are
    made anew, since everybody has seen them by now. The draws of luck so far are entered as they were; from here on
    the new table's own seed decides. Entropy counts if a promise was made before.
    """
    events = open_events(match, step)
    if not 0 <= number < match.seats:
        raise Refused("no-such-seat")
    if not visitor:
        raise Refused("not-your-seat")
    if match.seats > 1 and level not in LEVELS:
        raise Refused("no-such-level")
    with transaction.atomic():
        options = {key: list(value) if isinstance(value, tuple) else value for key, value in match.options.items()}
        table = new_row(promise, game=match.game.key, options=options)
        mine = Seat(table=table, number=number, kind=Seat.Kind.PERSON, name=names.read_or_none(name))
        mine.visitor = hashed(visitor)
        add_entropy(mine, entropy if promise else "")
        others = [
            Seat(table=table, number=other, kind=Seat.Kind.COMPUTER, level=level)
            for other in range(match.seats)
            if other != number
        ]
        Seat.objects.bulk_create([mine, *others])
        change = TableTransaction(table, list(table.seats.all()), TableState())
        start(change, events)
        change.commit()
    return table


def open_events(match: Match, step: int) -> list[MatchEvent]:
    """The first events of a finished match, so many of them or, where a choice was still sealed then, fewer."""
    if not 0 <= step <= last_open_step(match):
        raise Refused("over")
    while match.game.has_sealed and match.before(match.length - step).chosen:
        step -= 1
    return match.events[:step]


def last_open_step(match: Match) -> int:
    """After how many events a finished match could last be played on."""
    return match.length if match.ending else match.length - 1
