"""T. for Two: the mushrooms' points are all that counts, for one side to gain and the other to spoil."""

from ludotheque.games.tfortwo import State
from ludotheque.search.heuristics import Manner

MANNER = Manner(points=0.4, scale=15.0, par=20.0, solves=30)


def key(state: State) -> int:
    """How the Tetrods are joined is for the eye only."""
    return hash((state.mushrooms, state.tetrods, state.used, state.last, state.turn))
