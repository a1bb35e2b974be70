"""What learners observe of Pegs."""

from collections.abc import Mapping

from ludotheque.board.punched import CARDS
from ludotheque.board.square import CELLS
from ludotheque.env.layout import SQUARE, Draft
from ludotheque.games.pegs import PHASES
from ludotheque.options import Value


def layout(draft: Draft, _options: Mapping[str, Value]) -> None:
    draft.grid, draft.points = SQUARE, CELLS
    draft.boards("pegs", "blue", "white")
    draft.one_of("phase", PHASES)
    draft.seat("turn")
    draft.flags_by_seat("rows", CARDS)
    draft.flags("deck", CARDS)
