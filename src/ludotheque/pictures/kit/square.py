"""The 7×7 board on paper, and what several of its games share: outlines of pieces, and mushrooms."""

from collections.abc import Callable
from functools import cache

from ludotheque.board.bits import Bits, cells
from ludotheque.board.square import CELLS, NAMES, SIDE, inside
from ludotheque.pictures.kit.contour import Point, contour
from ludotheque.pictures.kit.svg import circle, el, group, moved, path, rect, text_at, title

CELL = 100
MARGIN = 60  # for the coordinates
EXTENT = MARGIN * 2 + SIDE * CELL
INSET = 9  # of pieces in their cells
# A toadstool round the middle of its cell, the dots on its cap as ellipses.
STEM_PATH = "M-9 2Q-8 15-13 24Q0 32 13 24Q8 15 9 2Z"
CAP_PATH = "M-27 3C-29-16-16-29 0-29S29-16 27 3C26 10 12 11 0 11S-26 10-27 3Z"
DOTS = ((-2, -17, 6.5, 5), (-16, -6, 4.5, 5), (14, -9, 5, 5.5), (1, 2, 5.5, 4))
RECTANGLES = ((1, 1), (2, 1), (1, 2), (2, 2))  # widths and heights that make up any piece without gaps


def corner(cell: int) -> tuple[int, int]:
    """The upper left corner of a cell."""
    file, rank = divmod(cell, SIDE)
    return MARGIN + file * CELL, MARGIN + (SIDE - 1 - rank) * CELL


def centre(cell: int) -> tuple[int, int]:
    """The middle of a cell."""
    x, y = corner(cell)
    return x + CELL // 2, y + CELL // 2


@cache
def board() -> str:
    """The empty board with its coordinates; each cell can be picked by the id `cell-d4`."""
    return _frame("board") + group(_cell(cell) for cell in range(CELLS)) + _coordinates()


@cache
def grid_board(*, solved: bool = False) -> str:
    """The empty board for what covers its cells: those that can be picked go on top (`touch_cells`)."""
    places = [MARGIN + CELL * number for number in range(SIDE + 1)]
    lines = [f"M{MARGIN} {place}h{SIDE * CELL}M{place} {MARGIN}v{SIDE * CELL}" for place in places]
    frame = _frame("board board-solved" if solved else "board")
    return frame + path("".join(lines), class_="board-lines") + _coordinates()


def touch_cells(title_of: Callable[[int], str]) -> str:
    """Transparent cells to touch, above all that lies on the board; `title_of(cell)` says what lies there."""
    return group(_touch(cell, title_of(cell)) for cell in range(CELLS))


def squares(mask: Bits) -> frozenset[Point]:
    """Cells as columns and rows on paper."""
    return frozenset((cell // SIDE, SIDE - 1 - cell % SIDE) for cell in cells(mask))


def outline(mask: Bits, inset: float, radius: float) -> str:
    """The path round these cells, so far inside their edges."""
    return contour(squares(mask), CELL, inset, radius, (MARGIN, MARGIN))


def marks(mask: Bits) -> str:
    """What a hint is about: a line round these cells, to be laid over any picture of the board."""
    return path(outline(mask, 5, 14), id="marks", class_="board-mark") if mask else ""


def piece(mask: Bits, kind: str, *marks: str, **attributes: str | None) -> str:
    """A piece on these cells: its edge, its face over the seams, then whatever marks it."""
    d = "".join(_block(mask, cell, wide, high) for cell in cells(mask) for wide, high in RECTANGLES)
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


def toadstool(x: float, y: float) -> str:
    """A bright mushroom, standing where it can be seen from far away."""
    dots = [el("ellipse", cx=dx, cy=dy, rx=rx, ry=ry, class_="toadstool-dot") for dx, dy, rx, ry in DOTS]
    return group(
        [path(STEM_PATH, class_="mushroom-stem"), path(CAP_PATH, class_="toadstool-cap"), *dots],
        transform=moved(x, y),
    )


def _frame(look: str) -> str:
    return rect(MARGIN - 14, MARGIN - 14, SIDE * CELL + 28, SIDE * CELL + 28, class_=look, rx=18)


def _cell(cell: int) -> str:
    return rect(*corner(cell), CELL, CELL, title(NAMES[cell]), id=f"cell-{NAMES[cell]}", class_="cell")


@cache
def _touch(cell: int, says: str) -> str:
    return rect(*corner(cell), CELL, CELL, title(says), id=f"cell-{NAMES[cell]}", class_="board-touch")


@cache
def _coordinates() -> str:
    low = MARGIN + SIDE * CELL + 36
    files = [text_at(MARGIN + CELL * file + CELL / 2, low, "abcdefg"[file], class_="label") for file in range(SIDE)]
    ranks = [text_at(24, corner(rank)[1] + CELL / 2, str(rank + 1), class_="label") for rank in range(SIDE)]
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
