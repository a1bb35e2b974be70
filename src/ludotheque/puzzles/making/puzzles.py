"""Puzzles by their ids.

A short id is the puzzle's key, a grade and a number, `tetrods:4#20261115`: the same id always means the same puzzle.
A long id is a description: `tetrods:a1-a5-…` names the mushrooms, `hepta-solo:a2-b5-…` the blockers, and
`pegs-solo:11:a6-b2-…` how many cards are allowed and the cells without a peg. For Pegs alone the grade of a short id
is the number of cards, 10 to 14, and the layout needs just as many; `pegs-solo:11` is the sheet's problem, pegs and
all.
"""

import hashlib
import re
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import NamedTuple

import numpy as np

from ludotheque.board.bits import count, union
from ludotheque.board.square import CELLS, FULL, NUMBERS, SIDE, name, names
from ludotheque.errors import BadOption, quoted
from ludotheque.game import AnyGame
from ludotheque.match import Match, Pencil
from ludotheque.options import Value
from ludotheque.puzzles import hepta_solo, pegs_solo, tetrods
from ludotheque.puzzles.human.deductions import thoughts_on
from ludotheque.puzzles.human.grading import GRADES, STEPS, rated
from ludotheque.puzzles.making.tilings import tables, unique_board
from ludotheque.puzzles.solving.hepta_solo import count as hepta_count
from ludotheque.puzzles.solving.layouts import bare, images
from ludotheque.search.compiled import built
from ludotheque.search.playouts import Noise, scramble

GAMES: dict[str, AnyGame] = {module.GAME.key: module.GAME for module in (tetrods, hepta_solo, pegs_solo)}
KEYS = tuple(GAMES)
CARDS = (14, 13, 12, 11, 10)  # of Pegs alone, from the easiest grade to the hardest
WEEK = (1, 2, 2, 3, 3, 4, 5)  # the grades of the days, from Monday on
SHORT = re.compile(r"([a-z-]+):(\d{1,2})#(\d{1,18})")
LONG = re.compile(r"(tetrods|hepta-solo):([a-g][1-7](?:-[a-g][1-7])*)")
PEGS = re.compile(r"(pegs-solo):(\d{1,2})(?::([a-g][1-7](?:-[a-g][1-7])*))?")


class PuzzleOf(NamedTuple):
    """A puzzle: the options that a match of its game starts with, its ids, and its grade if it was made to one."""

    key: str
    options: dict[str, Value]
    description: str
    seed: str | None
    grade: int | None

    def match(self, pencil: Pencil | None = None) -> Match:
        """The puzzle, ready to be played."""
        return Match(GAMES[self.key], options=self.options, pencil=pencil)


def puzzle(text: str) -> PuzzleOf:
    """The puzzle of an id, short or long; a `LudothequeError` says what is wrong with it."""
    if found := SHORT.fullmatch(text.strip()):
        key, grade, number = found[1], int(found[2]), int(found[3])
        _check(key, grade)
        return made(key, grade, number)
    if found := LONG.fullmatch(text.strip()):
        return _described(found[1], found[2].split("-"))
    if found := PEGS.fullmatch(text.strip()):
        return _pegs(int(found[2]), found[3].split("-") if found[3] else None)
    raise BadOption(
        f"{quoted(text)} names no puzzle; a name looks like tetrods:4#20261115.", "bad-puzzle", {"id": quoted(text)}
    )


def grades(key: str) -> tuple[int, ...]:
    """The grades of a puzzle as its ids write them, from the easiest on."""
    return CARDS if key == "pegs-solo" else GRADES


def of_the_day(key: str, day: date) -> PuzzleOf:
    """The puzzle of a day, the same for everyone: easy on Mondays, hardest on Sundays."""
    return made(key, grades(key)[WEEK[day.weekday()] - 1], int(day.strftime("%Y%m%d")))


@cache
def made(key: str, grade: int, number: int) -> PuzzleOf:
    """The puzzle of this grade that has this number."""
    _check(key, grade)
    seed = f"{key}:{grade}#{number}"
    digest = hashlib.sha256(seed.encode()).digest()
    noise = np.uint64(int.from_bytes(digest[:8], "big") | 1)
    return MAKERS[key](grade, noise)._replace(seed=seed, grade=grade)


def _check(key: str, grade: int) -> None:
    if key not in KEYS:
        raise BadOption(
            f"There are puzzles of {', '.join(KEYS)}, not of {quoted(key)}.", "bad-puzzle", {"id": quoted(key)}
        )
    if grade not in grades(key):
        has = f"{min(grades(key))} to {max(grades(key))}"
        raise BadOption(f"{key} has puzzles from {has}, not {grade}.", "bad-grade", {"grades": has, "grade": grade})


def _described(key: str, cells: list[str]) -> PuzzleOf:
    option = (tetrods if key == "tetrods" else hepta_solo).GAME.options[0]
    chosen = option.check(cells)
    return PuzzleOf(key, {option.name: chosen}, f"{key}:{'-'.join(_tuple(chosen))}", None, None)


def _tuple(value: Value) -> tuple[str, ...]:
    assert isinstance(value, tuple)
    return value


def _pegs(cards: int, cells: list[str] | None) -> PuzzleOf:
    if cells is None:
        return PuzzleOf("pegs-solo", {"cards": cards}, f"pegs-solo:{cards}", None, None)
    without = union(NUMBERS[cell] for cell in cells)
    if count(without) != 8 or len(cells) != 8:
        raise BadOption("All but eight cells have a peg: name eight.", "bad-puzzle", {"id": quoted("-".join(cells))})
    options: dict[str, Value] = {"cards": cards, "pegs": tuple(names(FULL & ~without))}
    return PuzzleOf("pegs-solo", options, f"pegs-solo:{cards}:{name(without)}", None, None)


# Making


def _make_tetrods(grade: int, noise: Noise) -> PuzzleOf:
    """Boards with one solution until one has the grade and the look wanted."""
    look, noise = _draw(len(LOOKS), noise)
    tried = 0
    while True:
        noise, mushrooms = built(unique_board)(tables(), np.uint64(noise))
        tried += 1
        if not LOOKS[look](mushrooms) and tried % 8:
            continue  # one in eight may look as it likes, so that no wish takes for ever
        state = tetrods.State(mushrooms, 0, (tetrods.NOWHERE,) * 13)
        if grade < 5 and not thoughts_on("tetrods", state, STEPS[grade])[1]:
            continue
        if rated("tetrods", state).grade == grade:
            return _described("tetrods", names(mushrooms))


def _make_hepta(grade: int, noise: Noise) -> PuzzleOf:
    """Blockers, every other time in a symmetric pattern, until they have the grade."""
    symmetric, noise = _draw(2, noise)
    tried = 0
    while True:
        tried += 1
        blockers, noise = (_pattern if symmetric and tried < 200 else _scattered)(noise)
        state = hepta_solo.start(1, blockers=tuple(names(blockers)))
        if hepta_count(state, 1) and rated("hepta-solo", state).grade == grade:
            return _described("hepta-solo", names(blockers))


def _make_pegs(cards: int, noise: Noise) -> PuzzleOf:
    """A layout that needs just so many cards, in any of its eight images."""
    some = bare()[cards]
    which, noise = _draw(len(some), noise)
    way, _ = _draw(8, noise)
    return _pegs(cards, names(images(some[which])[way]))


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


def _touching(mushrooms: int) -> int:
    """Pairs of neighbouring mushrooms."""
    return count(mushrooms & mushrooms << SIDE) + count(mushrooms & mushrooms << 1 & ~LOW)


LOW = union(SIDE * file for file in range(SIDE))
RIM = union(cell for cell in range(CELLS) if {cell // SIDE, cell % SIDE} & {0, SIDE - 1})
LOOKS: tuple[Callable[[int], bool], ...] = (
    lambda _mushrooms: True,
    lambda mushrooms: _touching(mushrooms) <= 3,  # scattered
    lambda mushrooms: _touching(mushrooms) >= 6,  # in clumps
    lambda mushrooms: count(mushrooms & RIM) >= 8,  # along the rim
    lambda mushrooms: count(mushrooms & RIM) <= 4,  # in the middle
)
MAKERS = {"tetrods": _make_tetrods, "hepta-solo": _make_hepta, "pegs-solo": _make_pegs}
