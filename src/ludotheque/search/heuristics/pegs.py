"""Pegs: cards laid are what counts, so playouts had better lay them, where they gain most."""

from ludotheque.board.bits import count
from ludotheque.board.punched import BLUE, RECTANGLES
from ludotheque.games.pegs import DROP_0, LAY_0, State

LAID = 4  # how much likelier a card is laid for each cell that it gains


def weigh(state: State, actor: int, move: int) -> int:
    """Cards by the cells they gain, those of the other colour double."""
    if move < LAY_0 or move >= DROP_0:
        return 1
    rectangle = RECTANGLES[move - LAY_0]
    mine, theirs = (state.blue, state.white) if actor == BLUE else (state.white, state.blue)
    return LAID * (count(rectangle & ~mine) + count(rectangle & theirs)) + 1


def even() -> bool:
    return False
