"""The 35 punched cards of Pegs: 2 wide, 3 high, every pattern of holes but the empty one, alike under a half turn.

A pattern is six bits, row by row from the top, 1 for a hole; of the two readings of a card, one a half turn from the
other, its pattern is the larger. Cards are numbered from 1 by their holes, fewest first, then by pattern, largest
first. The white face is the mirror image of the blue one, and turns apply to the face one sees.

A place is a card, the lowest left cell of its rectangle and its quarter turns clockwise. Places are sorted by card:
those of card n are PLACES[FIRST[n - 1] : FIRST[n]].
"""

from itertools import accumulate
from typing import NamedTuple

from ludotheque.board.bits import Bits, union
from ludotheque.board.shapes import Point, shape, turned
from ludotheque.board.square import CELLS, NAMES, SIDE, at

WIDTH, HEIGHT = 2, 3
BLUE, WHITE = 0, 1


class Place(NamedTuple):
    """A card somewhere on the board."""

    card: int  #: which card
    corner: int  #: the cell on which its corner lies
    turn: int  #: how it is turned

    def __str__(self) -> str:
        return f"{self.card}@{NAMES[self.corner]}/{self.turn}"

    @property
    def told(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What sentences name: the card, and its cells by two corners."""
        across, up = (HEIGHT, WIDTH) if self.turn % 2 else (WIDTH, HEIGHT)
        far = self.corner + at(across - 1, up - 1)
        return ("card", str(self.card)), ("cells", f"{NAMES[self.corner]}–{NAMES[far]}")


def rows(card: int, colour: int) -> list[str]:
    """The face of a card, unturned, top row first, 1 for a hole."""
    pattern = PATTERNS[card - 1]
    face = [pattern[start : start + WIDTH] for start in range(0, len(pattern), WIDTH)]
    return face if colour == BLUE else [row[::-1] for row in face]


def turns(card: int) -> int:
    """In how many different ways the card can be turned."""
    pattern = PATTERNS[card - 1]
    return 2 if pattern == pattern[::-1] else 4


def holes(card: int, colour: int, turn: int) -> Bits:
    """The holes of a card that lies in the corner of the board, its lowest left cell on a1."""
    squares: list[Point] = [(file, -row) for row in range(HEIGHT) for file in range(WIDTH)]
    for _ in range(turn):
        squares = turned(squares)
    left, low = min(file for file, _ in squares), min(rank for _, rank in squares)
    bits = "".join(rows(card, colour))
    return union(at(x - left, y - low) for (x, y), bit in zip(squares, bits, strict=True) if bit == "1")


def _patterns() -> tuple[str, ...]:
    readings = (f"{number:0{WIDTH * HEIGHT}b}" for number in range(1, 1 << WIDTH * HEIGHT))
    different = sorted({max(reading, reading[::-1]) for reading in readings}, reverse=True)
    return tuple(sorted(different, key=lambda pattern: pattern.count("1")))


def _corners(turn: int) -> list[int]:
    """The cells where the lowest left square of a card may lie."""
    width, height = (HEIGHT, WIDTH) if turn % 2 else (WIDTH, HEIGHT)
    return [cell for cell in range(CELLS) if cell // SIDE + width <= SIDE and cell % SIDE + height <= SIDE]


PATTERNS = _patterns()
CARDS = len(PATTERNS)
_OUTLINES = tuple(union(at(*point) for point in shape(drawing)) for drawing in ("##/##/##", "###/###"))
_WAYS = tuple((card, turn) for card in range(1, CARDS + 1) for turn in range(turns(card)))

PLACES = tuple(Place(card, corner, turn) for card, turn in _WAYS for corner in _corners(turn))
FIRST = (0, *accumulate(sum(place.card == card for place in PLACES) for card in range(1, CARDS + 1)))
RECTANGLES: tuple[Bits, ...] = tuple(_OUTLINES[place.turn % 2] << place.corner for place in PLACES)
HOLES: tuple[Bits, ...] = tuple(
    holes(card, colour, turn) << corner
    for colour in (BLUE, WHITE)
    for card, turn in _WAYS
    for corner in _corners(turn)
)
"""The blue holes of every place, then the white ones."""
