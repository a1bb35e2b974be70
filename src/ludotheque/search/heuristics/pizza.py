"""Pizza Theory: cuts are chosen together, as if nobody had chosen yet.

A round is short and the cut throws everything over, so playouts need not go far: what counts is what each has on the
pizza when a round is over, and where.
"""

from collections.abc import Sequence
from math import exp
from pathlib import Path

import numpy as np

from ludotheque.board import hexagon
from ludotheque.board.bits import lowest
from ludotheque.games.pizza import ADD, AXES, CUT, CUT_0, SPACES, THIRD_0, State, play, role, start
from ludotheque.search.heuristics import Objective, SearchProfile, Values

PROFILE = SearchProfile(points_weight=0.05, points_scale=16.0, horizon=1)
# Where each space lies as seen from the roles 1st, 2nd, 3rd: their axes follow each other round the table.
PLACES = tuple(
    hexagon.NUMBERS_BY_PLACE[place[AXES[turn]], place[AXES[turn - 1]], place[AXES[turn - 2]]]
    for turn in range(3)
    for place in hexagon.SPACES
)
# What `scripts/benchmark learn` has learned, a network for two and one for three. A row has a number for each unit:
# what a topping on a space adds to it (of one's own, of the next colour, of the one after), being which colour does,
# and last what the unit counts for if it is above nothing.
UNITS = 32
BEING = 3 * SPACES
LAST = BEING + 3
LEARNED = np.load(Path(__file__).with_suffix(".npy")).astype(np.float32)
NIL = np.float32(0)


def is_quiet(state: State) -> bool:
    """Between two rounds."""
    return state.phase == ADD and state.turn == 0


def estimate(state: State, objective: Objective, out: Values) -> None:
    """Hopes by where the toppings lie, as games have taught; a third colour's hopes are nobody's."""
    first, second, third = exp(_promise(state, 0)), exp(_promise(state, 1)), exp(_promise(state, 2))
    total = first + second + third
    out[0], out[1] = first / total, second / total
    if objective.seats > 2:
        out[2] = third / total


def unseal(seen: State) -> State:
    """The position before anyone cut: with two players the third knife is known, the others never are."""
    if seen.phase != CUT:
        return seen
    third = seen.cuts[2] if seen.seats == 2 else 0
    return seen._replace(cuts=(0, 0, third))


def sealed_choices(seen: State, witnessed: Sequence[tuple[int, int]]) -> list[tuple[State, dict[int, int]]]:
    """Every cut of the rounds before: the position it was made in, and who chose what."""
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
    """Every topping added so far: the position before, whose it is, and the space."""
    state = start(seen.seats, rounds=seen.rounds)
    found = []
    for actor, move in witnessed:
        if move < CUT_0:
            found.append((state, actor, move))
        state = play(state, actor, move)
    return found


def _promise(state: State, colour: int) -> float:
    """What a small network makes of the pizza, as this colour sees it from its place at the table."""
    learned, active = LEARNED[state.seats - 2], np.empty(UNITS, np.float32)
    for unit in range(UNITS):
        active[unit] = learned[BEING + colour, unit]
    turned = role(colour, state.round) * SPACES
    for other in range(3):
        toppings = state.toppings[(colour + other) % 3]
        while toppings:
            row = other * SPACES + PLACES[turned + lowest(toppings)]
            toppings &= toppings - 1
            for unit in range(UNITS):
                active[unit] += learned[row, unit]
    promise = 0.0
    for unit in range(UNITS):
        promise += max(active[unit], NIL) * learned[LAST, unit]
    return promise
