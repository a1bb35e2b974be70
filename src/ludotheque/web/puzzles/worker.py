"""What a process of the pool computes about puzzles. It knows nothing of Django.

Arguments and results are plain, so that they can be sent.
"""

from typing import Any, NamedTuple

from ludotheque.board.square import names
from ludotheque.game import Json
from ludotheque.match import Match
from ludotheque.puzzles.human import hints
from ludotheque.puzzles.kinds import kinds
from ludotheque.puzzles.making.names import ShortName, known, read
from ludotheque.words import DEFAULT_LANGUAGE


class PageHint(NamedTuple):
    """What to say and what to mark; `kind` is the name of the sentence."""

    kind: str
    say: str
    cells: tuple[str, ...] = ()
    move: str = ""
    pieces: tuple[str, ...] = ()
    strength: int = 0
    """How strong a hint it is; 0 if it is none."""

    steps: tuple[str, ...] = ()
    """The eliminations that it rests on, a sentence each."""

    marks: tuple[str, ...] = ()
    """What it rules out, as pencil marks."""

    def plain(self) -> list[Json]:
        """As JSON."""
        return [list(part) if isinstance(part, tuple) else part for part in self]

    @classmethod
    def read(cls, given: list[Any]) -> "PageHint":
        """From JSON."""
        return cls._make(tuple(part) if isinstance(part, list) else part for part in given)


def make(key: str, grade: int, number: int) -> str:
    """The description of a puzzle."""
    from ludotheque.puzzles.making.puzzles import made  # noqa: PLC0415 - numba takes long to import

    return made(key, grade, number).description


def hint(puzzle: str, moves: tuple[str, ...], strength: int, lang: str) -> PageHint:
    """A hint of this strength."""
    found = hints.hint(_match(puzzle, moves), strength)
    return PageHint(
        found.name,
        found.say(lang),
        tuple(names(found.cells)),
        found.move,
        found.pieces,
        found.strength,
        tuple(found.steps(lang)),
        found.marks,
    )


def check(puzzle: str, moves: tuple[str, ...], lang: str) -> PageHint:
    """What is wrong."""
    found = hints.check(_match(puzzle, moves))
    return PageHint(found.name, found.say(lang), tuple(names(found.cells)))


def solution(puzzle: str, moves: tuple[str, ...]) -> tuple[str, ...]:
    """All the moves of a solution, those made already first if they lead to one; none if there is no solution."""
    rest = hints.solution(_match(puzzle, moves))
    return (*moves, *rest) if rest else hints.solution(_match(puzzle, ()))


def booklet(names: list[tuple[str, str]], paper: str, lang: str) -> bytes:
    """A booklet of the puzzles with these names, short and long, as PDF."""
    from ludotheque.pictures.output.booklet import printed  # noqa: PLC0415 - Typst takes long to import

    return printed([known(*both) for both in names], paper=paper, lang=lang)


def warm_up() -> None:
    """Compile what all of these need: with a puzzle of the middle grade of each kind."""
    for kind in kinds():
        puzzle = make(kind.key, kind.grades[len(kind.grades) // 2], 1)
        hint(puzzle, (), hints.WHY, DEFAULT_LANGUAGE)
        check(puzzle, (), DEFAULT_LANGUAGE)


def _match(puzzle: str, moves: tuple[str, ...]) -> Match:
    found = read(puzzle)
    assert not isinstance(found, ShortName), "a description"
    match = found.match()
    for text in moves:
        match.play(0, text)
    return match
