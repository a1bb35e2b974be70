"""Puzzles by their names, read without making any: this module knows no compiler.

A short name is the puzzle's key, a grade and a number, `tetrods:4#20261115`: the same name always means the same
puzzle. A long one is a description: `tetrods:a1-a5-…` names the mushrooms, `hepta-solo:a2-b5-…` the blockers, and
`pegs-solo:11:a6-b2-…` how many cards are allowed and the cells without a peg, eight or more; with more than eight the
missing pegs are left to the player, and where few pegs are there `pegs-solo:11:only-d4-…` names these instead. For
Pegs alone the grade of a short name is the number of cards, 10 to 14, and the layout needs just as many;
`pegs-solo:11` is the sheet's problem, pegs and all.
"""

import re
from datetime import date
from typing import NamedTuple

from ludotheque.board.bits import Bits, count, union
from ludotheque.board.square import CELLS, FULL, NUMBERS, name, names
from ludotheque.errors import BadOption, quoted
from ludotheque.game import AnyGame
from ludotheque.match import Match, Renderer
from ludotheque.options import Value
from ludotheque.puzzles import hepta_solo, pegs_solo, tetrods

GAMES: dict[str, AnyGame] = {module.GAME.key: module.GAME for module in (tetrods, hepta_solo, pegs_solo)}
KEYS = tuple(GAMES)
GRADES = (1, 2, 3, 4, 5)
CARDS = (14, 13, 12, 11, 10)  # of Pegs alone, from the easiest grade to the hardest
WEEK = (1, 2, 2, 3, 3, 4, 5)  # the grades of the days, from Monday on
SHORT = re.compile(r"([a-z-]+):(\d{1,2})#(\d{1,18})", re.ASCII)
LONG = re.compile(r"(tetrods|hepta-solo):([a-g][1-7](?:-[a-g][1-7])*)")
PEGS = re.compile(r"(pegs-solo):(\d{1,2})(?::(only-)?([a-g][1-7](?:-[a-g][1-7])*))?", re.ASCII)


class PuzzleOf(NamedTuple):
    """A puzzle: the options that a match of its game starts with, its names, and its grade if it was made to one."""

    key: str
    options: dict[str, Value]
    description: str
    seed: str | None
    grade: int | None

    def match(self, renderer: Renderer | None = None) -> Match:
        """The puzzle, ready to be played."""
        return Match(GAMES[self.key], options=self.options, renderer=renderer)


class Wanted(NamedTuple):
    """A puzzle that a short name asks for, to be made."""

    key: str
    grade: int
    number: int

    def __str__(self) -> str:
        return f"{self.key}:{self.grade}#{self.number}"


def read(text: str) -> PuzzleOf | Wanted:
    """What a name means, short or long; a `LudothequeError` says what is wrong with it."""
    if found := SHORT.fullmatch(text.strip()):
        return wanted(found[1], int(found[2]), int(found[3]))
    if found := LONG.fullmatch(text.strip()):
        return described(found[1], found[2].split("-"))
    if found := PEGS.fullmatch(text.strip()):
        cells = _cells(found[4].split("-")) if found[4] else FULL
        return pegs(int(found[2]), cells if found[3] else FULL & ~cells)
    raise BadOption(
        f"{quoted(text)} names no puzzle; a name looks like tetrods:4#20261115.", "bad-puzzle", {"id": quoted(text)}
    )


def known(seed: str, description: str) -> PuzzleOf:
    """The puzzle of a short name that was made before, from its long one."""
    found, short = read(description), read(seed)
    assert isinstance(found, PuzzleOf)
    assert isinstance(short, Wanted)
    return found._replace(seed=seed, grade=short.grade)


def in_booklet(key: str, count: int, first: int) -> list[Wanted]:
    """The puzzles of a booklet, easy to hard, numbered from the first on."""
    steps = grades(key)
    return [Wanted(key, steps[number * len(steps) // count], first + number) for number in range(count)]


def grades(key: str) -> tuple[int, ...]:
    """The grades of a puzzle as its names write them, from the easiest on."""
    return CARDS if key == "pegs-solo" else GRADES


def day(key: str, when: date) -> Wanted:
    """The puzzle of a day: easy on Mondays, hardest on Sundays."""
    return Wanted(key, grades(key)[WEEK[when.weekday()] - 1], int(when.strftime("%Y%m%d")))


def wanted(key: str, grade: int, number: int) -> Wanted:
    """The puzzle of this grade that has this number, if there are such."""
    if key not in KEYS:
        raise BadOption(
            f"There are puzzles of {', '.join(KEYS)}, not of {quoted(key)}.", "bad-puzzle", {"id": quoted(key)}
        )
    if grade not in grades(key):
        has = f"{min(grades(key))} to {max(grades(key))}"
        raise BadOption(f"{key} has puzzles from {has}, not {grade}.", "bad-grade", {"grades": has, "grade": grade})
    return Wanted(key, grade, number)


def described(key: str, cells: list[str]) -> PuzzleOf:
    """The Tetrods or Hepta of these mushrooms or blockers."""
    option = GAMES[key].options[0]
    chosen = option.check(cells)
    assert isinstance(chosen, tuple)
    return PuzzleOf(key, {option.name: chosen}, f"{key}:{'-'.join(chosen)}", None, None)


def pegs(cards: int, given: Bits) -> PuzzleOf:
    """Pegs alone with so many cards at most, and these pegs to start from; the others are left to the player."""
    most, layout = pegs_solo.GAME.options
    most.check(cards)
    options: dict[str, Value] = {"cards": cards} | ({"pegs": layout.check(names(given))} if given else {})
    where = "" if not given else f":only-{name(given)}" if count(given) < CELLS // 2 else f":{name(FULL & ~given)}"
    return PuzzleOf("pegs-solo", options, f"pegs-solo:{cards}{where}", None, None)


def _cells(named: list[str]) -> Bits:
    found = union(NUMBERS[cell] for cell in named)
    if count(found) != len(named):
        raise BadOption("No cell is named twice.", "bad-puzzle", {"id": quoted("-".join(named))})
    return found
