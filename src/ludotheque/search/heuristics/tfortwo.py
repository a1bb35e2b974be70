"""T. for Two: only points count, which one side gains and the other prevents.

They can be counted in any position, which suits alpha-beta.
"""

from ludotheque.games.tfortwo import State
from ludotheque.search.heuristics import SearchProfile

PROFILE = SearchProfile(points_weight=0.4, points_scale=15.0, par=20.0, alphabeta=(2,))


def position_key(state: State) -> int:
    """How the Tetrods are joined matters only for the picture."""
    return hash((state.mushrooms, state.tetrods, state.used, state.last, state.turn))
