"""What learners observe of T. for Two."""

from collections.abc import Mapping

from ludotheque.board.drilled import TETRODS
from ludotheque.env.layout import SQUARE, Draft
from ludotheque.options import Value

MOST_POINTS = sum(range(1, len(TETRODS) + 2))  # a mushroom for each Tetrod and the last, all in one group


def layout(draft: Draft, _options: Mapping[str, Value]) -> None:
    """How Tetrods lie (`upwards`, `rightwards`) is for pictures: it changes nothing that is still to come."""
    draft.grid, draft.points = SQUARE, MOST_POINTS
    draft.boards("mushrooms", "tetrods")
    draft.spot("last")
    draft.flags("used", len(TETRODS))
