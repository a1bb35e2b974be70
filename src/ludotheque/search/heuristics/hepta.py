"""Hepta: pieces laid are the points of a leg; endgames are small enough to solve."""

from ludotheque.games.hepta import State
from ludotheque.search.heuristics import SearchProfile

PROFILE = SearchProfile(points_weight=0.3, points_scale=4.0, solve_moves=45)


def position_key(state: State) -> int:
    """What lies on a taken cell does not matter."""
    taken = state.blockers | state.eyes | state.ells
    return hash((taken, state.blockers_left, state.eyes_left, state.ells_left, state.eyes_seat, state.turn))
