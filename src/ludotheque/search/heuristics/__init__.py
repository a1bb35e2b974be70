"""What we know about playing each game well, kept out of its rules: one module a game, same stem, all optional.

`Sense` is what a compiled search may ask about a game; the functions here are the answers for a game we know nothing
about. A module of this folder may define any of them anew, as plain functions that numba can compile. For the players
it may have a `PROFILE`, and what is not compiled: `recall` and `reflex` where things are hidden or objected to,
`points` where the rules keep the score secret, `hope` where they play for the lead: how likely that is to win. Where
others are read from what they did, `chosen` has their choices in secret and `placed` their moves before those, `made`
their moves in the open where nothing is secret.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.game import AnyGame

Position: TypeAlias = tuple[object, ...]
Worths: TypeAlias = NDArray[np.float64]  # one for each seat, from 0 to 1

DEEPEST = 400  # moves ahead that a tree reaches

rules: AnyGame  # the game's, given by `Machine.build`


class Objective(NamedTuple):
    """What the seats play for: the win, and for `points` of the whole worth a lead of up to `scale` points.

    `ahead` and `behind` are added to the points of the seats 0 and 1: what earlier legs of a series brought. Who wins
    is told by `decides`: 1 the rules, 2 the points with those of the earlier legs, 0 nobody yet.
    """

    seats: int
    points: float
    scale: float
    ahead: float
    behind: float
    decides: int


class SearchProfile(NamedTuple):
    """How a game is best searched: what points count for beside the win, the params of the search (`search/mcts.py`).

    `par` is what the first seat is expected to score where only one side scores.
    """

    points: float = 0.1
    scale: float = 10.0
    par: float = 0.0
    explore: float = 0.7
    expand: int = 4
    horizon: int = 2000
    alphabeta: tuple[int, ...] = ()  # for which numbers of seats alpha-beta is the stronger player
    solves: int = 0  # up to how many legal moves it is worth trying to solve the position


class Sense(NamedTuple):
    """What a search may ask about a game besides its rules."""

    worth: Callable[[Position, Objective, Worths], None]
    judge: Callable[[Position, Objective, Worths], None]
    calm: Callable[[Position], bool]
    weigh: Callable[[Position, int, int], int]
    even: Callable[[], bool]
    grab: Callable[[Position, int, int], int]
    value: Callable[[Position], int]
    order: Callable[[Position, int, int], int]
    key: Callable[[Position], int]


def worth(state: Position, objective: Objective, out: Worths) -> None:
    """What a finished game is worth to each seat: the win, shared among the winners, and a part for the points."""
    scores = rules.scores(state)
    best, second, leaders = -1e9, -1e9, 0
    for seat in range(objective.seats):
        points = scores[seat] + (objective.ahead if seat == 0 else objective.behind if seat == 1 else 0.0)
        out[seat] = points
        if points > best:
            best, second, leaders = points, best, 1
        elif points == best:
            second, leaders = points, leaders + 1
        else:
            second = max(second, points)
    won = rules.winners(state) if objective.decides == 1 else 0
    number = 0
    for seat in range(objective.seats):
        number += won >> seat & 1
    for seat in range(objective.seats):
        lead = out[seat] - (second if out[seat] == best else best)
        share = 0.5
        if objective.decides == 1:
            share = (won >> seat & 1) / max(number, 1)
        elif objective.decides == 2:
            share = 1 / leaders if out[seat] == best else 0.0
        part = min(max(0.5 + 0.5 * lead / objective.scale, 0.0), 1.0)
        out[seat] = (1 - objective.points) * share + objective.points * part


def judge(_state: Position, objective: Objective, out: Worths) -> None:
    """What an unfinished game seems worth when a playout is cut short: a fair share."""
    for seat in range(objective.seats):
        out[seat] = 1 / objective.seats


def calm(_state: Position) -> bool:
    """Whether a position can be judged as it stands."""
    return True


def weigh(_state: Position, _actor: int, _move: int) -> int:
    """How likely a move is in a playout, relative to the others."""
    return 1


def even() -> bool:
    """Whether all moves weigh the same: playouts are faster then."""
    return True


def grab(_state: Position, _actor: int, _move: int) -> int:
    """By how much a seat leads after a move, which is all that some players look at."""
    return 0


def value(state: Position) -> int:
    """What a position seems worth to the first of two seats, in hundredths of a point."""
    scores = rules.scores(state)
    return 100 * (scores[0] - scores[1])


def order(_state: Position, _actor: int, _move: int) -> int:
    """Moves of a higher number are looked at earlier."""
    return 0


def key(state: Position) -> int:
    """A number for all that matters of a position, hardly ever the same for two different ones."""
    return hash(state)


def knowledge(game: AnyGame) -> ModuleType | None:
    """The module about this game, if there is one."""
    name = f"{__name__}.{game.stem}"
    return import_module(name) if find_spec(name) else None


def sense(game: AnyGame) -> Sense:
    """The functions for this game: its module's own, and the general ones."""
    module = knowledge(game)
    return Sense._make(getattr(module, name, globals()[name]) for name in Sense._fields)
