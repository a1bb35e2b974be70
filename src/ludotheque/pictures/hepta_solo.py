"""The picture of Hepta solo: pinned blockers, I's and L's, the tray, a ribbon when the board is full."""

from collections.abc import Callable, Collection
from functools import cache

from ludotheque.board.bits import Bits, cells
from ludotheque.board.square import CELLS, FULL, NAMES
from ludotheque.games.hepta import PIECES
from ludotheque.pictures import hepta
from ludotheque.pictures.hepta import blocker, tromino, tromino_picks
from ludotheque.pictures.kit import trays
from ludotheque.pictures.kit.contour import contour
from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story
from ludotheque.pictures.kit.square import grid_board, outline, touch_cells
from ludotheque.pictures.kit.svg import group, path, text_at
from ludotheque.pictures.kit.terminal import EMPTY, Look, outlined
from ludotheque.puzzles.hepta_solo import ELL_0, LIFT_0, MASKS, NOTHING, TEXTS, State, left

SHAPES = "IL"
SHAPE_SQUARES = (frozenset(((0, 0), (1, 0), (2, 0))), frozenset(((0, 0), (0, 1), (1, 1))))  # in the tray
SQUARE_SIZE = 25
BLOCKER_STYLE = "white on grey37"
EYE_STYLE = "black on sandy_brown"
ELL_STYLE = "black on sky_blue2"


def draw(state: State, _seat: int, _story: Story) -> str:
    solved = state.blockers | state.covered == FULL
    parts = [grid_board(solved=solved), *(blocker(cell, bright=solved) for cell in cells(state.blockers))]
    parts += [tromino(MASKS[move], _piece_id(move)) for move in _laid(state)]
    parts += [trays.empty_tray(), *(_row(shape, number) for shape, number in enumerate(left(state)))]
    return "".join(parts) + touch_cells(_cell_titles(state)) + (trays.ribbon() if solved else "")


def picks(_state: State, _actor: int, move: int) -> tuple[str, ...]:
    """To lay: a shape in the tray, the middle or corner cell, the way it lies. To lift: any cell of the piece."""
    if move >= LIFT_0:
        return (f"cell-{NAMES[move - LIFT_0]}",)
    return f"tray-{_shape(move)}", *tromino_picks(MASKS[move])


def stuck(state: State, _actor: int, legal: Collection[int]) -> tuple[str, ...]:
    """A shape of which there are pieces left, and room for none."""
    fitting = {_shape(move) for move in legal if move < LIFT_0}
    eyes, ells = left(state)
    return tuple(f"tray-{shape}" for shape, number in (("I", eyes), ("L", ells)) if number and shape not in fitting)


def ghost(state: State, _actor: int, move: int) -> str:
    if move >= LIFT_0:
        return path(outline(MASKS[_covering(state, move - LIFT_0)], 4, 6), class_="piece-lifted")
    return tromino(MASKS[move])


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    """A piece comes from its row of the tray, the last one first, or goes back to it."""
    ((_, move),) = news
    if move >= LIFT_0:
        lifted = _covering(before, move - LIFT_0)
        return [_step("lift", lifted, _piece_id(lifted), _spare_id(after, lifted))]
    told = [_step("lay", move, _spare_id(before, move), _piece_id(move))]
    solved = after.blockers | after.covered == FULL
    return [*told, AnimationStep("appear", "ribbon", 1, sentence="solved")] if solved else told


def text(state: State, marked: Bits = 0) -> str:
    looks = [Look(EMPTY, " · ", "dim")] * CELLS
    for cell in cells(state.blockers):
        looks[cell] = Look(len(MASKS) + cell, " ◉ ", BLOCKER_STYLE)
    for move in _laid(state):
        for cell in cells(MASKS[move]):
            looks[cell] = Look(move, " I ", EYE_STYLE) if move < ELL_0 else Look(move, " L ", ELL_STYLE)
    eyes, ells = left(state)
    return f"{outlined(looks, marked)}\n\n   [{EYE_STYLE}] I [/] {eyes}  [{ELL_STYLE}] L [/] {ells}"


def _laid(state: State) -> list[int]:
    return [move for move in state.laid if move != NOTHING]


def _covering(state: State, cell: int) -> int:
    """The move that laid the piece on a cell."""
    return next(move for move in _laid(state) if MASKS[move] >> cell & 1)


def _shape(move: int) -> str:
    return SHAPES[move >= ELL_0]


def _piece_id(move: int) -> str:
    return f"piece-{TEXTS[move]}"


def _spare_id(state: State, move: int) -> str:
    """The last piece of this shape left in the tray."""
    return f"spare-{_shape(move)}{left(state)[move >= ELL_0]}"


def _step(sentence: str, move: int, element: str, to: str) -> AnimationStep:
    return AnimationStep(
        "move", element, to=to, sentence=sentence, values=(("shape", _shape(move)), ("cells", TEXTS[move]))
    )


def _cell_titles(state: State) -> Callable[[int], str]:
    """What to say of each cell: its name, and the blocker or the piece on it."""
    found = dict.fromkeys(cells(state.blockers), "blocker")
    found |= {cell: _shape(move) for move in _laid(state) for cell in cells(MASKS[move])}
    return lambda cell: f"{NAMES[cell]}: {found[cell]}" if cell in found else NAMES[cell]


@cache
def _row(shape: int, number: int) -> str:
    """The seven pieces of a shape: so many left, the others gaps."""
    first = shape * PIECES
    spares = [_spare(shape, place) for place in range(number)]
    gaps = [trays.gap(SHAPE_SQUARES[shape], first + place, SQUARE_SIZE) for place in range(number, PIECES)]
    _, y = trays.place(first)
    name = group([text_at(24, y + trays.PLACE_HEIGHT / 2, SHAPES[shape], class_="label")], class_="coordinates")
    said = f"{SHAPES[shape]} ×{number}"
    return "".join([*spares, *gaps, name, trays.touch_area(first, f"tray-{SHAPES[shape]}", said, wide=PIECES)])


def _spare(shape: int, place: int) -> str:
    origin = trays.origin(SHAPE_SQUARES[shape], shape * PIECES + place, SQUARE_SIZE)
    d = contour(SHAPE_SQUARES[shape], SQUARE_SIZE, 0, 4, origin)
    return path(d, id=f"spare-{SHAPES[shape]}{place + 1}", class_=f"hepta-spare-{SHAPES[shape]}")


PICTURE = Picture(
    size=trays.SIZE,
    draw=draw,
    picks=picks,
    ghost=ghost,
    steps=steps,
    text=text,
    marked_text=text,
    stuck=stuck,
    uses=(hepta,),
    ignores_seat=True,
)
