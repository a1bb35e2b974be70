"""The options that are still possible while a board is being filled, and deductions as rows of numbers. Compiled.

The words are Knuth's, as in `solving/cover.py`: an *option* is a piece on certain cells, one word of bits; an *item*
is one bit, a cell to fill or a piece of which one is left; exactly one option has it in the end. `alive` marks the
options that no deduction has ruled out yet.
"""

from typing import NamedTuple

from ludotheque.board.bits import lowest
from ludotheque.extras import extra
from ludotheque.puzzles.solving.cover import Ints, Task

with extra("players"):
    import numpy as np

NOTHING = -1
LAY, POINT, COLOUR, PAIR, REGION, STARVE, WHAT_IF, TRIAL, CHOICE = range(9)  # kinds of deductions: see `deduce.py`

INFERENCE_FIELDS = 5
BITS = 63  # of a word: the cells and the pieces


class CoverPuzzle(NamedTuple):
    """A board to be filled, as a person sees it: the exact cover, and what is special about this kind of puzzle.

    Mushrooms are 0 where there are none.
    """

    task: Task
    mushrooms: int
    size: int
    """The squares of a piece."""

    single: int
    """The single square's bit; 0 if there is none."""

    colour: int
    """The cells on which the single square may lie."""


class Inference(NamedTuple):
    """A deduction: its kind, the item it is about, another item or items, the option laid or tried, how many moves
    were followed. Options are numbers from 0, -1 for none."""

    kind: int
    item: int
    other: int
    option: int
    steps: int


def no_inference() -> Inference:
    return Inference(NOTHING, 0, 0, -1, 0)


def write_row(inferences: Ints, row: int, inference: Inference) -> None:
    inferences[row, 0], inferences[row, 1], inferences[row, 2] = inference.kind, inference.item, inference.other
    inferences[row, 3], inferences[row, 4] = inference.option, inference.steps


def read_row(inferences: Ints, row: int) -> Inference:
    return Inference(
        inferences[row, 0], inferences[row, 1], inferences[row, 2], inferences[row, 3], inferences[row, 4]
    )


def census(options: Ints, alive: Ints) -> tuple[Ints, Ints, Ints]:
    """For each item: how many options have it, the last of them, and what all of them have."""
    counts, last, common = np.zeros(BITS, np.int64), np.full(BITS, -1), np.full(BITS, -1)
    for index in range(len(options)):
        if alive[index]:
            rest = options[index]
            while rest:
                item = lowest(rest)
                counts[item] += 1
                last[item] = index
                common[item] &= options[index]
                rest &= rest - 1
    return counts, last, common


def survivors(options: Ints, alive: Ints) -> tuple[Ints, int]:
    """The options that are alive, and how many."""
    live, number = np.empty(len(options), np.int64), 0
    for index in range(len(options)):
        if alive[index]:
            live[number] = options[index]
            number += 1
    return live, number


def scarcest(counts: Ints, need: int) -> int:
    """The needed item that the fewest options have."""
    scarce = lowest(need)
    for item in range(BITS):
        if need >> item & 1 and counts[item] < counts[scarce]:
            scarce = item
    return scarce


def nth(options: Ints, alive: Ints, item: int, number: int) -> int:
    """An option that has this item: the one after so many others."""
    for index in range(len(options)):
        if alive[index] and options[index] & item:
            if number == 0:
                return index
            number -= 1
    return -1


def drop(options: Ints, alive: Ints, barred: int) -> None:
    for index in range(len(options)):
        if options[index] & barred:
            alive[index] = 0


def rule_out(puzzle: CoverPuzzle, alive: Ints, inference: Inference) -> None:
    """Rule out what a deduction rules out."""
    options = puzzle.task.options
    for index in range(len(options)):
        if alive[index]:
            word = options[index]
            if inference.kind == POINT:
                out = word & inference.other != 0 and word & inference.item == 0
            elif inference.kind == COLOUR:
                out = word & inference.item != 0 and word & puzzle.colour == 0
            elif inference.kind == PAIR:
                out = (word & inference.item != 0) != (word & inference.other != 0)
            else:
                out = index == inference.option
            if out:
                alive[index] = 0
