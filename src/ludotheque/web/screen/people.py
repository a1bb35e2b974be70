"""The people at a table as they are shown: names, roles, scores, whose turn it is."""

from functools import lru_cache
from typing import NamedTuple
from unicodedata import bidirectional

from ludotheque.match import Match
from ludotheque.web.models import Seat
from ludotheque.web.screen.scoring import winners
from ludotheque.web.table.state import TableState
from ludotheque.web.words import level, say, seat_name


class Place(NamedTuple):
    """A seat as it is shown."""

    number: int
    role: str
    name: str
    kind: str
    acting: bool
    chosen: bool
    winner: bool
    score: int | None
    level: str

    @property
    def thinking(self) -> bool:
        return self.acting and self.kind == Seat.Kind.COMPUTER


def places(seats: list[Seat], match: Match, state: TableState, names: list[str], lang: str) -> tuple[Place, ...]:
    """Who sits where, and how they do."""
    over = state.over
    acting, chosen = (match.to_act, match.chosen) if state.match is not None and not over else ((), [])
    best, scores = winners(match) if over else (), match.scores
    counts = state.match is not None and match.seats > 1
    return tuple(
        [
            Place(
                number,
                role(match, number, lang),
                names[number] if not seat.free else "",
                seat.kind,
                number in acting,
                number in chosen,
                number in best,
                scores[number] if counts else None,
                level(seat.level, lang) if seat.level else "",
            )
            for number, seat in enumerate(seats)
        ]
    )


def names(match: Match, seats: list[Seat], lang: str) -> list[str]:
    """What everybody is called: people as they wish, the computer by that name unless there are two, else by role."""
    alone = sum(seat.kind == Seat.Kind.COMPUTER for seat in seats) == 1
    computer = say("computer", lang) if alone else ""
    return [
        (computer if seat.kind == Seat.Kind.COMPUTER else isolated(seat.name)) or role(match, seat.number, lang)
        for seat in seats
    ]


@lru_cache(10_000)
def isolated(name: str) -> str:
    """A name for the middle of a sentence: right-to-left text must not reorder what is around it."""
    turns = any(bidirectional(mark) in ("R", "AL") for mark in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if turns else name


def role(match: Match, seat: int, lang: str) -> str:
    """What the rules call this seat."""
    return seat_name(match.game.stem, match.seats, match.role(seat), lang)
