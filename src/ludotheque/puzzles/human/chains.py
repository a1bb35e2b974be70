"""Short chains of eliminations that lead to the next piece. Compiled; `explain.py` chooses among them.

Whoever rules out only what is nearest at hand, as `deduce.py` does, rules out a great deal on the way to a piece.
Here everything within a certain lookahead is ruled out at once, and then whatever the piece does not rest on is left
out again: fewer what-ifs, but longer ones.
"""

from ludotheque.extras import extra
from ludotheque.puzzles.human.candidates import (
    LAY,
    NOTHING,
    REGION,
    STARVE,
    WHAT_IF,
    CoverPuzzle,
    Inference,
    census,
    no_inference,
    read_row,
    rule_out,
    survivors,
    write_row,
)
from ludotheque.puzzles.human.deduce import direct_inference, still_follows
from ludotheque.puzzles.human.techniques import contradiction
from ludotheque.puzzles.solving.cover import Ints, singles

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray


def short_chain(puzzle: CoverPuzzle, inferences: Ints, max_moves: int) -> int:
    """The deductions to the next piece, with what-ifs of up to so many forced moves: how many; 0 if none lead there.

    They go to the rows of `inferences`; the last one lays the piece.
    """
    number = rule_out_all(puzzle, inferences, max_moves)
    return retold(puzzle, inferences, leave_out(puzzle, inferences, number, max_moves), max_moves) if number else 0


def rule_out_all(puzzle: CoverPuzzle, inferences: Ints, max_moves: int) -> int:
    """Rule out everything within reach, round by round, until a piece can be laid."""
    alive, number = np.ones(len(puzzle.task.options), np.int64), 0
    need, left = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left
    while number < len(inferences):
        counts, last, common = census(puzzle.task.options, alive)
        inference = direct_inference(puzzle, alive, need, counts, last, common)
        if inference.kind == NOTHING:
            found = write_contradictions(puzzle, alive, need, left, max_moves, inferences[number:])
            if found == 0:
                return 0
            number += found
        else:
            write_row(inferences, number, inference)
            number += 1
            if inference.kind == LAY:
                return number
            rule_out(puzzle, alive, inference)
    return 0


def write_contradictions(  # noqa: PLR0917 - compiled code takes no names
    puzzle: CoverPuzzle, alive: Ints, need: int, left: int, max_moves: int, rows: Ints
) -> int:
    """All options from which so many forced moves lead to a contradiction; each goes before the next is looked at."""
    number = 0
    for index in range(len(alive)):
        if alive[index] and number < len(rows):
            inference = what_if(puzzle, alive, need, left, index, max_moves)
            if inference.kind != NOTHING:
                write_row(rows, number, inference)
                number += 1
                alive[index] = 0
    return number


def what_if(  # noqa: PLR0917 - compiled code takes no names
    puzzle: CoverPuzzle, alive: Ints, need: int, left: int, option: int, max_moves: int
) -> Inference:
    """What rules an option out, if so many forced moves do."""
    live, number = survivors(puzzle.task.options, alive)
    word = puzzle.task.options[option]
    kind, item, steps = contradiction(puzzle, live, number, live.copy(), word, need, left, max_moves + 1)
    if kind == NOTHING:
        return no_inference()
    if steps:
        return Inference(WHAT_IF, item, kind, option, steps)
    return Inference(kind, item, 0 if kind == REGION else kind, option, 0)


def leave_out(puzzle: CoverPuzzle, inferences: Ints, number: int, max_moves: int) -> int:
    """Leave out what the last deduction does not rest on. How many are left."""
    needed = np.ones(number, np.bool_)
    for row in range(number - 2, -1, -1):
        needed[row] = False
        needed[row] = not still_leads(puzzle, inferences, number, needed, max_moves)
    kept = 0
    for row in range(number):
        if needed[row]:
            inferences[kept] = inferences[row]
            kept += 1
    return kept


def still_leads(
    puzzle: CoverPuzzle, inferences: Ints, number: int, needed: NDArray[np.bool_], max_moves: int
) -> bool:
    """Whether each of the needed deductions follows from those before it, a what-if by any contradiction."""
    alive = np.ones(len(puzzle.task.options), np.int64)
    need, left = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left
    for row in range(number):
        if needed[row]:
            inference = read_row(inferences, row)
            if inference.kind in (REGION, STARVE, WHAT_IF):
                if what_if(puzzle, alive, need, left, inference.option, max_moves).kind == NOTHING:
                    return False
            elif not still_follows(puzzle, alive, need, left, inference):
                return False
            rule_out(puzzle, alive, inference)
    return True


def retold(puzzle: CoverPuzzle, inferences: Ints, number: int, max_moves: int) -> int:
    """Write down which contradictions the what-ifs lead to now that others are left out."""
    alive = np.ones(len(puzzle.task.options), np.int64)
    need, left = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left
    for row in range(number):
        inference = read_row(inferences, row)
        if inference.kind in (REGION, STARVE, WHAT_IF):
            inference = what_if(puzzle, alive, need, left, inference.option, max_moves)
            write_row(inferences, row, inference)
        rule_out(puzzle, alive, inference)
    return number
