"""Polyominoes: a shape is a set of (file, rank) points; here are its turns, flips and places on the 7×7 board."""

from collections.abc import Iterable
from typing import TypeAlias

from ludotheque.board.bits import Bits, union
from ludotheque.board.square import SIDE, at

Point: TypeAlias = tuple[int, int]
Shape: TypeAlias = tuple[Point, ...]


def shape(rows: str) -> Shape:
    """A shape from a drawing, top row first: `"#./##"`."""
    lines = rows.split("/")
    return tuple(
        sorted(
            (file, len(lines) - 1 - row)
            for row, line in enumerate(lines)
            for file, mark in enumerate(line)
            if mark == "#"
        )
    )


def turned(points: Iterable[Point]) -> list[Point]:
    """A quarter turn clockwise about the origin, the order of the points kept."""
    return [(rank, -file) for file, rank in points]


def flipped(points: Iterable[Point]) -> list[Point]:
    """The mirror image."""
    return [(-file, rank) for file, rank in points]


def orientations(points: Iterable[Point], *, flips: bool) -> list[Shape]:
    """Every different way the shape lies, moved into the corner; the first point stays the first.

    The first point may be marked (a drilled square), so two ways are the same only if it falls on the same cell.
    """
    ways: list[Shape] = []
    for start in [list(points), flipped(points)] if flips else [list(points)]:
        way = start
        for _ in range(4):
            way = turned(way)
            left, low = min(file for file, _ in way), min(rank for _, rank in way)
            first, *rest = [(file - left, rank - low) for file, rank in way]
            found = (first, *sorted(rest))
            if found not in ways:
                ways.append(found)
    return sorted(ways)


def places(way: Shape) -> list[tuple[int, ...]]:
    """Every place of one orientation on the board, as cells, the first point first."""
    width, height = max(file for file, _ in way) + 1, max(rank for _, rank in way) + 1
    return [
        tuple(at(file + x, rank + y) for x, y in way)
        for file in range(SIDE - width + 1)
        for rank in range(SIDE - height + 1)
    ]


def masks(points: Shape, *, flips: bool = False) -> tuple[Bits, ...]:
    """Every place of an unmarked shape on the board as a set of cells, in a fixed order, without duplicates."""
    found = {union(cells) for way in orientations(points, flips=flips) for cells in places(way)}
    return tuple(sorted(found, key=_by_cells))


def _by_cells(mask: Bits) -> list[int]:
    return [cell for cell in range(SIDE * SIDE) if mask >> cell & 1]
