"""Hundsgemein's result: who takes which dog, and who wins."""

from ludotheque.board.bits import Bits, count
from ludotheque.board.square import SIDE
from ludotheque.game import NOBODY
from ludotheque.games.hundsgemein.state import (
    DOG,
    EXPERT,
    LINES,
    VALUES,
    Quad,
    State,
    secret,
)


def scores(state: State) -> Quad:
    """The value of each seat's dogs; nothing while that would tell who owns the fleas."""
    if secret(state):
        return 0, 0, 0, 0
    first, second, third, fourth = kennels(state)
    return first >> 4, second >> 4, third >> 4, fourth >> 4


def winners(state: State) -> int:
    """Most points, then most dogs; ruling: whoever is still equal shares the win, even if that is everyone."""
    owned = kennels(state)
    best, top = -1, 0
    for seat in range(state.seats):
        if owned[seat] > best:
            best, top = owned[seat], 0
        if owned[seat] == best:
            top |= 1 << seat
    return top


def kennels(state: State) -> Quad:
    """For each seat 16 times the value of its dogs, and their number: in this order they decide who wins."""
    first = second = third = fourth = 0
    for street in range(12):
        who = taker(state, street)
        prize = 16 * VALUES[state.dogs >> DOG * street & 0b111] + 1
        first += prize if who == 0 else 0
        second += prize if who == 1 else 0
        third += prize if who == 2 else 0
        fourth += prize if who == 3 else 0
    return first, second, third, fourth


def taker(state: State, street: int) -> int:
    """Who takes the street's dog as things stand, or nobody."""
    best, who = 0, NOBODY
    for seat in range(state.seats):
        rows, fleas = claim(state, street, seat)
        mine = 64 * rows + fleas
        if mine > best:
            best, who = mine, seat
        elif mine == best:
            who = NOBODY
    return who


def claim(state: State, street: int, seat: int) -> tuple[int, int]:
    """What a seat has along a street: for experts its longest rows on both sides added up, then all its fleas."""
    near, far = state.owners[seat] & LINES[2 * street], state.owners[seat] & LINES[2 * street + 1]
    fleas = count(near) + count(far)
    if not state.options & EXPERT:
        return 0, fleas
    step = SIDE if street < 6 else 1
    return _row(near, step) + _row(far, step), fleas


def _row(line: Bits, step: int) -> int:
    """The longest unbroken row in a line whose neighbours are `step` bits apart."""
    length = 0
    while line:
        length += 1
        line &= line >> step
    return length
