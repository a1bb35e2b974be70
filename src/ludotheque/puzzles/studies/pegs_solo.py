"""Which layouts of 41 pegs can be covered, and with how few cards: all 450,978,066 of them.

Layouts grow column by column. A card over the columns that are settled is settled too, so once all cards over a cell
are, that cell must be coverable: if different cards cannot cover all such cells together, no layout that begins so
can be covered. What is left over at the end is few, and is asked for its fewest cards.

Mirror images need as many cards. So only layouts with no more bare cells on the left than on the right, and below
than above, are looked at, and the others counted with them.
"""

from functools import cache, partial
from itertools import combinations

from ludotheque.board.bits import count, union
from ludotheque.board.square import FULL, SIDE
from ludotheque.extras import extra
from ludotheque.game import Json
from ludotheque.puzzles.pegs_solo import GAME
from ludotheque.puzzles.solving.cover import Ints
from ludotheque.puzzles.solving.layouts import images
from ludotheque.puzzles.solving.pegs_solo import TABLES, Tables, cover, least, settle
from ludotheque.puzzles.studies.plots import bars
from ludotheque.puzzles.studies.study import Study
from ludotheque.search.compiled import built

with extra("players"):
    import numpy as np

COLUMN = (1 << SIDE) - 1
BEGINNING_COLUMNS = 3  # columns of a beginning
LEFT_COLUMNS = (1 << SIDE * BEGINNING_COLUMNS) - 1
LOW_ROWS = union(file * SIDE + rank for file in range(SIDE) for rank in range(BEGINNING_COLUMNS))
HIGH_ROWS = LOW_ROWS << SIDE - BEGINNING_COLUMNS


def beginnings(bare: int) -> Ints:
    """The bare cells of the first three columns, at most half of all."""
    cells = range(SIDE * BEGINNING_COLUMNS)
    return np.array([union(some) for number in range(bare // 2 + 1) for some in combinations(cells, number)])


def census(begun: Ints, bare: int) -> Ints:
    """Rows of (bare cells, fewest cards, how many mirror images stand for) for layouts with these beginnings."""
    found = np.zeros((1 << 17, 3), np.int64)
    number = built(_grow)(begun, bare, TABLES, found)
    return found[:number].copy()


def _grow(begun: Ints, bare: int, tables: Tables, found: Ints) -> int:
    number = 0
    patterns = np.zeros(SIDE + 1, np.int64)
    layouts = np.zeros(SIDE + 1, np.int64)
    for beginning in begun:
        layouts[BEGINNING_COLUMNS], patterns[BEGINNING_COLUMNS] = beginning, 0
        column = BEGINNING_COLUMNS
        if not _promising(beginning, BEGINNING_COLUMNS, tables):
            continue
        while column >= BEGINNING_COLUMNS:
            if patterns[column] > COLUMN:
                column -= 1
                continue
            layout = layouts[column] | patterns[column] << SIDE * column
            patterns[column] += 1
            column += 1
            if not _balanced(layout, column, bare) or not _promising(layout, column, tables):
                column -= 1
            elif column < SIDE:
                layouts[column], patterns[column] = layout, 0
            else:
                column -= 1
                found[number, 0], found[number, 1] = layout, _fewest(layout, tables)
                found[number, 2] = _stands_for(layout)
                number += 1
    return number


def _balanced(layout: int, columns: int, bare: int) -> bool:
    """Whether a layout of so many columns can still have the bare cells, and more of them right and above."""
    number = count(layout)
    if columns < SIDE:
        return number <= bare
    right = layout >> SIDE * (SIDE - BEGINNING_COLUMNS)
    return (
        number == bare
        and count(layout & LEFT_COLUMNS) <= count(right)
        and count(layout & LOW_ROWS) <= count(layout & HIGH_ROWS)
    )


def _stands_for(layout: int) -> int:
    right = layout >> SIDE * (SIDE - BEGINNING_COLUMNS)
    sideways = 2 if count(layout & LEFT_COLUMNS) < count(right) else 1
    return sideways * (2 if count(layout & LOW_ROWS) < count(layout & HIGH_ROWS) else 1)


def _promising(layout: int, columns: int, tables: Tables) -> bool:
    """Whether different cards cover all cells of which every card is settled."""
    rivals = np.zeros(len(tables.spots), np.int64)
    usable = settle(layout, columns, 0, tables, rivals)
    settled = FULL if columns == SIDE else (1 << SIDE * (columns - 2)) - 1
    return cover(usable, rivals, tables.spots, tables.over, settled, 35, 1, np.zeros((0, 35), np.int64)) > 0


def _fewest(layout: int, tables: Tables) -> int:
    rivals = np.zeros(len(tables.spots), np.int64)
    return least(settle(layout, SIDE, 0, tables, rivals), rivals, tables.spots, tables.over)


# The study: all layouts with one to eight bare cells, in parts of some beginnings each

MAX_BARE = 8
BEGINNINGS_A_PART = 60
BY_CARDS = "by fewest cards"  # in the result


def study(*, every: bool = True) -> Study:  # noqa: ARG001 - there is no sample
    """All layouts of 41 pegs and more."""
    title = "layouts of 41 pegs by the fewest cards that cover them"
    return Study(GAME.key, len(_parts()), count_part, total, partial(bars, table=BY_CARDS, title=title))


def count_part(part: int) -> Json:
    """The bare cells of the layouts that can be covered, in one part, by the fewest cards; mirror images left out."""
    bare, first = _parts()[part]
    rows = census(beginnings(bare)[first : first + BEGINNINGS_A_PART], bare).tolist()
    return [[bare, cells, cards, number] for cells, cards, number in rows]


def total(results: list[Json]) -> dict[str, Json]:
    """The table, and one layout of each eight that are alike."""
    rows = [row for found in results if isinstance(found, list) for row in found]
    table: dict[str, Json] = {}
    alike: dict[str, set[int]] = {}
    pegs = [0]
    for bare, cells, cards, number in (_ints(row) for row in rows):
        pegs.append(SIDE * SIDE - bare)
        if bare == MAX_BARE:
            before = table.get(str(cards), 0)
            table[str(cards)] = number + (before if isinstance(before, int) else 0)
            alike.setdefault(str(cards), set()).add(min(images(cells)))
    counts = {cards: table[cards] for cards in sorted(table, key=int)}
    return {
        "most pegs": max(pegs),
        "fewest cards": min(int(cards) for cards in table),
        "layouts": sum(number for number in table.values() if isinstance(number, int)),
        BY_CARDS: counts,
        "alike": {cards: len(alike[cards]) for cards in counts},
    }


def _ints(row: Json) -> list[int]:
    assert isinstance(row, list)
    return [number for number in row if isinstance(number, int)]


@cache
def _parts() -> list[tuple[int, int]]:
    """How many bare cells, and the first of some beginnings."""
    return [
        (bare, first)
        for bare in range(1, MAX_BARE + 1)
        for first in range(0, len(beginnings(bare)), BEGINNINGS_A_PART)
    ]
