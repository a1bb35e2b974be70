"""What we know about playing each game well, kept out of its rules: one module a game, same stem, all optional.

`Evaluator` is what a compiled search may ask about a game. The functions here are its defaults; a module of this
package may define any of them anew, as plain functions that numba can compile. For the players it may also have, all
of it interpreted:

- `PROFILE`: how the game is searched best;
- `recall` where owners are hidden, `reflex` where one may object, `points` where the rules keep the score secret;
- `win_chance` where players play for the lead: how likely a lead is to win;
- `unseal`, `sealed_choices` and `moves_before_choices` for choices in secret, `open_moves` where there are none: what
  the opponent model (`opponent_model.py`) works from.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple, TypeAlias

from ludotheque.extras import extra
from ludotheque.game import AnyGame

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray

Position: TypeAlias = tuple[object, ...]
Values: TypeAlias = NDArray[np.float64]  # one for each seat, from 0 (all lost) to 1 (all won)

UNDECIDED, BY_RULES, BY_POINTS = range(3)  # who wins: nobody yet, whom the rules say, who has most points

rules: AnyGame  # the game's, bound by `Machine.build`


class Objective(NamedTuple):
    """What the seats play for: the win and, with a weight, a lead of up to `points_scale` points.

    The bonuses are points from earlier legs of a series, for the seats 0 and 1. `decided_by` says who wins.
    """

    seats: int  #: how many play
    points_weight: float  #: the weight of the lead beside the win, from 0 to 1
    points_scale: float  #: a lead of so many points is worth the whole weight
    first_bonus: float  #: points of seat 0 from earlier legs
    second_bonus: float  #: points of seat 1 from earlier legs
    decided_by: int  #: `UNDECIDED`, `BY_RULES` or `BY_POINTS`


class SearchProfile(NamedTuple):
    """How a game is searched best: the weight of points beside the win, and parameters of the search (`scratch.py`).

    `par` is what the first seat is expected to score where only one side scores.
    """

    points_weight: float = 0.1  #: of the lead beside the win
    points_scale: float = 10.0  #: a lead of so many points is worth the whole weight
    par: float = 0.0  #: what the first seat is expected to score
    explore: float = 0.7  #: weight of the exploration bonus
    expand_visits: int = 4  #: visits after which a leaf gets children
    horizon: int = 2000  #: moves after which a playout stops
    alphabeta: tuple[int, ...] = ()  #: the numbers of seats for which alpha-beta is the stronger player
    solve_moves: int = 0  #: up to so many legal moves it is worth trying to solve the position


class Evaluator(NamedTuple):
    """What a search may ask about a game besides its rules."""

    payoffs: Callable[[Position, Objective, Values], None]  #: what a finished game is worth to each seat
    estimate: Callable[[Position, Objective, Values], None]  #: what an unfinished one seems worth
    is_quiet: Callable[[Position], bool]  #: whether `estimate` may be asked
    playout_weight: Callable[[Position, int, int], int]  #: how likely a move is in a playout
    uniform_playouts: Callable[[], bool]  #: whether all moves are equally likely there
    greedy_gain: Callable[[Position, int, int], int]  #: what a greedy player sees in a move
    static_value: Callable[[Position], int]  #: of a position, for alpha-beta
    move_priority: Callable[[Position, int, int], int]  #: of a move, for alpha-beta
    position_key: Callable[[Position], int]  #: a hash, for the transposition table


def payoffs(state: Position, objective: Objective, out: Values) -> None:
    """What a finished game is worth to each seat: the win, shared among the winners, and a part for the points."""
    scores = rules.scores(state)
    best, second, leaders = -1e9, -1e9, 0
    for seat in range(objective.seats):
        points = scores[seat] + (objective.first_bonus if seat == 0 else objective.second_bonus if seat == 1 else 0.0)
        out[seat] = points
        if points > best:
            best, second, leaders = points, best, 1
        elif points == best:
            second, leaders = points, leaders + 1
        else:
            second = max(second, points)
    won = rules.winners(state) if objective.decided_by == BY_RULES else 0
    number = 0
    for seat in range(objective.seats):
        number += won >> seat & 1
    for seat in range(objective.seats):
        lead = out[seat] - (second if out[seat] == best else best)
        share = 0.5
        if objective.decided_by == BY_RULES:
            share = (won >> seat & 1) / max(number, 1)
        elif objective.decided_by == BY_POINTS:
            share = 1 / leaders if out[seat] == best else 0.0
        part = min(max(0.5 + 0.5 * lead / objective.points_scale, 0.0), 1.0)
        out[seat] = (1 - objective.points_weight) * share + objective.points_weight * part


def estimate(_state: Position, objective: Objective, out: Values) -> None:
    """What an unfinished game seems worth to each seat: by default an equal share."""
    for seat in range(objective.seats):
        out[seat] = 1 / objective.seats


def is_quiet(_state: Position) -> bool:
    """Whether `estimate` may be asked about this position."""
    return True


def playout_weight(_state: Position, _actor: int, _move: int) -> int:
    """How likely a move is in a playout, relative to the others."""
    return 1


def uniform_playouts() -> bool:
    """Whether all moves have the same playout weight, which is faster."""
    return True


def greedy_gain(_state: Position, _actor: int, _move: int) -> int:
    """What a greedy player sees in a move: the lead after it, or by how much the lead changes."""
    return 0


def static_value(state: Position) -> int:
    """What a position seems worth to the first of two seats, in hundredths of a point (alpha-beta)."""
    scores = rules.scores(state)
    return 100 * (scores[0] - scores[1])


def move_priority(_state: Position, _actor: int, _move: int) -> int:
    """Alpha-beta tries moves of higher priority first."""
    return 0


def position_key(state: Position) -> int:
    """A hash of all that matters of a position, for the transposition table."""
    return hash(state)


def knowledge(game: AnyGame) -> ModuleType | None:
    """The module about this game, if there is one."""
    name = f"{__name__}.{game.stem}"
    return import_module(name) if find_spec(name) else None


def evaluator(game: AnyGame) -> Evaluator:
    """The functions for this game: its module's own, else the defaults."""
    module = knowledge(game)
    return Evaluator._make(getattr(module, name, globals()[name]) for name in Evaluator._fields)
