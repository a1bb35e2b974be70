"""People who come to play, for the tests."""

from dataclasses import dataclass
from random import Random

from django.test import Client

from ludotheque.match import Match
from ludotheque.web.models import Event, Table
from ludotheque.web.screen.screen import Screen, screen
from ludotheque.web.table import actions, moves, seating
from ludotheque.web.table.cache import state_of
from ludotheque.web.table.state import TableState
from ludotheque.web.visitors import COOKIE, sign

VISITORS = ("ada", "bob", "cleo", "dan")


@dataclass
class Round:
    """A table with one person on each seat."""

    table: Table

    @property
    def id(self) -> str:
        return self.table.id

    @property
    def state(self) -> TableState:
        self.table.refresh_from_db()
        return state_of(self.table)

    @property
    def match(self) -> Match:
        match = self.state.match
        assert match is not None
        return match

    def play(self, seat: int, text: str, version: int | None = None, client: str | None = None) -> None:
        made_at = self.state.version if version is None else version
        moves.play(self.id, VISITORS[seat], seat, text, version=made_at, client=client)

    def play_randomly(self, most: int = 10_000, seed: int = 1) -> None:
        """Whoever is to move does anything, until the end or for so many moves."""
        random = Random(seed)
        for _ in range(most):
            if self.match.over:
                return
            seat = random.choice([actor for actor in self.match.to_act if actor != "luck"])
            self.play(seat, random.choice(self.match.moves(seat)))

    def play_at_once(self, most: int = 10_000, seed: int = 1) -> None:
        """The same, written down in one go: for those who only care how it ends."""
        match, random = self.match.copy(), Random(seed)
        for _ in range(most):
            if match.over:
                break
            seat = random.choice(match.to_act)
            match.play(seat, random.choice(match.moves(seat)))
        known, version = len(self.match.log), self.state.version
        Event.objects.bulk_create(
            Event(table=self.table, number=version + number, kind=Event.Kind.MOVE, actor=str(actor), text=str(text))
            for number, (actor, text) in enumerate(match.log[known:], 1)
        )
        self.table.version = version + len(match.log) - known
        self.table.status = Table.Status.OVER if match.over else Table.Status.PLAYING
        self.table.save()

    def give_up(self) -> None:
        """One after the other gives up, until it is over."""
        for seat, visitor in enumerate(VISITORS[: self.match.seats]):
            if not self.match.over:
                actions.resign(self.id, visitor, seat)

    def screen(self, visitor: str, lang: str = "en", wanted: int = -1) -> Screen:
        return screen(self.id, visitor, lang, wanted)

    def kinds(self) -> list[str]:
        return [event.kind for event in self.table.events.all()]


def seated(game: str = "pizza", seats: int = 3, **options: object) -> Round:
    """A table at which everybody has sat down."""
    return _sit(seating.open_table(game, seats, options), seats)


def seated_alike(game: str, seats: int, **options: object) -> Round:
    """Such a table, with the same name and the same luck every time; there is room for one."""
    opened = seating.open_table(game, seats, options)
    table = Table.objects.create(id="alike", game=opened.game, options=opened.options, seed="alike")
    opened.seats.update(table=table)
    opened.delete()
    return _sit(table, seats)


def _sit(table: Table, seats: int) -> Round:
    for seat in range(seats):
        seating.sit(table.id, VISITORS[seat], seat, VISITORS[seat].title(), entropy=f"{seat}")
    table.refresh_from_db()
    return Round(table)


def browser(visitor: str, *, checks: bool = False) -> Client:
    """A browser with this visitor's cookie."""
    client = Client(enforce_csrf_checks=checks)
    client.cookies[COOKIE] = sign(visitor)
    return client
