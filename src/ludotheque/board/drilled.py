"""The Tetrods (Alex Randolph): tetrominoes with one drilled square, and the drilled single square, on the 7×7 board.

Each of the five tetrominoes is drilled in every way that differs under turning and flipping: twelve Tetrods. They are
named by their shape and by where the hole is; `M` is the single square.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from ludotheque.board.bits import Bits, cells, union
from ludotheque.board.shapes import Shape, orientations, places, shape
from ludotheque.board.square import CELLS, NAMES

DRAWINGS = {  # o is the hole
    "I1": "o###",
    "I2": "#o##",
    "O1": "o#/##",
    "T1": ".o./###",
    "T2": ".#./#o#",
    "T3": ".#./o##",
    "S1": "o#./.##",
    "S2": "#o./.##",
    "L1": "o../###",
    "L2": "#../o##",
    "L3": "#../#o#",
    "L4": "#../##o",
    "M": "o",
}
PIECES = tuple(DRAWINGS)
SINGLE = PIECES.index("M")
TETRODS = PIECES[:SINGLE]


class Placement(NamedTuple):
    """A piece, by its number, on the board: the cell of its hole and its other cells."""

    piece: int  #: which piece
    hole: int  #: the cell of its hole
    solid: Bits  #: its other cells

    @property
    def cells(self) -> Bits:
        """All its cells."""
        return self.solid | 1 << self.hole

    @property
    def text(self) -> str:
        """The move that lays it: `L3:c3-c2-c4-d2`."""
        where = "-".join(NAMES[cell] for cell in (self.hole, *cells(self.solid)))
        return f"{PIECES[self.piece]}:{where}"

    @property
    def told(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What sentences name: the piece, and its cells."""
        name, where = self.text.split(":")
        return ("piece", name), ("cells", where)


def drawn(drawing: str) -> Shape:
    """A drilled shape from its drawing, the hole first."""
    return shape(drawing.translate({ord("o"): "#", ord("#"): "."})) + shape(drawing)


def placements() -> tuple[Placement, ...]:
    """Every piece in every place: by hole, then piece, then the other cells."""
    found = [
        (hole, piece, solid)
        for piece, drawing in enumerate(DRAWINGS.values())
        for way in orientations(drawn(drawing), flips=True)
        for hole, *solid in places(way)
    ]
    return tuple(Placement(piece, hole, union(solid)) for hole, piece, solid in sorted(found))


def hole_starts(sorted_placements: Sequence[Placement]) -> tuple[int, ...]:
    """Where the placements with their hole on each cell begin, and at last where they end."""
    counts = [0] * CELLS
    for placement in sorted_placements:
        counts[placement.hole] += 1
    return tuple(accumulate(counts, initial=0))


PLACEMENTS = placements()
