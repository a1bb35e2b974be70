"""Hepta alone (Alex Randolph, Ravensburger 1974; in *Die Drei*, Franjos 1998): seven blockers, fourteen pieces.

Seven blockers stand on a 7×7 board. The seven I's (straight trominoes) and the seven L's (corner trominoes) have to
fill the other 42 cells. Pieces can be taken back, blockers cannot; the puzzle is solved when the board is full.
"""

from typing import NamedTuple

from ludotheque.board.bits import Bits, union
from ludotheque.board.square import CELLS, FULL, NAMES, NUMBERS, name, names
from ludotheque.game import Bounds, Game, Json, Spans, Telling
from ludotheque.games.hepta import BLOCKERS, ELLS, EYES, PIECES
from ludotheque.options import Cells
from ludotheque.puzzles.kinds import PuzzleKind

PUZZLE = ("a2", "b5", "c1", "d4", "e7", "f3", "g6")  # seven peaceful queens; it has 74 solutions
NOTHING = -1
SHAPES = ("I", "L")

# The table of moves: an I laid, an L laid; a cell whose piece is lifted.
ELL_0 = len(EYES)
LIFT_0 = ELL_0 + len(ELLS)
MASKS = EYES + ELLS
TEXTS = (*(name(mask) for mask in MASKS), *(f"lift {cell}" for cell in NAMES))


class State(NamedTuple):
    """Cells with a blocker, cells with a piece; the moves that laid the pieces in ascending order, `NOTHING` first
    for every piece still to be laid, so that equal boards are equal states."""

    blockers: int
    covered: int
    laid: tuple[int, ...]


def start(_seats: int, *, blockers: tuple[str, ...] = PUZZLE) -> State:
    return State(union(NUMBERS[cell] for cell in blockers), 0, (NOTHING,) * (2 * PIECES))


def to_act(state: State) -> int:
    return 0 if _full(state) else 1


def spans(_state: State, _seat: int) -> Spans:
    return ((0, LIFT_0 + CELLS),)


def legal(state: State, _seat: int, move: int) -> bool:
    if move >= LIFT_0:
        return bool(state.covered >> (move - LIFT_0) & 1)
    return MASKS[move] & (state.blockers | state.covered) == 0 and left(state)[_shape(move)] > 0


def play(state: State, _seat: int, move: int) -> State:
    if move >= LIFT_0:
        return _replaced(state, _covering(state, move - LIFT_0), NOTHING)
    return _replaced(state, NOTHING, move)


def scores(state: State) -> tuple[int]:
    return (1 if _full(state) else 0,)


def winners(state: State) -> int:
    return 1 if _full(state) else 0


def describe(state: State) -> dict[str, Json]:
    eyes_left, ells_left = left(state)
    return {
        "blockers": list(names(state.blockers)),
        "I": [TEXTS[move] for move in state.laid if NOTHING < move < ELL_0],
        "L": [TEXTS[move] for move in state.laid if move >= ELL_0],
        "left": {"I": eyes_left, "L": ells_left},
    }


def bounds(_start: State) -> Bounds:
    """What was laid may be taken back, so that there is no last move."""
    return Bounds(draws=0, points=1, secrets=False)


def phase(state: State, seat: int) -> str:
    if not state.covered:
        return "lay"
    return "lay-or-lift" if any(legal(state, seat, move) for move in range(LIFT_0)) else "lift"


def refusal(state: State, _seat: int, move: int) -> str:
    if move >= LIFT_0:
        return "lift-blocker" if state.blockers >> (move - LIFT_0) & 1 else "nothing-to-lift"
    if MASKS[move] & state.blockers:
        return "blocked"
    if MASKS[move] & state.covered:
        return "occupied"
    return ("no-I-left", "no-L-left")[_shape(move)]


def tell(state: State, _seat: int, move: int) -> Telling:
    laid = _covering(state, move - LIFT_0) if move >= LIFT_0 else move
    values = (("shape", "IL"[_shape(laid)]), ("cells", TEXTS[laid]))
    return Telling("lift" if move >= LIFT_0 else "lay", values)


def left(state: State) -> tuple[int, int]:
    """How many I's and L's are still to be laid."""
    eyes = sum(NOTHING < move < ELL_0 for move in state.laid)
    ells = sum(move >= ELL_0 for move in state.laid)
    return PIECES - eyes, PIECES - ells


def _shape(move: int) -> int:
    """0 for an I, 1 for an L."""
    return 0 if move < ELL_0 else 1


def _full(state: State) -> bool:
    return state.blockers | state.covered == FULL


def _covering(state: State, cell: int) -> int:
    """The move that laid the piece on a cell."""
    return next(move for move in state.laid if move != NOTHING and MASKS[move] >> cell & 1)


def _replaced(state: State, old: int, new: int) -> State:
    laid = list(state.laid)
    laid[laid.index(old)] = new
    covered = sum(MASKS[move] for move in laid if move != NOTHING)
    return State(state.blockers, covered, tuple(sorted(laid)))


GAME = Game(
    key="hepta-solo",
    seats=(1,),
    texts=TEXTS,
    start=start,
    to_act=to_act,
    spans=spans,
    legal=legal,
    play=play,
    scores=scores,
    winners=winners,
    describe=describe,
    options=(Cells("blockers", default=PUZZLE, board=NAMES, least=BLOCKERS, most=BLOCKERS),),
    bounds=bounds,
    phase=phase,
    refusal=refusal,
    tell=tell,
)


def open_cells(state: State) -> Bits:
    return FULL & ~(state.blockers | state.covered)


def pieces_left(state: State) -> tuple[str, ...]:
    return tuple(shape for shape, number in zip(SHAPES, left(state), strict=True) if number)


KIND = PuzzleKind(GAME, place=2, open_cells=open_cells, pieces_left=pieces_left)
