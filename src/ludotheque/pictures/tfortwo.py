"""T. for Two to be seen."""

from ludotheque.board.bits import count
from ludotheque.board.drilled import PIECES, TETRODS
from ludotheque.games.tfortwo import State, laid, scores
from ludotheque.pictures.tetrods import board, stock


def text(state: State) -> str:
    unused = [piece for piece in range(len(TETRODS)) if not state.used >> piece & 1]
    mushrooms_left = len(PIECES) - count(state.mushrooms)
    points, _ = scores(state)
    return f"{board(state.mushrooms, laid(state))}\n\n   ● {mushrooms_left}  Σ {points}\n   {stock(unused)}"
