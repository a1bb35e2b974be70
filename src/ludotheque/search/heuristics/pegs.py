"""Pegs: cards laid count, and those that cover the other's cards count twice."""

from itertools import product
from math import tanh
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.board.bits import count, lowest
from ludotheque.board.punched import BLUE, CARDS, FIRST, HOLES, RECTANGLES
from ludotheque.board.square import CELLS
from ludotheque.games.pegs import DROP_0, LAY_0, PEG, WAYS, State
from ludotheque.search.heuristics import Aim, Manner, Worths

Ints: TypeAlias = NDArray[np.int64]

MANNER = Manner(points=0.9, scale=35.0, horizon=12, explore=0.2)  # the lead tells more than who won by it


def calm(state: State) -> bool:
    """Between two turns."""
    return state.phase == PEG


def judge(state: State, aim: Aim, out: Worths) -> None:
    """The lead; the fewer cards are left, the more it says."""
    lead = count(state.blue) - count(state.white)
    hope = 0.5 + 0.5 * lead / (abs(lead) + 4.0 + 0.4 * count(state.deck))
    part = min(max(0.5 + 0.5 * lead / aim.scale, 0.0), 1.0)
    out[0] = (1 - aim.points) * hope + aim.points * part
    out[1] = 1 - out[0]


def hope(state: State, lead: float) -> float:
    """How likely the seat wins that expects such a lead: before the last few cards that says next to nothing."""
    return 0.5 + 0.5 * tanh(lead / (8.0 + 0.4 * count(state.deck) ** 2))


def weigh(state: State, actor: int, move: int) -> int:
    """Cards that win much are laid before any is thrown out, and pegs are put where one of them fits then."""
    if move >= DROP_0:
        return 4
    if move >= LAY_0:
        return 1 + gain(state, actor, move - LAY_0) ** 3
    return 4 + (promise(state, actor, move) if state.phase == PEG else 0)


def gain(state: State, seat: int, place: int) -> int:
    """By how much a card laid there changes the lead."""
    mine, theirs = (state.blue, state.white) if seat == BLUE else (state.white, state.blue)
    return 6 - count(RECTANGLES[place] & mine) + count(RECTANGLES[place] & theirs)


def promise(state: State, seat: int, cell: int) -> int:
    """What a peg on a cell is good for: the open cards that fit round it."""
    pegs, row, good = state.pegs | 1 << cell, state.rows[seat], 0
    while row:
        first = BY_HOLE_FIRST[seat, lowest(row), cell]
        for index in range(first, first + BY_HOLE_NUMBER[seat, lowest(row), cell]):
            place = BY_HOLE[index]
            if pegs & RECTANGLES[place] == HOLES[seat * WAYS + place]:
                good += gain(state, seat, place) ** 3
        row &= row - 1
    return good


def _by_hole() -> tuple[Ints, Ints, Ints]:
    """For each seat, card and cell the places of the card with a hole on that cell: where they begin, how many."""
    first, number = np.zeros((2, CARDS, CELLS), np.int64), np.zeros((2, CARDS, CELLS), np.int64)
    found: list[int] = []
    for seat, card, cell in product(range(2), range(CARDS), range(CELLS)):
        places = [place for place in range(FIRST[card], FIRST[card + 1]) if HOLES[seat * WAYS + place] >> cell & 1]
        first[seat, card, cell], number[seat, card, cell] = len(found), len(places)
        found += places
    return first, number, np.array(found)


BY_HOLE_FIRST, BY_HOLE_NUMBER, BY_HOLE = _by_hole()


def even() -> bool:
    return False
