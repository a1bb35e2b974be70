"""Pizza Theory, naively."""

from collections import Counter
from itertools import product

from naive import Who

Space = tuple[int, int, int]

SPACES: dict[str, Space] = {}
for _column, _x in zip("abcdefg", range(-3, 4), strict=True):
    _ys = [y for y in range(-3, 4) if -3 <= -_x - y <= 3]
    for _number, _y in enumerate(_ys, 1):
        SPACES[f"{_column}{_number}"] = (_x, _y, -_x - _y)
AXIS = {1: 0, 2: 2, 3: 1}  # which coordinate the role cuts along
HOME = {1: ["c2", "e2"], 2: ["b3", "c5"], 3: ["e5", "f3"]}


def touching(one: str, other: str) -> bool:
    return sorted(a - b for a, b in zip(SPACES[one], SPACES[other], strict=True)) == [-1, 0, 1]


class Naive:
    def __init__(self, seats: int, rounds: int) -> None:
        self.seats, self.rounds = seats, rounds
        self.on = {name: colour for colour in range(3) for name in HOME[colour + 1]}
        self.round = 0
        self.result: str | None = None
        self.begin()

    def begin(self) -> None:
        order = sorted(range(3), key=self.role) if self.seats == 3 else [self.round % 2, 1 - self.round % 2]
        self.queue: list[tuple[str, int]] = [("add", seat) for seat in order]
        if self.seats == 2:
            self.queue += [("roll", 2), ("third", self.round % 2)]
        self.cuts: dict[int, int] = {}
        self.skip()

    def role(self, seat: int) -> int:
        return (seat - self.round) % 3 + 1

    def skip(self) -> None:
        while self.queue and self.queue[0][0] != "roll" and not self.free():
            self.queue.pop(0)

    def free(self) -> set[str]:
        what, seat = self.queue[0]
        empty = {name for name in SPACES if name not in self.on}
        if what == "add":
            mine = [name for name, colour in self.on.items() if colour == seat]
            return {name for name in empty if not any(touching(name, own) for own in mine)}
        axis, cut = AXIS[self.role(2)], self.cuts[2]
        return {name for name in empty if SPACES[name][axis] in (cut - 4, cut - 3)}

    def to_act(self) -> set[Who]:
        if self.result:
            return set()
        if not self.queue:
            return {seat for seat in range(self.seats) if seat not in self.cuts}
        what, seat = self.queue[0]
        return {"luck"} if what == "roll" else {seat}

    def moves(self, who: Who) -> set[str]:
        if who == "luck":
            return {f"roll {number}" for number in range(1, 7)}
        if not self.queue:
            return {f"cut {number}" for number in range(1, 7)}
        third = "third " if self.queue[0][0] == "third" else ""
        return {third + name for name in self.free()}

    def weights(self) -> dict[str, int]:
        return dict.fromkeys(self.moves("luck"), 1)

    def play(self, who: Who, text: str) -> None:
        word, _, rest = text.partition(" ")
        if word == "cut":
            assert who != "luck"
            self.cuts[who] = int(rest)
            if len(self.cuts) == 3:
                self.settle()
            return
        if word == "roll":
            self.cuts[2] = int(rest)
        elif word == "third":
            self.on[rest] = 2
        else:
            assert who != "luck"
            self.on[word] = who
        self.queue.pop(0)
        self.skip()

    def side(self, name: str) -> tuple[bool, ...]:
        return tuple(SPACES[name][AXIS[self.role(seat)]] <= self.cuts[seat] - 4 for seat in range(3))

    def settle(self) -> None:
        parts = [[name for name in SPACES if self.side(name) == key] for key in product((True, False), repeat=3)]
        counts = [Counter(self.on[name] for name in part if name in self.on) for part in parts]
        safe = {colour for colour in range(3) if all(count[colour] <= 1 for count in counts)}
        gone, owed = [], {}
        for part, count in zip(parts, counts, strict=True):
            most = max(count[colour] for colour in range(3))
            top = [colour for colour in range(3) if count[colour] == most]
            for name in part:
                if name in self.on and self.on[name] not in top and self.on[name] not in safe and len(top) < 3:
                    gone.append(name)
                    if len(top) == 1:
                        owed[name] = top[0]
        for name in gone:
            del self.on[name]
        for name in SPACES:
            if name in owed and list(self.on.values()).count(owed[name]) < 16:
                self.on[name] = owed[name]
        self.finish()

    def finish(self) -> None:
        total = Counter(self.on.values())
        if self.seats == 2 and total[2] == 16:
            self.result = "lost"
        elif 16 in total.values():
            self.result = "won"
        elif self.round + 1 == self.rounds:
            self.result = "draw"
        else:
            self.round += 1
            self.begin()

    def scores(self) -> tuple[int, ...]:
        return tuple(list(self.on.values()).count(seat) for seat in range(self.seats))

    def winners(self) -> set[int]:
        if self.result == "won":
            return {seat for seat in range(self.seats) if self.scores()[seat] == 16}
        return set(range(self.seats)) if self.result == "draw" else set()
