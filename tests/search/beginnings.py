"""Games that players of the arena have begun."""

from collections.abc import Callable, Sequence

from ludotheque.match import Match
from ludotheque.search.arena import player


def play_on(match: Match, names: Sequence[str], seed: int, goes_on: Callable[[Match], bool]) -> Match:
    """The match after its seats were played by players of these names for as long as it goes on."""
    players = [player(name, seed * 10 + seat) for seat, name in enumerate(names)]
    while not match.over and goes_on(match):
        seat = match.to_act[0]
        assert isinstance(seat, int)
        move = players[seat](match, seat)
        assert move is not None
        match.play(seat, move)
    return match
