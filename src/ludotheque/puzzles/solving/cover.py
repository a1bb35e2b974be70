"""Filling a board with pieces, exactly: the compiled heart of the solvers of Tetrods and Hepta alone.

A task is a list of options, each a piece on certain cells, the cells to fill, and how many of each piece there are. A
solution is a set of options that fills every cell once with all the pieces. The search always goes on where the
fewest options are left: with a cell, or with a piece of which only one is left.

An option is one word: a bit for each of its cells, and above them tags, one for its piece and perhaps one for another
thing there is a number of. So two options clash if their words meet, and one pass over the options that are left both
drops those that clash with the one just laid and counts, for all cells at once, how many are left: the digits of 63
counters side by side, one word a digit.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ludotheque.board.bits import lowest
from ludotheque.board.square import CELLS, FULL
from ludotheque.extras import extra
from ludotheque.search.compiled import built
from ludotheque.search.playouts import Noise, scramble

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]

COUNT_BITS = 4  # for how many of a tag are left
COUNT_MASK = (1 << COUNT_BITS) - 1
NO_LIMIT = 1 << 62  # as a limit or as `max_laid`
SOLVED = -1


class Task(NamedTuple):
    """What to fill and with what."""

    options: Ints
    """Cells, and tags above them."""

    board: int
    """The cells to fill."""

    left: int
    """How many options of each tag are to be laid, four bits each."""


def tagged(cells: int, *tags: int) -> int:
    """The word of an option."""
    return cells | sum(1 << CELLS + tag for tag in tags)


def stock(*numbers: int) -> int:
    """So many of each tag, as one number."""
    return sum(number << COUNT_BITS * tag for tag, number in enumerate(numbers))


def task(options: Ints, board: int, numbers: Sequence[int]) -> Task:
    """What to fill with so many options of each tag; those of which none is left drop out."""
    gone = sum(1 << CELLS + tag for tag, number in enumerate(numbers) if number <= 0)
    fitting = options[(options & (FULL & ~board | gone)) == 0]
    return Task(fitting if min(numbers) >= 0 else fitting[:0], board, stock(*(max(0, number) for number in numbers)))


def solve(task: Task, limit: int, found: Ints) -> int:
    """`search`, compiled, to be called from Python."""
    return built(unpacked)(task.options, task.board, task.left, limit, found)


def unpacked(options: Ints, board: int, left: int, limit: int, found: Ints) -> int:
    """`search` with its task in pieces: numba takes a hundred times longer to recognise a tuple of arrays."""
    return search(Task(options, board, left), limit, found, NO_LIMIT)


def search(task: Task, limit: int, found: Ints, max_laid: int = NO_LIMIT) -> int:
    """How many solutions there are, counted up to a limit; the first of them are written to the rows of `found`.

    It gives up once it has chosen so many options.
    """
    if task.board == 0 or limit == 0:
        return min(1, limit)
    deepest = found.shape[1] + 1
    options = np.empty((deepest, len(task.options)), np.int64)
    sizes, cursors, items = np.empty(deepest, np.int64), np.empty(deepest, np.int64), np.empty(deepest, np.int64)
    needs, lefts, lengths = np.empty(deepest, np.int64), np.empty(deepest, np.int64), np.empty(deepest, np.int64)
    trail = np.empty(deepest, np.int64)
    before, size, barred, need, left, length = task.options, len(task.options), 0, task.board, task.left, 0
    need |= singles(left)
    solutions, depth = 0, -1
    while max_laid > 0:
        size, item, need, left, length = settle(before, size, options[depth + 1], barred, need, left, trail, length)
        if item == SOLVED:
            if solutions < len(found):
                found[solutions, :length] = trail[:length]
            solutions += 1
            if solutions == limit:
                break
        elif item:
            depth += 1
            sizes[depth], items[depth], cursors[depth] = size, item, 0
            needs[depth], lefts[depth], lengths[depth] = need, left, length
        option = 0
        while depth >= 0 and option == 0:
            option, cursors[depth] = following(options[depth], sizes[depth], cursors[depth], items[depth])
            depth -= option == 0
        if depth < 0:
            break
        max_laid -= 1
        before, size, length = options[depth], sizes[depth], lengths[depth]
        barred, need, left = laid(option, needs[depth], lefts[depth])
        trail[length] = option
        length += 1
    return solutions


def settle(  # noqa: PLR0917 - compiled code takes no names
    before: Ints, size: int, after: Ints, barred: int, need: int, left: int, trail: Ints, length: int
) -> tuple[int, int, int, int, int]:
    """Drop what is barred, then lay whatever is forced, until nothing is.

    How many options are left, the thing to go on with (0 if there is no way on, SOLVED if all is filled), what is
    needed, what is left, and how many options have been laid.
    """
    while True:
        if need & FULL == 0:
            return size, SOLVED, need, left, length
        size, item, forced = sift(before, size, after, barred, need)
        if item == 0 or forced == 0:
            return size, item, need, left, length
        before, barred, index = after, 0, 0
        while forced:
            option = after[index]
            index += 1
            if option & forced:
                if option & barred:
                    return size, 0, need, left, length
                more, need, left = laid(option, need, left)
                barred |= more
                forced &= ~option
                trail[length] = option
                length += 1


def laid(option: int, need: int, left: int) -> tuple[int, int, int]:
    """Once an option is laid: what no other may touch, what is still needed, how many of each tag are left."""
    barred, need, tags = option & FULL, need & ~option, option >> CELLS
    while tags:
        tag = lowest(tags)
        left -= 1 << COUNT_BITS * tag
        number = left >> COUNT_BITS * tag & COUNT_MASK
        if number == 0:
            barred |= 1 << CELLS + tag
        elif number == 1:
            need |= 1 << CELLS + tag
        tags &= tags - 1
    return barred, need, left


def sift(before: Ints, size: int, after: Ints, barred: int, needed: int) -> tuple[int, int, int]:
    """Write down the options that touch nothing barred: how many, and the needed thing that the fewest of them have.

    The thing is a bit, or 0 if one has none left: then there is no way on. At last, the things that only one has.
    """
    number = ones = twos = fours = eights = 0
    for index in range(size):
        option = before[index]
        after[number] = option
        kept = option & barred == 0
        number += kept
        word = option if kept else 0  # no branch: which ones stay cannot be foreseen
        twos_more = ones & word
        ones ^= word
        fours_more = twos & twos_more
        twos ^= twos_more
        eights |= fours & fours_more
        fours ^= fours_more
    more = twos | fours | eights
    if needed & ~(ones | more):
        return number, 0, 0
    return number, rarest(needed, ones, twos, fours, eights), needed & ~more


def rarest(needed: int, ones: int, twos: int, fours: int, eights: int) -> int:
    """The thing with the smallest counter, as a bit."""
    best = needed
    for digit in (eights, fours, twos, ones):
        if best & ~digit:
            best &= ~digit
    return best & -best


def following(options: Ints, size: int, cursor: int, item: int) -> tuple[int, int]:
    """The next option that has the item, and where to look for the one after; 0 if there is none."""
    for index in range(cursor, size):
        if options[index] & item:
            return options[index], index + 1
    return 0, size


def singles(left: int) -> int:
    """The tags of which one is left, as bits above the cells: they must be laid, as cells must be filled."""
    bits, tag = 0, 0
    while left:
        if left & COUNT_MASK == 1:
            bits |= 1 << CELLS + tag
        left >>= COUNT_BITS
        tag += 1
    return bits


def shuffle(values: Ints, noise: Noise) -> Noise:
    """Put the values into a random order."""
    for index in range(len(values) - 1, 0, -1):
        noise = scramble(noise)
        other = int(noise >> np.uint64(33)) % (index + 1)
        values[index], values[other] = values[other], values[index]
    return noise
