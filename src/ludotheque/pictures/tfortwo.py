"""The picture of T. for Two: groups of mushrooms with their points, the Tetrods between them, tray and score."""

from collections.abc import Collection
from functools import lru_cache

from ludotheque.board.bits import Bits, cells, count, lowest
from ludotheque.board.drilled import PIECES, TETRODS
from ludotheque.board.square import CELLS, NAMES, SIDE
from ludotheque.game import NOBODY
from ludotheque.games.tfortwo import LAYINGS, MUSHROOM, TETROD, State, first_group, laid, scores
from ludotheque.pictures.kit import drilled, trays
from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story
from ludotheque.pictures.kit.square import CELL, centre, corner, grid_board, outline, toadstool, touch_cells
from ludotheque.pictures.kit.svg import circle, el, group, moved, path, rect, text_at, title
from ludotheque.pictures.tetrods import board, stock

MUSHROOMS = len(PIECES)
STOCK_PLACE, SCORE_PLACE = 12, 13  # their places in the tray
TETROD_PATH = "M-36-24h72v24h-24v24h-24v-24h-24zM-8-12a8 8 0 1 0 16 0a8 8 0 1 0-16 0z"  # drilled in its centre


def draw(state: State, _seat: int, _story: Story) -> str:
    placements = laid(state)
    parts = [grid_board(), _to_be_answered(state), *(drilled.piece_on_board(placement) for placement in placements)]
    parts += [drilled.mushroom_on_board(cell) for cell in cells(state.mushrooms)]
    parts += [_group(mask) for mask in groups(state.mushrooms)]
    parts += [drilled.tray(len(TETRODS), state.used), _stock(state), _score(state)]
    return "".join(parts) + touch_cells(drilled.cell_titles(state.mushrooms, placements))


def picks(_state: State, _actor: int, move: int) -> tuple[str, ...]:
    """A mushroom: its cell. A Tetrod: the piece in the tray, the mushroom's cell, the way it lies."""
    return (f"cell-{NAMES[move]}",) if move < CELLS else drilled.picks(LAYINGS[move - CELLS])


def stuck(state: State, actor: int, legal: Collection[int]) -> tuple[str, ...]:
    fitting = {LAYINGS[move - CELLS].piece for move in legal if move >= CELLS}
    unused = (piece for piece in range(len(TETRODS)) if not state.used >> piece & 1)
    return drilled.stuck(unused, fitting) if actor == TETROD else ()


def ghost(_state: State, _actor: int, move: int) -> str:
    return toadstool(*centre(move)) if move < CELLS else drilled.piece_on_board(LAYINGS[move - CELLS], named=False)


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    """A mushroom comes up, then its group closes round it; a Tetrod comes from the tray."""
    ((_, move),) = news
    if move >= CELLS:
        return [drilled.step(LAYINGS[move - CELLS], "lay")]
    up = AnimationStep("appear", f"mushroom-{NAMES[move]}", sentence="plant", values=(("cell", NAMES[move]),))
    told = [up, *_grown(groups(before.mushrooms), groups(after.mushrooms))]
    if after.turn == NOBODY:
        told.append(AnimationStep("show", "score", 2, sentence="end", values=(("points", str(scores(after)[0])),)))
    return told


def score_steps(state: State, _story: Story) -> list[AnimationStep]:
    """Every group and what it scores, the largest first."""
    found = sorted(groups(state.mushrooms), key=count, reverse=True)
    return [
        AnimationStep("show", _group_id(mask), sentence="group", values=(*_worth(mask), ("cells", _listed(mask))))
        for mask in found
    ]


def reason(_state: State) -> AnimationStep | None:
    """A leg by itself has no winner."""
    return AnimationStep("show", "score", sentence="single")


def emblem(_state: State, role: int) -> str:
    """A mushroom, or a Tetrod."""
    if role == MUSHROOM:
        return group([toadstool(0, 0)], transform="scale(1.25)")
    return path(TETROD_PATH, class_="drilled-small drilled-T")


def text(state: State) -> str:
    unused = [piece for piece in range(len(TETRODS)) if not state.used >> piece & 1]
    points, _ = scores(state)
    left = f"● {MUSHROOMS - count(state.mushrooms)}  Σ {points}"
    return f"{board(state.mushrooms, laid(state))}\n\n   {left}\n   {stock(unused)}"


def groups(mushrooms: Bits) -> list[Bits]:
    """The groups of neighbouring mushrooms."""
    found = []
    while mushrooms:
        found.append(first_group(mushrooms))
        mushrooms &= ~found[-1]
    return found


def _grown(before: list[Bits], after: list[Bits]) -> list[AnimationStep]:
    """The one group that is new or larger, and those that it has swallowed."""
    (new,) = (mask for mask in after if mask not in before)
    name, old = _group_id(new), [_group_id(mask) for mask in before if mask & new]
    swallowed = [AnimationStep("go", other, 1) for other in old if other != name]
    return [
        *swallowed,
        AnimationStep(
            "show" if name in old else "appear", name, 1, sentence="group" if old else "", values=_worth(new)
        ),
    ]


def _worth(mask: Bits) -> tuple[tuple[str, str], ...]:
    """How a group is told of: its size and what it scores."""
    return ("size", str(count(mask))), ("points", str(_points(mask)))


def _listed(mask: Bits) -> str:
    return ", ".join(NAMES[cell] for cell in cells(mask))


def _group_id(mask: Bits) -> str:
    return f"group-{NAMES[lowest(mask)]}"


def _points(mask: Bits) -> int:
    return count(mask) * (count(mask) + 1) // 2


@lru_cache(maxsize=2000)
def _group(mask: Bits) -> str:
    """A line round neighbouring mushrooms, and what they score in the upper right corner."""
    d = outline(mask, 9, 34)
    x, y = corner(max(cells(mask), key=lambda cell: (cell % SIDE, cell)))
    return group(
        [
            path(d, class_="tfortwo-halo"),
            path(d, class_="tfortwo-group"),
            _points_badge(x + CELL - 17, y + 17, _points(mask)),
        ],
        id=_group_id(mask),
    )


def _points_badge(x: float, y: float, points: int, size: float = 1) -> str:
    disc = circle(0, 0, 18, class_="tfortwo-badge") + text_at(0, 1, str(points), class_="tfortwo-points")
    return el("g", disc, transform=moved(x, y) + (f" scale({size})" if size != 1 else ""))


def _to_be_answered(state: State) -> str:
    """The cell whose mushroom has to be answered."""
    if NOBODY in {state.turn, state.last}:
        return ""
    return rect(*corner(state.last), CELL, CELL, class_="tfortwo-awaiting")


def _stock(state: State) -> str:
    """A mushroom, and how many are left."""
    x, y = trays.place(STOCK_PLACE)
    left = MUSHROOMS - count(state.mushrooms)
    small = group([toadstool(0, 0)], transform=f"{moved(x + CELL / 2, y + 31)} scale(.85)")
    parts = [title(f"mushrooms left: {left}"), small]
    return group([*parts, trays.label(STOCK_PLACE, f"×{left}", used=left == 0)], id="stock")


def _score(state: State) -> str:
    x, y = trays.place(SCORE_PLACE)
    points, _ = scores(state)
    return group(
        [title(f"points: {points}"), _points_badge(x + CELL / 2, y + trays.PLACE_HEIGHT / 2, points, 1.9)], id="score"
    )


PICTURE = Picture(
    size=trays.SIZE,
    draw=draw,
    picks=picks,
    ghost=ghost,
    steps=steps,
    text=text,
    score_steps=score_steps,
    reason=reason,
    emblem=emblem,
    stuck=stuck,
    uses=(drilled,),
    ignores_seat=True,
    fixed_picks=True,
)
