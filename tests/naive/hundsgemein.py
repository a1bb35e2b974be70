"""Hundsgemein with dictionaries and loops."""

from collections import Counter

from naive import Who

FILES, RANKS = "abcdefg", "1234567"
CELLS = [file + rank for file in FILES for rank in RANKS]
TYPES = "ABCD"
WORTH = {"Rex": 5, "Fifi": 4, "Daisy": 3, "Zorro": 2}
EACH = {2: 6, 3: 4, 4: 3}
STREETS = [f"h{number}" for number in range(1, 7)] + [f"v{number}" for number in range(1, 7)]


def sides(street: str) -> list[list[str]]:
    """The two lines of blocks along a street, the centre included."""
    number = int(street[1])
    if street[0] == "h":
        return [[file + str(rank) for file in FILES] for rank in (number, number + 1)]
    return [[file + rank for rank in RANKS] for file in (FILES[number - 1], FILES[number])]


def touching(cell: str) -> list[str]:
    file, rank = FILES.index(cell[0]), int(cell[1])
    return [
        other
        for other in CELLS
        if other != cell and abs(FILES.index(other[0]) - file) <= 1 and abs(int(other[1]) - rank) <= 1
    ]


TOUCHING = {cell: touching(cell) for cell in CELLS}


def longest(line: list[str], mine: set[str]) -> int:
    best = run = 0
    for cell in line:
        run = run + 1 if cell in mine else 0
        best = max(best, run)
    return best


class Naive:
    def __init__(self, seats: int, *, expert: bool = False, referee: str = "strict", owners: str = "hidden") -> None:
        self.seats, self.expert, self.referee, self.owners = seats, expert, referee, owners
        self.board: dict[str, tuple[str, int]] = {}  # cell: type, owner
        self.faceup: list[list[str]] = [[] for _ in range(seats)]
        self.facedown = [Counter(dict.fromkeys(TYPES, EACH[seats])) for _ in range(seats)]
        self.dogs: dict[str, str] = {}
        self.flips = [seat for seat in range(seats) for _ in range(2)]  # whose flips luck owes, in order
        self.mover = 0
        self.judged: str | None = None  # the cell of the placement that may be objected to
        self.may_object: set[int] = set()
        self.accepting: int | None = None
        self.finished = False

    def to_act(self) -> set[Who]:
        if self.finished:
            return set()
        if len(self.dogs) < len(STREETS) or self.flips:
            return {"luck"}
        return {self.mover if self.accepting is None else self.accepting, *self.may_object}

    def moves(self, who: Who) -> set[str]:
        if who == "luck":
            return set(self.weights())
        found = {"object"} if who in self.may_object else set()
        if self.accepting is not None:
            return found | ({"accept"} if who == self.accepting else set())
        if who == self.mover:
            found |= self.turns(who)
        return found

    def turns(self, seat: int) -> set[str]:
        fleas = sorted(self.faceup[seat])
        drops = {f"drop {kind}" for kind in fleas}
        if len(fleas) == 2:
            drops.add(f"drop {fleas[0]} {fleas[1]}")
        places = {
            f"{kind}@{cell}"
            for kind in fleas
            for cell in CELLS
            if cell not in self.board and (self.referee == "table" or self.lawful(kind, cell))
        }
        return drops | places

    def weights(self) -> dict[str, int]:
        if len(self.dogs) < len(STREETS):
            dealt = Counter(self.dogs.values())
            left = {f"dog {dog}": 3 - dealt[dog] for dog in WORTH}
        else:
            left = {f"flip {kind}": self.facedown[self.flips[0]][kind] for kind in TYPES}
        return {text: number for text, number in left.items() if number}

    def play(self, who: Who, text: str) -> None:
        word, _, rest = text.partition(" ")
        if word == "dog":
            self.dogs[STREETS[len(self.dogs)]] = rest
        elif word == "flip":
            self.flip(rest)
        elif word == "accept":
            self.finished = True
        else:
            assert isinstance(who, int)
            if word == "object":
                self.object(who)
            elif word == "drop":
                self.drop(who, rest.split())
            else:
                self.place(who, *text.split("@"))

    def flip(self, kind: str) -> None:
        seat = self.flips.pop(0)
        self.facedown[seat][kind] -= 1
        self.faceup[seat].append(kind)
        if not self.flips and not self.opening:
            self.after_turn(seat)

    @property
    def opening(self) -> bool:
        """Whether nobody has used a flea yet."""
        fleas = sum(len(faceup) for faceup in self.faceup) + sum(pile.total() for pile in self.facedown)
        return fleas == 48

    def place(self, seat: int, kind: str, cell: str) -> None:
        self.judged = cell
        self.may_object = {other for other in range(self.seats) if other != seat and self.referee == "table"}
        self.board[cell] = (kind, seat)
        self.use(seat, [kind])

    def drop(self, seat: int, kinds: list[str]) -> None:
        self.judged = None
        self.may_object = set()
        self.use(seat, kinds)

    def use(self, seat: int, kinds: list[str]) -> None:
        for kind in kinds:
            self.faceup[seat].remove(kind)
        self.flips = [seat] * min(len(kinds), self.facedown[seat].total())
        if not self.flips:
            self.after_turn(seat)

    def after_turn(self, seat: int) -> None:
        if not self.at_end():
            self.mover = self.next_with_fleas(seat)
        elif self.referee == "table" and self.judged is not None:
            self.accepting = (seat + 1) % self.seats
        else:
            self.finished = True

    def object(self, seat: int) -> None:
        self.may_object.remove(seat)
        assert self.judged is not None
        kind, placer = self.board.pop(self.judged)
        if self.lawful(kind, self.judged):
            self.board[self.judged] = (kind, placer)
            return
        self.judged = None
        self.may_object = set()
        if self.accepting is not None:
            self.accepting = None
            self.after_turn(placer)

    def lawful(self, kind: str, cell: str) -> bool:
        if cell == "d4" or cell in self.board:
            return False
        return all(self.board.get(other, ("", 0))[0] != kind for other in TOUCHING[cell])

    def at_end(self) -> bool:
        for seat in range(self.seats):
            for kind in TYPES:
                has = kind in self.faceup[seat] or self.facedown[seat][kind] > 0
                if has and any(self.lawful(kind, cell) for cell in CELLS):
                    return False
        return True

    def next_with_fleas(self, seat: int) -> int:
        order = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        return next(other for other in order if self.faceup[other])

    def taker(self, street: str) -> int | None:
        lines = sides(street)
        marks: list[tuple[int, int]] = []
        for seat in range(self.seats):
            mine = {cell for cell, (_, owner) in self.board.items() if owner == seat}
            along = sum(cell in mine for line in lines for cell in line)
            rows = sum(longest(line, mine) for line in lines)
            marks.append((rows if self.expert else 0, along))
        best = max(marks)
        return marks.index(best) if best > (0, 0) and marks.count(best) == 1 else None

    def kennels(self) -> list[list[int]]:
        """The values of the dogs each seat takes."""
        kennels: list[list[int]] = [[] for _ in range(self.seats)]
        for street, dog in self.dogs.items():
            taker = self.taker(street)
            if taker is not None:
                kennels[taker].append(WORTH[dog])
        return kennels

    def scores(self) -> tuple[int, ...]:
        if self.owners == "hidden" and not self.finished:
            return (0,) * self.seats
        return tuple(sum(dogs) for dogs in self.kennels())

    def winners(self) -> set[int]:
        results = [(sum(dogs), len(dogs)) for dogs in self.kennels()]
        return {seat for seat, result in enumerate(results) if result == max(results)}
