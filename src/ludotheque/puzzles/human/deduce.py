"""Deductions, compiled: what a person could find out next about a board to be filled.

Each deduction lays an option or rules options out, and holds in every solution (a choice excepted, which is marked as
such). They are tried from the easiest on:

- lay: an item that only one option has;
- point: an item all of whose options also have another: whatever has the other without the first is out;
- colour: the single square's colour (Tetrods);
- pair: two mushrooms for the same two pieces, or two pieces for the same two mushrooms (Tetrods);
- region: an option that would cut off a region of the wrong size;
- starve: an option that would leave an item without any;
- what if: an option from which forced moves lead, step by step, to one of these two contradictions;
- trial: an option that leads nowhere, as only searching shows;
- choice: from here on there are several ways to the goal.
"""

from ludotheque.board.bits import lowest
from ludotheque.board.square import FULL
from ludotheque.extras import extra
from ludotheque.puzzles.human.candidates import (
    CHOICE,
    LAY,
    NOTHING,
    PAIR,
    POINT,
    REGION,
    STARVE,
    WHAT_IF,
    CoverPuzzle,
    Inference,
    census,
    drop,
    read_row,
    rule_out,
    survivors,
    write_row,
)
from ludotheque.puzzles.human.techniques import (
    MAX_WHAT_IF_MOVES,
    contradiction,
    find_colour,
    find_lay,
    find_pair,
    find_point,
    find_trial,
    find_what_if,
)
from ludotheque.puzzles.solving.cover import Ints, laid, singles

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray


def deduce(puzzle: CoverPuzzle, alive: Ints, inferences: Ints, max_moves: int, *, one: bool) -> tuple[int, bool]:
    """Solve by deductions, or as far as the first option laid; they go to the rows of `inferences`.

    What-ifs follow up to `max_moves` forced moves. Trials are made only where that is MAX_WHAT_IF_MOVES. Returns the
    number of deductions, and whether they reach the goal.
    """
    need, left, number = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left, 0
    while need & FULL and number < len(inferences):
        inference = next_inference(puzzle, alive, need, left, max_moves)
        if inference.kind == NOTHING:
            return number, False
        write_row(inferences, number, inference)
        number += 1
        if inference.kind in (LAY, CHOICE):
            barred, need, left = laid(puzzle.task.options[inference.option], need, left)
            drop(puzzle.task.options, alive, barred)
            if one:
                return number, True
        else:
            rule_out(puzzle, alive, inference)
    return number, need & FULL == 0


def next_inference(puzzle: CoverPuzzle, alive: Ints, need: int, left: int, max_moves: int) -> Inference:
    """The easiest deduction there is."""
    counts, last, common = census(puzzle.task.options, alive)
    inference = direct_inference(puzzle, alive, need, counts, last, common)
    if inference.kind == NOTHING:
        inference = find_what_if(puzzle, alive, need, left, max_moves)
    if inference.kind == NOTHING and max_moves == MAX_WHAT_IF_MOVES:
        inference = find_trial(puzzle, alive, need, left, counts)
    return inference


def direct_inference(  # noqa: PLR0917 - compiled code takes no names
    puzzle: CoverPuzzle, alive: Ints, need: int, counts: Ints, last: Ints, common: Ints
) -> Inference:
    """The easiest deduction that supposes nothing."""
    inference = find_lay(puzzle, counts, last, need)
    if inference.kind == NOTHING:
        inference = find_point(counts, common, need)
    if inference.kind == NOTHING and puzzle.single & need:
        inference = find_colour(puzzle, alive)
    if inference.kind == NOTHING and puzzle.mushrooms:
        inference = find_pair(puzzle, alive, need)
    return inference


def trim(puzzle: CoverPuzzle, alive: Ints, inferences: Ints, number: int) -> int:
    """Leave out what the last of some deductions, which lays an option, does not rest on. How many are left."""
    needed = np.ones(number, np.bool_)
    for row in range(number - 2, -1, -1):
        needed[row] = False
        needed[row] = not chain_holds(puzzle, alive.copy(), inferences, number, needed)
    kept = 0
    for row in range(number):
        if needed[row]:
            inferences[kept] = inferences[row]
            kept += 1
    return kept


def rounds(puzzle: CoverPuzzle, alive: Ints, inferences: Ints, number: int) -> Ints:
    """When each of some deductions can be made: those of the first round from the start, and so on.

    Deductions of one round need not wait for each other, so that they can be told in any order. The first one left
    always follows, from those before it.
    """
    need, left = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left
    found, told, made = np.zeros(number, np.int64), 0, 0
    while made < number:
        told += 1
        before, first = alive.copy(), True
        for row in range(number):
            if found[row] == 0:
                inference = read_row(inferences, row)
                if first or still_follows(puzzle, before, need, left, inference):
                    found[row] = told
                    made += 1
                    rule_out(puzzle, alive, inference)
                first = False
    return found


def chain_holds(puzzle: CoverPuzzle, alive: Ints, inferences: Ints, number: int, needed: NDArray[np.bool_]) -> bool:
    """Whether each of the needed deductions follows from those before it."""
    need, left = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left
    for row in range(number):
        if needed[row]:
            inference = read_row(inferences, row)
            if not still_follows(puzzle, alive, need, left, inference):
                return False
            rule_out(puzzle, alive, inference)
    return True


def still_follows(puzzle: CoverPuzzle, alive: Ints, need: int, left: int, inference: Inference) -> bool:
    """Whether a deduction can be made now. Trials and the colour of the single square need nothing else."""
    options = puzzle.task.options
    if inference.kind in (LAY, POINT):
        counts, last, common = census(options, alive)
        item = lowest(inference.item)
        if inference.kind == LAY:
            return bool(counts[item] == 1 and last[item] == inference.option)
        return bool(common[item] & inference.other != 0)
    if inference.kind == PAIR:
        for index in range(len(options)):
            if alive[index] and options[index] & inference.item and not options[index] & inference.other:
                return False
    if inference.kind in (REGION, STARVE, WHAT_IF):
        live, number = survivors(options, alive)
        word = options[inference.option]
        kind, item, steps = contradiction(puzzle, live, number, live.copy(), word, need, left, inference.steps + 1)
        return kind != NOTHING and steps == inference.steps and item == inference.item
    return True
