"""The 7×7 board as coloured text (Rich markup), for terminals: plain, or with the outlines of its pieces."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludotheque.board.bits import Bits
from ludotheque.board.square import SIDE, at, inside

EMPTY = -1
OUTSIDE = -2
MARKED = "bold black on yellow1"
LINES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"  # by the arms they have: up 1, down 2, left 4, right 8


class Look(NamedTuple):
    """How a cell looks: the piece it belongs to, or `EMPTY`; its mark, three columns wide; its style."""

    owner: int  #: the piece that the cell belongs to, or `EMPTY`
    mark: str  #: what it shows, three columns wide
    style: str  #: Rich's name of the style


def grid(mark: Callable[[int], str]) -> str:
    """The board with its coordinates; `mark(cell)` gives the markup of a cell, two columns wide."""
    lines = []
    for rank in reversed(range(SIDE)):
        row = " ".join(mark(at(file, rank)) for file in range(SIDE))
        lines.append(f"[dim]{rank + 1}[/]  {row}")
    letters = "  ".join("abcdefg"[:SIDE])
    lines.append(f"   [dim]{letters}[/]")
    return "\n".join(lines)


def outlined(looks: Sequence[Look], marked: Bits = 0) -> str:
    """The board with its coordinates, a line wherever neighbouring cells do not belong to the same piece.

    Marked cells stand out, what they show stays readable.
    """
    looks = [_marked(look) if marked >> cell & 1 else look for cell, look in enumerate(looks)]
    lines = []
    for rank in reversed(range(SIDE)):
        lines += [f"   {_edge(looks, rank)}", f"[dim]{rank + 1}[/]  {_row(looks, rank)}"]
    letters = "   ".join("abcdefg")
    return "\n".join([*lines, f"   {_edge(looks, -1)}", f"     [dim]{letters}[/]"])


def _marked(look: Look) -> Look:
    return look._replace(mark=" ◆ " if look.mark == " · " else f"◆{look.mark[1:]}", style=MARKED)


def _row(looks: Sequence[Look], rank: int) -> str:
    """The cells of a rank, and the lines between them."""
    parts = []
    for file in range(SIDE):
        look = looks[at(file, rank)]
        parts += [_between(looks, (file - 1, rank), (file, rank), "│"), f"[{look.style}]{look.mark}[/]"]
    return "".join(parts) + "│"


def _edge(looks: Sequence[Look], rank: int) -> str:
    """The upper edge of a rank."""
    parts = []
    for file in range(SIDE):
        parts += [_crossing(looks, file, rank), _between(looks, (file, rank), (file, rank + 1), "───")]
    return "".join(parts) + _crossing(looks, SIDE, rank)


def _between(looks: Sequence[Look], one: tuple[int, int], other: tuple[int, int], line: str) -> str:
    if _owner(looks, *one) != _owner(looks, *other):
        return line
    return _filling(looks, *one) * len(line)


def _crossing(looks: Sequence[Look], file: int, rank: int) -> str:
    """Where the upper edge of the rank meets the left edge of the file."""
    upper_left, upper_right = _owner(looks, file - 1, rank + 1), _owner(looks, file, rank + 1)
    lower_left, lower_right = _owner(looks, file - 1, rank), _owner(looks, file, rank)
    arms = (
        (upper_left != upper_right)
        + 2 * (lower_left != lower_right)
        + 4 * (upper_left != lower_left)
        + 8 * (upper_right != lower_right)
    )
    return LINES[arms] if arms else _filling(looks, file, rank)


def _filling(looks: Sequence[Look], file: int, rank: int) -> str:
    """What lies between two cells of the same piece."""
    look = looks[at(file, rank)]
    return " " if look.owner == EMPTY else f"[{look.style}] [/]"


def _owner(looks: Sequence[Look], file: int, rank: int) -> int:
    return looks[at(file, rank)].owner if inside(file, rank) else OUTSIDE
