"""The picture of Tetrods: drilled pieces over mushrooms, the tray, a ribbon when the board is full."""

from collections.abc import Collection, Iterable

from ludotheque.board.bits import Bits, cells, union
from ludotheque.board.drilled import PIECES, PLACEMENTS, Placement
from ludotheque.board.square import CELLS, FULL, NAMES
from ludotheque.pictures.kit import drilled
from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story
from ludotheque.pictures.kit.square import grid_board, touch_cells
from ludotheque.pictures.kit.terminal import EMPTY, Look, outlined
from ludotheque.pictures.kit.trays import SIZE, ribbon
from ludotheque.puzzles.tetrods import LIFT_0, NOWHERE, State

STYLES = {
    "I": "black on sandy_brown",
    "O": "black on khaki1",
    "T": "black on plum2",
    "S": "black on dark_sea_green2",
    "L": "black on sky_blue2",
    "M": "black on grey82",
}
MUSHROOM_MARK = " ● "


def draw(state: State, _seat: int, _story: Story) -> str:
    solved = state.covered == FULL
    placements = _placements(state)
    parts = [grid_board(solved=solved), *(drilled.piece_on_board(placement) for placement in placements)]
    parts += [drilled.mushroom_on_board(cell) for cell in cells(state.mushrooms)]
    parts.append(drilled.tray(len(PIECES), union(placement.piece for placement in placements)))
    parts.append(touch_cells(drilled.cell_titles(state.mushrooms, placements)))
    return "".join(parts) + (ribbon() if solved else "")


def picks(_state: State, _actor: int, move: int) -> tuple[str, ...]:
    """To lay: the piece in the tray, the cell of its hole, the way it lies. To lift: any cell of the piece."""
    return (f"cell-{NAMES[move - LIFT_0]}",) if move >= LIFT_0 else drilled.picks(PLACEMENTS[move])


def stuck(state: State, _actor: int, legal: Collection[int]) -> tuple[str, ...]:
    fitting = {PLACEMENTS[move].piece for move in legal if move < LIFT_0}
    unused = (piece for piece, move in enumerate(state.laid) if move == NOWHERE)
    return drilled.stuck(unused, fitting)


def ghost(state: State, _actor: int, move: int) -> str:
    if move >= LIFT_0:
        return drilled.lifted_piece(_covering(state, move - LIFT_0))
    return drilled.piece_on_board(PLACEMENTS[move], named=False)


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    """A piece comes from the tray or goes back to it, the same piece all the while."""
    ((_, move),) = news
    placement = _covering(before, move - LIFT_0) if move >= LIFT_0 else PLACEMENTS[move]
    told = [drilled.step(placement, "lift" if move >= LIFT_0 else "lay")]
    return [*told, AnimationStep("appear", "ribbon", 1, sentence="solved")] if after.covered == FULL else told


def text(state: State, marked: Bits = 0) -> str:
    unused = [piece for piece, move in enumerate(state.laid) if move == NOWHERE]
    return f"{board(state.mushrooms, _placements(state), marked)}\n\n   {stock(unused)}"


def _placements(state: State) -> list[Placement]:
    return [PLACEMENTS[move] for move in state.laid if move != NOWHERE]


def _covering(state: State, cell: int) -> Placement:
    return next(placement for placement in _placements(state) if placement.cells >> cell & 1)


def board(mushrooms: int, placements: Iterable[Placement], marked: Bits = 0) -> str:
    """The board with its mushrooms and drilled pieces."""
    looks = [
        Look(EMPTY, MUSHROOM_MARK, "bold") if mushrooms >> cell & 1 else Look(EMPTY, " · ", "dim")
        for cell in range(CELLS)
    ]
    for placement in placements:
        name = PIECES[placement.piece]
        for cell in cells(placement.cells):
            mark = MUSHROOM_MARK if cell == placement.hole else f" {name:2}"
            looks[cell] = Look(placement.piece, mark, STYLES[name[0]])
    return outlined(looks, marked)


def stock(pieces: Iterable[int]) -> str:
    """The pieces still to be laid."""
    names = [PIECES[piece] for piece in pieces]
    return " ".join(f"[{STYLES[name[0]]}]{name}[/]" for name in names)


PICTURE = Picture(
    size=SIZE,
    draw=draw,
    picks=picks,
    ghost=ghost,
    steps=steps,
    text=text,
    marked_text=text,
    stuck=stuck,
    uses=(drilled,),
    ignores_seat=True,
)
