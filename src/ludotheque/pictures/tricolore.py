"""Tricolore to be seen.

A pawn is a hexagon in its owner's colour with the name of its space, and around it the six sides, each with the sign
of its colour. Rows overlap, so that sides which touch on the board stand next to each other in the text.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ludotheque.board.triangle import WAYS
from ludotheque.game import NOBODY
from ludotheque.games.tricolore import BEHIND_WALL, BOARD, GOAL, State, colour, owner, side, turned_by

# Gold, silver, black: a diamond, a circle, a square, and brackets of the same shapes around the pawn's space.
SIGNS = ("◆", "○", "■")
BRACKETS = ("<{}>", "({})", "[{}]")
SIDES = ("black on gold1", "black on grey93", "grey58 on grey3")
BODIES = ("black on dark_goldenrod", "black on grey66", "white on grey30")

WIDTH = 8  # of a space; each row begins half of that further left
HEIGHT = 2  # of a row; the third line of a space is the first of the row below
ROUND = ((1, 6), (2, 5), (2, 2), (1, 1), (0, 2), (0, 5))  # line and column of each side, from east clockwise


class Mark(NamedTuple):
    """One letter of a space, by its line and column there."""

    line: int
    column: int
    letter: str
    style: str


def text(state: State) -> str:
    lines = [[(" ", "")] * (WIDTH * BOARD.rows) for _ in range(HEIGHT * BOARD.rows + 1)]
    for cell, (row, number) in enumerate(BOARD.places):
        top, left = HEIGHT * row, WIDTH * number + WIDTH // 2 * (BOARD.rows - 1 - row)
        for line, column, letter, style in _space(state, cell):
            lines[top + line][left + column] = (letter, style)
    board = "\n".join(_markup(line) for line in lines)
    return board.lstrip("\n") + "\n\n" + _captures(state)


def _space(state: State, cell: int) -> Iterator[Mark]:
    name, seat = BOARD.names[cell], owner(state, cell)
    if seat != NOBODY:
        shape, style = BRACKETS[colour(state.seats, seat)], BODIES[colour(state.seats, seat)]
        yield from _row(0, 3, "  ", style)
        yield from _row(1, 2, shape.format(name), style)
        yield from _row(2, 3, "  ", style)
        if seat < state.seats:
            yield from _sides(turned_by(state, cell))
    elif state.seats == 3 or not BEHIND_WALL >> cell & 1:
        yield from _row(1, 3, name, "dim")


def _row(line: int, column: int, letters: str, style: str) -> Iterator[Mark]:
    return (Mark(line, column + place, letter, style) for place, letter in enumerate(letters))


def _sides(turned: int) -> Iterator[Mark]:
    for way in range(WAYS):
        shown = side(turned, way)
        yield Mark(*ROUND[way], SIGNS[shown], SIDES[shown])


def _markup(line: list[tuple[str, str]]) -> str:
    parts = []
    for style, run in groupby(line, key=lambda mark: mark[1]):
        letters = "".join(letter for letter, _ in run).replace("[", r"\[")
        parts.append(f"[{style}]{letters}[/]" if style else letters)
    return "".join(parts).rstrip()


def _captures(state: State) -> str:
    """What each seat has captured, with a pointer at the one to move, and how much of the house limit is used up."""
    parts = []
    for seat in range(state.seats):
        here = colour(state.seats, seat)
        sign = BRACKETS[here].format(SIGNS[here]).replace("[", r"\[")
        pointer = "▸" if state.turn == seat else " "
        parts.append(f"{pointer} [{BODIES[here]}]{sign}[/] {state.taken[seat]}/{GOAL}")
    return "    ".join([*parts, f"[dim]… {state.quiet}/{state.limit}[/]"])
