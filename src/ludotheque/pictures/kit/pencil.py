"""Pencil marks on the 7×7 board: a cross for a cell that is out, small names for pieces that do not lie there."""

from collections.abc import Mapping, Sequence

from ludotheque.board.square import NUMBERS
from ludotheque.pictures.kit.square import centre
from ludotheque.pictures.kit.svg import group, path, text_at

STRIKE = 15  # half of the line through a name
CROSS = 30  # from the middle of a cell to the end of a stroke
# Where names stand, from the middle of the cell, round whatever stands in it.
SLOTS = ((-32, -35), (0, -35), (32, -35), (-32, 36), (0, 36), (32, 36), (-36, -12), (36, -12), (-36, 12), (36, 12))


def pencilled(marks: Mapping[str, Sequence[str]]) -> str:
    """The marks by cell: of each the pieces that are out, an empty name for the cell itself."""
    drawn = [part for cell, pieces in marks.items() for part in _in_cell(*centre(NUMBERS[cell]), pieces)]
    return group(drawn, id="pencilled", class_="pencilled") if drawn else ""


def _in_cell(x: int, y: int, pieces: Sequence[str]) -> list[str]:
    names = [piece for piece in pieces if piece]
    parts = [_cross(x, y)] if "" in pieces else []
    shown = names if len(names) <= len(SLOTS) else [*names[: len(SLOTS) - 1], f"+{len(names) - len(SLOTS) + 1}"]
    for (dx, dy), name in zip(SLOTS, shown, strict=False):
        parts.append(text_at(x + dx, y + dy, name, class_="pencil-piece"))
        parts.append(path(f"M{x + dx - STRIKE} {y + dy + 4}l{2 * STRIKE} -8", class_="pencil-strike"))
    return parts


def _cross(x: int, y: int) -> str:
    d = f"M{x - CROSS} {y - CROSS}l{2 * CROSS} {2 * CROSS}M{x - CROSS} {y + CROSS}l{2 * CROSS} {-2 * CROSS}"
    return path(d, class_="pencil-cross")
