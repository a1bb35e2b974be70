"""Hepta, naively."""

from itertools import combinations

from naive import Who

CELLS = [f"{file}{rank}" for file in "abcdefg" for rank in "1234567"]


def place(cell: str) -> tuple[int, int]:
    return "abcdefg".index(cell[0]), int(cell[1])


def near(one: str, other: str) -> bool:
    (a, b), (c, d) = place(one), place(other)
    return abs(a - c) + abs(b - d) == 1


def trominoes() -> dict[str, str]:
    """Every connected set of three cells, by its text: I if the three are in line, else L."""
    found = {}
    for middle in CELLS:
        for one, other in combinations([cell for cell in CELLS if near(cell, middle)], 2):
            straight = one[0] == other[0] or one[1] == other[1]
            found["-".join(sorted((one, middle, other)))] = "I" if straight else "L"
    return found


TROMINOES = trominoes()


class Naive:
    def __init__(self, seats: int) -> None:
        assert seats == 2
        self.covered: set[str] = set()
        self.blockers = 0
        self.shape: dict[int, str] = {}
        self.laid = {0: 0, 1: 0}
        self.turn: int | None = 0

    def to_act(self) -> set[Who]:
        return set() if self.turn is None else {self.turn}

    def room(self, seat: int) -> set[str]:
        if self.laid[seat] == 7:
            return set()
        mine = (text for text, shape in TROMINOES.items() if shape == self.shape[seat])
        return {text for text in mine if not self.covered & set(text.split("-"))}

    def moves(self, who: Who) -> set[str]:
        if self.blockers < 7:
            return set(CELLS) - self.covered
        if not self.shape:
            return {"I", "L"}
        assert who != "luck"
        return self.room(who)

    def weights(self) -> dict[str, int]:
        raise AssertionError("there is no luck in Hepta")

    def play(self, who: Who, text: str) -> None:
        assert who != "luck"
        if self.blockers < 7:
            self.covered.add(text)
            self.blockers += 1
            self.turn = 1 if self.blockers == 7 else 0
        elif not self.shape:
            self.shape = {1: text, 0: "L" if text == "I" else "I"}
        else:
            self.covered |= set(text.split("-"))
            self.laid[who] += 1
            able = [seat for seat in (1 - who, who) if self.room(seat)]
            self.turn = able[0] if able else None

    def scores(self) -> tuple[int, ...]:
        return self.laid[0], self.laid[1]

    def winners(self) -> set[int]:
        return {seat for seat in (0, 1) if self.laid[seat] == max(self.laid.values())}
