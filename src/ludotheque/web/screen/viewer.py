"""What a visitor at a table may see, taken from the match through `view`, `seen`, `shown` and `moves` alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypeAlias
from unicodedata import bidirectional

from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.pictures.frames import frames
from ludotheque.pictures.picture import picture_of
from ludotheque.pictures.titles import translated
from ludotheque.web.models import Seat
from ludotheque.web.table.state import Standing
from ludotheque.web.words import say, seat_name

MOST_GHOSTS = 60  # sent with the moves; of more, the page asks for those it shows


@dataclass(frozen=True)
class Eyes:
    """Through whose eyes the page is drawn: `seat` is None for a spectator; `curtain` is the seat asked to come."""

    mine: tuple[int, ...]
    seat: int | None = None
    curtain: int | None = None


def eyes(standing: Standing, seats: list[Seat], visitor: str, wanted: int) -> Eyes:
    """What a visitor, known by a hash, sees. One who holds several seats sees what the one to move sees.

    Where these seats know different things the screen must be handed over: until the next one says so, by asking
    to look through the `wanted` seat's eyes, the page shows what everybody may see.
    """
    mine = tuple([seat.number for seat in seats if seat.visitor == visitor])
    match = standing.match
    if match is None or not mine:
        return Eyes(mine, mine[0] if mine else None)
    if len(mine) == 1 or standing.over:
        return Eyes(mine, mine[0])
    acting = [seat for seat in mine if seat in match.to_act]
    if not has_secrets(match, mine):
        return Eyes(mine, acting[0] if acting else mine[0])
    if wanted in acting:
        return Eyes(mine, wanted)
    return Eyes(mine, None, acting[0] if acting else None)


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
    """A name for the middle of a sentence: one that is written from right to left must not turn its surroundings."""
    turns = any(bidirectional(mark) in ("R", "AL") for mark in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if turns else name


def role(match: Match, seat: int, lang: str) -> str:
    """What the rules call this seat."""
    return seat_name(match.game.stem, match.seats, match.role(seat), lang)


def has_secrets(match: Match, seats: tuple[int, ...]) -> bool:
    """Whether one of these seats knows, or is about to choose, what another may not see."""
    return bool(match.game.sealed(match.state)) or len({match.seen(seat) for seat in seats}) > 1


def may_ask(standing: Standing, seats: list[Seat], eyes: Eyes) -> bool:
    """Whether the one to move may ask for a hint: nobody does who plays against somebody else."""
    people = tuple([seat.number for seat in seats if seat.kind == Seat.Kind.PERSON])
    match = standing.match
    if match is None or people != eyes.mine:
        return False
    return match.seats > 1 and eyes.seat in match.to_act


Move: TypeAlias = tuple[str, tuple[str, ...], str | None]
"""A move as a page gets it: its text, what to touch on the picture, and its ghost."""


def picks(match: Match, seat: int, lang: str, texts: list[str]) -> list[Move]:
    """The seat's legal moves, each with what to touch on the picture and, unless there are many, its ghost."""
    has_ghosts = len(texts) <= MOST_GHOSTS
    if not picture_of(match.game).steady:
        return list(_find(match, seat, lang, texts, has_ghosts=has_ghosts).values())
    known = _found(match.game, lang, has_ghosts)
    if missing := set(texts) - known.keys():
        known.update(_find(match, seat, lang, missing, has_ghosts=has_ghosts))
    return list(map(known.__getitem__, texts))


@cache
def _found(_game: AnyGame, _lang: str, _has_ghosts: bool) -> dict[str, Move]:
    """Moves of a game whose picks and ghosts are always the same, as they were found."""
    return {}


def _find(match: Match, seat: int, lang: str, texts: Iterable[str], *, has_ghosts: bool) -> dict[str, Move]:
    picture, seen, role = picture_of(match.game), match.seen(seat), match.role(seat)
    number, stem, found = match.game.numbers, match.game.stem, dict[str, Move]()
    for text in texts:
        move = number[text]
        ghost = _translated(picture.ghost(seen, role, move), stem, lang) if has_ghosts else None
        found[text] = text, picture.picks(seen, role, move), ghost
    return found


def ghost(match: Match, seat: int, text: str, lang: str) -> str:
    """What one legal move would put on the seat's picture."""
    if text not in match.moves(seat):
        raise LookupError(text)
    drawn = picture_of(match.game).ghost(match.seen(seat), match.role(seat), match.game.numbers[text])
    return _translated(drawn, match.game.stem, lang)


_translated = lru_cache(20_000)(translated)  # ghosts come again and again


def steps(match: Match, seat: int | None) -> Sequence[int]:
    """How many events of the match there were after each step of the log this seat is shown."""
    if match.game.tells_all:
        return range(1, match.length + 1)
    shown, events = match.shown(seat), match.events
    hidden = {max(i for i, (actor, _) in enumerate(events) if actor == other) for other in _sealed(match, seat)}
    every = range(len(events) - len(shown) - len(hidden), len(events))
    return [number + 1 for number in every if number not in hidden]


def _sealed(match: Match, seat: int | None) -> list[int]:
    return [] if match.over else [other for other in match.chosen if other != seat]


def at(match: Match, seat: int | None, step: int, lang: str) -> str:
    """The picture after a step of the log this seat is shown; 0 is before the first, unless that is forgotten."""
    every, first = frames(match, seat), first_step(match, seat)
    if not first <= step < first + len(every):
        raise LookupError(step)
    return every[step - first].picture(style=False, lang=lang)


def first_step(match: Match, seat: int | None) -> int:
    """The earliest step one may go back to."""
    ups = steps(match, seat)
    return int(bool(ups) and ups[0] != 1)


def last_touched(match: Match, seat: int | None) -> list[str]:
    """What was touched on the picture for the last move this seat knows of."""
    picture = picture_of(match.game)
    for (actor, text), events in zip(reversed(match.shown(seat)), reversed(steps(match, seat)), strict=True):
        if actor != "luck":
            before = match if picture.steady else match.before(match.length - events + 1)
            return list(picture.picks(before.seen(seat), before.role(actor), match.game.numbers[text]))
    return []
