"""Tetrods to be seen."""

from collections.abc import Iterable

from ludotheque.board.bits import cells
from ludotheque.board.drilled import PIECES, PLACEMENTS, Placement
from ludotheque.board.square import CELLS
from ludotheque.pictures.outlines import EMPTY, Look, outlined
from ludotheque.puzzles.tetrods import NOWHERE, State

STYLES = {
    "I": "black on sandy_brown",
    "O": "black on khaki1",
    "T": "black on plum2",
    "S": "black on dark_sea_green2",
    "L": "black on sky_blue2",
    "M": "black on grey82",
}
MUSHROOM = " ● "


def text(state: State) -> str:
    placements = [PLACEMENTS[move] for move in state.laid if move != NOWHERE]
    unused = [piece for piece, move in enumerate(state.laid) if move == NOWHERE]
    return f"{board(state.mushrooms, placements)}\n\n   {stock(unused)}"


def board(mushrooms: int, placements: Iterable[Placement]) -> str:
    """The board with its mushrooms and drilled pieces."""
    looks = [
        Look(EMPTY, MUSHROOM, "bold") if mushrooms >> cell & 1 else Look(EMPTY, " · ", "dim") for cell in range(CELLS)
    ]
    for placement in placements:
        name = PIECES[placement.piece]
        for cell in cells(placement.cells):
            mark = MUSHROOM if cell == placement.hole else f" {name:2}"
            looks[cell] = Look(placement.piece, mark, STYLES[name[0]])
    return outlined(looks)


def stock(pieces: Iterable[int]) -> str:
    """The pieces still to be laid."""
    names = [PIECES[piece] for piece in pieces]
    return " ".join(f"[{STYLES[name[0]]}]{name}[/]" for name in names)
