"""How well each level plays: one table, with a column of its own for a game where the common one does not fit.

Each level is meant to beat the one below clearly; `docs/strength.md` says how far it does.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from ludotheque.game import AnyGame
from ludotheque.search.heuristics import DEEPEST


class Level(NamedTuple):
    """How well a computer player plays."""

    simulations: int  # at most, in one thought
    seconds: float  # at most
    looks: int  # moves ahead that it thinks of
    haste: float  # how much worse a move may seem and still get played
    memory: float  # which part of what it saw it remembers
    notices: float  # how likely it sees that something is against the rules


Table: TypeAlias = Mapping[int, Level]

COMMON: Table = {
    1: Level(40, 2.0, 1, 0.12, 0.2, 0.2),
    2: Level(150, 2.0, 2, 0.05, 0.5, 0.5),
    3: Level(500, 2.0, DEEPEST, 0.02, 0.8, 0.8),
    4: Level(1_500, 2.0, DEEPEST, 0.013, 1.0, 1.0),
    5: Level(40_000, 1.9, DEEPEST, 0.0, 1.0, 1.0),
}
# A cut throws everything over, so that only large misjudgements tell. Who is in haste does not read the others' cuts;
# who is not judges all that may be cut in each simulation, and soon knows enough.
PIZZA: Table = {
    1: Level(40, 2.0, 1, 0.60, 1.0, 1.0),
    2: Level(200, 2.0, 2, 0.09, 1.0, 1.0),
    3: Level(800, 2.0, DEEPEST, 0.032, 1.0, 1.0),
    4: Level(4_000, 2.0, DEEPEST, 0.01, 1.0, 1.0),
    5: Level(600, 1.9, DEEPEST, 0.0, 1.0, 1.0),
}
# With three, more is luck: to be told apart, players must differ by more.
PIZZA_FOR_THREE: Table = {
    1: Level(40, 2.0, 1, 0.60, 1.0, 1.0),
    2: Level(200, 2.0, 2, 0.09, 1.0, 1.0),
    3: Level(800, 2.0, DEEPEST, 0.035, 1.0, 1.0),
    4: Level(6_000, 2.0, DEEPEST, 0.003, 1.0, 1.0),
    5: Level(600, 1.9, DEEPEST, 0.0, 1.0, 1.0),
}
# What tells players apart is how much of what they saw they still know.
HUNDSGEMEIN: Table = {
    1: Level(40, 2.0, 1, 0.12, 0.1, 0.2),
    2: Level(150, 2.0, 2, 0.06, 0.4, 0.5),
    3: Level(500, 2.0, DEEPEST, 0.035, 0.65, 0.8),
    4: Level(2_000, 2.0, DEEPEST, 0.02, 0.85, 0.95),
    5: Level(40_000, 1.9, DEEPEST, 0.0, 1.0, 1.0),
}
# By alpha-beta. Careful play is drawish: what tells the levels apart is how often they leave a pawn hanging.
TRICOLORE: Table = {
    1: Level(40, 2.0, 1, 0.20, 1.0, 1.0),
    2: Level(150, 2.0, 2, 0.10, 1.0, 1.0),
    3: Level(800, 2.0, 3, 0.055, 1.0, 1.0),
    4: Level(4_000, 2.0, 5, 0.036, 1.0, 1.0),
    5: Level(16_000, 1.9, DEEPEST, 0.0, 1.0, 1.0),
}
# With three, by playouts in which nobody leaves a capture: how many of them, and how hastily they are weighed.
TRICOLORE_FOR_THREE: Table = {
    1: Level(40, 2.0, 1, 0.17, 1.0, 1.0),
    2: Level(150, 2.0, 2, 0.085, 1.0, 1.0),
    3: Level(500, 2.0, DEEPEST, 0.036, 1.0, 1.0),
    4: Level(2_500, 2.0, DEEPEST, 0.014, 1.0, 1.0),
    5: Level(40_000, 1.9, DEEPEST, 0.0, 1.0, 1.0),
}
# By alpha-beta too.
T_FOR_TWO: Table = {
    1: Level(40, 2.0, 1, 0.15, 1.0, 1.0),
    2: Level(150, 2.0, 3, 0.10, 1.0, 1.0),
    3: Level(800, 2.0, 4, 0.02, 1.0, 1.0),
    4: Level(2_500, 2.0, 5, 0.0, 1.0, 1.0),
    5: Level(20_000, 1.9, DEEPEST, 0.0, 1.0, 1.0),
}
# Luck deals the cards: thinking longer soon helps no more, but hasty pegs and cards cost many cells.
PEGS: Table = {
    1: Level(40, 2.0, 1, 0.50, 1.0, 1.0),
    2: Level(100, 2.0, 2, 0.20, 1.0, 1.0),
    3: Level(200, 2.0, 2, 0.10, 1.0, 1.0),
    4: Level(500, 2.0, DEEPEST, 0.045, 1.0, 1.0),
    5: Level(16_000, 1.9, DEEPEST, 0.0, 1.0, 1.0),
}
OWN: Mapping[tuple[str, int], Table] = {
    ("hundsgemein", 2): HUNDSGEMEIN,
    ("hundsgemein", 3): HUNDSGEMEIN,
    ("hundsgemein", 4): HUNDSGEMEIN,
    ("pegs", 2): PEGS,
    ("pizza", 2): PIZZA,
    ("pizza", 3): PIZZA_FOR_THREE,
    ("tricolore", 2): TRICOLORE,
    ("tricolore", 3): TRICOLORE_FOR_THREE,
    ("tfortwo", 2): T_FOR_TWO,
}


def levels(game: AnyGame, seats: int) -> Table:
    """The table for a game and its number of seats."""
    return OWN.get((game.key, seats), COMMON)
