"""Hepta alone to be seen."""

from ludotheque.board.bits import cells
from ludotheque.board.square import CELLS
from ludotheque.pictures.outlines import EMPTY, Look, outlined
from ludotheque.puzzles.hepta_solo import ELL_0, MASKS, NOTHING, State, left

BLOCKER = "white on grey37"
EYE = "black on sandy_brown"
ELL = "black on sky_blue2"


def text(state: State) -> str:
    looks = [Look(EMPTY, " · ", "dim")] * CELLS
    for cell in cells(state.blockers):
        looks[cell] = Look(len(MASKS) + cell, " ◉ ", BLOCKER)
    for move in state.laid:
        if move != NOTHING:
            for cell in cells(MASKS[move]):
                looks[cell] = Look(move, " I ", EYE) if move < ELL_0 else Look(move, " L ", ELL)
    eyes, ells = left(state)
    return f"{outlined(looks)}\n\n   [{EYE}] I [/] {eyes}  [{ELL}] L [/] {ells}"
