"""How many ways there are to fill the board with the shapes of the Tetrods, holes apart.

One part a place of the single square: 24 of the 49 can be, as the colours of a chessboard show; all are tried.
"""

from functools import partial

from ludotheque.board.bits import union
from ludotheque.board.square import CELLS, FULL, NAMES
from ludotheque.extras import extra
from ludotheque.game import Json
from ludotheque.puzzles.making.tilings import SHAPES, TILES, tables
from ludotheque.puzzles.solving.cover import NO_LIMIT, Task, solve, stock
from ludotheque.puzzles.studies.plots import bars
from ludotheque.puzzles.studies.study import Study
from ludotheque.puzzles.tetrods import GAME

with extra("players"):
    import numpy as np

BY_PLACE = "by place of the single square"  # in the result
NUMBERS = (2, 1, 3, 2, 4, 0)  # of I, O, T, S, L; the single square lies already


def study(*, every: bool = True) -> Study:  # noqa: ARG001 - there is no sample
    """All tilings by shape."""
    title = "tilings by the place of the single square"
    return Study(GAME.key, CELLS, count_part, total, partial(bars, table=BY_PLACE, title=title))


def count_part(part: int) -> Json:
    """The tilings with the single square on one cell."""
    options = tables().shapes.options
    shapes = options[(options >> CELLS + SHAPES.index("M") == 0) & (options & 1 << part == 0)]
    task = Task(shapes, FULL & ~union([part]), stock(*NUMBERS))
    return int(solve(task, NO_LIMIT, np.empty((0, TILES), np.int64)))


def total(results: list[Json]) -> dict[str, Json]:
    """The number of tilings, and by the place of the single square."""
    numbers = [number for number in results if isinstance(number, int)]
    return {"tilings": sum(numbers), BY_PLACE: dict(zip(NAMES, numbers, strict=True))}
