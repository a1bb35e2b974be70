"""A person who guesses where no deduction leads further: how far such a one gets. Compiled; grades are made of it."""

from ludotheque.board.square import FULL
from ludotheque.extras import extra
from ludotheque.puzzles.human.candidates import (
    CHOICE,
    LAY,
    NOTHING,
    CoverPuzzle,
    Inference,
    census,
    drop,
    nth,
    rule_out,
    scarcest,
    survivors,
    write_row,
)
from ludotheque.puzzles.human.deduce import direct_inference, next_inference
from ludotheque.puzzles.human.techniques import contradiction
from ludotheque.puzzles.solving.cover import Ints, laid, singles
from ludotheque.search.playouts import Noise, scramble

with extra("players"):
    import numpy as np

SEED = np.uint64(20261115)  # of guesses: the same for everyone


def fills_board(puzzle: CoverPuzzle, max_moves: int, noise: Noise, guess: bool = False) -> tuple[Noise, bool]:
    """Whether deductions fill the board, whose what-ifs follow up to `max_moves` moves; -1 means no what-ifs at all.

    Where they lead no further, `guess` lays any option of the scarcest item; a guess may be wrong, and then that is
    that. All what-ifs are looked at in one go, which is many times faster than `deduce`: the same ones are found, but
    not always the easiest first.
    """
    options, alive = puzzle.task.options, np.ones(len(puzzle.task.options), np.int64)
    need, left = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left
    while need & FULL:
        counts, last, common = census(options, alive)
        scarce = scarcest(counts, need)
        if counts[scarce] == 0:
            return noise, False
        inference = direct_inference(puzzle, alive, need, counts, last, common)
        if inference.kind == NOTHING and not rule_out_contradictions(puzzle, alive, need, left, max_moves):
            if not guess:
                return noise, False
            noise, inference = guess_option(options, alive, scarce, counts[scarce], noise)
        if inference.kind in (LAY, CHOICE):
            barred, need, left = laid(options[inference.option], need, left)
            drop(options, alive, barred)
        elif inference.kind != NOTHING:
            rule_out(puzzle, alive, inference)
    return noise, True


def solve_with_guesses(
    puzzle: CoverPuzzle, inferences: Ints, max_moves: int, noise: Noise
) -> tuple[Noise, int, bool]:
    """The same with guesses, one deduction after the other, the easiest first; they go to the rows of `inferences`.

    The number of deductions, and whether they filled the board.
    """
    options, alive = puzzle.task.options, np.ones(len(puzzle.task.options), np.int64)
    need, left, number = puzzle.task.board | singles(puzzle.task.left), puzzle.task.left, 0
    while need & FULL and number < len(inferences):
        counts, _, _ = census(options, alive)
        scarce = scarcest(counts, need)
        if counts[scarce] == 0:
            return noise, number, False
        inference = next_inference(puzzle, alive, need, left, max_moves)
        if inference.kind == NOTHING:
            noise, inference = guess_option(options, alive, scarce, counts[scarce], noise)
        write_row(inferences, number, inference)
        number += 1
        if inference.kind in (LAY, CHOICE):
            barred, need, left = laid(options[inference.option], need, left)
            drop(options, alive, barred)
        else:
            rule_out(puzzle, alive, inference)
    return noise, number, need & FULL == 0


def fills_often(puzzle: CoverPuzzle, max_moves: int, tries: int) -> bool:
    """Whether deductions and guesses fill the board at least every other time."""
    noise, good, bad = SEED, 0, 0
    while 2 * good < tries and 2 * bad <= tries:
        noise, full = fills_board(puzzle, max_moves, noise, True)
        good += full
        bad += not full
    return 2 * good >= tries


def rule_out_contradictions(puzzle: CoverPuzzle, alive: Ints, need: int, left: int, max_moves: int) -> bool:
    """Rule out all options from which so many forced moves lead to a contradiction; whether there were any."""
    options, found = puzzle.task.options, False
    live, number = survivors(options, alive)
    work = np.empty(number, np.int64)
    for index in range(len(options) if max_moves >= 0 else 0):
        if alive[index]:
            kind, _, _ = contradiction(puzzle, live, number, work, options[index], need, left, max_moves + 1)
            if kind != NOTHING:
                alive[index], found = 0, True
                live, number = survivors(options, alive)
    return found


def guess_option(options: Ints, alive: Ints, item: int, number: int, noise: Noise) -> tuple[Noise, Inference]:
    """Any of the options, as many as that, that have this item."""
    noise = scramble(noise)
    option = nth(options, alive, 1 << item, int(noise >> np.uint64(33)) % number)
    return noise, Inference(CHOICE, 1 << item, 0, option, 0)
