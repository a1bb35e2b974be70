"""The people at a table as they are shown: names, roles, scores, whose turn it is."""

from functools import lru_cache
from typing import NamedTuple
from unicodedata import bidirectional

from markupsafe import Markup

from ludotheque.match import Match
from ludotheque.pictures.output.chips import chip
from ludotheque.web.models import Seat
from ludotheque.web.screen.narration import roles
from ludotheque.web.screen.scoring import unowned, winners
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
    chip: Markup

    @property
    def thinking(self) -> bool:
        return self.acting and self.kind == Seat.Kind.COMPUTER


class LegRole(NamedTuple):
    """What somebody plays in a leg, as it is shown."""

    leg: int
    role: str
    chip: Markup


class UnownedPlace(NamedTuple):
    """A role that nobody plays, as it is shown below those who do."""

    name: str
    score: int
    chip: Markup


def unowned_places(match: Match, lang: str) -> tuple[UnownedPlace, ...]:
    """What else is counted, and how it does."""
    return tuple(UnownedPlace(name, score, _chip(match, role)) for role, name, score in unowned(match, lang))


def places(seats: list[Seat], match: Match, state: TableState, names: list[str], lang: str) -> tuple[Place, ...]:
    """Who sits where, and how they do."""
    over = state.over
    acting, chosen = (match.to_act, match.chosen) if state.match is not None and not over else ((), [])
    best, scores = winners(match) if over and not state.is_abandoned else (), match.scores
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
                _chip(match, match.role(number)),
            )
            for number, seat in enumerate(seats)
        ]
    )


def _chip(match: Match, role: int) -> Markup:
    return Markup(chip(match, role))  # noqa: S704 - drawn by us, from numbers


def names(match: Match, seats: list[Seat], lang: str) -> list[str]:
    """What everybody is called: people as they wish, the computer by that name unless there are two.

    Whoever left to a computer player keeps the name. All others go by their role, in a series, where it changes from
    leg to leg, by their number.
    """
    computers = [seat for seat in seats if seat.kind == Seat.Kind.COMPUTER and not seat.name]
    computer = say("computer", lang) if len(computers) == 1 else ""
    return [
        (computer if seat in computers else _called(seat, lang)) or _unnamed(match, seat.number, lang)
        for seat in seats
    ]


def _called(seat: Seat, lang: str) -> str:
    has_left = seat.kind == Seat.Kind.COMPUTER and seat.name
    return say("then-computer", lang, name=isolated(seat.name)) if has_left else isolated(seat.name)


def legs(match: Match, lang: str) -> list[list[LegRole]]:
    """What each seat has played in each leg that has begun, as it was at the end of the leg."""
    ended = [match.before(match.length - number - 1) for number, _ in match.ended_legs()]
    stages = [then.at_leg_end() or then for then in ended]
    stages += [match] if len(stages) <= match.leg else []
    return [
        [LegRole(then.leg, role(then, seat, lang), _chip(then, then.role(seat))) for then in stages]
        for seat in range(match.seats)
    ]


def notes(match: Match, state: TableState, seats: list[Seat], names: list[str], lang: str) -> dict[int, list[str]]:
    """What the move list tells besides moves, by the number of events before it: who plays what, and who has left."""
    told: dict[int, list[str]] = {}
    if match.legs > 1:
        begins = [0, *(number + 1 for number, _ in match.ended_legs())]
        for leg, number in enumerate(begins[: match.legs]):
            told[number] = [say("leg-roles", lang, leg=leg + 1, roles=roles(match, leg, names, lang))]
    for leaver in state.leavers:
        name = isolated(seats[leaver.seat].name) or _unnamed(match, leaver.seat, lang)
        told.setdefault(state.events_before(leaver), []).append(say("has-left", lang, name=name))
    return told


def _unnamed(match: Match, seat: int, lang: str) -> str:
    return role(match, seat, lang) if match.legs == 1 else say("player", lang, number=seat + 1)


@lru_cache(10_000)
def isolated(name: str) -> str:
    """A name for the middle of a sentence: right-to-left text must not reorder what is around it."""
    turns = any(bidirectional(mark) in ("R", "AL") for mark in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if turns else name


def role(match: Match, seat: int, lang: str) -> str:
    """What the rules call this seat."""
    return seat_name(match.game.stem, match.seats, match.role(seat), lang)
