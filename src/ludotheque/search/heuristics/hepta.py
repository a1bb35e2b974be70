"""Hepta: what counts is the number of pieces laid, over all legs; so it is a fight for room."""

from ludotheque.games.hepta import State
from ludotheque.search.heuristics import SearchProfile

PROFILE = SearchProfile(points_weight=0.3, points_scale=4.0, solve_moves=45)


def position_key(state: State) -> int:
    """Who covered a cell with what does not matter any more."""
    taken = state.blockers | state.eyes | state.ells
    return hash((taken, state.blockers_left, state.eyes_left, state.ells_left, state.eyes_seat, state.turn))
