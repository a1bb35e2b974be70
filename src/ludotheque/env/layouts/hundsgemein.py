"""What learners observe of Hundsgemein."""

from collections.abc import Mapping

from ludotheque.env.layout import SQUARE, Draft
from ludotheque.games.hundsgemein.state import DOG, DOGS, EACH, IN_SIGHT, KINDS, LITTER, PHASES, PILE, STREETS, VALUES
from ludotheque.options import Value


def layout(draft: Draft, options: Mapping[str, Value]) -> None:
    draft.grid, draft.points = SQUARE, LITTER * sum(VALUES)
    each = EACH[draft.seats]
    draft.boards("fleas")
    draft.boards_by_seat("owners")
    draft.spot("last")
    draft.counters_by_seat("open", 2, len(KINDS), IN_SIGHT)
    draft.counters_by_seat("piles", PILE, 1, len(KINDS) * each)
    if options["owners"] == "open":
        draft.counters_by_seat("stock", 3, len(KINDS), each)
    draft.choices("dogs", DOG, len(STREETS), DOGS)
    draft.one_of("phase", PHASES)
    draft.seat("turn")
    draft.number("due", len(STREETS))
    draft.seat_set("objectors")
