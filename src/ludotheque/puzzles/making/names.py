"""Puzzles by their names, read without making any: this module imports no compiler.

A short name is the puzzle's key, a grade and a number, `tetrods:4#20261115`: the same name always means the same
puzzle. A description spells the puzzle out after its key, `tetrods:a1-a5-…`, as its kind reads and writes it.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from ludotheque.errors import BadOption, quoted
from ludotheque.match import Match, Renderer
from ludotheque.options import Value
from ludotheque.puzzles.kinds import kind, kinds

GRADES_OF_THE_WEEK = (1, 2, 2, 3, 3, 4, 5)  # of five, from Monday on
SHORT = re.compile(r"([a-z-]+):(\d{1,2})#(\d{1,18})", re.ASCII)


class PuzzleSpec(NamedTuple):
    """A puzzle: the options that a match of its game starts with, its names, and its grade if it was made to one."""

    key: str  #: of its kind
    options: dict[str, Value]  #: what a match of its game starts with
    description: str  #: its long name, without the key
    seed: str | None  #: its short name; none if it was described
    grade: int | None  #: the grade it was made to; none if it was described

    def match(self, renderer: Renderer | None = None) -> Match:
        """The puzzle, ready to be played."""
        return Match(kind(self.key).game, options=self.options, renderer=renderer)


class ShortName(NamedTuple):
    """A puzzle to be made: its kind, its grade and its number."""

    key: str  #: of its kind
    grade: int  #: how hard it is to be, 1 the easiest
    number: int  #: which one of that grade

    def __str__(self) -> str:
        return f"{self.key}:{self.grade}#{self.number}"


def read(text: str) -> PuzzleSpec | ShortName:
    """What a name means; a `LudothequeError` says what is wrong with it."""
    if found := SHORT.fullmatch(text.strip()):
        return short_name(found[1], int(found[2]), int(found[3]))
    key, _, rest = text.strip().partition(":")
    for each in kinds():
        options = each.read(each.game, rest) if each.key == key else None
        if options is not None:
            return described(key, options)
    raise BadOption(
        f"{quoted(text)} names no puzzle; a name looks like tetrods:4#20261115.", "bad-puzzle", {"id": quoted(text)}
    )


def described(key: str, options: Mapping[str, object]) -> PuzzleSpec:
    """The puzzle of this kind that these options start, which are checked."""
    of = kind(key)
    given = {option.name: option.check(options[option.name]) for option in of.game.options if option.name in options}
    checked = {name: value for name, value in given.items() if value != ()}
    return PuzzleSpec(key, checked, f"{key}:{of.write(of.game, checked)}", None, None)


def known(seed: str, description: str) -> PuzzleSpec:
    """The puzzle of a short name that was made before, from its description."""
    found, short = read(description), read(seed)
    assert isinstance(found, PuzzleSpec)
    assert isinstance(short, ShortName)
    return found._replace(seed=seed, grade=short.grade)


def in_booklet(key: str, count: int, first: int) -> list[ShortName]:
    """The puzzles of a booklet, easy to hard, numbered from the first on."""
    grades = kind(key).grades
    return [ShortName(key, grades[number * len(grades) // count], first + number) for number in range(count)]


def of_day(key: str, when: date) -> ShortName:
    """The puzzle of a day: easy on Mondays, hardest on Sundays."""
    grade = kind(key).grades[GRADES_OF_THE_WEEK[when.weekday()] - 1]
    return ShortName(key, grade, int(when.strftime("%Y%m%d")))


def short_name(key: str, grade: int, number: int) -> ShortName:
    """The puzzle of this grade that has this number, if there are such."""
    grades = kind(key).grades
    if grade not in grades:
        has = f"{min(grades)} to {max(grades)}"
        raise BadOption(f"{key} has puzzles from {has}, not {grade}.", "bad-grade", {"grades": has, "grade": grade})
    return ShortName(key, grade, number)
