"""Pizza Theory: cuts are sealed choices, evaluated as one joint choice.

A round is short and a cut changes the whole pizza, so playouts go no further than the end of the round: a small
neural network values the toppings between two rounds.
"""

from collections.abc import Sequence
from math import exp
from pathlib import Path

from ludotheque.board import hexagon
from ludotheque.board.bits import lowest
from ludotheque.extras import extra
from ludotheque.games.pizza import ADD, AXES, CUT, CUT_0, SPACES, THIRD_0, State, play, role, start
from ludotheque.search.heuristics import Objective, SearchProfile, Values

with extra("players"):
    import numpy as np

PROFILE = SearchProfile(points_weight=0.05, points_scale=16.0, horizon=1)
# Each space as seen from the roles 1st, 2nd, 3rd: their axes follow each other round the table.
ROTATED_SPACES = tuple(
    hexagon.NUMBERS_BY_PLACE[place[AXES[turn]], place[AXES[turn - 1]], place[AXES[turn - 2]]]
    for turn in range(3)
    for place in hexagon.SPACES
)
# Weights learned by `scripts/benchmark learn`: a network for two seats and one for three, with one hidden layer. Each
# row has a weight for every hidden unit: first the inputs (a topping of one's own, the next or the last colour on
# each space), then a bias for each colour, last the output weights.
UNITS = 32
BIAS_ROW = 3 * SPACES
OUTPUT_ROW = BIAS_ROW + 3
LEARNED = np.load(Path(__file__).with_suffix(".npy")).astype(np.float32)
ZERO = np.float32(0)


def is_quiet(state: State) -> bool:
    """Between two rounds."""
    return state.phase == ADD and state.turn == 0


def estimate(state: State, objective: Objective, out: Values) -> None:
    """The softmax of the network's outputs; with two seats the third colour's share is nobody's."""
    first, second, third = exp(_output(state, 0)), exp(_output(state, 1)), exp(_output(state, 2))
    total = first + second + third
    out[0], out[1] = first / total, second / total
    if objective.seats > 2:
        out[2] = third / total


def unseal(seen: State) -> State:
    """The state before anyone cut; with two players the third colour's cut is open."""
    if seen.phase != CUT:
        return seen
    third = seen.cuts[2] if seen.seats == 2 else 0
    return seen._replace(cuts=(0, 0, third))


def sealed_choices(seen: State, witnessed: Sequence[tuple[int, int]]) -> list[tuple[State, dict[int, int]]]:
    """The cuts of all earlier rounds: the position, and the choice of each seat."""
    state = before = start(seen.seats, rounds=seen.rounds)
    cuts: dict[int, int] = {}
    found = []
    for actor, move in witnessed:
        if state.phase == CUT and not cuts:
            before = state
        state = play(state, actor, move)
        if CUT_0 <= move < THIRD_0:
            cuts[actor] = move
        if len(cuts) == seen.seats:
            found.append((before, cuts))
            cuts = {}
    return found


def moves_before_choices(seen: State, witnessed: Sequence[tuple[int, int]]) -> list[tuple[State, int, int]]:
    """Every topping added so far: the position, the seat, and the space."""
    state = start(seen.seats, rounds=seen.rounds)
    found = []
    for actor, move in witnessed:
        if move < CUT_0:
            found.append((state, actor, move))
        state = play(state, actor, move)
    return found


def _output(state: State, colour: int) -> float:
    """The network's output for a colour, the board rotated to its role."""
    learned, hidden = LEARNED[state.seats - 2], np.empty(UNITS, np.float32)
    for unit in range(UNITS):
        hidden[unit] = learned[BIAS_ROW + colour, unit]
    turned = role(colour, state.round) * SPACES
    for other in range(3):
        toppings = state.toppings[(colour + other) % 3]
        while toppings:
            row = other * SPACES + ROTATED_SPACES[turned + lowest(toppings)]
            toppings &= toppings - 1
            for unit in range(UNITS):
                hidden[unit] += learned[row, unit]
    output = 0.0
    for unit in range(UNITS):
        output += max(hidden[unit], ZERO) * learned[OUTPUT_ROW, unit]
    return output
