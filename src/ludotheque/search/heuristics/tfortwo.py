"""T. for Two: the mushrooms' points are all that counts, for one side to gain and the other to spoil.

They can be counted at any time, which suits alpha-beta.
"""

from ludotheque.games.tfortwo import State
from ludotheque.search.heuristics import SearchProfile

PROFILE = SearchProfile(points_weight=0.4, points_scale=15.0, par=20.0, alphabeta=(2,))


def position_key(state: State) -> int:
    """How the Tetrods are joined is for the eye only."""
    return hash((state.mushrooms, state.tetrods, state.used, state.last, state.turn))
