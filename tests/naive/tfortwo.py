"""One leg of T. for Two, naively: drawings of the pieces, sets of cell names."""

from naive import Who

BOARD = {file + rank for file in "abcdefg" for rank in "1234567"}

# Every Tetrod once, the drilled square as a capital O; turning and flipping give the rest.
DRAWINGS = {
    "I1": ["Oxxx"],
    "I2": ["xOxx"],
    "O1": ["Ox", "xx"],
    "T1": ["xxx", " O "],
    "T2": ["xOx", " x "],
    "T3": ["Oxx", " x "],
    "S1": [" xO", "xx "],
    "S2": [" Ox", "xx "],
    "L1": ["xxx", "O  "],
    "L2": ["Oxx", "x  "],
    "L3": ["xOx", "x  "],
    "L4": ["xxO", "x  "],
}


class Naive:
    def __init__(self, seats: int) -> None:
        assert seats == 2
        self.mushrooms: list[str] = []
        self.covered: set[str] = set()
        self.left = set(DRAWINGS)
        self.seat = 0

    def to_act(self) -> set[Who]:
        if self.seat == 1 and not self.fitting():
            return set()
        return {self.seat}

    def moves(self, who: Who) -> set[str]:
        if who == 0:
            return self.empty()
        return self.fitting()

    def weights(self) -> dict[str, int]:
        return {}

    def play(self, who: Who, text: str) -> None:
        if who == 0:
            self.mushrooms.append(text)
            self.seat = 1
        else:
            piece, cells = text.split(":")
            self.left.remove(piece)
            self.covered.update(cells.split("-"))
            self.seat = 0

    def scores(self) -> tuple[int, ...]:
        points = 0
        alone = set(self.mushrooms)
        while alone:
            group = {alone.pop()}
            while found := {cell for cell in alone if any(neighbours(cell, other) for other in group)}:
                group |= found
                alone -= found
            points += sum(range(1, len(group) + 1))
        return points, 0

    def winners(self) -> set[int]:
        return set()

    def empty(self) -> set[str]:
        return BOARD - set(self.mushrooms) - self.covered

    def fitting(self) -> set[str]:
        """All ways to lay a Tetrod that is left on the last mushroom."""
        hole, empty = self.mushrooms[-1], self.empty()
        texts = set()
        for piece in self.left:
            for way in ways(DRAWINGS[piece]):
                cells = [moved(hole, step) for step in way]
                if all(cell in empty for cell in cells):
                    texts.add(f"{piece}:{'-'.join([hole, *sorted(cells)])}")
        return texts


def ways(drawing: list[str]) -> list[list[tuple[int, int]]]:
    """The steps from the hole to the other squares, turned and flipped in every way."""
    squares = [(x, y) for y, line in enumerate(drawing) for x, mark in enumerate(line) if mark == "x"]
    [hole] = [(x, y) for y, line in enumerate(drawing) for x, mark in enumerate(line) if mark == "O"]
    steps = [(x - hole[0], y - hole[1]) for x, y in squares]
    found = []
    for _ in range(4):
        steps = [(y, -x) for x, y in steps]
        found += [steps, [(-x, y) for x, y in steps]]
    return found


def moved(cell: str, step: tuple[int, int]) -> str:
    return chr(ord(cell[0]) + step[0]) + chr(ord(cell[1]) + step[1])


def neighbours(cell: str, other: str) -> bool:
    return abs(ord(cell[0]) - ord(other[0])) + abs(ord(cell[1]) - ord(other[1])) == 1
