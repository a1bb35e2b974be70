"""Whether grades mean something: over 500 new puzzles, the effort of the human solver, and that of a blind one.

The human solver's effort is what its deductions cost (`human/effort.py`). The blind one knows nothing of deductions
nor of grades: it fills the board cell by cell with whatever fits, and takes back when nothing does; what counts is
how many pieces it lays. Also how long a puzzle of each kind and grade takes to make, in the processor's time.
"""

import time

from ludotheque.board.bits import lowest
from ludotheque.board.square import CELLS, FULL
from ludotheque.extras import extra
from ludotheque.game import Json
from ludotheque.puzzles.human.explain import Position
from ludotheque.puzzles.kinds import PuzzleKind, kind, kinds
from ludotheque.puzzles.making.puzzles import made
from ludotheque.puzzles.solving.cover import COUNT_BITS, COUNT_MASK, Ints, laid, shuffle
from ludotheque.puzzles.studies import GRADES
from ludotheque.puzzles.studies.plots import boxes
from ludotheque.puzzles.studies.study import Study
from ludotheque.search.compiled import built

with extra("players"):
    import numpy as np

PUZZLES_A_GRADE, PUZZLES_A_PART = 50, 10
PARTS = [
    (kind.key, grade, first)
    for kind in kinds()
    for grade in kind.grades
    for first in range(0, PUZZLES_A_GRADE, PUZZLES_A_PART)
]
QUARTERS = (0, 1, 2, 3, 4)
TRIES = 16
MAX_DEPTH = 16  # more than a board has pieces
NOWHERE = -1


def study(*, every: bool = True) -> Study:  # noqa: ARG001 - there is no sample
    """Fifty puzzles of each grade, of all kinds; kinds without deductions are only timed."""
    return Study(GRADES, len(PARTS), count_part, total, boxes)


def count_part(part: int) -> Json:
    """Rows of milliseconds of making, effort, and pieces laid blindly, for some puzzles of a grade."""
    key, grade, first = PARTS[part]
    made(key, grade, PUZZLES_A_GRADE)  # compiles, and reads what has to be read
    rows: list[Json] = []
    for number in range(first, first + PUZZLES_A_PART):
        begun = time.process_time()
        puzzle = made(key, grade, number)
        spent = round((time.process_time() - begun) * 1000)
        state = puzzle.match().state
        rows.append([spent, *_efforts(kind(key), state)])
    return rows


def _efforts(of: PuzzleKind, state: tuple[object, ...]) -> list[int]:
    """That of the human solver and that of the blind one, for a kind with deductions."""
    if of.engine.rate is None or of.engine.position is None:
        return []
    return [of.engine.rate(state).effort, blindly(of.engine.position(state))]


def total(results: list[Json]) -> dict[str, Json]:
    """By puzzle and grade: the median and the longest time of making; least, quartiles and most of both efforts."""
    return {
        kind.key: {str(grade): _summary(_rows_of(results, kind.key, grade)) for grade in kind.grades}
        for kind in kinds()
    }


def _summary(rows: list[list[int]]) -> Json:
    times, *efforts = (sorted(column) for column in zip(*rows, strict=True))
    told: dict[str, Json] = {"made in ms": times[len(times) // 2], "at most": times[-1]}
    for name, numbers in zip(("effort", "pieces laid blindly"), efforts, strict=False):
        told[name] = [numbers[min(len(numbers) - 1, len(numbers) * quarter // 4)] for quarter in QUARTERS]
    return told


def _rows_of(results: list[Json], key: str, grade: int) -> list[list[int]]:
    found = [result for part, result in zip(PARTS, results, strict=True) if part[:2] == (key, grade)]
    rows = [row for result in found if isinstance(result, list) for row in result if isinstance(row, list)]
    return [[number for number in row if isinstance(number, int)] for row in rows]


def blindly(position: Position) -> int:
    """How many pieces are laid blindly until the board is full, on average over some orders of trying."""
    task = position.puzzle.task
    options = np.array(sorted(task.options.tolist(), key=lowest))
    numbers = [built(fill_blindly)(options, task.board, task.left, np.uint64(seed)) for seed in range(1, TRIES + 1)]
    return round(sum(numbers) / TRIES)


def fill_blindly(options: Ints, board: int, left: int, noise: np.uint64) -> int:
    """Fill the first open cell with anything that fits, take back when nothing does: how many options were laid.

    Options are sorted by their first cell; those of one cell are tried in random order.
    """
    starts = np.zeros(CELLS + 1, np.int64)
    for option in options:
        starts[lowest(option) + 1] += 1
    starts, tried = np.cumsum(starts), options.copy()
    for cell in range(CELLS):
        noise = shuffle(tried[starts[cell] : starts[cell + 1]], noise)
    boards, lefts = np.zeros(MAX_DEPTH, np.int64), np.zeros(MAX_DEPTH, np.int64)
    cursors = np.zeros(MAX_DEPTH, np.int64)
    boards[0], lefts[0], cursors[0] = board, left, starts[lowest(board)]
    number = depth = 0
    while boards[depth]:
        place = fitting(tried, cursors[depth], starts[lowest(boards[depth]) + 1], boards[depth], lefts[depth])
        if place == NOWHERE:
            depth -= 1
            continue
        cursors[depth] = place + 1
        number += 1
        depth += 1
        boards[depth] = boards[depth - 1] & ~tried[place]
        _, _, lefts[depth] = laid(tried[place], 0, lefts[depth - 1])
        cursors[depth] = starts[lowest(boards[depth])] if boards[depth] else 0
    return number


def fitting(options: Ints, first: int, stop: int, board: int, left: int) -> int:
    """The first of these options whose cells are open and of whose piece one is left."""
    for place in range(first, stop):
        tags, there = options[place] >> CELLS, options[place] & FULL & ~board == 0
        while there and tags:
            there = left >> COUNT_BITS * lowest(tags) & COUNT_MASK != 0
            tags &= tags - 1
        if there:
            return place
    return NOWHERE
