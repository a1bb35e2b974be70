"""The picture of Hepta: blockers pinned by mushrooms, I's and L's told apart by shape and mark, the stock.

Pieces have the colour of whoever lays them; which shape that is, is chosen anew in every leg.
"""

from functools import cache

from ludotheque.board.bits import Bits, cells, count
from ludotheque.board.square import NAMES, NEIGHBOURS, SIDE
from ludotheque.board.square import name as cell_names
from ludotheque.game import NOBODY
from ludotheque.games.hepta import EYE_0, EYES, MASKS, PIECES, TAKE_EYES, TEXTS, State, has_room
from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story
from ludotheque.pictures.kit.square import CELL, EXTENT, board, centre, corner, mushroom, piece, toadstool
from ludotheque.pictures.kit.svg import circle, el, group, moved, path, rect, text_at, title
from ludotheque.pictures.kit.terminal import grid

SIZE = (EXTENT, EXTENT + 146)
STOCK_Y = EXTENT + 72
KIND_CLASSES = ("kind-a", "kind-b")  # of I's and L's that are nobody's own
OWNER_CLASSES = ("role0", "role1")
UNCHOSEN_CLASS = "kind-free"
SHAPE_PATHS = ("M-60-20h120v40h-120z", "M-40-40h40v40h40v40h-80z")  # of I and L
MARK_PATHS = ("M-40 0H40", "M-20-20V20H20")


def draw(state: State, _seat: int, story: Story) -> str:
    laid = [(actor, move) for actor, move in story if EYE_0 <= move < TAKE_EYES]
    parts = [board(), *(blocker(cell) for cell in cells(state.blockers))]
    for number, (actor, move) in enumerate(laid, 1):
        parts.append(tromino(MASKS[move], f"piece-{number}", OWNER_CLASSES[actor]))
    look_0, look_1 = _shape_classes(state)
    parts += [_stock(0, state.eyes_left, 200, look_0), _stock(1, state.ells_left, 600, look_1)]
    return "".join(parts)


def picks(_state: State, _actor: int, move: int) -> tuple[str, ...]:
    """A blocker: its cell. A shape: its pile. A piece: its middle or corner cell, then the way it lies."""
    if move < EYE_0:
        return (f"cell-{NAMES[move]}",)
    if move >= TAKE_EYES:
        return ("stock-I",) if move == TAKE_EYES else ("stock-L",)
    return tromino_picks(MASKS[move])


def ghost(_state: State, actor: int, move: int) -> str:
    if move < EYE_0:
        return blocker(move)
    return tromino(MASKS[move], None, OWNER_CLASSES[actor]) if move < TAKE_EYES else ""


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    ((actor, move),) = news
    if move < EYE_0:
        return [AnimationStep("appear", f"blocker-{NAMES[move]}", sentence="block", values=(("cell", NAMES[move]),))]
    if move >= TAKE_EYES:
        shape = "I" if move == TAKE_EYES else "L"
        return [AnimationStep("show", f"stock-{shape}", sentence="choose", values=(("shape", shape),))]
    number = 2 * PIECES + 1 - before.eyes_left - before.ells_left
    laid = AnimationStep("appear", f"piece-{number}", sentence="lay", values=(("cells", TEXTS[move]),))
    return [laid, AnimationStep("show", _stock_id(after, actor)), *_shut_out(before, after)]


def _shut_out(before: State, after: State) -> list[AnimationStep]:
    """That the leg is over, or that from now on one plays alone."""
    if after.turn == NOBODY:
        return [AnimationStep("show", "stock-I", 1, sentence="end")]
    return [
        AnimationStep(
            "show",
            _stock_id(after, seat),
            1,
            sentence="alone",
            values=(("seat:out", str(seat)), ("seat:on", str(1 - seat))),
        )
        for seat in range(2)
        if has_room(before, seat) and not has_room(after, seat)
    ]


def _stock_id(state: State, seat: int) -> str:
    return "stock-I" if state.eyes_seat == seat else "stock-L"


def score_steps(state: State, story: Story) -> list[AnimationStep]:
    """What each seat has laid."""
    told = []
    for seat in range(2):
        laid = [TEXTS[move] for actor, move in story if actor == seat and EYE_0 <= move < TAKE_EYES]
        shape = "I" if state.eyes_seat == seat else "L"
        values = (("seat:owner", str(seat)), ("count", str(len(laid))), ("shape", shape), ("pieces", ", ".join(laid)))
        told.append(AnimationStep("show", f"stock-{shape}", sentence="laid" if laid else "none", values=values))
    return told


def emblem(state: State, role: int) -> str:
    """The shape that a role lays; before the choice, just its colour."""
    if state.eyes_seat == NOBODY:
        return circle(0, 0, 30, class_=f"face {OWNER_CLASSES[role]}")
    drawn = _outlined(0 if state.eyes_seat == role else 1, OWNER_CLASSES[role])
    return group([drawn], transform="scale(.6)")


def text(state: State) -> str:
    def mark(cell: int) -> str:
        if state.blockers >> cell & 1:
            return "[blue]◉ [/]"
        if state.eyes >> cell & 1:
            return "[white on dark_orange3]▮▮[/]"
        if state.ells >> cell & 1:
            return "[white on dodger_blue3]▙▖[/]"
        return "[dim]· [/]"

    left = f"I {state.eyes_left}  L {state.ells_left}"
    return f"{grid(mark)}\n\n   {left}"


@cache
def tromino_picks(mask: Bits) -> tuple[str, str]:
    """The picks of a piece: its middle or corner cell, then the way it lies, numbered alike all over the board."""
    middle = _hub(mask)
    return f"cell-{NAMES[middle]}", f"way-{_orientations(is_bent(mask)).index(_arms(mask))}"


@cache
def tromino(mask: Bits, name: str | None = None, look: str | None = None) -> str:
    """A piece with a line from end to end, straight or bent, so that the shapes differ without colour too."""
    middle = centre(_hub(mask))
    one, other = (centre(cell) for cell in cells(mask) if cell != _hub(mask))
    line = path(f"M{one[0]} {one[1]}L{middle[0]} {middle[1]}L{other[0]} {other[1]}", class_="piece-mark")
    said = title(f"{'IL'[is_bent(mask)]} {cell_names(mask)}")
    return piece(mask, look or KIND_CLASSES[is_bent(mask)], said, line, id=name)


@cache
def blocker(cell: int, *, bright: bool = False) -> str:
    x, y = corner(cell)
    holes = [circle(x + dx, y + dy, 7, class_="hole") for dx in (22, 78) for dy in (22, 78)]
    tile = rect(x + 7, y + 7, CELL - 14, CELL - 14, title(f"{NAMES[cell]}: blocker"), class_="blocker", rx=10)
    pin = toadstool if bright else mushroom
    return group([tile, *holes, pin(*centre(cell))], id=f"blocker-{NAMES[cell]}")


@cache
def is_bent(mask: Bits) -> bool:
    """Whether a piece is an L."""
    return mask not in EYES


@cache
def _hub(mask: Bits) -> int:
    """The cell of a tromino that touches both others: the middle of an I, the corner of an L."""
    return next(cell for cell in cells(mask) if count(NEIGHBOURS[cell] & mask) == 2)


def _arms(mask: Bits) -> frozenset[int]:
    """Where the other two cells are, relative to the hub."""
    return frozenset(cell - _hub(mask) for cell in cells(mask) if cell != _hub(mask))


@cache
def _orientations(corner_piece: bool) -> list[frozenset[int]]:
    """How a piece may lie: an I across or upright, an L turned clockwise."""
    up, right, down, left = 1, SIDE, -1, -SIDE
    across = [frozenset((left, right)), frozenset((up, down))]
    turned = [frozenset(arms) for arms in ((up, right), (right, down), (down, left), (left, up))]
    return turned if corner_piece else across


def _shape_classes(state: State) -> tuple[str, str]:
    """The looks of I's and L's: of whoever lays them, once that is chosen."""
    if state.eyes_seat == NOBODY:
        return UNCHOSEN_CLASS, UNCHOSEN_CLASS
    return OWNER_CLASSES[state.eyes_seat], OWNER_CLASSES[1 - state.eyes_seat]


@cache
def _outlined(shape: int, look: str) -> str:
    """A shape, small, with its mark."""
    edge, face = (path(SHAPE_PATHS[shape], class_=f"{layer} {look}") for layer in ("edge", "face"))
    return edge + face + path(MARK_PATHS[shape], class_="piece-mark")


@cache
def _stock(shape: int, left: int, x: int, look: str) -> str:
    """What is left of one shape: its outline, small, and a number."""
    small = el("g", _outlined(shape, look), transform=moved(x, STOCK_Y))
    ground = rect(x - 90, STOCK_Y - 60, 240, 120, title("IL"[shape]), class_="tray", rx=14)
    return group([ground, small, text_at(x + 105, STOCK_Y, f"×{left}", class_="tally")], id=f"stock-{'IL'[shape]}")


PICTURE = Picture(
    size=SIZE,
    draw=draw,
    picks=picks,
    ghost=ghost,
    steps=steps,
    text=text,
    score_steps=score_steps,
    emblem=emblem,
    ignores_seat=True,
    fixed_picks=True,
)
