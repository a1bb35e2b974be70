"""What learners observe of Tricolore."""

from collections.abc import Mapping

from ludotheque.board.triangle import WAYS
from ludotheque.env.layout import Draft, Grid
from ludotheque.games.tricolore import BOARD, GOAL
from ludotheque.options import Value

MOST_TAKEN = GOAL - 1 + WAYS  # all around at once
TRIANGLE = Grid(BOARD.rows, BOARD.rows, tuple(BOARD.rows * row + number for row, number in BOARD.places))


def layout(draft: Draft, options: Mapping[str, Value]) -> None:
    quiet = options["quiet"]
    assert isinstance(quiet, int)
    draft.grid, draft.points = TRIANGLE, MOST_TAKEN
    draft.boards_by_seat("pawns", others=3 - draft.seats)
    draft.boards("turned")
    draft.number("quiet", quiet)
