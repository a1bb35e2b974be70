"""Solutions of Hepta alone, for many sets of blockers at once: those of half a board, multiplied.

The board is cut after its fourth file. Pieces begin in their first file and may stick out into the next two, so what
the left half asks of the right one is which cells stick out over the cut, and how many I's are laid; the L's follow
from the area. So the left half of a set of blockers becomes a row of numbers, one for each way to stick out and each
number of I's; the right half another, and their product counts the solutions of the whole. A thousand left halves and
a thousand right halves are 2,000 rows and one product of matrices, where searching would take a million searches.
"""

from functools import cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from ludotheque.board.bits import lowest
from ludotheque.board.square import CELLS, SIDE
from ludotheque.extras import extra
from ludotheque.games.hepta import PIECES
from ludotheque.puzzles.solving.cover import Ints
from ludotheque.search.compiled import built

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray

CUT = 4  # files of the left half
FILE = (1 << SIDE) - 1
NUMBERS = PIECES + 1  # of I's: none to seven

# What begins in a file: cells there, in the next, in the one after, as seen from the lowest there; I's.
BEGINNINGS = ((7, 0, 0, 1), (1, 1, 1, 1), (3, 1, 0, 0), (3, 2, 0, 0), (1, 3, 0, 0))


Rows: TypeAlias = NDArray[np.float32]


class Files(NamedTuple):
    """What filling a file looks up."""

    starts: Ints
    """The ways to fill the open cells `free` of a file are numbered starts[free] to starts[free + 1]."""

    near: Ints
    """By way: what sticks out into the next file,"""

    far: Ints
    """and into the one after;"""

    eyes: Ints
    """how many I's it lays."""

    first: Ints
    """By state: the cells taken in the next file,"""

    second: Ints
    """and in the one after, always a part of those."""

    states: Ints
    """The state of both, by `first << SIDE | second`."""


@cache
def files() -> Files:
    """Made once a process."""
    ways = [sorted(_ways(free)) for free in range(FILE + 1)]
    flat = np.array([way for some in ways for way in some])
    heights = np.array(list(product((0, 1, 2), repeat=SIDE)))
    bits = 1 << np.arange(SIDE)
    first, second = (heights > 0) @ bits, (heights > 1) @ bits
    states = np.full(1 << 2 * SIDE, -1)
    states[first << SIDE | second] = np.arange(len(heights))
    starts = np.cumsum([0, *(len(some) for some in ways)])
    return Files(starts, flat[:, 0].copy(), flat[:, 1].copy(), flat[:, 2].copy(), first, second, states)


def _ways(free: int) -> list[tuple[int, int, int]]:
    """The ways to fill these cells of a file with pieces that begin there: what sticks out near and far, I's."""
    if not free:
        return [(0, 0, 0)]
    low = lowest(free)
    pieces = [(here << low, near << low, far << low, eyes) for here, near, far, eyes in BEGINNINGS]
    pieces += [(1 << low, 3 << low - 1, 0, 0)] if low else []  # the L whose other two cells reach lower
    return [
        (near | more_near, far | more_far, eyes + more_eyes)
        for here, near, far, eyes in pieces
        if here & ~free == 0 and near <= FILE
        for more_near, more_far, more_eyes in _ways(free & ~here)
        if not near & more_near
    ]


def counted(lefts: Ints, rights: Ints) -> Ints:
    """How many solutions each left half has with each right half: seven blockers in all, as bits of the board."""
    left = built(left_rows)(lefts, *files())
    right = built(right_rows)(rights >> CUT * SIDE, *files())
    used = np.flatnonzero(left.any(axis=0) & right.any(axis=0))
    numbers: Rows = left[:, used] @ right[:, used].T  # exact: there are far fewer solutions than 2 ** 24
    return np.rint(numbers).astype(np.int64)


@cache
def halves(blockers: int, *, left: bool) -> Ints:
    """All ways to put so many blockers on a half."""
    cells = range(CUT * SIDE) if left else range(CUT * SIDE, CELLS)
    return np.array([sum(bits) for bits in combinations([1 << cell for cell in cells], blockers)], np.int64)


def left_rows(  # noqa: PLR0917 - compiled code takes no names
    halves: Ints, starts: Ints, near: Ints, far: Ints, eyes: Ints, first: Ints, second: Ints, states: Ints
) -> Rows:
    """For each left half: in how many ways it can be filled, by what sticks out and how many I's."""
    rows = np.zeros((len(halves), len(first) * NUMBERS), np.float32)
    before, after = np.zeros((len(first), NUMBERS), np.int64), np.zeros((len(first), NUMBERS), np.int64)
    for half in range(len(halves)):
        before[:] = 0
        before[0, 0] = 1
        for file in range(CUT):
            blockers = halves[half] >> SIDE * file & FILE
            after[:] = 0
            for state in range(len(first)):
                if first[state] & blockers == 0 and before[state].any():
                    free = FILE & ~(first[state] | blockers)
                    for way in range(starts[free], starts[free + 1]):
                        if near[way] & second[state] == 0:
                            to = states[(second[state] | near[way]) << SIDE | far[way]]
                            for number in range(NUMBERS - eyes[way]):
                                after[to, number + eyes[way]] += before[state, number]
            before, after = after, before
        rows[half] = before.ravel()
    return rows


def right_rows(  # noqa: PLR0917 - compiled code takes no names
    halves: Ints, starts: Ints, near: Ints, far: Ints, eyes: Ints, first: Ints, second: Ints, states: Ints
) -> Rows:
    """For each right half: in how many ways it can be filled, by what sticks out into it and the I's laid before."""
    rows = np.zeros((len(halves), len(first) * NUMBERS), np.float32)
    before, after = np.zeros((len(first), NUMBERS), np.int64), np.zeros((len(first), NUMBERS), np.int64)
    for half in range(len(halves)):
        after[:] = 0
        after[0, NUMBERS - 1] = 1
        for file in range(SIDE - CUT - 1, -1, -1):
            blockers = halves[half] >> SIDE * file & FILE
            before[:] = 0
            for state in range(len(first)):
                if first[state] & blockers == 0:
                    free = FILE & ~(first[state] | blockers)
                    for way in range(starts[free], starts[free + 1]):
                        if near[way] & second[state] == 0:
                            to = states[(second[state] | near[way]) << SIDE | far[way]]
                            for number in range(NUMBERS - eyes[way]):
                                before[state, number] += after[to, number + eyes[way]]
            before, after = after, before
        rows[half] = after.ravel()
    return rows
