"""The state of a table: the fold of its events. It is never changed once it is cached; a change works on a copy."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import ludotheque
from ludotheque.luck import Luck
from ludotheque.match import Actor, Ending, Match
from ludotheque.pictures.output.render import render_match
from ludotheque.web.models import Event, Seat, Table

Kind = Event.Kind


@dataclass(frozen=True)
class Offer:
    """A draw or an undo that one seat offers and the others have to agree to."""

    seat: int
    what: str
    agreed: frozenset[int]


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
    rematch: str = ""  # the id of the next table

    @property
    def over(self) -> bool:
        return self.match is not None and self.match.over

    @property
    def ending(self) -> Ending | None:
        """How people ended the match before its rules did."""
        return self.match.ending if self.match else None

    def shallow_copy(self) -> "TableState":
        """A copy that shares the match, which must not be played on."""
        return TableState(self.version, self.match, self.offer, self.rematch)

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
            self.match = fresh_match(table)
        elif event.kind == Kind.OFFER:
            self.offer = Offer(int(event.actor), event.text, frozenset({int(event.actor)}))
        elif event.kind == Kind.AGREE and self.offer:
            self.offer = Offer(self.offer.seat, self.offer.what, self.offer.agreed | {int(event.actor)})
        elif event.kind in (Kind.MOVE, Kind.UNDO):
            self._fold_move(event)
        elif event.kind == Kind.REMATCH:
            self.rematch = event.text
        elif event.kind == Kind.RESIGN and self.match:
            self.match.resign(int(event.actor))
        elif event.kind == Kind.DRAW and self.match:
            self.match.agree()
        if event.kind in (Kind.MOVE, Kind.UNDO, Kind.DECLINE, Kind.DRAW, Kind.RESIGN):
            self.offer = None

    def _fold_move(self, event: Event | LogEntry) -> None:
        assert self.match is not None
        if event.kind == Kind.UNDO:
            self.match.enter(("undo", int(event.text)))
        else:
            self.match.enter((_actor(event.actor), event.text))


def _actor(text: str) -> Actor:
    """An actor of a match, as the log writes it."""
    return "luck" if text == "luck" else int(text)


def fresh_match(table: Table, seats: list[Seat] | None = None) -> Match:
    """The match of a table before its first event, luck's included."""
    if seats is None:  # read again: those read with the table may have been free then
        seats = list(Seat.objects.filter(table=table))
    match = Match(ludotheque.game(table.game).rules, len(seats), None, table.options, render_match)
    match.luck = Luck(table.seed, table.id, tuple(seat.entropy for seat in seats))
    return match
