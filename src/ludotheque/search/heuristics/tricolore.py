"""Tricolore: captures decide, and with two players those come from looking ahead, not from playouts."""

from ludotheque.games.tricolore import State
from ludotheque.search.heuristics import DEEPEST, ENOUGH, Level, Manner

# With two players careful play is drawish: what tells the levels apart is how often they leave a pawn hanging.
LEVELS = {
    2: {
        1: Level(40, 2.0, 1, 0.20, 1.0, 1.0),
        2: Level(150, 2.0, 2, 0.10, 1.0, 1.0),
        3: Level(800, 2.0, 3, 0.055, 1.0, 1.0),
        4: Level(5_000, 2.0, 5, 0.03, 1.0, 1.0),
        5: Level(ENOUGH, 1.9, DEEPEST, 0.0, 1.0, 1.0),
    }
}
MANNER = Manner(points=0.2, scale=3.0, horizon=24, alphabeta=(2,))
SOON = 20  # moves before the house limit from which it may matter in a search


def key(state: State) -> int:
    """How long nothing was captured matters only when the end is near."""
    quiet = state.quiet if state.limit - state.quiet < SOON else 0
    return hash((state.pawns, state.turned, state.taken, quiet, state.turn))
