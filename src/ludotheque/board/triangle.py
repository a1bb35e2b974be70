"""A triangle of hexagonal spaces: row `a` on top with one space, each row below with one more, 1 on the left.

Every space touches up to six others, in the directions of `STEPS`, clockwise from east; direction d is the opposite
of d + 3. Spaces are numbered row by row.
"""

from ludotheque.board.bits import Bits, cells, union

WAYS = 6
STEPS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))  # (row, number): E, SE, SW, W, NW, NE
NOWHERE = -1


class Triangle:
    """The triangle of so many rows, ten at most."""

    def __init__(self, rows: int) -> None:
        self.rows = rows  #: how many there are
        self.places = tuple((row, number) for row in range(rows) for number in range(row + 1))
        """Row and number of each space, from 0."""

        self.names = tuple(f"{'abcdefghij'[row]}{number + 1}" for row, number in self.places)
        """The name of each space."""

        self.numbers = {name: cell for cell, name in enumerate(self.names)}  #: of the spaces, by name
        self.beside = tuple(self._step(row, number, way) for row, number in self.places for way in range(WAYS))
        """The space next to another: `beside[WAYS * cell + way]`, `NOWHERE` past the edge."""
        self.neighbours = tuple(
            union(other for other in self.beside[WAYS * cell : WAYS * (cell + 1)] if other != NOWHERE)
            for cell in range(len(self.places))
        )
        """The spaces next to each, as sets."""

    def bits(self, *names: str) -> Bits:
        """The set of the spaces of these names."""
        return union(self.numbers[name] for name in names)

    def listed(self, bits: Bits) -> list[str]:
        """The names of a set of spaces."""
        return [self.names[cell] for cell in cells(bits)]

    def _step(self, row: int, number: int, way: int) -> int:
        down, right = STEPS[way]
        place = (row + down, number + right)
        return self.places.index(place) if place in self.places else NOWHERE
