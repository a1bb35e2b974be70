"""Tetrods solved. Two facts about the colours of a chessboard go into the search.

Of the 49 cells 25 are coloured like the corners. Every piece covers as many of one colour as of the other, but for
the single square and the three T's, which are three to one. So the single square lies on the other colour, and
exactly one T has three squares on it: that T is one more thing of which there is a number.
"""

from ludotheque.board.bits import count as size
from ludotheque.board.bits import union
from ludotheque.board.drilled import PIECES, PLACEMENTS, SINGLE, Placement
from ludotheque.board.square import CELLS, FULL, SIDE
from ludotheque.extras import extra
from ludotheque.puzzles.solving.cover import Ints, Task, solve, tagged
from ludotheque.puzzles.solving.cover import task as cover_task
from ludotheque.puzzles.tetrods import NOWHERE, State

with extra("players"):
    import numpy as np

CORNERS = union(cell for cell in range(CELLS) if sum(divmod(cell, SIDE)) % 2 == 0)  # and all cells of their colour
ODD_T = len(PIECES)  # the tag of a T with three squares off the corners' colour


def _tags(placement: Placement) -> tuple[int, ...]:
    odd = PIECES[placement.piece].startswith("T") and size(placement.cells & CORNERS) == 1
    return (placement.piece, ODD_T) if odd else (placement.piece,)


WORDS = np.array([tagged(placement.cells, *_tags(placement)) for placement in PLACEMENTS])
HOLES = np.array([1 << placement.hole for placement in PLACEMENTS])
SOLIDS = np.array([placement.solid for placement in PLACEMENTS])
POSSIBLE = np.array([placement.piece != SINGLE or not CORNERS >> placement.hole & 1 for placement in PLACEMENTS])


def count(state: State, limit: int) -> int:
    """How many solutions there are from here, at most `limit`."""
    return solve(task(state), limit, np.empty((0, len(PIECES)), np.int64))


def solutions(state: State, limit: int) -> list[tuple[int, ...]]:
    """The solutions from here, at most `limit`, each as the moves that are left, in order."""
    moves = _moves(state.mushrooms)
    found = np.zeros((min(limit, count(state, limit)), len(PIECES)), np.int64)
    solve(task(state), limit, found)
    meaning = dict(zip(WORDS[moves].tolist(), moves.tolist(), strict=True))
    return [tuple(sorted(meaning[word] for word in row if word)) for row in found.tolist()]


def task(state: State) -> Task:
    """What is left to do."""
    numbers = [int(move == NOWHERE) for move in state.laid]
    odd = sum(move != NOWHERE and ODD_T in _tags(PLACEMENTS[move]) for move in state.laid)
    return cover_task(WORDS[_moves(state.mushrooms)], FULL & ~state.covered, [*numbers, 1 - odd])


def _moves(mushrooms: int) -> Ints:
    """The placements with their hole on a mushroom and nothing else."""
    return np.flatnonzero((HOLES & mushrooms != 0) & (SOLIDS & mushrooms == 0) & POSSIBLE)
