"""Tricolore: captures decide. With two players alpha-beta finds them; playouts say little."""

from ludotheque.board.bits import count, lowest
from ludotheque.board.triangle import WAYS
from ludotheque.games.tricolore import BEGINS, ENDS, ENTERS, FIRST, SPINS, State, prey_of, turned_by
from ludotheque.search.heuristics import Objective, SearchProfile, Values

PROFILE = SearchProfile(points_weight=0.2, points_scale=3.0, explore=0.2, horizon=8, alphabeta=(2,))
LIMIT_NEAR_MOVES = 20  # the number of quiet moves is part of the position key from here to the limit
CAPTURE_WEIGHT = 300  # of a captured pawn in a playout; any other move has 1
CAPTURE_ODDS = 3.0  # by how much a captured pawn multiplies the odds of winning


def position_key(state: State) -> int:
    """The number of quiet moves only matters near the limit."""
    quiet = state.quiet if state.limit - state.quiet < LIMIT_NEAR_MOVES else 0
    return hash((state.pawns, state.turned, state.taken, quiet, state.turn))


def playout_weight(state: State, actor: int, move: int) -> int:
    """Captures first."""
    return 1 + CAPTURE_WEIGHT * count(prey(state, actor, move))


def uniform_playouts() -> bool:
    return False


def is_quiet(state: State) -> bool:
    """Whether the next move can capture nothing."""
    pawns = state.pawns[state.turn]
    first, second, third = state.pawns
    everyone = first | second | third
    while pawns:
        cell = lowest(pawns)
        for move in range(FIRST[cell], FIRST[cell + 1]):
            if ENTERS[move] & everyone == 0 and prey(state, state.turn, move):
                return False
        pawns &= pawns - 1
    return True


def estimate(state: State, objective: Objective, out: Values) -> None:
    """By captured pawns: whoever has more is likelier to reach three first."""
    total, best, second = 0.0, -1, -1
    for seat in range(objective.seats):
        taken = state.taken[seat]
        total += CAPTURE_ODDS**taken
        if taken > best:
            best, second = taken, best
        else:
            second = max(second, taken)
    for seat in range(objective.seats):
        taken = state.taken[seat]
        lead = taken - (second if taken == best else best)
        out[seat] = (1 - objective.points_weight) * CAPTURE_ODDS**taken / total + objective.points_weight * (
            0.5 + 0.5 * lead / objective.points_scale
        )


def prey(state: State, seat: int, move: int) -> int:
    """The enemies that a move captures."""
    return prey_of(state, seat, ENDS[move], (turned_by(state, BEGINS[move]) + SPINS[move]) % WAYS)
