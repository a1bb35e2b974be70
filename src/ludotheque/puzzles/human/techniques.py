"""The techniques of a person who fills a board, one function each. Compiled; `deduce.py` says in which order."""

from ludotheque.board.bits import count, lowest
from ludotheque.board.square import FULL, SIDE
from ludotheque.extras import extra
from ludotheque.puzzles.human.candidates import (
    BITS,
    CHOICE,
    COLOUR,
    LAY,
    NOTHING,
    PAIR,
    POINT,
    REGION,
    STARVE,
    TRIAL,
    WHAT_IF,
    CoverPuzzle,
    Inference,
    no_inference,
    scarcest,
    survivors,
)
from ludotheque.puzzles.solving.cover import NO_LIMIT, Ints, Task, laid, search

with extra("players"):
    import numpy as np

LOWEST_RANK = sum(1 << SIDE * file for file in range(SIDE))
HIGHEST_RANK = LOWEST_RANK << SIDE - 1
MAX_WHAT_IF_MOVES = 14  # forced moves that a what-if may follow


def find_lay(puzzle: CoverPuzzle, counts: Ints, last: Ints, need: int) -> Inference:
    """A mushroom, a cell or a piece with one option left."""
    for items in (need & puzzle.mushrooms, need & FULL & ~puzzle.mushrooms, need & ~FULL):
        rest = items
        while rest:
            item = lowest(rest)
            if counts[item] == 1:
                return Inference(LAY, 1 << item, 0, last[item], 0)
            rest &= rest - 1
    return no_inference()


def find_point(counts: Ints, common: Ints, need: int) -> Inference:
    """A item all of whose options also have another, which others have too."""
    items = need
    while items:
        item = lowest(items)
        others = common[item] & need & ~(1 << item)
        while others:
            other = lowest(others)
            if counts[other] > counts[item]:
                return Inference(POINT, 1 << item, 1 << other, -1, 0)
            others &= others - 1
        items &= items - 1
    return no_inference()


def find_colour(puzzle: CoverPuzzle, alive: Ints) -> Inference:
    """The single square lies on the colour that the corners do not have."""
    for index in range(len(puzzle.task.options)):
        word = puzzle.task.options[index]
        if alive[index] and word & puzzle.single and word & puzzle.colour == 0:
            return Inference(COLOUR, puzzle.single, 0, -1, 0)
    return no_inference()


def find_pair(puzzle: CoverPuzzle, alive: Ints, need: int) -> Inference:
    """Two mushrooms that only the same two pieces fit, or two pieces that only fit the same two mushrooms."""
    meets = np.zeros(BITS, np.int64)  # of a mushroom the pieces, of a piece the mushrooms
    for index in range(len(puzzle.task.options)):
        if alive[index]:
            word = puzzle.task.options[index]
            hole = word & puzzle.mushrooms
            meets[lowest(hole)] |= word & ~FULL
            meets[lowest(word & ~FULL)] |= hole
    for first in range(BITS):
        if need >> first & 1 and count(meets[first]) == 2:
            for second in range(first + 1, BITS):
                if need >> second & 1 and meets[second] == meets[first]:
                    both, pair = 1 << first | 1 << second, meets[first]
                    for index in range(len(puzzle.task.options)):
                        word = puzzle.task.options[index]
                        if alive[index] and word & pair and not word & both:
                            return Inference(PAIR, both, pair, -1, 0)
    return no_inference()


def find_what_if(puzzle: CoverPuzzle, alive: Ints, need: int, left: int, max_moves: int) -> Inference:
    """The option from which a contradiction is nearest; a region that does not fit is seen more easily than most."""
    options = puzzle.task.options
    live, number = survivors(options, alive)
    work = np.empty(number, np.int64)
    best, steps = no_inference(), max_moves + 1
    for index in range(len(options)):
        if alive[index]:
            kind, item, moves = contradiction(puzzle, live, number, work, options[index], need, left, steps)
            if kind == REGION and moves == 0:
                return Inference(REGION, item, 0, index, 0)
            if kind != NOTHING and moves < steps:
                best, steps = Inference(WHAT_IF if moves else STARVE, item, kind, index, moves), moves
    return best


def find_trial(puzzle: CoverPuzzle, alive: Ints, need: int, left: int, counts: Ints) -> Inference:
    """The scarcest item: an option of it that leads nowhere, or a choice among those that lead somewhere."""
    options, scarce = puzzle.task.options, 1 << scarcest(counts, need)
    live = options[alive.astype(np.bool_)]
    good, found = -1, np.empty((0, MAX_WHAT_IF_MOVES), np.int64)
    for index in range(len(options)):
        if alive[index] and options[index] & scarce:
            barred, rest, stock = laid(options[index], need, left)
            if rest & FULL and search(Task(live[live & barred == 0], rest & FULL, stock), 1, found, NO_LIMIT) == 0:
                return Inference(TRIAL, scarce, 0, index, 0)
            good = index if good < 0 else good
    return Inference(CHOICE, scarce, 0, good, 0)


def contradiction(  # noqa: PLR0917 - compiled code takes no names
    puzzle: CoverPuzzle, live: Ints, number: int, work: Ints, option: int, need: int, left: int, most: int
) -> tuple[int, int, int]:
    """What goes wrong if an option is laid and forced moves follow, fewer than so many: its kind, where, how late."""
    work[:number] = live[:number]
    steps = 0
    while True:
        barred, need, left = laid(option, need, left)
        region = misfit(puzzle, need)
        if region:
            return REGION, region, steps
        number, ones, more = keep_open(work, number, barred)
        missing = need & ~(ones | more)
        if missing:
            return STARVE, missing & -missing, steps
        forced = need & ones & ~more
        steps += 1
        if forced == 0 or steps >= most:
            return NOTHING, 0, 0
        option = work[first_with(work, number, forced & -forced)]


def keep_open(work: Ints, number: int, barred: int) -> tuple[int, int, int]:
    """Keep the options that touch nothing barred: how many, what one or more have, what several have."""
    kept = ones = more = 0
    for index in range(number):
        word = work[index]
        if word & barred == 0:
            work[kept] = word
            kept += 1
            more |= ones & word
            ones |= word
    return kept, ones, more


def first_with(work: Ints, number: int, item: int) -> int:
    for index in range(number):
        if work[index] & item:
            return index
    return -1


def misfit(puzzle: CoverPuzzle, need: int) -> int:
    """The smallest region that no whole pieces can fill: too many cells or too few for its mushrooms; 0 if none."""
    board, worst = need & FULL, 0
    single = puzzle.single & need != 0
    while board:
        region = flood(board)
        over = count(region) % puzzle.size
        if puzzle.mushrooms:
            over = count(region) - puzzle.size * count(region & puzzle.mushrooms)
        if over == 1 - puzzle.size and single:
            single = False
        elif over and (worst == 0 or count(region) < count(worst)):
            worst = region
        board &= ~region
    return worst


def flood(board: int) -> int:
    """The region of the first cell."""
    region, grown = board & -board, 0
    while grown != region:
        grown = region
        region |= (
            region << SIDE | region >> SIDE | (region & ~HIGHEST_RANK) << 1 | (region & ~LOWEST_RANK) >> 1
        ) & board
    return region
