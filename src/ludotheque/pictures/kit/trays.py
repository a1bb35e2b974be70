"""The tray below the 7×7 board, two rows of seven places, one under each file; and the ribbon of a solved puzzle."""

from functools import cache

from ludotheque.board.square import SIDE
from ludotheque.pictures.kit.contour import Point, contour
from ludotheque.pictures.kit.square import CELL, EXTENT, MARGIN, toadstool
from ludotheque.pictures.kit.svg import group, path, rect, text_at, title

TOP = EXTENT + 8
PLACE_HEIGHT = 97  # 40 pixels on a small telephone
SQUARE_SIZE = 22  # of a piece in the tray
SIZE = (EXTENT, TOP + 2 * PLACE_HEIGHT + 12)
LABEL_BOTTOM = 20  # from the foot of a place to the middle of its label


def place(number: int) -> tuple[int, int]:
    """The upper left corner of a place, row by row."""
    row, column = divmod(number, SIDE)
    return MARGIN + column * CELL, TOP + row * PLACE_HEIGHT


def empty_tray() -> str:
    """The empty tray."""
    return rect(MARGIN - 14, TOP - 4, SIDE * CELL + 28, 2 * PLACE_HEIGHT + 8, class_="tray", rx=18)


def origin(
    squares: frozenset[Point], number: int, side: float = SQUARE_SIZE, height: float = PLACE_HEIGHT
) -> tuple[float, float]:
    """Where the squares of a piece begin for it to lie in the middle of a place, or of its upper part."""
    x, y = place(number)
    wide, high = max(column for column, _ in squares) + 1, max(row for _, row in squares) + 1
    return x + (CELL - wide * side) / 2, y + (height - high * side) / 2


@cache
def gap(squares: frozenset[Point], number: int, side: float = SQUARE_SIZE, height: float = PLACE_HEIGHT) -> str:
    """The empty outline of a piece that is on the board."""
    return path(contour(squares, side, 1.5, 4, origin(squares, number, side, height)), class_="tray-gap")


def label(number: int, name: str, *, used: bool) -> str:
    """What is written below a place."""
    x, y = place(number)
    return text_at(
        x + CELL / 2, y + PLACE_HEIGHT - LABEL_BOTTOM, name, class_="tray-name tray-used" if used else "tray-name"
    )


def touch_area(number: int, name: str, says: str, wide: int = 1) -> str:
    """A place, or a few side by side, as a transparent area to touch."""
    return rect(*place(number), wide * CELL, PLACE_HEIGHT, title(says), id=name, class_="board-touch")


@cache
def ribbon() -> str:
    """A quiet celebration: a ribbon on the tray, which a solved puzzle leaves empty."""
    middle, y = EXTENT // 2, TOP + PLACE_HEIGHT
    tails = [f"M{middle + s * 236} {y - 22}h{s * 92}l{-s * 26} 37l{s * 26} 37h{-s * 92}z" for s in (-1, 1)]
    folds = [f"M{middle + s * 262} {y + 36}v15l{-s * 26}-15z" for s in (-1, 1)]
    band = path(f"M{middle - 262} {y - 38}h524v74h-524z", class_="ribbon")
    mushrooms = [toadstool(middle + 84 * n, y - 2) for n in (-2, -1, 0, 1, 2)]
    behind = path("".join(tails), class_="ribbon-tail") + path("".join(folds), class_="ribbon-fold")
    return group([empty_tray(), behind, band, *mushrooms], id="ribbon")
