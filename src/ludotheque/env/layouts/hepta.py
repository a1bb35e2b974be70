"""What learners observe of Hepta."""

from collections.abc import Mapping

from ludotheque.env.layout import SQUARE, Draft
from ludotheque.games.hepta import BLOCKERS, PIECES
from ludotheque.options import Value


def layout(draft: Draft, _options: Mapping[str, Value]) -> None:
    draft.grid, draft.points = SQUARE, PIECES
    draft.boards("blockers", "eyes", "ells")
    draft.number("blockers_left", BLOCKERS)
    draft.number("eyes_left", PIECES)
    draft.number("ells_left", PIECES)
    draft.seat("eyes_seat")
