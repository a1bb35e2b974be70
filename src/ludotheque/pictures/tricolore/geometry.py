"""Where spaces are on the picture of Tricolore, and hexagons around a point."""

from math import cos, pi, sin, sqrt
from typing import TypeAlias

from ludotheque.board.triangle import WAYS
from ludotheque.games.tricolore import BOARD

Point: TypeAlias = tuple[float, float]

SIZE = (1000, 1036)
SPACE_PITCH = 100  # between two touching spaces
ROW_HEIGHT = SPACE_PITCH * sqrt(3) / 2
FIRST_ROW_Y = 100
# Apothems (from the middle of a hexagon to its sides) of a space, a pawn, its body, the body of a neutral pawn.
SPACE_APOTHEM, PAWN_APOTHEM, BODY_APOTHEM, NEUTRAL_APOTHEM = 47.0, 45.5, 25.5, 33.0


def place(cell: int) -> Point:
    """Where the middle of a space is drawn."""
    row, number = BOARD.places[cell]
    return SIZE[0] / 2 + SPACE_PITCH * (number - row / 2), FIRST_ROW_Y + ROW_HEIGHT * row


def polar(distance: float, degrees: float) -> Point:
    """So far from the middle, clockwise from the right."""
    return distance * cos(degrees * pi / 180), distance * sin(degrees * pi / 180)


def hexagon(apothem: float, x: float = 0, y: float = 0) -> list[Point]:
    """The corners of a hexagon whose sides are so far from its middle: the upper right one, then clockwise."""
    round_it = (polar(apothem / cos(pi / 6), 60 * way - 30) for way in range(WAYS))
    return [(x + dx, y + dy) for dx, dy in round_it]
