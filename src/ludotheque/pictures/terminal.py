"""Boards as coloured text (Rich markup), for terminals."""

from collections.abc import Callable

from ludotheque.board.square import SIDE, at


def square(mark: Callable[[int], str]) -> str:
    """The 7×7 board with its coordinates; `mark(cell)` gives the markup of a cell, two columns wide."""
    lines = []
    for rank in reversed(range(SIDE)):
        row = " ".join(mark(at(file, rank)) for file in range(SIDE))
        lines.append(f"[dim]{rank + 1}[/]  {row}")
    letters = "  ".join("abcdefg"[:SIDE])
    lines.append(f"   [dim]{letters}[/]")
    return "\n".join(lines)
