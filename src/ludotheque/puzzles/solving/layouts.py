"""The layouts of 41 pegs that can be covered: what `ludotheque study pegs-solo` found, one of each eight alike.

A layout is kept by its cells without a peg. Cards turned are cards, and mirrored cards are again all the cards: so
the images of a layout under the symmetries of the board need as many cards as it does.
"""

from functools import cache
from importlib.resources import files

from ludotheque.board.bits import cells, union
from ludotheque.board.square import CELLS, FULL, SIDE, at
from ludotheque.extras import extra
from ludotheque.puzzles.solving.cover import Ints

with extra("players"):
    import numpy as np

DATA = files("ludotheque.puzzles.solving") / "layouts.txt"


@cache
def bare() -> dict[int, tuple[int, ...]]:
    """By the fewest cards: the cells without a peg, of one layout for all that are alike."""
    lines = (line.split() for line in DATA.read_text(encoding="ascii").splitlines())
    return {int(cards): tuple(int(word, 36) for word in words) for cards, *words in lines}


@cache
def layouts(most: int = 35) -> Ints:
    """The pegs of all layouts that so many cards can cover, those needing fewest first."""
    found: list[int] = []
    for cards, some in sorted(bare().items()):
        if cards <= most:
            found += sorted({image for cells_of in some for image in images(cells_of)})
    return FULL & ~np.array(found, np.int64)


def images(bits: int) -> list[int]:
    """The set of cells under the eight symmetries of the board."""
    return [union(way[cell] for cell in cells(bits)) for way in WAYS]


def _way(*, left: bool, down: bool, across: bool) -> tuple[int, ...]:
    """Where each cell goes."""
    goes = []
    for file, rank in (divmod(cell, SIDE) for cell in range(CELLS)):
        x, y = (SIDE - 1 - file if left else file), (SIDE - 1 - rank if down else rank)
        goes.append(at(y, x) if across else at(x, y))
    return tuple(goes)


WAYS = tuple(
    _way(left=left, down=down, across=across)
    for across in (False, True)
    for left in (False, True)
    for down in (False, True)
)
