"""Deductions, compiled: what a person could find out next about a board to be filled.

Options are words, as in `solving/cover.py`: cells, and above them the piece. A *thing* is one bit: a cell to fill, or
a piece of which one is left; exactly one option has it in the end. Each deduction lays an option or rules options
out, and holds in every solution (a choice excepted, which is marked as such). They are tried from the easiest on:

- a thing that only one option has: lay it;
- a thing all of whose options also have another: whatever has the other without the first is out;
- the single square's colour (Tetrods);
- two mushrooms for the same two pieces, or two pieces for the same two mushrooms (Tetrods);
- an option that would cut off a region of the wrong size;
- an option that would leave a thing without any;
- what if: an option from which forced moves lead, step by step, to one of these two contradictions;
- a trial: an option that leads nowhere, as only searching shows;
- a choice: from here on there are several ways to the goal.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludotheque.board.bits import count, lowest
from ludotheque.board.square import FULL, SIDE
from ludotheque.puzzles.solving.cover import ENDLESS, Ints, Task, laid, search, singles
from ludotheque.search.playouts import Noise, scramble

NOTHING = -1
LAY, POINT, COLOUR, PAIR, REGION, STARVE, WHAT_IF, TRIAL, CHOICE = range(9)

LOW = sum(1 << SIDE * file for file in range(SIDE))
TOP = LOW << SIDE - 1
LONGEST = 14  # moves that a what-if may follow
FIELDS = 5  # of a thought
SEED = np.uint64(20261115)  # of guesses: the same for everyone


class Puzzle(NamedTuple):
    """What a person knows from the start. Mushrooms are 0 where there are none."""

    task: Task
    mushrooms: int
    size: int
    """The squares of a piece."""

    single: int
    """The single square's bit; 0 if there is none."""

    colour: int
    """The cells on which the single square may lie."""


class Thought(NamedTuple):
    """A deduction: its kind, the thing it is about, another thing or things, the option laid or tried, how many moves
    were followed. Options are numbers from 0, -1 for none."""

    kind: int
    thing: int
    other: int
    option: int
    steps: int


def think(puzzle: Puzzle, alive: Ints, thoughts: Ints, longest: int, *, one: bool) -> tuple[int, bool]:
    """Solve by deductions, or as far as the first option laid; they go to the rows of `thoughts`.

    What-ifs follow up to `longest` moves; beyond that nothing is tried unless `longest` is LONGEST. The number of
    deductions, and whether they reach the goal.
    """
    need, left, number = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left, 0
    while need & FULL and number < len(thoughts):
        thought = next_thought(puzzle, alive, need, left, longest)
        if thought.kind == NOTHING:
            return number, False
        write(thoughts, number, thought)
        number += 1
        if thought.kind in (LAY, CHOICE):
            barred, need, left = laid(puzzle.task.options[thought.option], need, left)
            drop(puzzle.task.options, alive, barred)
            if one:
                return number, True
        else:
            rule_out(puzzle, alive, thought)
    return number, need & FULL == 0


def write(thoughts: Ints, row: int, thought: Thought) -> None:
    thoughts[row, 0], thoughts[row, 1], thoughts[row, 2] = thought.kind, thought.thing, thought.other
    thoughts[row, 3], thoughts[row, 4] = thought.option, thought.steps


def read(thoughts: Ints, row: int) -> Thought:
    return Thought(thoughts[row, 0], thoughts[row, 1], thoughts[row, 2], thoughts[row, 3], thoughts[row, 4])


def next_thought(puzzle: Puzzle, alive: Ints, need: int, left: int, longest: int) -> Thought:
    """The easiest deduction there is."""
    counts, last, common = census(puzzle.task.options, alive)
    thought = plain_thought(puzzle, alive, need, counts, last, common)
    if thought.kind == NOTHING:
        thought = what_if_thought(puzzle, alive, need, left, longest)
    if thought.kind == NOTHING and longest == LONGEST:
        thought = trial_thought(puzzle, alive, need, left, counts)
    return thought


def plain_thought(  # noqa: PLR0917 - compiled code takes no names
    puzzle: Puzzle, alive: Ints, need: int, counts: Ints, last: Ints, common: Ints
) -> Thought:
    """The easiest deduction that supposes nothing."""
    thought = lay_thought(puzzle, counts, last, need)
    if thought.kind == NOTHING:
        thought = point_thought(counts, common, need)
    if thought.kind == NOTHING and puzzle.single & need:
        thought = colour_thought(puzzle, alive)
    if thought.kind == NOTHING and puzzle.mushrooms:
        thought = pair_thought(puzzle, alive, need)
    return thought


def fills(puzzle: Puzzle, longest: int, noise: Noise, guess: bool = False) -> tuple[Noise, bool]:
    """Whether deductions fill the board, whose what-ifs follow up to `longest` moves; -1 means no what-ifs at all.

    Where they lead no further, `guess` lays any option of the scarcest thing; a guess may be wrong, and then that is
    that. All what-ifs are looked at in one go, which is many times faster than `think`: the same ones are found, but
    not always the easiest first.
    """
    options, alive = puzzle.task.options, np.ones(len(puzzle.task.options), np.int64)
    need, left = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left
    while need & FULL:
        counts, last, common = census(options, alive)
        scarce = scarcest(counts, need)
        if counts[scarce] == 0:
            return noise, False
        thought = plain_thought(puzzle, alive, need, counts, last, common)
        if thought.kind == NOTHING and not sweep(puzzle, alive, need, left, longest):
            if not guess:
                return noise, False
            noise, thought = guess_thought(options, alive, scarce, counts[scarce], noise)
        if thought.kind in (LAY, CHOICE):
            barred, need, left = laid(options[thought.option], need, left)
            drop(options, alive, barred)
        elif thought.kind != NOTHING:
            rule_out(puzzle, alive, thought)
    return noise, True


def attempt(puzzle: Puzzle, thoughts: Ints, longest: int, noise: Noise) -> tuple[Noise, int, bool]:
    """The same with guesses, one deduction after the other, the easiest first; they go to the rows of `thoughts`.

    The number of deductions, and whether they filled the board.
    """
    options, alive = puzzle.task.options, np.ones(len(puzzle.task.options), np.int64)
    need, left, number = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left, 0
    while need & FULL and number < len(thoughts):
        counts, _, _ = census(options, alive)
        scarce = scarcest(counts, need)
        if counts[scarce] == 0:
            return noise, number, False
        thought = next_thought(puzzle, alive, need, left, longest)
        if thought.kind == NOTHING:
            noise, thought = guess_thought(options, alive, scarce, counts[scarce], noise)
        write(thoughts, number, thought)
        number += 1
        if thought.kind in (LAY, CHOICE):
            barred, need, left = laid(options[thought.option], need, left)
            drop(options, alive, barred)
        else:
            rule_out(puzzle, alive, thought)
    return noise, number, need & FULL == 0


def guess_thought(options: Ints, alive: Ints, thing: int, number: int, noise: Noise) -> tuple[Noise, Thought]:
    """Any of the options, as many as that, that have this thing."""
    noise = scramble(noise)
    option = nth(options, alive, 1 << thing, int(noise >> np.uint64(33)) % number)
    return noise, Thought(CHOICE, 1 << thing, 0, option, 0)


def often(puzzle: Puzzle, longest: int, tries: int) -> bool:
    """Whether deductions and guesses fill the board at least every other time."""
    noise, good, bad = SEED, 0, 0
    while 2 * good < tries and 2 * bad <= tries:
        noise, full = fills(puzzle, longest, noise, True)
        good += full
        bad += not full
    return 2 * good >= tries


def sweep(puzzle: Puzzle, alive: Ints, need: int, left: int, longest: int) -> bool:
    """Rule out all options from which so many forced moves lead to a contradiction; whether there were any."""
    options, found = puzzle.task.options, False
    live, number = survivors(options, alive)
    work = np.empty(number, np.int64)
    for index in range(len(options) if longest >= 0 else 0):
        if alive[index]:
            kind, _, _ = contradiction(puzzle, live, number, work, options[index], need, left, longest + 1)
            if kind != NOTHING:
                alive[index], found = 0, True
                live, number = survivors(options, alive)
    return found


def scarcest(counts: Ints, need: int) -> int:
    """The needed thing that the fewest options have."""
    scarce = lowest(need)
    for thing in range(63):
        if need >> thing & 1 and counts[thing] < counts[scarce]:
            scarce = thing
    return scarce


def nth(options: Ints, alive: Ints, thing: int, number: int) -> int:
    """An option that has this thing: the one after so many others."""
    for index in range(len(options)):
        if alive[index] and options[index] & thing:
            if number == 0:
                return index
            number -= 1
    return -1


def trim(puzzle: Puzzle, alive: Ints, thoughts: Ints, number: int) -> int:
    """Leave out what the last of some deductions, which lays an option, does not rest on. How many are left."""
    needed = np.ones(number, np.bool_)
    for row in range(number - 2, -1, -1):
        needed[row] = False
        needed[row] = not holds(puzzle, alive.copy(), thoughts, number, needed)
    kept = 0
    for row in range(number):
        if needed[row]:
            thoughts[kept] = thoughts[row]
            kept += 1
    return kept


def holds(puzzle: Puzzle, alive: Ints, thoughts: Ints, number: int, needed: NDArray[np.bool_]) -> bool:
    """Whether each of the needed deductions follows from those before it."""
    need, left = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left
    for row in range(number):
        if needed[row]:
            thought = read(thoughts, row)
            if not follows(puzzle, alive, need, left, thought):
                return False
            rule_out(puzzle, alive, thought)
    return True


def follows(puzzle: Puzzle, alive: Ints, need: int, left: int, thought: Thought) -> bool:
    """Whether a deduction can be made now. Trials and the colour of the single square need nothing else."""
    options = puzzle.task.options
    if thought.kind in (LAY, POINT):
        counts, last, common = census(options, alive)
        thing = lowest(thought.thing)
        if thought.kind == LAY:
            return bool(counts[thing] == 1 and last[thing] == thought.option)
        return bool(common[thing] & thought.other != 0)
    if thought.kind == PAIR:
        for index in range(len(options)):
            if alive[index] and options[index] & thought.thing and not options[index] & thought.other:
                return False
    if thought.kind in (REGION, STARVE, WHAT_IF):
        live, number = survivors(options, alive)
        word = options[thought.option]
        kind, thing, steps = contradiction(puzzle, live, number, live.copy(), word, need, left, thought.steps + 1)
        return kind != NOTHING and steps == thought.steps and thing == thought.thing
    return True


def rule_out(puzzle: Puzzle, alive: Ints, thought: Thought) -> None:
    """Rule out what a deduction rules out."""
    options = puzzle.task.options
    for index in range(len(options)):
        if alive[index]:
            word = options[index]
            if thought.kind == POINT:
                out = word & thought.other != 0 and word & thought.thing == 0
            elif thought.kind == COLOUR:
                out = word & thought.thing != 0 and word & puzzle.colour == 0
            elif thought.kind == PAIR:
                out = (word & thought.thing != 0) != (word & thought.other != 0)
            else:
                out = index == thought.option
            if out:
                alive[index] = 0


def drop(options: Ints, alive: Ints, barred: int) -> None:
    for index in range(len(options)):
        if options[index] & barred:
            alive[index] = 0


def census(options: Ints, alive: Ints) -> tuple[Ints, Ints, Ints]:
    """For each thing: how many options have it, the last of them, and what all of them have."""
    counts, last, common = np.zeros(63, np.int64), np.full(63, -1), np.full(63, -1)
    for index in range(len(options)):
        if alive[index]:
            rest = options[index]
            while rest:
                thing = lowest(rest)
                counts[thing] += 1
                last[thing] = index
                common[thing] &= options[index]
                rest &= rest - 1
    return counts, last, common


def nothing() -> Thought:
    return Thought(NOTHING, 0, 0, -1, 0)


def lay_thought(puzzle: Puzzle, counts: Ints, last: Ints, need: int) -> Thought:
    """A mushroom, a cell or a piece with one option left."""
    for things in (need & puzzle.mushrooms, need & FULL & ~puzzle.mushrooms, need & ~FULL):
        rest = things
        while rest:
            thing = lowest(rest)
            if counts[thing] == 1:
                return Thought(LAY, 1 << thing, 0, last[thing], 0)
            rest &= rest - 1
    return nothing()


def point_thought(counts: Ints, common: Ints, need: int) -> Thought:
    """A thing all of whose options also have another, which others have too."""
    things = need
    while things:
        thing = lowest(things)
        others = common[thing] & need & ~(1 << thing)
        while others:
            other = lowest(others)
            if counts[other] > counts[thing]:
                return Thought(POINT, 1 << thing, 1 << other, -1, 0)
            others &= others - 1
        things &= things - 1
    return nothing()


def colour_thought(puzzle: Puzzle, alive: Ints) -> Thought:
    """The single square lies on the colour that the corners do not have."""
    for index in range(len(puzzle.task.options)):
        word = puzzle.task.options[index]
        if alive[index] and word & puzzle.single and word & puzzle.colour == 0:
            return Thought(COLOUR, puzzle.single, 0, -1, 0)
    return nothing()


def pair_thought(puzzle: Puzzle, alive: Ints, need: int) -> Thought:
    """Two mushrooms that only the same two pieces fit, or two pieces that only fit the same two mushrooms."""
    meets = np.zeros(63, np.int64)  # of a mushroom the pieces, of a piece the mushrooms
    for index in range(len(puzzle.task.options)):
        if alive[index]:
            word = puzzle.task.options[index]
            hole = word & puzzle.mushrooms
            meets[lowest(hole)] |= word & ~FULL
            meets[lowest(word & ~FULL)] |= hole
    for first in range(63):
        if need >> first & 1 and count(meets[first]) == 2:
            for second in range(first + 1, 63):
                if need >> second & 1 and meets[second] == meets[first]:
                    both, pair = 1 << first | 1 << second, meets[first]
                    for index in range(len(puzzle.task.options)):
                        word = puzzle.task.options[index]
                        if alive[index] and word & pair and not word & both:
                            return Thought(PAIR, both, pair, -1, 0)
    return nothing()


def what_if_thought(puzzle: Puzzle, alive: Ints, need: int, left: int, longest: int) -> Thought:
    """The option from which a contradiction is nearest; a region that does not fit is seen more easily than most."""
    options = puzzle.task.options
    live, number = survivors(options, alive)
    work = np.empty(number, np.int64)
    best, steps = nothing(), longest + 1
    for index in range(len(options)):
        if alive[index]:
            kind, thing, moves = contradiction(puzzle, live, number, work, options[index], need, left, steps)
            if kind == REGION and moves == 0:
                return Thought(REGION, thing, 0, index, 0)
            if kind != NOTHING and moves < steps:
                best, steps = Thought(WHAT_IF if moves else STARVE, thing, kind, index, moves), moves
    return best


def survivors(options: Ints, alive: Ints) -> tuple[Ints, int]:
    """The options that are alive, and how many."""
    live, number = np.empty(len(options), np.int64), 0
    for index in range(len(options)):
        if alive[index]:
            live[number] = options[index]
            number += 1
    return live, number


def contradiction(  # noqa: PLR0917 - compiled code takes no names
    puzzle: Puzzle, live: Ints, number: int, work: Ints, option: int, need: int, left: int, most: int
) -> tuple[int, int, int]:
    """What goes wrong if an option is laid and forced moves follow, fewer than so many: its kind, where, how late."""
    work[:number] = live[:number]
    steps = 0
    while True:
        barred, need, left = laid(option, need, left)
        region = misfit(puzzle, need)
        if region:
            return REGION, region, steps
        number, ones, more = keep(work, number, barred)
        missing = need & ~(ones | more)
        if missing:
            return STARVE, missing & -missing, steps
        forced = need & ones & ~more
        steps += 1
        if forced == 0 or steps >= most:
            return NOTHING, 0, 0
        option = work[holder(work, number, forced & -forced)]


def keep(work: Ints, number: int, barred: int) -> tuple[int, int, int]:
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


def holder(work: Ints, number: int, thing: int) -> int:
    for index in range(number):
        if work[index] & thing:
            return index
    return -1


def misfit(puzzle: Puzzle, need: int) -> int:
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
        region |= (region << SIDE | region >> SIDE | (region & ~TOP) << 1 | (region & ~LOW) >> 1) & board
    return region


def trial_thought(puzzle: Puzzle, alive: Ints, need: int, left: int, counts: Ints) -> Thought:
    """The scarcest thing: an option of it that leads nowhere, or a choice among those that lead somewhere."""
    options, scarce = puzzle.task.options, 1 << scarcest(counts, need)
    live = options[alive.astype(np.bool_)]
    good, found = -1, np.empty((0, LONGEST), np.int64)
    for index in range(len(options)):
        if alive[index] and options[index] & scarce:
            barred, rest, stock = laid(options[index], need, left)
            if rest & FULL and search(Task(live[live & barred == 0], rest & FULL, stock), 1, found, ENDLESS) == 0:
                return Thought(TRIAL, scarce, 0, index, 0)
            good = index if good < 0 else good
    return Thought(CHOICE, scarce, 0, good, 0)
