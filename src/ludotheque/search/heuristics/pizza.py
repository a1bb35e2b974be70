"""Pizza Theory: cuts are chosen together, as if nobody had chosen yet.

A round is short and the cut throws everything over, so playouts need not go far: what counts is how many toppings
each has on the pizza when a round is over.
"""

from collections.abc import Sequence
from math import exp

from ludotheque.games.pizza import ADD, CUT, CUT_0, THIRD_0, State, play, scores, start
from ludotheque.search.heuristics import Aim, Manner, Worths

MANNER = Manner(points=0.05, scale=16.0, horizon=1)
# How much a topping more is worth in hopes of the win, as games of the players among themselves have shown.
THREE, TWO = 0.4, 0.65
NOBODYS = 1.0  # by so much less a third colour gets what its toppings promise: whoever can keeps it from winning


def calm(state: State) -> bool:
    """Between two rounds."""
    return state.phase == ADD and state.turn == 0


def judge(state: State, aim: Aim, out: Worths) -> None:
    """Hopes by the toppings on the pizza; a third colour's hopes are nobody's."""
    points = scores(state)
    slope = TWO if state.seats == 2 else THREE
    total = 0.0
    for colour in range(3):
        total += exp(slope * points[colour] - (NOBODYS if colour >= state.seats else 0.0))
    for seat in range(aim.seats):
        out[seat] = exp(slope * points[seat]) / total


def unseal(seen: State) -> State:
    """The position before anyone cut: with two players the third knife is known, the others never are."""
    if seen.phase != CUT:
        return seen
    third = seen.cuts[2] if seen.seats == 2 else 0
    return seen._replace(cuts=(0, 0, third))


def chosen(seen: State, witnessed: Sequence[tuple[int, int]]) -> list[tuple[State, dict[int, int]]]:
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


def placed(seen: State, witnessed: Sequence[tuple[int, int]]) -> list[tuple[State, int, int]]:
    """Every topping added so far: the position before, whose it is, and the space."""
    state = start(seen.seats, rounds=seen.rounds)
    found = []
    for actor, move in witnessed:
        if move < CUT_0:
            found.append((state, actor, move))
        state = play(state, actor, move)
    return found
