"""Which sets of seven blockers can be solved, and in how many ways: a sample, or all of them, also up to symmetry.

All sets are cut into parts by their left and right halves (`halves.py`); those of a sample are drawn at random and
solved one by one. Sets that are images of each other under the symmetries of the board are alike: the smallest, as a
number, stands for them where they count as one.
"""

from functools import cache, partial
from itertools import product

from ludotheque.board.bits import cells, union
from ludotheque.board.square import CELLS, FULL, SIDE, name
from ludotheque.extras import extra
from ludotheque.game import Json
from ludotheque.games.hepta import BLOCKERS, PIECES
from ludotheque.puzzles.hepta_solo import GAME
from ludotheque.puzzles.solving.cover import NO_LIMIT, Ints, Task, search, shuffle, stock
from ludotheque.puzzles.solving.hepta_solo import WORDS
from ludotheque.puzzles.solving.layouts import WAYS
from ludotheque.puzzles.studies.halves import FILE, counted, halves
from ludotheque.puzzles.studies.plots import bars
from ludotheque.puzzles.studies.study import Study
from ludotheque.search.compiled import built

with extra("players"):
    import numpy as np

BY_SOLUTIONS = "by solutions"  # in the result
SAMPLE_PARTS, SETS_A_SAMPLE_PART = 100, 200
HALVES_A_PART = 2000  # on either side
BINS = 24  # sets by the number of their solutions: 0, 1, 2–3, 4–7, …
SEVEN_EACH = stock(PIECES, PIECES)


def study(*, every: bool = False) -> Study:
    """A sample, or all 85,900,584 sets."""
    plot = partial(bars, table=BY_SOLUTIONS, title="sets of blockers by their number of solutions")
    if every:
        return Study(f"{GAME.key}-all", len(_parts()), count_part, total_of_all, plot)
    return Study(GAME.key, SAMPLE_PARTS, sample_part, total, plot)


def count_part(part: int) -> Json:
    """All sets of some left halves and some right halves."""
    blockers, left, right = _parts()[part]
    lefts = halves(blockers, left=True)[left : left + HALVES_A_PART]
    rights = halves(BLOCKERS - blockers, left=False)[right : right + HALVES_A_PART]
    return _listed(built(tally)(lefts, rights, counted(lefts, rights), images()))


def sample_part(part: int) -> Json:
    """Some sets drawn at random."""
    lefts, counts = built(some_sets)(part + 1, SETS_A_SAMPLE_PART, WORDS)
    return _listed(built(tally)(lefts, np.zeros(1, np.int64), counts, images()))


def _listed(found: Ints) -> Json:
    return [[int(number) for number in row] for row in found]


def total(results: list[Json]) -> dict[str, Json]:
    """How many sets there are, how many can be solved, how many have so many solutions, and which has the most."""
    parts = np.array(results, np.int64)[:, 0]
    most, blockers = parts[int(parts[:, 0].argmax()), :2].tolist()
    return {**_table(parts), "most solutions": most, "of": name(blockers)}


def total_of_all(results: list[Json]) -> dict[str, Json]:
    """The same, and once more with sets that are alike counted once."""
    return {**total(results), "up to symmetry": _table(np.array(results, np.int64)[:, 1])}


def _table(parts: Ints) -> dict[str, Json]:
    solutions, *bins = parts[:, 2:].sum(axis=0).tolist()
    names = ["0", "1", *(f"{1 << power}–{(2 << power) - 1}" for power in range(1, BINS))]
    filled: dict[str, Json] = {name: number for name, number in zip(names, bins, strict=False) if number}
    solved = sum(bins[1:])
    return {
        "sets": sum(bins),
        "solvable": solved,
        "share": round(solved / sum(bins), 4),
        "solutions": solutions,
        BY_SOLUTIONS: filled,
    }


@cache
def _parts() -> list[tuple[int, int, int]]:
    """How many blockers are on the left, and the first of some left halves and some right halves."""
    return [
        (blockers, left, right)
        for blockers in range(BLOCKERS + 1)
        for left, right in product(
            range(0, len(halves(blockers, left=True)), HALVES_A_PART),
            range(0, len(halves(BLOCKERS - blockers, left=False)), HALVES_A_PART),
        )
    ]


@cache
def images() -> Ints:
    """For each symmetry, each file and each set of its cells: where they go."""
    return np.array(
        [
            [
                [union(way[SIDE * file + cell] for cell in cells(some)) for some in range(FILE + 1)]
                for file in range(SIDE)
            ]
            for way in WAYS
        ]
    )


def some_sets(seed: int, number: int, words: Ints) -> tuple[Ints, Ints]:
    """Sets drawn at random, and how many solutions each has."""
    sets, counts, none = (
        np.zeros(number, np.int64),
        np.zeros((number, 1), np.int64),
        np.zeros((0, 2 * PIECES), np.int64),
    )
    order, noise = np.arange(CELLS), np.uint64(seed * 2654435761 | 1)
    for row in range(number):
        noise = shuffle(order, noise)
        for index in range(BLOCKERS):
            sets[row] |= 1 << order[index]
        task = Task(words[words & sets[row] == 0], FULL & ~sets[row], SEVEN_EACH)
        counts[row, 0] = search(task, NO_LIMIT, none)
    return sets, counts


def tally(lefts: Ints, rights: Ints, counts: Ints, to: Ints) -> Ints:
    """Two rows, for all sets and for those no image of which is smaller: most solutions, and of which set; solutions
    in all; sets by the number of their solutions."""
    found = np.zeros((2, 3 + BINS), np.int64)
    for left in range(len(lefts)):
        for right in range(len(rights)):
            blockers, solutions = lefts[left] | rights[right], counts[left, right]
            power = 0
            while solutions >> power:
                power += 1
            for row in range(1 + smallest(blockers, to)):
                if solutions > found[row, 0]:
                    found[row, 0], found[row, 1] = solutions, blockers
                found[row, 2] += solutions
                found[row, 3 + power] += 1
    return found


def smallest(blockers: int, to: Ints) -> bool:
    """Whether no image of this set is smaller."""
    for way in range(len(to)):
        image = 0
        for file in range(SIDE):
            image |= to[way, file, blockers >> SIDE * file & FILE]
        if image < blockers:
            return False
    return True
