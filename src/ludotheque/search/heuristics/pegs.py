"""Pegs: cards laid count, and those that cover the other's cards count twice."""

from collections.abc import Sequence
from itertools import product
from math import tanh
from typing import TypeAlias

from ludotheque.board.bits import count, lowest
from ludotheque.board.punched import BLUE, CARDS, FIRST, HOLES, RECTANGLES
from ludotheque.board.square import CELLS
from ludotheque.extras import extra
from ludotheque.game import LUCK
from ludotheque.games.pegs import DROP_0, LAY_0, PEG, WAYS, State, play, start
from ludotheque.search.heuristics import Objective, SearchProfile, Values

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]

# The expected lead says more about a move than the expected win.
PROFILE = SearchProfile(points_weight=0.9, points_scale=35.0, horizon=12, explore=0.2)
LATE_DECK_CARDS = 8  # with fewer, the last turn decides more than the lead
HURRY_WEIGHT = 200  # added for laying any card, late and in the lead: it uses up the deck


def is_quiet(state: State) -> bool:
    """Between two turns, unless the end is near: then playouts go to the end."""
    return state.phase == PEG and count(state.deck) >= LATE_DECK_CARDS


def estimate(state: State, objective: Objective, out: Values) -> None:
    """By the lead, which says more the fewer cards are left."""
    lead = count(state.blue) - count(state.white)
    hope = 0.5 + 0.5 * lead / (abs(lead) + 4.0 + 0.4 * count(state.deck))
    part = min(max(0.5 + 0.5 * lead / objective.points_scale, 0.0), 1.0)
    out[0] = (1 - objective.points_weight) * hope + objective.points_weight * part
    out[1] = 1 - out[0]


def win_chance(state: State, lead: float) -> float:
    """How likely an expected lead wins: before the last few cards about one half, whatever the lead."""
    return 0.5 + 0.5 * tanh(lead / (8.0 + 0.4 * count(state.deck) ** 2))


def playout_weight(state: State, actor: int, move: int) -> int:
    """Prefer cards that gain much, and pegs round which an open card fits.

    Late in the game, the seat in the lead lays cards to use up the deck, even those that gain nothing.
    """
    if move >= DROP_0:
        return 4
    if move >= LAY_0:
        lead = (count(state.blue) - count(state.white)) * (1 if actor == BLUE else -1)
        hurry = HURRY_WEIGHT if lead > 0 and count(state.deck) <= LATE_DECK_CARDS else 0
        return 1 + hurry + gain(state, actor, move - LAY_0) ** 3
    return 4 + (promise(state, actor, move) if state.phase == PEG else 0)


def gain(state: State, seat: int, place: int) -> int:
    """By how much a card laid there changes the lead."""
    mine, theirs = (state.blue, state.white) if seat == BLUE else (state.white, state.blue)
    return 6 - count(RECTANGLES[place] & mine) + count(RECTANGLES[place] & theirs)


def promise(state: State, seat: int, cell: int) -> int:
    """The value of a peg on a cell: what the open cards gain that would fit round it."""
    pegs, row, good = state.pegs | 1 << cell, state.rows[seat], 0
    while row:
        first = BY_HOLE_FIRST[seat, lowest(row), cell]
        for index in range(first, first + BY_HOLE_NUMBER[seat, lowest(row), cell]):
            place = BY_HOLE[index]
            if pegs & RECTANGLES[place] == HOLES[seat * WAYS + place]:
                good += gain(state, seat, place) ** 3
        row &= row - 1
    return good


def greedy_gain(state: State, actor: int, move: int) -> int:
    return gain(state, actor, move - LAY_0) if LAY_0 <= move < DROP_0 else 0


def open_moves(_seen: State, witnessed: Sequence[tuple[int, int]]) -> list[tuple[State, int, int]]:
    """Every move of a seat so far: the position, the seat, and the move."""
    state, found = start(2), []
    for actor, move in witnessed:
        if actor != LUCK:
            found.append((state, actor, move))
        state = play(state, actor, move)
    return found


def _by_hole() -> tuple[Ints, Ints, Ints]:
    """For each seat, card and cell the places of the card with a hole there: first index, number, all places."""
    first, number = np.zeros((2, CARDS, CELLS), np.int64), np.zeros((2, CARDS, CELLS), np.int64)
    found: list[int] = []
    for seat, card, cell in product(range(2), range(CARDS), range(CELLS)):
        places = [place for place in range(FIRST[card], FIRST[card + 1]) if HOLES[seat * WAYS + place] >> cell & 1]
        first[seat, card, cell], number[seat, card, cell] = len(found), len(places)
        found += places
    return first, number, np.array(found)


BY_HOLE_FIRST, BY_HOLE_NUMBER, BY_HOLE = _by_hole()


def uniform_playouts() -> bool:
    return False
