"""Pegs alone solved: cover the board with different cards, over pegs that are all in place.

Pegs fix the one card that fits each of the 60 rectangles, so a position is a set of rectangles, 60 bits, and each
bars the others that need its card. A solution is a set of rectangles that covers the board and can spare none of
them. Where pegs are still missing, every layout of 41 that can be covered at all is looked up (`making.layouts`).
"""

from typing import NamedTuple

import numpy as np

from ludotheque.board.bits import count as size
from ludotheque.board.bits import lowest
from ludotheque.board.punched import HOLES, PLACES, RECTANGLES
from ludotheque.board.square import CELLS, FULL
from ludotheque.puzzles.pegs_solo import LAY_0, PEGS, State, covered, places_of
from ludotheque.puzzles.solving.cover import Ints
from ludotheque.puzzles.solving.layouts import layouts
from ludotheque.search.compiled import built

AREA = 6
SPOTS = np.array(sorted(set(RECTANGLES)))  # the 60 rectangles
OVER = np.array(
    [sum(1 << spot for spot, cells in enumerate(SPOTS.tolist()) if cells >> cell & 1) for cell in range(CELLS)]
)
PLACE_SPOTS = np.array([int(np.searchsorted(SPOTS, cells)) for cells in RECTANGLES])
PLACE_CELLS, PLACE_HOLES = np.array(RECTANGLES), np.array(HOLES[: len(PLACES)])
PLACE_CARDS = np.array([place.card for place in PLACES])


class Fit(NamedTuple):
    """The places where a card fits the pegs."""

    places: Ints
    """By rectangle; -1 where none fits."""

    rivals: Ints
    """For each rectangle the set of those that need the same card, itself included."""

    usable: int
    """The rectangles where a card fits."""


def count(state: State, limit: int) -> int:
    return len(solutions(state, limit))


def solutions(state: State, limit: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for pegs in _layouts(state):
        more = covers(pegs, state.most - len(places_of(state)), limit - len(found), places_of(state))
        missing = [cell for cell in range(CELLS) if (pegs & ~state.pegs) >> cell & 1]
        found += [(*missing, *(LAY_0 + place for place in places)) for places in more]
        if len(found) == limit:
            break
    return found


def covers(pegs: int, cards: int, limit: int, laid: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Ways to cover the rest of the board with at most so many cards, as places in order."""
    what = fit(pegs, laid)
    board = FULL
    for place in laid:
        board &= ~RECTANGLES[place]
    found, enough = np.zeros((16, 35), np.int64), False
    while not enough:
        number = built(cover)(what.usable, what.rivals, SPOTS, OVER, board, cards, min(limit, len(found)), found)
        enough = number < len(found) or number >= limit
        if not enough:
            found = np.zeros((len(found) * 8, 35), np.int64)
    return [tuple(sorted(int(what.places[spot - 1]) for spot in row if spot)) for row in found[:number].tolist()]


def fewest(pegs: int) -> int | None:
    """The least number of cards that cover the board over these pegs."""
    what = fit(pegs)
    return built(least)(what.usable, what.rivals, SPOTS, OVER) or None


def fit(pegs: int, laid: tuple[int, ...] = ()) -> Fit:
    """Where cards fit these pegs, those already laid left out."""
    used = [PLACES[place].card for place in laid]
    fitting = np.flatnonzero((PLACE_CELLS & pegs == PLACE_HOLES) & ~np.isin(PLACE_CARDS, used))
    places, cards = np.full(len(SPOTS), -1), np.zeros(len(SPOTS), np.int64)
    places[PLACE_SPOTS[fitting]] = fitting
    cards[PLACE_SPOTS[fitting]] = PLACE_CARDS[fitting]
    rivals = np.array([sum(1 << int(spot) for spot in np.flatnonzero(cards == card)) for card in cards])
    return Fit(places, rivals, sum(1 << int(spot) for spot in np.flatnonzero(cards)))


def least(usable: int, rivals: Ints, spots: Ints, over: Ints) -> int:
    """The least number of cards that cover the board; 0 if none do."""
    none = np.zeros((0, 35), np.int64)
    if cover(usable, rivals, spots, over, FULL, 35, 1, none) == 0:
        return 0
    cards = 9
    while cover(usable, rivals, spots, over, FULL, cards, 1, none) == 0:
        cards += 1
    return cards


def cover(  # noqa: PLR0917 - compiled code takes no names
    usable: int, rivals: Ints, spots: Ints, over: Ints, board: int, cards: int, limit: int, found: Ints
) -> int:
    """How many covers there are, up to a limit; the first are written to the rows of `found`, spots from 1.

    Each level tries the rectangles over the cell that has the fewest, and bars those it has tried: so no set of
    rectangles comes twice.
    """
    boards, usables, todo = np.zeros(37, np.int64), np.zeros(37, np.int64), np.zeros(37, np.int64)
    chosen = np.zeros(37, np.int64)
    boards[0], usables[0] = board, usable
    todo[0] = narrowest(usable, over, board)
    number = depth = 0
    while depth >= 0:
        if todo[depth] == 0 or size(boards[depth]) > AREA * (cards - depth):
            depth -= 1
            continue
        spot = lowest(todo[depth])
        todo[depth] &= todo[depth] - 1
        usables[depth] &= ~(1 << spot)
        chosen[depth] = spot
        rest = boards[depth] & ~spots[spot]
        if rest == 0:
            if spares_none(chosen, depth + 1, spots, board):
                if number < len(found):
                    found[number, : depth + 1] = chosen[: depth + 1] + 1
                number += 1
                if number == limit:
                    break
            continue
        depth += 1
        boards[depth], usables[depth] = rest, usables[depth - 1] & ~rivals[spot]
        todo[depth] = narrowest(usables[depth], over, rest)
    return number


def narrowest(usable: int, over: Ints, board: int) -> int:
    """The usable rectangles over the cell that has the fewest."""
    best, fewest_yet = 0, 64
    while board and fewest_yet > 0:
        spots = over[lowest(board)] & usable
        if size(spots) < fewest_yet:
            best, fewest_yet = spots, size(spots)
        board &= board - 1
    return best


def spares_none(chosen: Ints, number: int, spots: Ints, board: int) -> bool:
    """Whether every card covers a cell that no other does."""
    once = twice = 0
    for index in range(number):
        twice |= once & spots[chosen[index]]
        once |= spots[chosen[index]]
    for index in range(number):
        if spots[chosen[index]] & board & ~twice == 0:
            return False
    return True


def _layouts(state: State) -> list[int]:
    """The layouts of 41 pegs that this position can still become."""
    if size(state.pegs) == PEGS:
        return [state.pegs]
    fixed = covered(state)
    fitting = layouts()
    return [
        int(pegs) for pegs in fitting[(fitting & state.pegs == state.pegs) & (fitting & fixed == state.pegs & fixed)]
    ]
