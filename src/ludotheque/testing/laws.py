"""What all laws share: how they are broken, and the random games that they play."""

from collections.abc import Callable, Iterator
from random import Random
from typing import TypeAlias

from ludotheque.match import Match
from ludotheque.testing.variants import Variant

GAMES, EVENTS = 6, 40  # played for one law, and the events of each
MAX_TOLD_EVENTS = 60

Law: TypeAlias = Callable[[Variant], None]


class LawBroken(AssertionError):  # noqa: N818 - what happened
    """A game broke a law: which one, how, and after which moves."""


def require(holds: object, wrong: str, match: Match | None = None) -> None:
    """Unless it holds, the law is broken."""
    if not holds:
        raise broken(wrong, match)


def broken(wrong: str, match: Match | None = None) -> LawBroken:
    """The law is broken: what is wrong, and how the match came to this."""
    if match is None:
        return LawBroken(wrong)
    events = ", ".join(f"{actor}: {text}" for actor, text in match.events[-MAX_TOLD_EVENTS:])
    played = f"{match.game.key} for {match.seats}, {match.options or 'no options'}, after {events or 'no move'}"
    return LawBroken(f"{wrong}\n({played})")


def walk(variant: Variant, games: int = GAMES, events: int = EVENTS) -> Iterator[Match]:
    """Random games, luck played by hand: each match again and again as it goes on."""
    for game in range(games):
        random, match = Random(f"{variant} {game}"), variant.match(by_hand=True)
        yield match
        while not match.over and match.length < events:
            play_any(match, random)
            yield match


def play_any(match: Match, random: Random) -> None:
    """Let anybody who may move do anything."""
    actor = random.choice(match.to_act)
    legal = match.moves(actor)
    require(legal, f"{actor} is to act and has no move.", match)
    match.play(actor, random.choice(legal))
