"""What learners observe of Pizza Theory."""

from collections.abc import Mapping

from ludotheque.board.hexagon import RADIUS, SPACES
from ludotheque.env.layout import Draft, Grid
from ludotheque.games.pizza import CUTS, PHASES, STOCK
from ludotheque.options import Value

_SIDE = 2 * RADIUS + 1
HEXAGON = Grid(_SIDE, _SIDE, tuple(_SIDE * (x + RADIUS) + y + RADIUS for x, y, _ in SPACES))


def layout(draft: Draft, options: Mapping[str, Value]) -> None:
    rounds = options["rounds"]
    assert isinstance(rounds, int)
    draft.grid, draft.points = HEXAGON, STOCK
    draft.boards_by_seat("toppings", others=3 - draft.seats)
    draft.one_of_by_seat("cuts", ("open", *map(str, range(1, CUTS + 1)), "sealed"), others=3 - draft.seats)
    draft.number("round", rounds)
    draft.remainder("round", 3)  # whose axis is whose
    draft.one_of("phase", PHASES)
    draft.one_of("turn", [str(turn) for turn in range(draft.seats + 1)])
