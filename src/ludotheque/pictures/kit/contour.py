"""The outline of a few squares of a grid as one smooth line, a little inside their edges."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from ludotheque.pictures.kit.svg import short

Point: TypeAlias = tuple[int, int]  # column and row, rows downwards
Edge: TypeAlias = tuple[Point, Point]  # where it begins and which way it runs, the square on its right


class Corner(NamedTuple):
    """A corner of an outline, with the ways the line comes and goes."""

    at: Point  #: where it is
    came: Point  #: the direction of the edge before
    goes: Point  #: the direction of the edge after


def contour(
    squares: frozenset[Point], side: float, inset: float, radius: float, origin: tuple[float, float] = (0, 0)
) -> str:
    """The path round squares of this side, so far inside their edges, its corners rounded."""

    def curve(corner: Corner) -> str:
        (column, row), (x1, y1), (x2, y2) = corner
        x = origin[0] + column * side - inset * (y1 + y2)
        y = origin[1] + row * side + inset * (x1 + x2)
        begin, end = (x - radius * x1, y - radius * y1), (x + radius * x2, y + radius * y2)
        return f"{_pair(*begin)}Q{_pair(x, y)} {_pair(*end)}"

    return "".join(f"M{'L'.join(map(curve, loop))}Z" for loop in _loops(_edges(squares)))


def _edges(squares: Iterable[Point]) -> set[Edge]:
    """The edges of the squares that no two of them share, each running clockwise round its square."""
    edges: set[Edge] = set()
    for column, row in squares:
        right, low = column + 1, row + 1
        for at, way in (
            ((column, row), (1, 0)),
            ((right, row), (0, 1)),
            ((right, low), (-1, 0)),
            ((column, low), (0, -1)),
        ):
            back = ((at[0] + way[0], at[1] + way[1]), (-way[0], -way[1]))
            if back in edges:
                edges.remove(back)
            else:
                edges.add((at, way))
    return edges


def _loops(edges: set[Edge]) -> list[list[Corner]]:
    """The closed lines these edges make: each as its corners."""
    left, loops = set(edges), []
    while left:
        at, way = first = min(left)
        loop = []
        while True:
            left.discard((at, way))
            at, came = (at[0] + way[0], at[1] + way[1]), way
            way = next(turn for turn in _turns(came) if (at, turn) in edges)
            if way != came:
                loop.append(Corner(at, came, way))
            if (at, way) == first:
                break
        loops.append(loop)
    return loops


def _turns(way: Point) -> tuple[Point, Point, Point]:
    """Right, straight on, left: squares that only touch at a corner are kept apart."""
    x, y = way
    return (-y, x), way, (y, -x)


def _pair(x: float, y: float) -> str:
    return f"{short(x)} {short(y)}"
