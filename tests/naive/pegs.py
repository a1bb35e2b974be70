"""Pegs the naive way: cells are names, cards are strings of bits, the pile of cards on a cell is a list."""

from naive import Who

FILES = "abcdefg"
CELLS = [f"{file}{rank}" for file in FILES for rank in range(1, 8)]


def numbered_cards() -> dict[int, str]:
    """The blue face of every card by its number: six bits, row by row from the top."""
    patterns = {"".join(bits) for bits in _strings(6)}
    kept = {max(pattern, pattern[::-1]) for pattern in patterns} - {"000000"}
    ordered: list[str] = []
    for holes in range(1, 7):
        ordered += sorted((pattern for pattern in kept if pattern.count("1") == holes), reverse=True)
    return {number + 1: pattern for number, pattern in enumerate(ordered)}


def _strings(length: int) -> list[str]:
    return [""] if length == 0 else [start + bit for start in _strings(length - 1) for bit in "01"]


def rows_seen(pattern: str, colour: int, turn: int) -> list[str]:
    """The rows of a card as its player sees them, top row first, after mirroring (White) and turning clockwise."""
    rows = [pattern[0:2], pattern[2:4], pattern[4:6]]
    if colour == 1:
        rows = [row[::-1] for row in rows]
    for _ in range(turn):
        # Clockwise: the left column, read upwards, becomes the top row.
        rows = ["".join(row[column] for row in reversed(rows)) for column in range(len(rows[0]))]
    return rows


def squares(pattern: str, colour: int, corner: str, turn: int) -> dict[str, str] | None:
    """Every cell the card would lie on, with "1" where it has a hole; None if it sticks out of the board."""
    rows = rows_seen(pattern, colour, turn)
    left, low = FILES.index(corner[0]), int(corner[1])
    found = {}
    for down, row in enumerate(rows):
        for right, bit in enumerate(row):
            file, rank = left + right, low + len(rows) - 1 - down
            if file > 6 or rank > 7:
                return None
            found[f"{FILES[file]}{rank}"] = bit
    return found


CARDS = numbered_cards()
PLACES = {
    (colour, card): {
        f"{card}@{corner}/{turn}": where
        for turn in range(2 if pattern == pattern[::-1] else 4)
        for corner in CELLS
        if (where := squares(pattern, colour, corner, turn)) is not None
    }
    for colour in (0, 1)
    for card, pattern in CARDS.items()
}


class Naive:
    def __init__(self, seats: int) -> None:
        assert seats == 2
        self.pegs: set[str] = set()
        self.piles: dict[str, list[int]] = {cell: [] for cell in CELLS}  # colours, the topmost last
        self.deck = set(CARDS)
        self.open: list[set[int]] = [set(), set()]
        self.opening = "blue"
        self.added = 0
        self.turn = 0
        self.peg_put = False
        self.over = False

    def to_act(self) -> set[Who]:
        if self.over:
            return set()
        if self.opening == "blue":
            return {0}
        if self.opening == "white":
            return {1}
        if len(self.open[self.turn]) < 3 and len(self.deck) > 0:
            return {"luck"}
        return {self.turn}

    def free(self) -> set[str]:
        return {cell for cell in CELLS if cell not in self.pegs and not self.piles[cell]}

    def last(self) -> bool:
        return len(self.deck) == 0 or len(self.pegs) == 41 or (self.peg_put and len(self.free()) == 0)

    def moves(self, who: Who) -> set[str]:
        if who == "luck":
            return {f"draw {card}" for card in self.deck}
        if self.opening == "blue":
            return self.free()
        if self.opening == "white":
            return self.free() | {"done"}
        if not self.peg_put:
            return self.free()
        ends = {"done"} if self.last() else {f"drop {card}" for card in self.open[who]}
        return ends | {
            text
            for card in self.open[who]
            for text, where in PLACES[who, card].items()
            if all((bit == "1") == (cell in self.pegs) for cell, bit in where.items())
        }

    def weights(self) -> dict[str, int]:
        return {f"draw {card}": 1 for card in self.deck}

    def play(self, who: Who, text: str) -> None:
        if who == "luck":
            card = int(text.removeprefix("draw "))
            self.deck.remove(card)
            self.open[self.turn].add(card)
        elif text == "done":
            if self.opening:
                self.opening = ""
            else:
                self.over = True
        elif text.startswith("drop "):
            self.open[who].remove(int(text.removeprefix("drop ")))
            self.turn = 1 - self.turn
            self.peg_put = False
        elif "@" in text:
            card = int(text.partition("@")[0])
            self.open[who].remove(card)
            for cell in PLACES[who, card][text]:
                self.piles[cell].append(who)
        else:
            self.put(text)

    def put(self, cell: str) -> None:
        self.pegs.add(cell)
        if self.opening == "blue":
            if len(self.pegs) == 7:
                self.opening = "white"
        elif self.opening == "white":
            self.added += 1
            if self.added == 7:
                self.opening = ""
        else:
            self.peg_put = True

    def scores(self) -> tuple[int, ...]:
        tops = [pile[-1] for pile in self.piles.values() if pile]
        return tops.count(0), tops.count(1)

    def winners(self) -> set[int]:
        blue, white = self.scores()
        return {0, 1} if blue == white else {0} if blue > white else {1}
