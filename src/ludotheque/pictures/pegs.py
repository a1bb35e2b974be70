"""Pegs to be seen."""

from ludotheque.board.bits import Bits, count
from ludotheque.board.punched import BLUE, WHITE, rows
from ludotheque.board.square import CELLS
from ludotheque.games.pegs import PEGS, State, cards
from ludotheque.pictures.outlines import EMPTY, Look, outlined

STYLES = ("white on dodger_blue3", "black on grey85")
LETTERS = "BW"
HOLE, SOLID = "○", "■"


def text(state: State) -> str:
    score = "   ".join(
        f"[{STYLES[colour]}] {LETTERS[colour]} {count(shown)} [/]"
        for colour, shown in ((BLUE, state.blue), (WHITE, state.white))
    )
    left = f"● {PEGS - count(state.pegs)}   ▤ {count(state.deck)}"
    open_rows = (_row(row, colour) for colour, row in enumerate(state.rows) if row)
    board = outlined([_look(state, cell) for cell in range(CELLS)])
    return "\n\n".join((board, f"   {score}   {left}", *open_rows))


def _look(state: State, cell: int) -> Look:
    peg = state.pegs >> cell & 1
    for colour, shown in ((BLUE, state.blue), (WHITE, state.white)):
        if shown >> cell & 1:
            return Look(colour, f"{'●' if peg else ' '}{LETTERS[colour]} ", STYLES[colour])
    return Look(EMPTY, " ● ", "bold") if peg else Look(EMPTY, " · ", "dim")


def _row(row: Bits, colour: int) -> str:
    """The open cards of a seat, side by side, as that seat sees them."""
    faces = [(f"{card:<3}", *(" ".join(_squares(line)) for line in rows(card, colour))) for card in cards(row)]
    head, *lines = ["   ".join(parts) for parts in zip(*faces, strict=True)]
    sign = f"[{STYLES[colour]}] {LETTERS[colour]} [/]"
    return "\n".join((f"   {sign} [bold]{head}[/]", *(f"       {line}" for line in lines)))


def _squares(line: str) -> str:
    return line.replace("1", HOLE).replace("0", SOLID)
