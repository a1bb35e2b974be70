"""Hepta to be seen: perforated blockers pinned by mushrooms, I's and L's told apart by colour and mark, the stock."""

from ludotheque.board.bits import Bits, cells
from ludotheque.board.square import NAMES
from ludotheque.games.hepta import ELL_0, EYE_0, MASKS, PIECES, TAKE_EYES, TEXTS, State
from ludotheque.pictures.boards import CELL, EXTENT, board, centre, corner, mushroom, piece
from ludotheque.pictures.picture import Picture, Step, Story
from ludotheque.pictures.svg import circle, el, group, moved, path, rect, title
from ludotheque.pictures.svg import text as words
from ludotheque.pictures.terminal import square

SIZE = (EXTENT, EXTENT + 146)
TRAY = EXTENT + 72  # the height at which the stock lies
KINDS = ("kind-a", "kind-b")  # of I's and L's


def draw(state: State, _seat: int, story: Story) -> str:
    laid = [move for _, move in story if EYE_0 <= move < TAKE_EYES]
    parts = [board(), *(_blocker(cell) for cell in cells(state.blockers))]
    parts += [_piece(move, id=f"piece-{number}") for number, move in enumerate(laid, 1)]
    parts += [_stock(0, state.eyes_left, 200), _stock(1, state.ells_left, 600)]
    return "".join(parts)


def picks(_state: State, _actor: int, move: int) -> tuple[str, ...]:
    """A blocker: its cell. A shape: its pile. A piece: its middle or corner cell, then the way it lies."""
    if move < EYE_0:
        return (f"cell-{NAMES[move]}",)
    if move >= TAKE_EYES:
        return ("stock-I",) if move == TAKE_EYES else ("stock-L",)
    heart = _heart(MASKS[move])
    rivals = range(EYE_0, ELL_0) if move < ELL_0 else range(ELL_0, TAKE_EYES)
    way = [other for other in rivals if _heart(MASKS[other]) == heart].index(move)
    return f"cell-{NAMES[heart]}", f"way-{way}"


def ghost(_state: State, _actor: int, move: int) -> str:
    if move < EYE_0:
        return _blocker(move)
    return _piece(move) if move < TAKE_EYES else ""


def steps(before: State, news: Story, _after: State) -> list[Step]:
    ((_, move),) = news
    if move < EYE_0:
        return [Step("appear", f"blocker-{NAMES[move]}", words="block", values=(("cell", NAMES[move]),))]
    if move >= TAKE_EYES:
        shape = "I" if move == TAKE_EYES else "L"
        return [Step("show", f"stock-{shape}", words="choose", values=(("shape", shape),))]
    number = 2 * PIECES + 1 - before.eyes_left - before.ells_left
    return [Step("appear", f"piece-{number}", words="lay", values=(("cells", TEXTS[move]),))]


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
    return f"{square(mark)}\n\n   {left}"


def _heart(mask: Bits) -> int:
    """The cell of a tromino that touches both others: the middle of an I, the corner of an L."""
    three = list(cells(mask))
    return next(cell for cell in three if sum(_near(cell, other) for other in three) == 2)


def _near(one: int, other: int) -> bool:
    (x1, y1), (x2, y2) = corner(one), corner(other)
    return abs(x1 - x2) + abs(y1 - y2) == CELL


def _piece(move: int, **attributes: str) -> str:
    """A piece with a line from end to end, straight or bent, so that the shapes differ without colour too."""
    heart = _heart(MASKS[move])
    one, other = (centre(cell) for cell in cells(MASKS[move]) if cell != heart)
    middle = centre(heart)
    line = path(f"M{one[0]} {one[1]}L{middle[0]} {middle[1]}L{other[0]} {other[1]}", class_="piece-mark")
    return piece(MASKS[move], KINDS[move >= ELL_0], title(_name(move)), line, **attributes)


def _name(move: int) -> str:
    shape = "L" if move >= ELL_0 else "I"
    return f"{shape} {'-'.join(NAMES[cell] for cell in cells(MASKS[move]))}"


def _blocker(cell: int) -> str:
    x, y = corner(cell)
    holes = [circle(x + dx, y + dy, 7, class_="hole") for dx in (22, 78) for dy in (22, 78)]
    tile = rect(x + 7, y + 7, CELL - 14, CELL - 14, title(f"{NAMES[cell]}: blocker"), class_="blocker", rx=10)
    return group([tile, *holes, mushroom(*centre(cell))], id=f"blocker-{NAMES[cell]}")


def _stock(shape: int, left: int, x: int) -> str:
    """What is left of one shape: its outline, small, and a number."""
    d = ("M-60-20h120v40h-120z", "M-40-40h40v40h40v40h-80z")[shape]
    mark = ("M-40 0H40", "M-20-20V20H20")[shape]
    small = el(
        "g",
        path(d, class_=f"edge {KINDS[shape]}"),
        path(d, class_=f"face {KINDS[shape]}"),
        path(mark, class_="piece-mark"),
        transform=moved(x, TRAY),
    )
    ground = rect(x - 90, TRAY - 60, 240, 120, title("IL"[shape]), class_="tray", rx=14)
    return group([ground, small, words(x + 105, TRAY, f"×{left}", class_="tally")], id=f"stock-{'IL'[shape]}")


PICTURE = Picture(size=SIZE, draw=draw, picks=picks, ghost=ghost, steps=steps, text=text)
