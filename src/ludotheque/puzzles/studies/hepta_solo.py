"""Which sets of seven blockers can be solved, and in how many ways: a sample, or all of them up to symmetry.

A set is looked at if none of its images under the symmetries of the board is smaller, as a number, and then counts
for all of them. All sets are cut into parts by their two lowest cells; those of a sample are drawn at random.
"""

from itertools import combinations

import numpy as np

from ludotheque.board.bits import lowest
from ludotheque.board.square import CELLS, FULL
from ludotheque.game import Json
from ludotheque.games.hepta import BLOCKERS, PIECES
from ludotheque.puzzles.solving.cover import ENDLESS, Ints, Task, search, shuffle, stock
from ludotheque.puzzles.solving.hepta_solo import WORDS
from ludotheque.puzzles.solving.layouts import WAYS
from ludotheque.puzzles.studies.study import Study
from ludotheque.search.compiled import built

SAMPLE_PARTS, SAMPLE_EACH = 100, 200
BINS = 24  # sets by the number of their solutions: 0, 1, 2–3, 4–7, …
PAIRS = list(combinations(range(CELLS), 2))
IMAGES = np.array(WAYS)


def study(*, every: bool) -> Study:
    """A sample, or all 85,900,584 sets."""
    if every:
        return Study("hepta-solo-all", len(PAIRS), count_part, total)
    return Study("hepta-solo", SAMPLE_PARTS, sample_part, total)


def count_part(part: int) -> Json:
    """All sets with these two lowest cells."""
    return _listed(built(all_sets)(*PAIRS[part], WORDS, IMAGES))


def sample_part(part: int) -> Json:
    """Some sets drawn at random."""
    return _listed(built(some_sets)(part + 1, SAMPLE_EACH, WORDS))


def _listed(found: Ints) -> Json:
    return [int(number) for number in found]


def total(results: list[Json]) -> dict[str, Json]:
    """How many sets there are, how many can be solved, and how many have so many solutions, by powers of two."""
    rows = [[number for number in row if isinstance(number, int)] for row in results if isinstance(row, list)]
    summed = [sum(column) for column in zip(*rows, strict=True)]
    sets, solutions, bins = summed[0], summed[1], summed[2:]
    names = ["0", "1", *(f"{1 << power}–{(2 << power) - 1}" for power in range(1, BINS))]
    filled = {name: number for name, number in zip(names, bins, strict=False) if number}
    solved = sets - bins[0]
    return {
        "sets": sets,
        "solvable": solved,
        "share": round(solved / sets, 4),
        "solutions": solutions,
        "by solutions": {**filled},
    }


def all_sets(low: int, second: int, words: Ints, images: Ints) -> Ints:
    """Go through all sets with these two lowest cells, each standing for its images."""
    found, none = np.zeros(2 + BINS, np.int64), np.zeros((0, 2 * PIECES), np.int64)
    base, room = 1 << low | 1 << second, CELLS - second - 1
    more = (1 << BLOCKERS - 2) - 1
    while room >= BLOCKERS - 2 and more < 1 << room:
        blockers = base | more << second + 1
        number = alike(blockers, images)
        if number:
            tally(found, blockers, number, words, none)
        step = more & -more
        ripple = more + step
        more = ((ripple ^ more) >> 2) // step | ripple
    return found


def some_sets(seed: int, number: int, words: Ints) -> Ints:
    """Sets drawn at random."""
    found, none = np.zeros(2 + BINS, np.int64), np.zeros((0, 2 * PIECES), np.int64)
    order, noise = np.arange(CELLS), np.uint64(seed * 2654435761 | 1)
    for _ in range(number):
        noise = shuffle(order, noise)
        blockers = 0
        for index in range(BLOCKERS):
            blockers |= 1 << order[index]
        tally(found, blockers, 1, words, none)
    return found


def tally(found: Ints, blockers: int, number: int, words: Ints, none: Ints) -> None:
    """Count a set, which stands for so many: sets, solutions, and the bin of its number of solutions."""
    task = Task(words[words & blockers == 0], FULL & ~blockers, SEVEN_EACH)
    solutions = search(task, ENDLESS, none)
    found[0] += number
    found[1] += number * solutions
    power = 0
    while solutions >> power:
        power += 1
    found[2 + power] += number


def alike(blockers: int, images: Ints) -> int:
    """How many sets are images of this one, itself included; 0 if one of them is smaller."""
    itself = 0
    for way in range(len(images)):
        image, rest = 0, blockers
        while rest:
            image |= 1 << images[way, lowest(rest)]
            rest &= rest - 1
        if image < blockers:
            return 0
        itself += image == blockers
    return len(images) // itself


SEVEN_EACH = stock(PIECES, PIECES)
