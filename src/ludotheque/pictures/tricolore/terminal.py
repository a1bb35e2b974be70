"""Tricolore as coloured text.

A pawn is a hexagon in its owner's colour with the name of its space, and around it the six sides, each with the sign
of its colour. Rows overlap, so that sides which touch on the board stand side by side in the text.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ludotheque.board.triangle import WAYS
from ludotheque.game import NOBODY
from ludotheque.games.tricolore import BEHIND_WALL, BOARD, GOAL, State, colour, owner, side, turned_by

# By colour: the sign of a side, brackets around the name of a pawn's space, Rich styles.
SIGN_CHARACTERS = ("◆", "○", "■")
BRACKETS = ("<{}>", "({})", "[{}]")
SIDE_STYLES = ("black on gold1", "black on grey93", "grey58 on grey3")
BODY_STYLES = ("black on dark_goldenrod", "black on grey66", "white on grey30")
SPACE_COLUMNS = 8  # width of a space; each row begins half of that further left
ROW_LINES = 2  # height of a row; the third line of a space is the first of the row below
SIDE_POSITIONS = ((1, 6), (2, 5), (2, 2), (1, 1), (0, 2), (0, 5))  # line and column of each side, from east clockwise


class Character(NamedTuple):
    """One character of a space, by its line and column there."""

    line: int
    column: int
    letter: str
    style: str


def text(state: State) -> str:
    lines = [[(" ", "")] * (SPACE_COLUMNS * BOARD.rows) for _ in range(ROW_LINES * BOARD.rows + 1)]
    for cell, (row, number) in enumerate(BOARD.places):
        top, left = ROW_LINES * row, SPACE_COLUMNS * number + SPACE_COLUMNS // 2 * (BOARD.rows - 1 - row)
        for down, column, letter, style in _space(state, cell):
            lines[top + down][left + column] = (letter, style)
    board = "\n".join(_markup(marks) for marks in lines)
    return board.lstrip("\n") + "\n\n" + _captures(state)


def _space(state: State, cell: int) -> Iterator[Character]:
    name, seat = BOARD.names[cell], owner(state, cell)
    if seat != NOBODY:
        shape, style = BRACKETS[colour(state.seats, seat)], BODY_STYLES[colour(state.seats, seat)]
        yield from _run(0, 3, "  ", style)
        yield from _run(1, 2, shape.format(name), style)
        yield from _run(2, 3, "  ", style)
        if seat < state.seats:
            yield from _sides(turned_by(state, cell))
    elif state.seats == 3 or not BEHIND_WALL >> cell & 1:
        yield from _run(1, 3, name, "dim")


def _run(down: int, column: int, letters: str, style: str) -> Iterator[Character]:
    return (Character(down, column + number, letter, style) for number, letter in enumerate(letters))


def _sides(turned: int) -> Iterator[Character]:
    for way in range(WAYS):
        shown = side(turned, way)
        yield Character(*SIDE_POSITIONS[way], SIGN_CHARACTERS[shown], SIDE_STYLES[shown])


def _markup(marks: list[tuple[str, str]]) -> str:
    parts = []
    for style, run in groupby(marks, key=lambda mark: mark[1]):
        letters = "".join(letter for letter, _ in run).replace("[", r"\[")
        parts.append(f"[{style}]{letters}[/]" if style else letters)
    return "".join(parts).rstrip()


def _captures(state: State) -> str:
    """What each seat has captured, with a pointer at the one to move, and how much of the house limit is used up."""
    parts = []
    for seat in range(state.seats):
        here = colour(state.seats, seat)
        sign = BRACKETS[here].format(SIGN_CHARACTERS[here]).replace("[", r"\[")
        pointer = "▸" if state.turn == seat else " "
        parts.append(f"{pointer} [{BODY_STYLES[here]}]{sign}[/] {state.taken[seat]}/{GOAL}")
    return "    ".join([*parts, f"[dim]… {state.quiet}/{state.limit}[/]"])
