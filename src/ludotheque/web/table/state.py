"""The state of a table: the fold of its events. It is never changed once it is cached; a change works on a copy."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import NamedTuple

import ludotheque
from ludotheque.luck import Luck
from ludotheque.match import Actor, Ending, Match
from ludotheque.pictures.output.render import render_match
from ludotheque.web.models import Event, Seat, Table

Kind = Event.Kind
LOTS = "lots "  # begins the text of the start of a match whose seats were drawn by lot


@dataclass(frozen=True)
class Offer:
    """A draw or an undo that one seat offers and the others have to agree to."""

    seat: int
    what: str
    agreed: frozenset[int]


class Declined(NamedTuple):
    """An offer that one seat declined: by saying so, or by moving on instead of answering."""

    what: str
    seat: int  # that declined


class Leaver(NamedTuple):
    """A person who left a seat to a computer player while the match went on."""

    seat: int
    entries: int  # of the match's log that there were by then


class LogEntry(NamedTuple):
    """An event, less what only the database needs."""

    number: int
    kind: str
    actor: str
    text: str
    client: str | None


@dataclass(eq=False)  # states are compared by identity: what is derived from one is cached by it
class TableState:
    """What the log comes to. There is no match before every seat is taken."""

    version: int = 0
    match: Match | None = None
    offer: Offer | None = None
    declined: Declined | None = None  # until the next move or offer
    rematch: str | None = None  # the id of the next table; empty if that was deleted
    entered: int = 0  # how many entries of the match's log come from another match, which this one goes on from
    leavers: tuple[Leaver, ...] = ()
    lots: tuple[int, ...] = ()  # if luck said who sits where: for each seat, the place where its person sat before

    @property
    def over(self) -> bool:
        return self.match is not None and self.match.over

    @property
    def ending(self) -> Ending | None:
        """How people ended the match before its rules did."""
        return self.match.ending if self.match else None

    @property
    def is_abandoned(self) -> bool:
        """Whether everybody left, one after the other: so the last one could not win, nor a computer player."""
        return bool(self.leavers) and self.ending is not None and self.ending.how == "resign"

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that are to move; luck answers by itself."""
        return tuple([actor for actor in self.match.to_act if actor != "luck"]) if self.match is not None else ()

    @property
    def has_entered_luck(self) -> bool:
        """Whether draws were entered that this table's seed did not make."""
        return self.match is not None and any(actor == "luck" for actor, _ in self.match.log[: self.entered])

    def events_before(self, leaver: Leaver) -> int:
        """How many of the match's events happened before somebody left, less those that were taken back since."""
        assert self.match is not None
        length = before = 0
        for number, (actor, what) in enumerate(self.match.log):
            length += -what if actor == "undo" and isinstance(what, int) else 1
            before = length if number < leaver.entries else min(before, length)
        return before

    def record(self) -> str:
        """The record of the match. If draws of luck were entered from another match, it says: played by hand.

        No seed makes them together with this table's own draws, and a record with a seed promises that it made all.
        """
        assert self.match is not None
        if not self.has_entered_luck:
            return self.match.save()
        by_hand = self.match.copy()
        by_hand.luck = None
        return by_hand.save()

    def own_draws_follow(self) -> bool:
        """Whether all that luck drew at this table follows from its seed, draws that were taken back included."""
        assert self.match is not None
        again = Match(self.match.game, self.match.seats, None, self.match.options)
        for number, entry in enumerate(self.match.log):
            again.luck = self.match.luck if number >= self.entered else None
            due = again.due()
            if due is not None and entry != ("luck", due):
                return False
            again.enter(entry)
        return True

    def shallow_copy(self) -> "TableState":
        """A copy that shares the match, which must not be played on."""
        return replace(self)

    def copy(self) -> "TableState":
        copied = self.shallow_copy()
        copied.match = self.match and self.match.copy()
        return copied

    def after(self, table: Table, events: Iterable[Event | LogEntry]) -> "TableState":
        """The state with these events folded in."""
        folded = self.copy()
        for event in events:
            folded.fold(table, event)
        return folded

    def fold(self, table: Table, event: Event | LogEntry) -> None:
        """Fold one more event in."""
        assert event.number == self.version + 1, "the log has a gap"
        self.version = event.number
        if event.kind == Kind.START:
            self._fold_start(table, event.text)
        elif event.kind == Kind.OFFER:
            self.offer, self.declined = Offer(int(event.actor), event.text, frozenset({int(event.actor)})), None
        elif event.kind == Kind.AGREE and self.offer:
            self.offer = Offer(self.offer.seat, self.offer.what, self.offer.agreed | {int(event.actor)})
        elif event.kind == Kind.DECLINE and self.offer:
            self.declined = Declined(self.offer.what, int(event.actor))
            self.offer = None
        elif event.kind in (Kind.MOVE, Kind.UNDO):
            self._fold_move(event)
        elif event.kind == Kind.REMATCH:
            self.rematch = event.text
        elif event.kind == Kind.RESIGN and self.match:
            self.match.resign(int(event.actor))
        elif event.kind == Kind.DRAW and self.match:
            self.match.agree()
        elif event.kind == Kind.QUIT:
            self._fold_quit(int(event.actor))
        if event.kind in (Kind.DRAW, Kind.RESIGN):
            self.offer = self.declined = None

    def _fold_start(self, table: Table, text: str) -> None:
        if text.startswith(LOTS):
            self.lots = tuple(map(int, text.removeprefix(LOTS).split()))
            self.match = fresh_match(table, lots=self.lots)
        else:
            self.match, self.entered = fresh_match(table), int(text or 0)

    def _fold_quit(self, seat: int) -> None:
        assert self.match is not None
        self.leavers += (Leaver(seat, len(self.match.log)),)
        if self.offer and self.offer.seat == seat:
            self.offer = None

    def answer_by_playing(self, kind: str, actor: str) -> None:
        """What a move or an undo does to offers: who moves on instead of answering one has declined it."""
        offer, self.offer = self.offer, None
        if kind == Kind.UNDO:
            self.declined = None
        elif actor != "luck":  # whose answer to a move is part of it
            ignored = offer is not None and int(actor) not in offer.agreed
            self.declined = Declined(offer.what, int(actor)) if offer and ignored else None

    def _fold_move(self, event: Event | LogEntry) -> None:
        assert self.match is not None
        if event.kind == Kind.UNDO:
            self.match.enter(("undo", int(event.text)))
        else:
            self.match.enter((_actor(event.actor), event.text))
        self.answer_by_playing(event.kind, event.actor)


def _actor(text: str) -> Actor:
    """An actor of a match, as the log writes it."""
    return "luck" if text == "luck" else int(text)


def fresh_match(table: Table, seats: list[Seat] | None = None, lots: tuple[int, ...] = ()) -> Match:
    """The match of a table before its first event, luck's included.

    If seats were drawn by lot, `lots` has for each seat the place at which the one who got it sat before.
    """
    if seats is None:  # read again: those read with the table may have been free then
        seats = list(Seat.objects.filter(table=table))
    match = Match(ludotheque.game(table.game).rules, len(seats), None, table.options, render_match)
    before = [seat for _, seat in sorted(zip(lots, seats, strict=True), key=itemgetter(0))] if lots else seats
    match.luck = Luck(table.seed, table.id, tuple(seat.entropy for seat in before))
    return match
