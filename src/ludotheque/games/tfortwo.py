"""T. for Two (Franjo Schulte, in *Die Drei*, Franjos 1998): mushrooms seek company, drilled pieces keep them apart.

The first seat puts a mushroom on any empty cell of a 7×7 board; the second must lay one of its twelve Tetrods with
the hole on that mushroom and the other three squares on empty cells. When none of those left fits, the leg is over:
every group of n neighbouring mushrooms scores 1 + 2 + … + n for the first seat. Then the roles are swapped.
"""

from typing import NamedTuple

from ludotheque.board.bits import Bits, cells, count
from ludotheque.board.drilled import PLACEMENTS, SINGLE, TETRODS, Placement, hole_starts
from ludotheque.board.square import CELLS, NAMES, SIDE, names
from ludotheque.game import NOBODY, Bounds, Game, Json, Spans, Telling
from ludotheque.options import Number

MUSHROOM, TETROD = 0, 1  # the seats

# The table of moves: a mushroom, a Tetrod. Tetrods go by their hole: those for one mushroom lie side by side.
LAYINGS = tuple(placement for placement in PLACEMENTS if placement.piece != SINGLE)
TEXTS = (*NAMES, *(placement.text for placement in LAYINGS))
ANSWERS = tuple(CELLS + first for first in hole_starts(LAYINGS))

# What must be empty, what is then covered and, as a set of one, which piece is used.
NEEDS = (*(1 << cell for cell in range(CELLS)), *(placement.solid for placement in LAYINGS))
COVERS = (*NEEDS[:CELLS], *(placement.cells for placement in LAYINGS))
USES = (*(0 for _ in range(CELLS)), *(1 << placement.piece for placement in LAYINGS))

RIM = sum(1 << cell for cell in range(0, CELLS, SIDE))  # the lowest rank


class State(NamedTuple):
    """Cells with mushrooms and with Tetrods; the cells that a Tetrod joins to the one above and to the one on the
    right, only for the picture; Tetrods used; the last mushroom while no Tetrod is on it; whose turn it is."""

    mushrooms: int
    tetrods: int
    upwards: int
    rightwards: int
    used: int
    last: int
    turn: int


def start(_seats: int) -> State:
    return State(0, 0, 0, 0, 0, NOBODY, MUSHROOM)


def to_act(state: State) -> int:
    return 0 if state.turn == NOBODY else 1 << state.turn


def spans(state: State, seat: int) -> Spans:
    if seat == MUSHROOM:
        return ((0, CELLS),)
    return ((ANSWERS[state.last], ANSWERS[state.last + 1]),)


def legal(state: State, _seat: int, move: int) -> bool:
    return NEEDS[move] & (state.mushrooms | state.tetrods) == 0 and USES[move] & state.used == 0


def play(state: State, seat: int, move: int) -> State:
    mushrooms, tetrods, upwards, rightwards, used, _, _ = state
    mask = COVERS[move]
    if seat == MUSHROOM:
        planted = State(mushrooms | mask, tetrods, upwards, rightwards, used, move, TETROD)
        return planted if _fits(planted) else _ended(planted)
    up, right = joints(mask)
    return State(mushrooms, tetrods | mask, upwards | up, rightwards | right, used | USES[move], NOBODY, MUSHROOM)


def scores(state: State) -> tuple[int, int]:
    """The groups of mushrooms. Ruling: the last one counts, though no Tetrod is on it."""
    points, rest = 0, state.mushrooms
    while rest:
        group = first_group(rest)
        points += count(group) * (count(group) + 1) // 2
        rest &= ~group
    return points, 0


def winners(_state: State) -> int:
    return 0  # ruling: a leg has points, but it takes two to have a winner


def describe(state: State) -> dict[str, Json]:
    return {
        "mushrooms": list(names(state.mushrooms)),
        "tetrods": [placement.text for placement in laid(state)],
        "left": [piece for number, piece in enumerate(TETRODS) if not state.used >> number & 1],
        "last": None if state.last == NOBODY else NAMES[state.last],
    }


def bounds(_start: State) -> Bounds:
    """A mushroom for each Tetrod and one more, at best all in one group."""
    mushrooms = len(TETRODS) + 1
    points = mushrooms * (mushrooms + 1) // 2
    return Bounds(moves=mushrooms + len(TETRODS), draws=0, points=points, secrets=False)


def phase(_state: State, seat: int) -> str:
    return "plant" if seat == MUSHROOM else "lay"


def refusal(state: State, seat: int, move: int) -> str:
    if seat == MUSHROOM:
        return "occupied" if move < CELLS else "plant-now"
    if move < CELLS:
        return "lay-now"
    if LAYINGS[move - CELLS].hole != state.last:
        return "hole-elsewhere"
    return "piece-used" if USES[move] & state.used else "occupied"


def tell(_state: State, _seat: int, move: int) -> Telling:
    return Telling("plant", (("cell", NAMES[move]),)) if move < CELLS else Telling("lay", LAYINGS[move - CELLS].told)


def joints(mask: Bits) -> tuple[Bits, Bits]:
    """The cells of a piece that have another of its cells above, and on the right."""
    return mask & mask >> 1, mask & mask >> SIDE


def laid(state: State) -> list[Placement]:
    """The Tetrods on the board, by their holes."""
    return [
        placement
        for hole in cells(state.mushrooms)
        for placement in LAYINGS[ANSWERS[hole] - CELLS : ANSWERS[hole + 1] - CELLS]
        if _is_laid(state, placement)
    ]


def first_group(mushrooms: Bits) -> Bits:
    """The mushrooms connected with the first."""
    group, grown = 0, mushrooms & -mushrooms
    while grown != group:
        group = grown
        beside = group << SIDE | group >> SIDE | (group << 1 & ~RIM) | (group & ~RIM) >> 1
        grown = group | (beside & mushrooms)
    return group


def _is_laid(state: State, placement: Placement) -> bool:
    up, right = joints(placement.cells)
    return up & ~state.upwards == 0 and right & ~state.rightwards == 0


def _fits(state: State) -> bool:
    """Whether any Tetrod left fits the last mushroom."""
    for move in range(ANSWERS[state.last], ANSWERS[state.last + 1]):
        if legal(state, TETROD, move):
            return True
    return False


def _ended(state: State) -> State:
    mushrooms, tetrods, upwards, rightwards, used, last, _ = state
    return State(mushrooms, tetrods, upwards, rightwards, used, last, NOBODY)


GAME = Game(
    key="tfortwo",
    seats=(2,),
    texts=TEXTS,
    start=start,
    to_act=to_act,
    spans=spans,
    legal=legal,
    play=play,
    scores=scores,
    winners=winners,
    describe=describe,
    options=(Number("legs", default=2, least=1, most=2),),
    bounds=bounds,
    phase=phase,
    refusal=refusal,
    tell=tell,
)
