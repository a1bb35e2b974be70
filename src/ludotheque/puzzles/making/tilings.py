"""Random boards full of Tetrods, compiled: the shapes first, then which hole each of them has, and where."""

from functools import cache
from typing import NamedTuple

from ludotheque.board.bits import count, union
from ludotheque.board.drilled import PIECES, PLACEMENTS
from ludotheque.board.square import CELLS, FULL, SIDE
from ludotheque.extras import extra
from ludotheque.puzzles.solving.cover import Ints, Task, search, shuffle, stock, tagged
from ludotheque.puzzles.solving.tetrods import HOLES, POSSIBLE, SOLIDS, WORDS
from ludotheque.search.playouts import Noise, scramble

with extra("players"):
    import numpy as np

TILES = 13
MAX_LAID = 400  # options laid before a board is begun anew: most are found sooner, the rest would take for ever
DRILLINGS_A_BOARD = 12  # before another is made
SHAPES = "IOTSLM"
ANY, SCATTERED, CLUMPS, OUTSIDE, INSIDE = LOOKS = range(5)
LOWEST_RANK = union(SIDE * file for file in range(SIDE))
RIM = union(cell for cell in range(CELLS) if {cell // SIDE, cell % SIDE} & {0, SIDE - 1})


class Tables(NamedTuple):
    """What making boards looks up."""

    shapes: Task
    cells: Ints
    """The cells of all tiles, sorted; those of one are drilled as placements[starts[n] : starts[n + 1]] say."""

    starts: Ints
    placements: Ints
    words: Ints
    holes: Ints
    solids: Ints
    possible: Ints
    left: int


@cache
def tables() -> Tables:
    """Made once a process."""
    possible = np.flatnonzero(POSSIBLE)
    placements = possible[np.argsort(WORDS[possible] & FULL, kind="stable")]
    cells, starts = np.unique(WORDS[placements] & FULL, return_index=True)
    shapes = [
        tagged(placement.cells, SHAPES.index(PIECES[placement.piece][0]))
        for placement in (PLACEMENTS[m] for m in placements)
    ]
    task = Task(np.unique(shapes), FULL, stock(*(sum(name[0] == shape for name in PIECES) for shape in SHAPES)))
    return Tables(
        task,
        cells,
        np.append(starts, len(placements)),
        placements,
        WORDS,
        HOLES,
        SOLIDS,
        POSSIBLE.astype(np.int64),
        stock(*[1] * (len(PIECES) + 1)),
    )


def unique_board(tables: Tables, noise: Noise, look: int) -> tuple[Noise, int]:
    """Mushrooms that look as wished and leave one solution."""
    tiles, none = np.zeros((1, TILES), np.int64), np.zeros((0, TILES), np.int64)
    while True:
        noise = tiling(tables.shapes, noise, tiles)
        for _ in range(DRILLINGS_A_BOARD):
            noise, mushrooms = drill(tables, tiles[0], noise)
            if looks(mushrooms, look) and search(Task(fitting(tables, mushrooms), FULL, tables.left), 2, none) == 1:
                return noise, mushrooms


def looks(mushrooms: int, look: int) -> bool:
    """Whether mushrooms are scattered, in clumps, along the rim or in the middle, as wished."""
    touching = count(mushrooms & mushrooms << SIDE) + count(mushrooms & mushrooms << 1 & ~LOWEST_RANK)
    outside = count(mushrooms & RIM)
    if look == SCATTERED:
        return touching <= 3
    if look == CLUMPS:
        return touching >= 6
    if look == OUTSIDE:
        return outside >= 8
    return look == ANY or outside <= 4


def tiling(shapes: Task, noise: Noise, found: Ints) -> Noise:
    """Fill the board at random; the words of the pieces laid go to the first row of `found`."""
    options = shapes.options.copy()
    while True:
        noise = shuffle(options, noise)
        if search(Task(options, shapes.board, shapes.left), 1, found, MAX_LAID):
            return noise


def drill(tables: Tables, tiles: Ints, noise: Noise) -> tuple[Noise, int]:
    """Give each tile one of the pieces of its shape that is left, in one of the ways it lies there: the mushrooms."""
    used = mushrooms = 0
    order = np.arange(TILES)
    noise = shuffle(order, noise)
    for tile in order:
        place = np.searchsorted(tables.cells, tiles[tile] & FULL)
        options = tables.placements[tables.starts[place] : tables.starts[place + 1]]
        number = 0
        for option in options:
            number += tables.words[option] & PIECE_TAGS & used == 0
        noise = scramble(noise)
        skip = int(noise >> np.uint64(33)) % number
        for option in options:
            if tables.words[option] & PIECE_TAGS & used == 0:
                if skip == 0:
                    chosen = option
                skip -= 1
        used |= tables.words[chosen] & PIECE_TAGS
        mushrooms |= tables.holes[chosen]
    return noise, mushrooms


def fitting(tables: Tables, mushrooms: int) -> Ints:
    """The placements whose hole is on a mushroom and nothing else is."""
    found, number = np.empty(len(tables.words), np.int64), 0
    for index in range(len(tables.words)):
        if tables.holes[index] & mushrooms and not tables.solids[index] & mushrooms and tables.possible[index]:
            found[number] = tables.words[index]
            number += 1
    return found[:number]


PIECE_TAGS = (1 << 62) - 1 & ~FULL
