"""The board of Tricolore: hexagonal spaces in a triangle, their names, the buttons, the bar of the house limit."""

from collections.abc import Iterator
from functools import cache

from ludotheque.board.bits import cells
from ludotheque.games.tricolore import BEHIND_WALL, BOARD, CAMPS, COLOURS, WALL, State
from ludotheque.pictures.kit.svg import circle, group, line, polygon, text_at, title
from ludotheque.pictures.tricolore.geometry import SPACE_APOTHEM, hexagon, place
from ludotheque.pictures.tricolore.pawns import turn_arrow

RIM = 74  # from the middles of the outer spaces to the edge of the board
CAMP_APOTHEM = 42.0  # of the outline that marks a space of a camp
LETTER_DISTANCE = 60  # from the middle of a row's first space to its letter
BUTTONS = {"turn-left": (434, 952, -1), "turn-right": (566, 952, 1)}
LIMIT_BAR = (830, 984, 56)  # left, right and height of the bar that fills up with moves without a capture


@cache
def empty_board(seats: int) -> str:
    """The spaces, their names and the buttons; with two players the rows behind the wall are only traced."""
    beyond = 0 if seats == len(COLOURS) else BEHIND_WALL
    inside = [cell for cell in range(len(BOARD.names)) if not beyond >> cell & 1]
    parts = [_ground("a1", "i9", "i1")]
    if beyond:
        parts = [group(parts, class_="tricolore-beyond"), *(_outside(cell) for cell in cells(beyond))]
        parts += [_ground("e1", "e5", "i9", "i1"), _fence()]
    parts += [_space(cell) for cell in inside]
    parts.append(group(_names(inside), class_="coordinates"))
    return "".join([*parts, *(_button(name) for name in BUTTONS)])


def _ground(*corners: str) -> str:
    """The board around these spaces, with an edge and a hint of thickness."""
    points = [place(BOARD.numbers[name]) for name in corners]
    low = [(x, y + 7) for x, y in points]
    return (
        polygon(low, class_="tricolore-thick", stroke_width=2 * RIM)
        + polygon(points, class_="tricolore-edge", stroke_width=2 * RIM)
        + polygon(points, class_="tricolore-ground", stroke_width=2 * RIM - 6)
    )


def _space(cell: int) -> str:
    """A space; those of the camps are outlined in their colour."""
    camps = [name for name, camp in zip(COLOURS, CAMPS, strict=True) if camp >> cell & 1]
    parts = [polygon(hexagon(SPACE_APOTHEM, *place(cell)), title(BOARD.names[cell]), class_="tricolore-space")]
    parts += [polygon(hexagon(CAMP_APOTHEM, *place(cell)), class_=f"tricolore-{name}-home") for name in camps]
    return group(parts, id=f"space-{BOARD.names[cell]}")


def _outside(cell: int) -> str:
    said = title(f"{BOARD.names[cell]}: out of play")
    return polygon(
        hexagon(SPACE_APOTHEM, *place(cell)), said, id=f"space-{BOARD.names[cell]}", class_="tricolore-out"
    )


def _fence() -> str:
    """A rail through the neutral pawns."""
    first, *_, last = (place(cell) for cell in cells(WALL))
    return line(*first, *last, class_="tricolore-fence")


def _names(inside: list[int]) -> Iterator[str]:
    """The name of each space on it, and the letter of each row beside it."""
    for cell in inside:
        x, y = place(cell)
        name = BOARD.names[cell]
        yield text_at(x, y, name, class_="tricolore-name")
        if name.endswith("1"):
            yield text_at(x - LETTER_DISTANCE, y, name[0], class_="tricolore-name")


def _button(name: str) -> str:
    x, y, way = BUTTONS[name]
    said = title("turn clockwise" if way == 1 else "turn counter-clockwise")
    ground = circle(x, y, 60, said, class_="tricolore-button")
    pawn = polygon(hexagon(20, x, y + 10), class_="tricolore-turning")
    return group([ground, pawn, turn_arrow(x, y + 10, way, 0.78)], id=name)


def limit_bar(state: State) -> str:
    """How much of the house limit is used up."""
    left, right, y = LIMIT_BAR
    name, number = "moves without a capture", f"{state.quiet} of {state.limit}"
    reached = left + (right - left) * state.quiet / state.limit
    return group(
        [
            title(f"{name}: {number}"),
            text_at(right, y - 20, name, class_="tricolore-count", data_words=""),
            text_at(right, y + 24, number, class_="tricolore-count", data_words=""),
            line(left, y, right, y, class_="tricolore-limit"),
            line(left, y, reached, y, class_="tricolore-quiet") if state.quiet else "",
        ],
        id="quiet",
    )
