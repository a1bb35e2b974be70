"""Tricolore: captures decide, and with two players those come from looking ahead, not from playouts."""

from ludotheque.board.bits import count, lowest
from ludotheque.board.triangle import WAYS
from ludotheque.games.tricolore import BEGINS, ENDS, ENTERS, FIRST, SPINS, State, prey_of, turned_by
from ludotheque.search.heuristics import Objective, SearchProfile, Values

PROFILE = SearchProfile(points_weight=0.2, points_scale=3.0, explore=0.2, horizon=8, alphabeta=(2,))
SOON = 20  # moves before the house limit from which it may matter in a search
HUNGER = 300  # how much likelier than another move a capture is in a playout
LEAD = 3.0  # by how much one more captured pawn multiplies the hope to win


def position_key(state: State) -> int:
    """How long nothing was captured matters only when the end is near."""
    quiet = state.quiet if state.limit - state.quiet < SOON else 0
    return hash((state.pawns, state.turned, state.taken, quiet, state.turn))


def playout_weight(state: State, actor: int, move: int) -> int:
    """Captures, before anything else."""
    return 1 + HUNGER * count(prey(state, actor, move))


def uniform_playouts() -> bool:
    return False


def is_quiet(state: State) -> bool:
    """Whether nobody can be captured by the next move."""
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
    """Whoever has captured more is more likely to be the first to have three."""
    total, best, second = 0.0, -1, -1
    for seat in range(objective.seats):
        taken = state.taken[seat]
        total += LEAD**taken
        if taken > best:
            best, second = taken, best
        else:
            second = max(second, taken)
    for seat in range(objective.seats):
        taken = state.taken[seat]
        lead = taken - (second if taken == best else best)
        out[seat] = (1 - objective.points_weight) * LEAD**taken / total + objective.points_weight * (
            0.5 + 0.5 * lead / objective.points_scale
        )


def prey(state: State, seat: int, move: int) -> int:
    """The enemies that a move captures."""
    return prey_of(state, seat, ENDS[move], (turned_by(state, BEGINS[move]) + SPINS[move]) % WAYS)
