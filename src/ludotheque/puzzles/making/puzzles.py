"""Puzzles made by their names, the same for the same name. `names.py` tells what names look like."""

from datetime import date
from functools import cache

from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making.names import PuzzleSpec, ShortName, described, of_day, read, short_name
from ludotheque.puzzles.making.noise import seeded


def puzzle(text: str) -> PuzzleSpec:
    """The puzzle of a name, short or long; a `LudothequeError` says what is wrong with it."""
    found = read(text)
    return made(*found) if isinstance(found, ShortName) else found


def of_the_day(key: str, when: date) -> PuzzleSpec:
    """The puzzle of a day, the same for everyone: easy on Mondays, hardest on Sundays."""
    return made(*of_day(key, when))


@cache
def made(key: str, grade: int, number: int) -> PuzzleSpec:
    """The puzzle of this grade that has this number."""
    seed = str(short_name(key, grade, number))
    options = kind(key).engine.generate(grade, seeded(seed))
    return described(key, options)._replace(seed=seed, grade=grade)
