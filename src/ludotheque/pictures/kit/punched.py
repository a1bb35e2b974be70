"""Punched cards, for Pegs and its solitaire: a pegboard, cards with real holes in them, pegs that stand
through the holes, and how to touch the places where a card may lie.

Blue's cards are blue and White's white, so that the names are true to what one sees. (The sheet names the faces by
their circles: its blue face has blue circles on white squares.) One is dark and the other light in grey too; circles
are rings on the blue face, rings with a dot on the white one. A card that lies on others is drawn a little higher, so
that the rims below look out of its holes and from under its edge.
"""

from collections.abc import Callable, Iterable
from functools import cache

from ludotheque.board.bits import Bits, cells
from ludotheque.board.punched import BLUE, FIRST, HEIGHT, HOLES, PLACES, RECTANGLES, WIDTH, Place, rows
from ludotheque.board.square import CELLS, NAMES, SIDE
from ludotheque.pictures.kit.square import CELL, MARGIN, centre, corner, grid_board
from ludotheque.pictures.kit.svg import circle, el, group, moved, path, rect, title, use

FACES = ("blue", "white")
HOLE_RADIUS = 32
INSET = 4  # of a card in its cells
PILE_LIFT = 2  # how much higher each card on top of another is drawn
MAX_PILE_CARDS = 5  # cards beyond which a pile looks no higher
SHADOW_DROP = 6  # how far down a shadow falls
# The square of a card by which it is held, as files and ranks from its lowest left one: one and the same square of
# the card however it is turned, so that it turns about whatever cell is touched.
HELD_SQUARES = ((0, 1), (1, 1), (1, 1), (1, 0))
PEG = "pegs-peg"
GIVEN = "pegs-given"
CHECK_PATH = "M-15 1l11 11L16-12"
STAR_PATH = "M0-15L4.4-4.9L15.2-4.4L6.8 2.6L9.6 13L0 7.2L-9.6 13L-6.8 2.6L-15.2-4.4L-4.4-4.9Z"


@cache
def definitions() -> str:
    """What is drawn many times: the print on cards, pegs that were put, and pegs that are given and stay."""
    seams = [path(_SEAMS_PATH, id=f"pegs-seams-{face}", class_=f"pegs-{face}-seam") for face in FACES]
    rings = [group(_print(colour), id=f"pegs-{face}") for colour, face in enumerate(FACES)]
    pegs = [group([*_peg("pegs"), _SHINE], id=PEG), group([*_peg("pegs-fixed"), _SLOT], id=GIVEN)]
    return el("defs", *seams, *rings, *pegs, el("g", mat(0), id="pegs-well"))


@cache
def pegboard(*, solved: bool = False) -> str:
    """The empty board, a small hole in every cell."""
    side = SIDE * CELL
    grid = "".join(
        f"M{MARGIN} {MARGIN + CELL * n}h{side}M{MARGIN + CELL * n} {MARGIN}v{side}" for n in range(1, SIDE)
    )
    holes = "".join(f"M{MARGIN + CELL // 2} {MARGIN + CELL * n + CELL // 2}h{side - CELL + 1}" for n in range(SIDE))
    return "".join(
        [
            grid_board(solved=solved),
            rect(MARGIN, MARGIN, side, side, class_="pegs-board", rx=6),
            path(grid, class_="pegs-grid"),
            path(holes, class_="pegs-bore"),
        ]
    )


def stack(places: Iterable[tuple[int, int]]) -> str:
    """All cards on the board, as (colour, place) in the order of laying."""
    piled, drawn = [0] * CELLS, []
    for colour, place in places:
        below = max(piled[cell] for cell in covers(place))
        for cell in covers(place):
            piled[cell] = below + 1
        drawn.append(card_on_board(colour, place, min(below, MAX_PILE_CARDS)))
    return group(drawn)


@cache
def card_on_board(colour: int, place: int, below: int) -> str:
    """A card on the board, on top of so many others."""
    card, x, y, wide, high = _rectangle(place)
    left, top = x - wide / 2 + INSET, y - high / 2 + INSET + SHADOW_DROP - PILE_LIFT * below
    shade = rect(left, top, wide - 2 * INSET, high - 2 * INSET, class_="pegs-shade", rx=14)
    name = title(f"{PLACES[place]} {FACES[colour]}")
    return group([name, shade, _turned(colour, place, PILE_LIFT * below)], id=f"card-{card}")


@cache
def ghost_card(colour: int, place: int) -> str:
    """A card as a ghost: without an id, for there is but one of each."""
    return _turned(colour, place, 0)


@cache
def card_in_row(card: int, colour: int, x: float, y: float, side: float, *marks: str, named: bool = True) -> str:
    """A card in a row or a tray: its middle, the side of its squares, and what marks it from below."""
    return group(
        [*marks, *_face(card, colour)],
        id=f"card-{card}" if named else None,
        transform=f"{moved(x, y)} scale({side / CELL:.3g})",
    )


def mat(more: int) -> str:
    """Darkness below a card that lies in a row, so that its holes are plain; so much larger than the card."""
    wide, high = WIDTH * CELL - 2 * INSET + 2 * more, HEIGHT * CELL - 2 * INSET + 2 * more
    return rect(-wide / 2, -high / 2, wide, high, class_="pegs-well", rx=14)


def gap(x: float, y: float, side: float) -> str:
    """Where a card is missing."""
    wide, high = WIDTH * side, HEIGHT * side
    return rect(x - wide / 2 + 1, y - high / 2 + 1, wide - 2, high - 2, class_="pegs-gap", rx=side / 7)


def card_title(card: int, colour: int) -> str:
    """A card in words: its number, and its face row by row."""
    return f"{card}: " + " ".join(rows(card, colour)).replace("1", "○").replace("0", "■")


@cache
def peg_on_board(cell: int, kind: str = PEG) -> str:
    """A peg on its cell."""
    return use(kind, *centre(cell), id=f"peg-{NAMES[cell]}")


def ghost_peg(cell: int) -> str:
    """A peg as a ghost."""
    return use(PEG, *centre(cell))


def back(x: float, y: float, side: float) -> str:
    """A card of which only the back is known."""
    wide, high = WIDTH * side, HEIGHT * side
    return rect(x - wide / 2, y - high / 2, wide, high, class_="pegs-back", rx=side / 7)


def star(x: float, y: float, **attributes: str) -> str:
    """A star round this point."""
    return path(STAR_PATH, class_="pegs-star", transform=moved(x, y), **attributes)


def lifted_card(place: int) -> str:
    """Where a card would be taken from."""
    _, x, y, wide, high = _rectangle(place)
    inset = INSET + 2
    return rect(
        x - wide / 2 + inset, y - high / 2 + inset, wide - 2 * inset, high - 2 * inset, class_="pegs-lifted", rx=12
    )


def lifted_peg(cell: int) -> str:
    """Where a peg would be taken from."""
    return circle(*centre(cell), 34, class_="pegs-lifted")


@cache
def covers(place: int) -> tuple[int, ...]:
    """The cells under a card."""
    return tuple(cells(RECTANGLES[place]))


def span(place: int) -> str:
    """These cells in words, by two of their corners."""
    return f"{NAMES[covers(place)[0]]}–{NAMES[covers(place)[-1]]}"


def fits(pegs: Bits, colour: int, place: int) -> bool:
    """Whether exactly the pegs below the card stick through its holes."""
    return pegs & RECTANGLES[place] == HOLES[colour * len(PLACES) + place]


def picks(pegs: Bits, colour: int, place: int, card: str) -> tuple[str, ...]:
    """How to lay it: the card, the cell by which it is held, and if it fits there turned otherwise too, the turn."""
    spot = f"cell-{NAMES[_held(PLACES[place])]}"
    rivals = [other for other in _turned_there(place) if fits(pegs, colour, other)]
    return (card, spot, f"way-{PLACES[place].turn}") if len(rivals) > 1 else (card, spot)


def _held(place: Place) -> int:
    file, rank = HELD_SQUARES[place.turn]
    return place.corner + file * SIDE + rank


@cache
def _turned_there(place: int) -> tuple[int, ...]:
    """All places of the same card that are touched in the same cell."""
    card, spot = PLACES[place].card, _held(PLACES[place])
    return tuple(n for n in range(FIRST[card - 1], FIRST[card]) if _held(PLACES[n]) == spot)


def _rectangle(place: int) -> tuple[int, float, float, int, int]:
    """The card of a place; the middle, width and height of its rectangle."""
    card, low, turn = PLACES[place]
    wide, high = (HEIGHT, WIDTH) if turn % 2 else (WIDTH, HEIGHT)
    x, y = corner(low)
    return card, x + wide * CELL / 2, y + CELL - high * CELL / 2, wide * CELL, high * CELL


def _turned(colour: int, place: int, higher: int) -> str:
    card, x, y, _, _ = _rectangle(place)
    return el("g", *_face(card, colour), transform=moved(x, y - higher, 90 * PLACES[place].turn))


@cache
def _face(card: int, colour: int) -> tuple[str, ...]:
    """A card as it is printed and punched, unturned, its middle at the origin."""
    squares = [
        (mark == "1", (2 * column + 1 - WIDTH) * CELL // 2, (2 * row + 1 - HEIGHT) * CELL // 2)
        for row, line in enumerate(rows(card, colour))
        for column, mark in enumerate(line)
    ]
    holes = "".join(_ring(x, y, HOLE_RADIUS) for punched, x, y in squares if punched)
    kind = FACES[colour]
    return (
        path(_CARD_PATH + holes, class_=f"pegs-{kind}"),
        el("use", href=f"#pegs-seams-{kind}"),
        *(use(f"pegs-{kind}", x, y) for punched, x, y in squares if not punched),
    )


def _print(colour: int) -> list[str]:
    """What is printed on a square: a ring, on the white face around a dot."""
    kind = f"pegs-{FACES[colour]}"
    ring = circle(0, 0, 22, class_=f"{kind}-ring")
    return [ring] if colour == BLUE else [ring, circle(0, 0, 8, class_=f"{kind}-dot")]


def emblem(colour: int) -> str:
    """A square of a colour's cards."""
    return rect(-36, -36, 72, 72, class_=f"pegs-{FACES[colour]}", rx=12) + "".join(_print(colour))


def _ring(x: int, y: int, radius: int) -> str:
    return f"M{x - radius} {y}a{radius} {radius} 0 0 0 {2 * radius} 0 {radius} {radius} 0 0 0-{2 * radius} 0"


def _peg(kind: str) -> list[str]:
    """A peg seen from above at a slant."""
    side = path("M-20-12V2a20 20 0 0 0 40 0V-12z", class_=f"{kind}-side")
    return [side, circle(0, -12, 20, class_=f"{kind}-head")]


def cell_titles(pegs: Bits, on_top: Callable[[int], str]) -> Callable[[int], str]:
    """What to say of each cell: its name, what covers it, its peg."""

    def say(cell: int) -> str:
        found = [word for word in (on_top(cell), "peg" if pegs >> cell & 1 else "") if word]
        return f"{NAMES[cell]}: {', '.join(found)}" if found else NAMES[cell]

    return say


WELL = el("use", href="#pegs-well")
_CARD_PATH = "M-96-134q0-12 12-12H84q12 0 12 12V134q0 12-12 12H-84q-12 0-12-12z"
_SEAMS_PATH = "M0-140V140M-90-50H90M-90 50H90"
_SHINE = path("M-12-15a13 13 0 0 1 9-9", class_="pegs-shine")
_SLOT = path("M-9-12H9M0-21V-3", class_="pegs-slot")
