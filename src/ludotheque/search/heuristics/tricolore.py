"""Tricolore: captures decide, and with two players those come from looking ahead, not from playouts."""

from ludotheque.games.tricolore import State
from ludotheque.search.heuristics import Manner

MANNER = Manner(points=0.2, scale=3.0, horizon=24, alphabeta=(2,))
SOON = 20  # moves before the house limit from which it may matter in a search


def key(state: State) -> int:
    """How long nothing was captured matters only when the end is near."""
    quiet = state.quiet if state.limit - state.quiet < SOON else 0
    return hash((state.pawns, state.turned, state.taken, quiet, state.turn))
