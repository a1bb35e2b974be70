"""Pegs alone solved: cover the board with different cards, over pegs that are all in place.

Pegs fix the one card that fits each of the 60 rectangles, so a position is a set of rectangles, 60 bits, and each
bars the others that need its card. A solution is a set of rectangles that covers the board and can spare none of
them. Where pegs are still missing, every layout of 41 that can be covered at all is looked up (`layouts.py`).
"""

from typing import NamedTuple

from ludotheque.board.bits import count as size
from ludotheque.board.bits import lowest
from ludotheque.board.punched import HOLES, PLACES, RECTANGLES
from ludotheque.board.square import CELLS, FULL, SIDE
from ludotheque.extras import extra
from ludotheque.puzzles.pegs_solo import LAY_0, PEGS, State, covered, places_of
from ludotheque.puzzles.solving.cover import Ints
from ludotheque.puzzles.solving.layouts import layouts
from ludotheque.search.compiled import built

with extra("players"):
    import numpy as np

AREA = 6
SPOTS = np.array(sorted(set(RECTANGLES)))  # the 60 rectangles
OVER = np.array(
    [sum(1 << spot for spot, cells in enumerate(SPOTS.tolist()) if cells >> cell & 1) for cell in range(CELLS)]
)
PLACE_SPOTS = np.array([int(np.searchsorted(SPOTS, cells)) for cells in RECTANGLES])
PLACE_CELLS, PLACE_HOLES = np.array(RECTANGLES), np.array(HOLES[: len(PLACES)])
PLACE_CARDS = np.array([place.card for place in PLACES])


class Tables(NamedTuple):
    """What compiled code looks up about the 60 rectangles."""

    spots: Ints
    """The cells of each."""

    over: Ints
    """For each cell, the set of rectangles over it."""

    ends: Ints
    """The last column of each."""

    keys: Ints
    """The six cells of each, in order."""

    cards: Ints
    """The card that fits each, by which of its six cells have pegs; 0 for none."""


def _tables() -> Tables:
    keys = np.array([[cell for cell in range(CELLS) if cells >> cell & 1] for cells in SPOTS.tolist()])
    cards = np.zeros((len(SPOTS), 1 << AREA), np.int64)
    for place, spot in enumerate(PLACE_SPOTS.tolist()):
        pegs = sum(1 << bit for bit, cell in enumerate(keys[spot].tolist()) if HOLES[place] >> cell & 1)
        cards[spot, pegs] = PLACES[place].card
    return Tables(SPOTS, OVER, keys[:, -1] // SIDE, keys, cards)


TABLES = _tables()


class Fit(NamedTuple):
    """The places where a card fits the pegs."""

    places: Ints
    """By rectangle; -1 where none fits."""

    rivals: Ints
    """For each rectangle the set of those that need the same card, itself included."""

    usable: int
    """The rectangles where a card fits."""


def count(state: State, limit: int) -> int:
    """How many solutions there are from here, at most `limit`."""
    return len(solutions(state, limit))


def solutions(state: State, limit: int) -> list[tuple[int, ...]]:
    """The solutions from here, at most `limit`, each as the moves that are left, in order."""
    found: list[tuple[int, ...]] = []
    laid, left = places_of(state), state.most - len(places_of(state))
    used = sum(1 << PLACES[place].card for place in laid)
    possible = _layouts(state)
    number = 0
    while len(found) < limit:
        number = built(coverable)(FULL & ~possible, number, used, FULL & ~covered(state), left, TABLES)
        if number == len(possible):
            break
        pegs = int(possible[number])
        missing = [cell for cell in range(CELLS) if (pegs & ~state.pegs) >> cell & 1]
        more = covers(pegs, left, limit - len(found), laid)
        found += [(*missing, *(LAY_0 + place for place in places)) for places in more]
        number += 1
    return found


def coverable(  # noqa: PLR0917 - compiled code takes no names
    bares: Ints, first: int, used: int, board: int, cards: int, tables: Tables
) -> int:
    """The first of some layouts, from a certain one on, on which so many unused cards cover the rest of the board.

    Layouts are given by their bare cells; if there is none, the answer is how many there are.
    """
    rivals, none = np.zeros(len(tables.spots), np.int64), np.zeros((0, 35), np.int64)
    for number in range(first, len(bares)):
        usable = settle(bares[number], SIDE, used, tables, rivals)
        if board == 0 or cover(usable, rivals, tables.spots, tables.over, board, cards, 1, none):
            return number
    return len(bares)


def settle(bare: int, columns: int, used: int, tables: Tables, rivals: Ints) -> int:
    """The rectangles of these columns that an unused card fits; those that need the same card become rivals."""
    by_card, needed, usable = np.zeros(36, np.int64), np.zeros(len(tables.spots), np.int64), 0
    for spot in range(len(tables.spots)):
        if tables.ends[spot] < columns:
            pegs = 0
            for bit in range(AREA):
                pegs |= (~bare >> tables.keys[spot, bit] & 1) << bit
            card = tables.cards[spot, pegs]
            if card and not used >> card & 1:
                needed[spot] = card
                by_card[card] |= 1 << spot
                usable |= 1 << spot
    for spot in range(len(tables.spots)):
        rivals[spot] = by_card[needed[spot]]
    return usable


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


def _layouts(state: State) -> Ints:
    """The layouts of 41 pegs that this position can still become."""
    if size(state.pegs) == PEGS:
        return np.array([state.pegs])
    fixed, fitting = covered(state), layouts(state.most)
    possible: Ints = fitting[(fitting & state.pegs == state.pegs) & (fitting & fixed == state.pegs & fixed)]
    return possible
