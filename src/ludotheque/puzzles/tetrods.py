"""Tetrods (Alex Randolph, in *Die Drei*, Franjos 1998): thirteen mushrooms, thirteen drilled pieces, one full board.

Thirteen mushrooms stand on a 7×7 board. The twelve Tetrods (tetrominoes with one drilled square) and a drilled single
square have to fill it, turned and flipped as one likes, so that every hole sits on a mushroom and no solid square
does. Pieces can be taken back; the puzzle is solved when the board is full.
"""

from typing import NamedTuple

from ludotheque.board.bits import Bits, cells, union
from ludotheque.board.drilled import PIECES, PLACEMENTS, hole_starts
from ludotheque.board.square import CELLS, FULL, NAMES, NUMBERS, names
from ludotheque.game import Bounds, Game, Json, Spans, Telling
from ludotheque.options import Cells
from ludotheque.puzzles.kinds import PuzzleKind

PUZZLE = ("a1", "a5", "a7", "b4", "b7", "c1", "d3", "e5", "f1", "f3", "f4", "g4", "g6")  # it has one solution
NOWHERE = -1

# The table of moves: a piece laid, those with the same hole side by side; a cell whose piece is lifted.
STARTS = hole_starts(PLACEMENTS)
LIFT_0 = len(PLACEMENTS)
TEXTS = (*(placement.text for placement in PLACEMENTS), *(f"lift {name}" for name in NAMES))


class State(NamedTuple):
    """Cells with a mushroom, cells with a piece; for each piece the move that laid it, or `NOWHERE`."""

    mushrooms: int
    covered: int
    laid: tuple[int, ...]


def start(_seats: int, *, mushrooms: tuple[str, ...] = PUZZLE) -> State:
    return State(union(NUMBERS[name] for name in mushrooms), 0, (NOWHERE,) * len(PIECES))


def to_act(state: State) -> int:
    return 0 if state.covered == FULL else 1


def spans(state: State, _seat: int) -> Spans:
    holes = ((STARTS[cell], STARTS[cell + 1]) for cell in cells(state.mushrooms))
    return (*holes, (LIFT_0, LIFT_0 + CELLS))


def legal(state: State, _seat: int, move: int) -> bool:
    if move >= LIFT_0:
        return bool(state.covered >> (move - LIFT_0) & 1)
    placement = PLACEMENTS[move]
    free = (placement.solid & state.mushrooms) | (placement.cells & state.covered) == 0
    return free and state.laid[placement.piece] == NOWHERE


def play(state: State, _seat: int, move: int) -> State:
    if move >= LIFT_0:
        return _with(state, _covering(state, move - LIFT_0), NOWHERE)
    return _with(state, PLACEMENTS[move].piece, move)


def scores(state: State) -> tuple[int]:
    return (1 if state.covered == FULL else 0,)


def winners(state: State) -> int:
    return 1 if state.covered == FULL else 0


def describe(state: State) -> dict[str, Json]:
    return {
        "mushrooms": list(names(state.mushrooms)),
        "pieces": [TEXTS[move] for move in state.laid if move != NOWHERE],
        "left": list(pieces_left(state)),
    }


def bounds(_start: State) -> Bounds:
    """What was laid may be taken back, so that there is no last move."""
    return Bounds(draws=0, points=1, secrets=False)


def phase(state: State, seat: int) -> str:
    if not state.covered:
        return "lay"
    return "lay-or-lift" if _can_lay(state, seat) else "lift"


def refusal(state: State, _seat: int, move: int) -> str:
    if move >= LIFT_0:
        return "nothing-to-lift"
    placement = PLACEMENTS[move]
    if state.laid[placement.piece] != NOWHERE:
        return "piece-used"
    if not state.mushrooms >> placement.hole & 1:
        return "no-mushroom"
    return "mushroom-under-solid" if placement.solid & state.mushrooms else "occupied"


def tell(state: State, _seat: int, move: int) -> Telling:
    if move >= LIFT_0:
        return Telling("lift", PLACEMENTS[state.laid[_covering(state, move - LIFT_0)]].told)
    return Telling("lay", PLACEMENTS[move].told)


def _can_lay(state: State, seat: int) -> bool:
    *holes, _ = spans(state, seat)
    return any(legal(state, seat, move) for first, stop in holes for move in range(first, stop))


def _covering(state: State, cell: int) -> int:
    """The piece that covers a cell."""
    return next(
        piece for piece, move in enumerate(state.laid) if move != NOWHERE and PLACEMENTS[move].cells >> cell & 1
    )


def _with(state: State, piece: int, move: int) -> State:
    """The board with this piece laid so, the others as they are."""
    laid = (*state.laid[:piece], move, *state.laid[piece + 1 :])
    covered = sum(PLACEMENTS[move].cells for move in laid if move != NOWHERE)
    return State(state.mushrooms, covered, laid)


GAME = Game(
    key="tetrods",
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
    options=(Cells("mushrooms", default=PUZZLE, board=NAMES, least=len(PIECES), most=len(PIECES)),),
    bounds=bounds,
    phase=phase,
    refusal=refusal,
    tell=tell,
)


def open_cells(state: State) -> Bits:
    return FULL & ~state.covered


def pieces_left(state: State) -> tuple[str, ...]:
    return tuple(name for name, move in zip(PIECES, state.laid, strict=True) if move == NOWHERE)


KIND = PuzzleKind(GAME, place=1, open_cells=open_cells, pieces_left=pieces_left)
