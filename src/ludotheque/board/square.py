"""The 7×7 board: files a–g from left to right, ranks 1–7 from bottom to top, cells by file, then rank.

Cell number = 7 · file + rank, so that sorting cells sorts their names (a1, a2, …, g7).
"""

from collections.abc import Iterable

from ludotheque.board.bits import Bits, cells, union

SIDE = 7
CELLS = SIDE * SIDE
FULL: Bits = (1 << CELLS) - 1
NAMES = tuple(f"{file}{rank}" for file in "abcdefg" for rank in range(1, SIDE + 1))
NUMBERS = {name: number for number, name in enumerate(NAMES)}


def at(file: int, rank: int) -> int:
    """The cell in this file and rank, both from 0."""
    return SIDE * file + rank


def name(bits: Bits) -> str:
    """A set of cells as text: `a1-a2-b1`."""
    return "-".join(NAMES[cell] for cell in cells(bits))


def names(bits: Bits) -> list[str]:
    """The names of a set of cells."""
    return [NAMES[cell] for cell in cells(bits)]


def inside(file: int, rank: int) -> bool:
    """Whether there is such a file and rank, both from 0."""
    return 0 <= file < SIDE and 0 <= rank < SIDE


def around(cell: int, steps: Iterable[tuple[int, int]]) -> Bits:
    """The cells reached from this one by these (file, rank) steps."""
    file, rank = divmod(cell, SIDE)
    return union(at(file + x, rank + y) for x, y in steps if inside(file + x, rank + y))


ORTHOGONAL = ((1, 0), (0, -1), (-1, 0), (0, 1))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
NEIGHBOURS = tuple(around(cell, ORTHOGONAL) for cell in range(CELLS))
SURROUNDINGS = tuple(around(cell, ORTHOGONAL + DIAGONAL) for cell in range(CELLS))
