"""The levels of the computer players: the one list of them in this project, and how well each plays.

A sixth level is another row in each table here, and its name in `words/`. A game has tables of its own where the
common one does not fit. Each level is meant to beat the one below clearly; `docs/strength.md` says how far it does.
This module imports neither numba nor numpy, so that the command line and the web server can list the levels at once.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from ludotheque.game import AnyGame

UNLIMITED = 1 << 30  # moves ahead: as deep as a search can go


class Level(NamedTuple):
    """How well a computer player plays."""

    simulations: int  #: at most, for one move
    seconds: float  #: at most, for one move
    max_depth: int  #: moves it looks ahead
    temperature: float  #: of the softmax over expected results by which it picks its move; 0: always the best
    recall: float  #: share of what it saw that it remembers
    notice_chance: float  #: how likely it notices a move against the rules


Table: TypeAlias = Mapping[int, Level]

COMMON: Table = {
    1: Level(40, 2.0, 1, 0.12, 0.2, 0.2),
    2: Level(150, 2.0, 2, 0.05, 0.5, 0.5),
    3: Level(500, 2.0, UNLIMITED, 0.02, 0.8, 0.8),
    4: Level(1_500, 2.0, UNLIMITED, 0.013, 1.0, 1.0),
    5: Level(40_000, 1.9, UNLIMITED, 0.0, 1.0, 1.0),
}
# One cut changes the whole pizza, so only large misjudgements tell levels apart. With a temperature above 0 a player
# does not model its opponents' cuts. At 0 each simulation solves all joint cuts, so few simulations are enough.
PIZZA: Table = {
    1: Level(40, 2.0, 1, 0.60, 1.0, 1.0),
    2: Level(200, 2.0, 2, 0.09, 1.0, 1.0),
    3: Level(800, 2.0, UNLIMITED, 0.032, 1.0, 1.0),
    4: Level(4_000, 2.0, UNLIMITED, 0.01, 1.0, 1.0),
    5: Level(600, 1.9, UNLIMITED, 0.0, 1.0, 1.0),
}
# With three seats luck decides more, so the levels must differ by more.
PIZZA_FOR_THREE: Table = {
    1: Level(40, 2.0, 1, 0.60, 1.0, 1.0),
    2: Level(200, 2.0, 2, 0.09, 1.0, 1.0),
    3: Level(800, 2.0, UNLIMITED, 0.035, 1.0, 1.0),
    4: Level(6_000, 2.0, UNLIMITED, 0.003, 1.0, 1.0),
    5: Level(600, 1.9, UNLIMITED, 0.0, 1.0, 1.0),
}
# The levels differ mostly in how much they remember of whose flea lies where.
HUNDSGEMEIN: Table = {
    1: Level(40, 2.0, 1, 0.12, 0.1, 0.2),
    2: Level(150, 2.0, 2, 0.06, 0.4, 0.5),
    3: Level(500, 2.0, UNLIMITED, 0.035, 0.65, 0.8),
    4: Level(2_000, 2.0, UNLIMITED, 0.02, 0.85, 0.95),
    5: Level(40_000, 1.9, UNLIMITED, 0.0, 1.0, 1.0),
}
# Alpha-beta. Careful play is drawish: the levels differ in how often they leave a pawn hanging.
TRICOLORE: Table = {
    1: Level(40, 2.0, 1, 0.20, 1.0, 1.0),
    2: Level(150, 2.0, 2, 0.10, 1.0, 1.0),
    3: Level(800, 2.0, 3, 0.055, 1.0, 1.0),
    4: Level(4_000, 2.0, 5, 0.036, 1.0, 1.0),
    5: Level(16_000, 1.9, UNLIMITED, 0.0, 1.0, 1.0),
}
# Three seats: tree search with playouts that never miss a capture. The levels differ in simulations and temperature.
TRICOLORE_FOR_THREE: Table = {
    1: Level(40, 2.0, 1, 0.17, 1.0, 1.0),
    2: Level(150, 2.0, 2, 0.085, 1.0, 1.0),
    3: Level(500, 2.0, UNLIMITED, 0.036, 1.0, 1.0),
    4: Level(2_500, 2.0, UNLIMITED, 0.014, 1.0, 1.0),
    5: Level(40_000, 1.9, UNLIMITED, 0.0, 1.0, 1.0),
}
# Alpha-beta.
T_FOR_TWO: Table = {
    1: Level(40, 2.0, 1, 0.15, 1.0, 1.0),
    2: Level(150, 2.0, 3, 0.10, 1.0, 1.0),
    3: Level(800, 2.0, 4, 0.02, 1.0, 1.0),
    4: Level(2_500, 2.0, 5, 0.0, 1.0, 1.0),
    5: Level(20_000, 1.9, UNLIMITED, 0.0, 1.0, 1.0),
}
# Luck deals the cards: more simulations soon stop helping, but a high temperature costs many cells.
PEGS: Table = {
    1: Level(40, 2.0, 1, 0.50, 1.0, 1.0),
    2: Level(100, 2.0, 2, 0.20, 1.0, 1.0),
    3: Level(200, 2.0, 2, 0.10, 1.0, 1.0),
    4: Level(500, 2.0, UNLIMITED, 0.045, 1.0, 1.0),
    5: Level(16_000, 1.9, UNLIMITED, 0.0, 1.0, 1.0),
}
LEVELS: tuple[int, ...] = tuple(COMMON)  # from the easiest to the strongest
DEFAULT_LEVEL = 2  # for somebody who names none
BY_GAME: Mapping[tuple[str, int], Table] = {  # by key and number of seats
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

# Simulations of an evaluation, by which analysis compares positions: the same on every machine. A match of usual
# length takes some seconds of processor time (docs/benchmarks/analysis.md): whoever opens its replay waits for it.
EVALUATION = 8_000
EVALUATION_BY_GAME: Mapping[tuple[str, int], int] = {
    ("hepta", 2): 30_000,
    ("pizza", 2): 4_000,
    ("pizza", 3): 2_000,
    ("tricolore", 2): 20_000,
    ("tricolore", 3): 20_000,
    ("tfortwo", 2): 30_000,
}


def evaluation_simulations(game: AnyGame, seats: int) -> int:
    """The simulations of an evaluation of a game with so many seats."""
    return EVALUATION_BY_GAME.get((game.key, seats), EVALUATION)


def levels(game: AnyGame, seats: int) -> Table:
    """The table for a game and its number of seats."""
    return BY_GAME.get((game.key, seats), COMMON)
