"""Tricolore once more, with a dictionary of pawns and cells by name."""

from dataclasses import dataclass

from naive import Who

ROWS = "abcdefghi"
SIDES = ["silver", "silver", "black", "black", "gold", "gold"]
CLOCKWISE = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)]  # (row, number) steps: E SE SW W NW NE
CAMPS = {
    "gold": ["a1", "b1", "b2", "c1", "c2", "c3"],
    "silver": ["g7", "h7", "h8", "i7", "i8", "i9"],
    "black": ["g1", "h1", "h2", "i1", "i2", "i3"],
}


@dataclass
class Pawn:
    colour: str
    turned: int = 0
    neutral: bool = False

    def side(self, direction: int) -> str:
        return SIDES[(direction - self.turned) % 6]


def neighbour(cell: str, direction: int) -> str | None:
    row, number = ROWS.index(cell[0]), int(cell[1])
    down, right = CLOCKWISE[direction]
    row, number = row + down, number + right
    if 0 <= row < 9 and 1 <= number <= row + 1:
        return f"{ROWS[row]}{number}"
    return None


class Naive:
    def __init__(self, seats: int, quiet: int = 120) -> None:
        self.colours = ["gold", "silver", "black"] if seats == 3 else ["silver", "black"]
        self.limit = quiet
        self.board = {cell: Pawn(colour) for colour in self.colours for cell in CAMPS[colour]}
        if seats == 2:
            for number in range(1, 6):
                self.board[f"e{number}"] = Pawn("gold", neutral=True)
        self.captured: list[list[Pawn]] = [[] for _ in self.colours]
        self.made = 0
        self.without_capture = 0

    def to_act(self) -> set[Who]:
        three = any(len(pawns) >= 3 for pawns in self.captured)
        if three or self.without_capture >= self.limit:
            return set()
        return {self.made % len(self.colours)}

    def moves(self, who: Who) -> set[str]:
        assert isinstance(who, int)
        found = set()
        for cell, pawn in self.board.items():
            if pawn.colour == self.colours[who] and not pawn.neutral:
                found |= {f"{cell}<", f"{cell}>"}
                for direction in range(6):
                    beside = neighbour(cell, direction)
                    if beside is not None and beside not in self.board:
                        found.add(f"{cell}-{beside}")
        return found

    def weights(self) -> dict[str, int]:
        return {}

    def play(self, who: Who, text: str) -> None:
        assert isinstance(who, int)
        cell = text[:2]
        pawn = self.board.pop(cell)
        if text.endswith(">"):
            pawn.turned = (pawn.turned + 1) % 6
        elif text.endswith("<"):
            pawn.turned = (pawn.turned - 1) % 6
        else:
            cell = text[3:]
        self.board[cell] = pawn
        self.made += 1
        self.without_capture += 1
        for direction in range(6):
            beside = neighbour(cell, direction)
            if beside is None or beside not in self.board:
                continue
            other = self.board[beside]
            enemy = other.colour != pawn.colour and not other.neutral
            if enemy and pawn.side(direction) == other.side((direction + 3) % 6):
                self.captured[who].append(self.board.pop(beside))
                self.without_capture = 0

    def scores(self) -> tuple[int, ...]:
        return tuple(len(pawns) for pawns in self.captured)

    def winners(self) -> set[int]:
        most = max(self.scores())
        return {seat for seat, score in enumerate(self.scores()) if score == most}
