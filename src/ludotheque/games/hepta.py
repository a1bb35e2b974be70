"""Hepta (Alex Randolph, Ravensburger 1974; in *Die Drei*, Franjos 1998): seven blockers, then I's against L's.

The first seat puts seven blockers on a 7×7 board; the second takes the I's (straight trominoes) or the L's (corner
trominoes) and opens. In turn each lays one of its seven pieces on three empty cells; a seat that cannot is
skipped. When neither can, more pieces laid wins. Best played as a series of legs with the roles swapped.
"""

from typing import NamedTuple

from ludotheque.board.shapes import masks, shape
from ludotheque.board.square import CELLS, NAMES, name, names
from ludotheque.game import DRAW, NOBODY, Bounds, Game, Json, Spans, Telling
from ludotheque.options import Number

BLOCKERS = 7
PIECES = 7  # of each shape

EYES = masks(shape("###"))
ELLS = masks(shape("#./##"))

# The table of moves: a blocker, an I, an L, the choice of a shape.
EYE_0 = CELLS
ELL_0 = EYE_0 + len(EYES)
TAKE_EYES = ELL_0 + len(ELLS)
TAKE_ELLS = TAKE_EYES + 1
MASKS = (*(1 << cell for cell in range(CELLS)), *EYES, *ELLS, 0, 0)
TEXTS = (*NAMES, *(name(mask) for mask in EYES + ELLS), "I", "L")


class State(NamedTuple):
    """Cells by what lies on them; who lays the I's, once chosen; whose turn it is."""

    blockers: int
    eyes: int
    ells: int
    blockers_left: int
    eyes_left: int
    ells_left: int
    eyes_seat: int
    turn: int


def start(_seats: int) -> State:
    return State(0, 0, 0, BLOCKERS, PIECES, PIECES, NOBODY, 0)


def to_act(state: State) -> int:
    return 0 if state.turn == NOBODY else 1 << state.turn


def spans(state: State, seat: int) -> Spans:
    if state.blockers_left:
        return ((0, EYE_0),)
    if state.eyes_seat == NOBODY:
        return ((TAKE_EYES, TAKE_ELLS + 1),)
    if state.eyes_seat == seat:
        return ((EYE_0, ELL_0 if state.eyes_left else EYE_0),)
    return ((ELL_0, TAKE_EYES if state.ells_left else ELL_0),)


def legal(state: State, _seat: int, move: int) -> bool:
    return MASKS[move] & (state.blockers | state.eyes | state.ells) == 0


def play(state: State, seat: int, move: int) -> State:
    blockers, eyes, ells, blockers_left, eyes_left, ells_left, eyes_seat, _ = state
    mask = MASKS[move]
    if move < EYE_0:
        blockers_left -= 1
        turn = 0 if blockers_left else 1
        return State(blockers | mask, eyes, ells, blockers_left, eyes_left, ells_left, NOBODY, turn)
    if move >= TAKE_EYES:
        taker = 1 if move == TAKE_EYES else 0
        return _pass_on(State(blockers, eyes, ells, 0, eyes_left, ells_left, taker, 0), 0)
    if seat == eyes_seat:
        laid = State(blockers, eyes | mask, ells, 0, eyes_left - 1, ells_left, eyes_seat, seat)
    else:
        laid = State(blockers, eyes, ells | mask, 0, eyes_left, ells_left - 1, eyes_seat, seat)
    return _pass_on(laid, seat)


def scores(state: State) -> tuple[int, int]:
    eyes, ells = PIECES - state.eyes_left, PIECES - state.ells_left
    return (eyes, ells) if state.eyes_seat == 0 else (ells, eyes)


def winners(state: State) -> int:
    first, second = scores(state)
    if first == second:
        return 0b11 | DRAW
    return 0b01 if first > second else 0b10


def describe(state: State) -> dict[str, Json]:
    shapes: list[Json] = [None, None]
    if state.eyes_seat != NOBODY:
        shapes[state.eyes_seat], shapes[1 - state.eyes_seat] = "I", "L"
    return {
        "blockers": list(names(state.blockers)),
        "I": list(names(state.eyes)),
        "L": list(names(state.ells)),
        "left": {"blockers": state.blockers_left, "I": state.eyes_left, "L": state.ells_left},
        "shapes": shapes,
    }


def bounds(_start: State) -> Bounds:
    return Bounds(moves=BLOCKERS + 1 + 2 * PIECES, draws=0, points=PIECES, secrets=False)


def phase(state: State, seat: int) -> str:
    if state.blockers_left:
        return "block"
    if state.eyes_seat == NOBODY:
        return "choose"
    return "lay-I" if state.eyes_seat == seat else "lay-L"


def refusal(state: State, seat: int, move: int) -> str:
    if state.blockers_left:
        return "occupied" if move < EYE_0 else "blockers-first"
    if state.eyes_seat == NOBODY:
        return "choose-shape"
    if EYE_0 <= move < TAKE_EYES:
        mine = state.eyes_seat == seat
        return "no-room" if mine == (move < ELL_0) else "other-shape"
    return "lay-now"


def tell(_state: State, _seat: int, move: int) -> Telling:
    if move < EYE_0:
        return Telling("block", (("cell", TEXTS[move]),), setup=True)
    return (
        Telling("lay", (("cells", TEXTS[move]),))
        if move < TAKE_EYES
        else Telling("choose", (("shape", TEXTS[move]),))
    )


def has_room(state: State, seat: int) -> bool:
    """Whether a seat can lay anything."""
    for first, stop in spans(state, seat):
        for move in range(first, stop):
            if legal(state, seat, move):
                return True
    return False


def _pass_on(state: State, seat: int) -> State:
    """The turn to the other seat if it has room, else to the same again, else to nobody."""
    blockers, eyes, ells, blockers_left, eyes_left, ells_left, eyes_seat, _ = state
    turn = NOBODY
    if has_room(state, 1 - seat):
        turn = 1 - seat
    elif has_room(state, seat):
        turn = seat
    return State(blockers, eyes, ells, blockers_left, eyes_left, ells_left, eyes_seat, turn)


GAME = Game(
    key="hepta",
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
    options=(Number("legs", default=2, least=1, most=100),),
    bounds=bounds,
    phase=phase,
    refusal=refusal,
    tell=tell,
)
