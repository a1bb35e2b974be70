"""Puzzles made by their names, the same for the same name. `names.py` tells what names look like."""

import hashlib
from collections.abc import Callable
from datetime import date
from functools import cache

import numpy as np

from ludotheque.board.bits import count
from ludotheque.board.square import CELLS, FULL, SIDE, names
from ludotheque.puzzles import hepta_solo, tetrods
from ludotheque.puzzles.human.grading import hepta_grade, promising, rated
from ludotheque.puzzles.making.names import PuzzleOf, Wanted, day, described, pegs, read, wanted
from ludotheque.puzzles.making.tilings import LOOKS, tables, unique_board
from ludotheque.puzzles.solving.hepta_solo import count as hepta_count
from ludotheque.puzzles.solving.layouts import bare, images
from ludotheque.search.compiled import built
from ludotheque.search.playouts import Noise, scramble


def puzzle(text: str) -> PuzzleOf:
    """The puzzle of a name, short or long; a `LudothequeError` says what is wrong with it."""
    found = read(text)
    return made(*found) if isinstance(found, Wanted) else found


def of_the_day(key: str, when: date) -> PuzzleOf:
    """The puzzle of a day, the same for everyone: easy on Mondays, hardest on Sundays."""
    return made(*day(key, when))


@cache
def made(key: str, grade: int, number: int) -> PuzzleOf:
    """The puzzle of this grade that has this number."""
    seed = str(wanted(key, grade, number))
    digest = hashlib.sha256(seed.encode()).digest()
    noise = np.uint64(int.from_bytes(digest[:8], "big") | 1)
    return MAKERS[key](grade, noise)._replace(seed=seed, grade=grade)


# Making


def _make_tetrods(grade: int, noise: Noise) -> PuzzleOf:
    """Boards of one look with one solution, until one has the grade."""
    look, noise = _draw(len(LOOKS), noise)
    while True:
        noise, mushrooms = built(unique_board)(tables(), np.uint64(noise), look)
        state = tetrods.State(mushrooms, 0, (tetrods.NOWHERE,) * 13)
        if promising(state, grade) and rated("tetrods", state).grade == grade:
            return described("tetrods", names(mushrooms))


def _make_hepta(grade: int, noise: Noise) -> PuzzleOf:
    """Blockers, every other time in a symmetric pattern, until they have the grade."""
    symmetric, noise = _draw(2, noise)
    tried = 0
    while True:
        tried += 1
        blockers, noise = (_pattern if symmetric and tried < 200 else _scattered)(noise)
        state = hepta_solo.start(1, blockers=tuple(names(blockers)))
        if hepta_count(state, 1) and hepta_grade(state) == grade:
            return described("hepta-solo", names(blockers))


def _make_pegs(cards: int, noise: Noise) -> PuzzleOf:
    """A layout that needs just so many cards, in any of its eight images."""
    some = bare()[cards]
    which, noise = _draw(len(some), noise)
    way, _ = _draw(8, noise)
    return pegs(cards, FULL & ~images(some[which])[way])


def _draw(number: int, noise: Noise) -> tuple[int, Noise]:
    noise = scramble(noise)
    return int(noise >> np.uint64(33)) % number, noise


def _scattered(noise: Noise) -> tuple[int, Noise]:
    bits = 0
    while count(bits) < 7:
        cell, noise = _draw(CELLS, noise)
        bits |= 1 << cell
    return bits, noise


def _pattern(noise: Noise) -> tuple[int, Noise]:
    """Seven cells that a symmetry of the board leaves in place."""
    way, noise = _draw(len(SYMMETRIES), noise)
    bits = 0
    while count(bits) != 7:
        cell, noise = _draw(CELLS, noise)
        bits |= 1 << cell | 1 << SYMMETRIES[way](cell)
        if count(bits) > 7:
            bits = 0
    return bits, noise


SYMMETRIES: tuple[Callable[[int], int], ...] = (
    lambda cell: CELLS - 1 - cell,  # a half turn
    lambda cell: cell // SIDE * SIDE + SIDE - 1 - cell % SIDE,  # above and below
    lambda cell: (SIDE - 1 - cell // SIDE) * SIDE + cell % SIDE,  # left and right
    lambda cell: cell % SIDE * SIDE + cell // SIDE,  # across the diagonal
)


MAKERS = {"tetrods": _make_tetrods, "hepta-solo": _make_hepta, "pegs-solo": _make_pegs}
