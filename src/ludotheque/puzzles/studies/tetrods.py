"""How many ways there are to fill the board with the shapes of the Tetrods, holes apart.

One part a place of the single square: 24 of the 49 can be, as the colours of a chessboard show; all are tried.
"""

import numpy as np

from ludotheque.board.bits import union
from ludotheque.board.square import CELLS, FULL, NAMES
from ludotheque.game import Json
from ludotheque.puzzles.making.tilings import SHAPES, TILES, tables
from ludotheque.puzzles.solving.cover import ENDLESS, Task, solve, stock
from ludotheque.puzzles.studies.study import Study

NUMBERS = (2, 1, 3, 2, 4, 0)  # of I, O, T, S, L; the single square lies already


def study() -> Study:
    """All tilings by shape."""
    return Study("tetrods", CELLS, count_part, total)


def count_part(part: int) -> Json:
    """The tilings with the single square on one cell."""
    options = tables().shapes.options
    shapes = options[(options >> CELLS + SHAPES.index("M") == 0) & (options & 1 << part == 0)]
    task = Task(shapes, FULL & ~union([part]), stock(*NUMBERS))
    return int(solve(task, ENDLESS, np.empty((0, TILES), np.int64)))


def total(results: list[Json]) -> dict[str, Json]:
    """The number of tilings, and by the place of the single square."""
    numbers = [number for number in results if isinstance(number, int)]
    return {"tilings": sum(numbers), "by place of the single square": dict(zip(NAMES, numbers, strict=True))}
