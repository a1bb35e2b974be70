"""Everything that changes a table. Nothing else writes.

Each action takes the table for itself (a row lock; with SQLite the whole database, for a moment), folds the log,
checks, adds events, and commits. Only then does anyone hear of it. A refusal is raised and changes nothing.
"""

import logging
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import SystemRandom

from django.db import transaction

import ludotheque
from ludotheque.errors import LudothequeError, UndoRefused
from ludotheque.match import Match
from ludotheque.web.live import subscriptions
from ludotheque.web.models import LEVELS, NAME, Event, Seat, Table, hashed
from ludotheque.web.monitor import metrics
from ludotheque.web.table import state as folding
from ludotheque.web.table.state import Entry, Kept, Standing

log = logging.getLogger("ludotheque.web.table.actions")

Kind = Event.Kind
MOST_CLIENT = 40
MOST_ENTROPY = 64
COMPUTER = "computer"  # begins the client ids of computer players, and of nobody else


class Refused(LudothequeError):  # noqa: N818 - reads as what happened
    """What this visitor may not do here; the sentence of the code is in `words/`, among the house's refusals."""

    def __init__(self, code: str) -> None:
        super().__init__(code, code)


class DoneBefore(Exception):  # noqa: N818 - reads as what happened
    """The same thing, under the same name of the client, has come a second time: it is done, and counts once."""


class Stale(Refused):
    """The move was made on a position that is no longer the one on the table."""

    def __init__(self) -> None:
        super().__init__("stale")


class Desk:
    """A table taken for one action: how it stands, and the events the action adds."""

    def __init__(self, table: Table, seats: list[Seat], standing: Standing, client: str | None = None) -> None:
        self.table, self.seats, self.standing, self.client = table, seats, standing, client
        self.events: list[Entry] = []

    @classmethod
    def of(cls, kept: Kept) -> "Desk":
        """The table as it is in memory, for a move, which is made on a twin of its match."""
        row = Table.__new__(Table)
        row.__dict__.update(kept.table.__dict__)  # as copy() does in the end, in a tenth of the time
        return cls(row, kept.seats, kept.stands.twin())

    def match(self) -> Match:
        """The match, if it is going on."""
        if self.standing.match is None:
            raise Refused("not-started")
        if self.standing.over:
            raise Refused("over")
        return self.standing.match

    def seat(self, number: int) -> Seat:
        if not 0 <= number < len(self.seats):
            raise Refused("no-such-seat")
        return self.seats[number]

    def own(self, number: int, visitor: str) -> Seat:
        """The seat, if it is the visitor's."""
        seat = self.seat(number)
        if seat.kind != Seat.Kind.PERSON or not visitor or seat.visitor != hashed(visitor):
            raise Refused("not-your-seat")
        return seat

    def add(self, kind: Kind, actor: str | int = "", text: str = "", client: str | None = None) -> None:
        event = self._event(self.standing.version + 1, kind, str(actor), text, client)
        self.standing.enter(self.table, event)
        self.events.append(event)

    def add_from(self, played: Match, client: str | None = None) -> None:
        """Add what a twin of the match has more in its log: a move or an undo, and what luck did then."""
        for actor, what in played.log[len(self.match().log) :]:
            self.standing.version += 1
            kind, who = (Kind.UNDO, "") if actor == "undo" else (Kind.MOVE, str(actor))
            self.events.append(self._event(self.standing.version, kind, who, str(what), client))
            client = None
        self.standing.match, self.standing.offer = played, None

    def _event(self, number: int, kind: Kind, actor: str, text: str, client: str | None) -> Entry:
        client, self.client = client or self.client or None, None  # the first event carries the name of it all
        return Entry(number, kind, actor, text, client)

    def close(self) -> None:
        """Write the events down and, once they are stored, tell those who watch."""
        Event.objects.bulk_create(Event(table=self.table, **event._asdict()) for event in self.events)
        self.settle()
        self.table.save()
        if self.events:
            transaction.on_commit(lambda: remember([self]))
            transaction.on_commit(lambda: tell([self.table]))

    def settle(self) -> None:
        """Bring the table's row up to date with its log."""
        if self.standing.over:
            self.table.status = Table.Status.OVER
        elif self.standing.match is not None:
            self.table.status = Table.Status.PLAYING
        self.table.version = self.standing.version
        self.table.due = self._computer_due()

    def movers(self) -> Iterator[str]:
        """What kinds of players made the moves among the events."""
        for event in self.events:
            if event.kind == Kind.MOVE and event.actor != "luck":
                yield self.seats[int(event.actor)].kind

    def _computer_due(self) -> bool:
        match = self.standing.match
        acting = match.to_act if match is not None and not self.standing.over else ()
        return any(seat.kind == Seat.Kind.COMPUTER and seat.number in acting for seat in self.seats)


def remember(desks: list[Desk]) -> None:
    """Once it is stored, readers need not read it; and it counts."""
    for desk in desks:
        folding.keep(Kept(desk.table, desk.seats, desk.standing))
    for kind, number in Counter(kind for desk in desks for kind in desk.movers()).items():
        metrics.MOVES.labels(kind).inc(number)


listeners: list[Callable[[list[Table]], None]] = [subscriptions.publish]
"""Called with the tables that have changed after every commit; they may be slow or fail without harm to them."""


def tell(tables: list[Table]) -> None:
    """Once it is stored, tell whoever listens; if one cannot hear, the others still can."""
    for listen in listeners:
        try:
            listen(tables)
        except Exception as error:  # noqa: BLE001 - whatever it is, the tables stand
            facts = {
                "tables": [table.id for table in tables],
                "listener": listen.__module__,
                "error": type(error).__name__,
            }
            log.warning("not told", extra={"facts": facts})


@contextmanager
def _desk(table: str, client: str | None = None) -> Iterator[Desk]:
    _check_client(client)
    with transaction.atomic():
        found = Table.objects.select_for_update().filter(pk=table).first()
        if found is None:
            raise Refused("no-such-table")
        if client and found.events.filter(client=client).exists():
            raise DoneBefore
        desk = Desk(found, list(found.seats.all()), folding.standing(found).copy(), client)
        yield desk
        desk.close()


def _twin(desk: Desk) -> Match:
    assert desk.standing.match is not None
    return desk.standing.match.copy()


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
    with _desk(table, client) as desk:
        seat = desk.seat(number)
        if not visitor:
            raise Refused("not-your-seat")
        if not seat.free:
            raise Refused("seat-taken")
        seat.kind, seat.name, seat.visitor = Seat.Kind.PERSON, clean(name), hashed(visitor)
        seat.entropy = entropy[:MOST_ENTROPY]
        seat.save()
        desk.add(Kind.SIT, number)
        _start_if_full(desk)


def seat_computer(table: str, visitor: str, number: int, level: str, *, client: str | None = None) -> None:
    """Give a free seat to a computer player; whoever sits at the table may do that."""
    with _desk(table, client) as desk:
        seat = desk.seat(number)
        if not any(visitor and other.visitor == hashed(visitor) for other in desk.seats):
            raise Refused("not-your-seat")
        if len(desk.seats) == 1 or level not in LEVELS:
            raise Refused("no-such-level")
        if not seat.free:
            raise Refused("seat-taken")
        seat.kind, seat.level, seat.entropy = Seat.Kind.COMPUTER, level, secrets.token_hex(8)
        seat.save()
        desk.add(Kind.SIT, number)
        _start_if_full(desk)


def leave(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    """Give a seat back before the match has started."""
    with _desk(table, client) as desk:
        seat = desk.own(number, visitor)
        if desk.standing.match is not None:
            raise Refused("already-started")
        seat.kind, seat.name, seat.visitor, seat.link, seat.entropy = Seat.Kind.FREE, "", "", None, ""
        seat.save()
        desk.add(Kind.LEAVE, number)


def _start_if_full(desk: Desk) -> None:
    if not any(seat.free for seat in desk.seats):
        _start(desk)


def _start(desk: Desk) -> None:
    if desk.table.by_lot:
        _draw_lots(desk.seats)
    desk.add(Kind.START)
    played = _twin(desk)
    while (text := played.due()) is not None:
        played.enter(("luck", text))
    desk.add_from(played)


def _draw_lots(seats: list[Seat]) -> None:
    """Shuffle the people over the seats."""
    people = [(seat.kind, seat.level, seat.name, seat.visitor, seat.link, seat.entropy) for seat in seats]
    SystemRandom().shuffle(people)
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(link=None)  # unique, so out of the way first
    for seat, person in zip(seats, people, strict=True):
        seat.kind, seat.level, seat.name, seat.visitor, seat.link, seat.entropy = person
        seat.save()


# During the match


def move(table: str, visitor: str, number: int, text: str, *, version: int, client: str | None = None) -> None:
    """Play a move that was made at this version of the table. The same client id counts once."""
    _check_client(client)
    with _desk(table) as desk:
        desk.own(number, visitor)
        _play(desk, number, text, version, client)


def computer_move(table: str, number: int, text: str, version: int) -> None:
    """Play the move of a computer player; asked twice, it counts once."""
    with _desk(table) as desk:
        if desk.seat(number).kind != Seat.Kind.COMPUTER:
            raise Refused("not-your-seat")
        _play(desk, number, text, version, f"{COMPUTER} {number} {version}")


def _play(desk: Desk, number: int, text: str, version: int, client: str | None) -> None:
    known = desk.table.events.filter(client=client).first() if client else None
    if known is not None and known.actor == str(number):
        return
    if known is not None:  # somebody else's name for a move: without this it would be lost in silence
        raise Refused("bad-message")
    desk.match()
    if _has_changed(desk, version):
        raise Stale
    _make(desk, number, text, client)


def play(desk: Desk, number: int, text: str, client: str) -> None:
    """Play a person's move on a table in memory that stands as it did when the move was made."""
    _check_client(client)
    desk.match()
    _make(desk, number, text, client)
    desk.settle()


def _make(desk: Desk, number: int, text: str, client: str | None) -> None:
    played = _twin(desk)
    played.play(number, text)
    desk.add_from(played, client)


def _check_client(client: str | None) -> None:
    if client and (client.startswith(COMPUTER) or len(client) > MOST_CLIENT):
        raise Refused("bad-message")


def _has_changed(desk: Desk, version: int) -> bool:
    """Whether anything the seat can see happened since: choices that are still sealed have not."""
    if not 0 <= version <= desk.standing.version:
        return True
    if version == desk.standing.version:
        return False
    sealed = desk.match().chosen
    since = desk.table.events.filter(number__gt=version, kind__in=[Kind.START, Kind.MOVE, Kind.UNDO])
    return any(event.kind != Kind.MOVE or event.actor == "luck" or int(event.actor) not in sealed for event in since)


def resign(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    """Give the match up; the others win it."""
    with _desk(table, client) as desk:
        desk.own(number, visitor)
        desk.match()
        desk.add(Kind.RESIGN, number)


def ask_undo(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    """Take one's last move back, at once where that is fair, else when all others agree."""
    with _desk(table, client) as desk:
        desk.own(number, visitor)
        desk.match()
        played = _twin(desk)
        try:
            played.undo(number)
        except UndoRefused as refusal:
            if refusal.code == "nothing-to-undo":
                raise
            _offer(desk, number, "undo")
        else:
            desk.add_from(played)


def offer_draw(table: str, visitor: str, number: int, *, client: str | None = None) -> None:
    with _desk(table, client) as desk:
        desk.own(number, visitor)
        if desk.match().seats == 1:
            raise Refused("alone")
        if any(seat.kind == Seat.Kind.COMPUTER for seat in desk.seats):
            raise Refused("plays-on")  # it would have to think about it; people could escape every defeat
        _offer(desk, number, "draw")


def answer(table: str, visitor: str, number: int, *, agrees: bool, client: str | None = None) -> None:
    """Agree to what another seat offers, or decline it."""
    with _desk(table, client) as desk:
        desk.own(number, visitor)
        desk.match()
        offer = desk.standing.offer
        if offer is None or number in offer.agreed:
            raise Refused("no-offer")
        desk.add(Kind.AGREE if agrees else Kind.DECLINE, number)
        _settle(desk)


def _offer(desk: Desk, number: int, what: str) -> None:
    """Put it to the others. Seats of the same person agree of themselves, and computer players to every undo."""
    if desk.standing.offer is not None:
        raise Refused("offer-pending")
    desk.add(Kind.OFFER, number, what)
    for seat in desk.seats:
        if seat.number != number and (seat.kind == Seat.Kind.COMPUTER or seat.visitor == desk.seats[number].visitor):
            desk.add(Kind.AGREE, seat.number)
    _settle(desk)


def _settle(desk: Desk) -> None:
    """Carry an offer out once all agree."""
    offer = desk.standing.offer
    if offer is None or len(offer.agreed) < len(desk.seats):
        return
    if offer.what == "draw":
        desk.add(Kind.DRAW)
        return
    played = _twin(desk)
    played.undo(offer.seat, agreed=True)
    desk.add_from(played)


# After the match


def rematch(table: str, visitor: str) -> Table:
    """The next match of the same people, each one seat further. Asked twice, it is the same table."""
    with _desk(table) as desk:
        if not any(seat.visitor == hashed(visitor) for seat in desk.seats):
            raise Refused("not-your-seat")
        if not desk.standing.over:
            raise Refused("not-over")
        known = Table.objects.filter(previous=desk.table).first()
        if known is not None:
            return known
        following = _seated_again(desk)
        desk.add(Kind.REMATCH, "", following.id)
    return following


def _seated_again(desk: Desk) -> Table:
    before = desk.table
    after = Table.objects.create(game=before.game, options=before.options, by_lot=False, previous=before)
    number = len(desk.seats)
    for seat in desk.seats:
        Seat.objects.create(
            table=after,
            number=(seat.number + 1) % number,
            kind=seat.kind,
            level=seat.level,
            name=seat.name,
            visitor=seat.visitor,
            entropy=secrets.token_hex(8),
        )
    following = Desk(after, list(after.seats.all()), Standing())
    _start(following)
    following.close()
    return after


# Seats on other devices


def make_link(table: str, visitor: str, number: int) -> str:
    """A new secret that moves this seat to whoever brings it; an older one of the seat is no longer good."""
    with _desk(table) as desk:
        seat = desk.own(number, visitor)
        secret = secrets.token_urlsafe(24)
        seat.link = hashed(secret)
        seat.save()
    return secret


def take_link(secret: str, visitor: str) -> Table:
    """Take the seat of this link to another device."""
    found = Seat.objects.filter(link=hashed(secret)).first()
    if found is None:
        raise Refused("dead-link")
    with _desk(found.table_id) as desk:
        mine = next((seat for seat in desk.seats if seat.link == hashed(secret)), None)
        if mine is None:  # somebody was quicker
            raise Refused("dead-link")
        mine.visitor, mine.link = hashed(visitor), None
        mine.save()
        desk.add(Kind.SIT, mine.number)
    return desk.table


def clean(name: str) -> str:
    """A name as it may be shown: one line, printable, not long."""
    return " ".join("".join(mark if mark.isprintable() else " " for mark in name).split())[:NAME].strip()
