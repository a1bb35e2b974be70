"""The hexagon of side 4: 37 spaces in columns a–g, cube coordinates x + y + z = 0, each from −3 to 3.

Column a is x = −3; in a column spaces are numbered from 1 upwards, y growing.
"""

from ludotheque.board.bits import Bits, union

RADIUS = 3
SPACES = tuple(
    (x, y, -x - y) for x in range(-RADIUS, RADIUS + 1) for y in range(-RADIUS, RADIUS + 1) if abs(x + y) <= RADIUS
)
NUMBERS_BY_PLACE = {space: number for number, space in enumerate(SPACES)}
NAMES = tuple(
    f"{'abcdefg'[x + RADIUS]}{sum(1 for other in SPACES[: number + 1] if other[0] == x)}"
    for number, (x, _, _) in enumerate(SPACES)
)
NUMBERS = {name: number for number, name in enumerate(NAMES)}
FULL: Bits = (1 << len(SPACES)) - 1
STEPS = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))
NEIGHBOURS = tuple(
    union(
        NUMBERS_BY_PLACE[place]
        for step in STEPS
        if (place := (space[0] + step[0], space[1] + step[1], space[2] + step[2])) in NUMBERS_BY_PLACE
    )
    for space in SPACES
)


def side(axis: int, limit: int) -> Bits:
    """The spaces whose coordinate on the axis (0 x, 1 y, 2 z) is at most the limit."""
    return union(number for number, space in enumerate(SPACES) if space[axis] <= limit)


def names(bits: Bits) -> list[str]:
    """The names of a set of spaces."""
    return [name for number, name in enumerate(NAMES) if bits >> number & 1]
