"""The 7×7 board on paper, and what several of its games share: outlines of pieces, and the mushroom."""

from ludotheque.board.bits import Bits
from ludotheque.board.square import CELLS, NAMES, SIDE, inside
from ludotheque.pictures.svg import circle, el, group, path, rect, text, title

CELL = 100
MARGIN = 60  # for the coordinates
EXTENT = MARGIN * 2 + SIDE * CELL
INSET = 9  # of pieces in their cells
BLOCKS = ((1, 1), (2, 1), (1, 2), (2, 2))  # rectangles that make up any piece without gaps


def corner(cell: int) -> tuple[int, int]:
    """The upper left corner of a cell."""
    file, rank = divmod(cell, SIDE)
    return MARGIN + file * CELL, MARGIN + (SIDE - 1 - rank) * CELL


def centre(cell: int) -> tuple[int, int]:
    x, y = corner(cell)
    return x + CELL // 2, y + CELL // 2


def board() -> str:
    """The empty board with its coordinates; each cell can be picked by the id `cell-d4`."""
    ground = rect(MARGIN - 14, MARGIN - 14, SIDE * CELL + 28, SIDE * CELL + 28, class_="board", rx=18)
    return ground + group(_cell(cell) for cell in range(CELLS)) + _coordinates()


def piece(mask: Bits, kind: str, *marks: str, **attributes: str) -> str:
    """A piece on these cells: its edge, its face over the seams, then whatever marks it."""
    d = "".join(_block(mask, cell, wide, high) for cell in range(CELLS) for wide, high in BLOCKS)
    return group([path(d, class_=f"edge {kind}"), path(d, class_=f"face {kind}"), *marks], **attributes)


def mushroom(x: float, y: float) -> str:
    """A mushroom seen from above at a slant, pinning whatever lies below."""
    return group(
        [
            el("ellipse", cx=x, cy=y + 12, rx=13, ry=9, class_="mushroom-stem"),
            circle(x, y - 3, 24, class_="mushroom-cap"),
            path(f"M{x - 13:.0f} {y - 8:.0f}a15 15 0 0 1 10-9", class_="mushroom-shine"),
        ]
    )


def _cell(cell: int) -> str:
    return rect(*corner(cell), CELL, CELL, title(NAMES[cell]), id=f"cell-{NAMES[cell]}", class_="cell")


def _coordinates() -> str:
    low = MARGIN + SIDE * CELL + 36
    files = [text(MARGIN + CELL * file + CELL / 2, low, "abcdefg"[file], class_="label") for file in range(SIDE)]
    ranks = [text(24, corner(rank)[1] + CELL / 2, str(rank + 1), class_="label") for rank in range(SIDE)]
    return group([*files, *ranks], class_="coordinates")


def _block(mask: Bits, cell: int, wide: int, high: int) -> str:
    """A rectangle of cells that all belong to the piece, a little inside their edges."""
    file, rank = divmod(cell, SIDE)
    if not (inside(file + wide - 1, rank + high - 1) and all(mask >> part & 1 for part in _within(cell, wide, high))):
        return ""
    x, y = corner(cell + high - 1)
    return f"M{x + INSET} {y + INSET}h{wide * CELL - 2 * INSET}v{high * CELL - 2 * INSET}H{x + INSET}Z"


def _within(cell: int, wide: int, high: int) -> list[int]:
    return [cell + SIDE * x + y for x in range(wide) for y in range(high)]
