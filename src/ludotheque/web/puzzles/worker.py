"""What is asked about puzzles, and how it is answered in a process of its own, which knows nothing of Django.

Each question is a function of plain words, so that it can be sent, and told from others.
"""

from typing import Any, NamedTuple

from ludotheque import words
from ludotheque.board.bits import Bits
from ludotheque.board.drilled import PIECES as TETRODS
from ludotheque.board.square import names
from ludotheque.game import Json
from ludotheque.match import Match
from ludotheque.puzzles.making.names import Wanted, known, read

PIECES = (*TETRODS, "I", "L")
FEW = 6  # moves named in a hint


class Help(NamedTuple):
    """What to say and what to mark; `kind` is the name of the sentence."""

    kind: str
    say: str
    cells: tuple[str, ...] = ()
    move: str = ""
    pieces: tuple[str, ...] = ()
    number: int = 0
    """Which of the hints about this position it is; 0 is none."""

    def plain(self) -> list[Json]:
        """As JSON."""
        return [self.kind, self.say, list(self.cells), self.move, list(self.pieces), self.number]

    @classmethod
    def read(cls, given: list[Any]) -> "Help":
        """Help that came as JSON."""
        kind, say, cells, move, pieces, number = given
        return cls(kind, say, tuple(cells), move, tuple(pieces), number)


def make(key: str, grade: int, number: int) -> str:
    """The description of a puzzle."""
    from ludotheque.puzzles.making.puzzles import made  # noqa: PLC0415 - numba, here and below

    return made(key, grade, number).description


def hint(puzzle: str, moves: tuple[str, ...], told: int, lang: str) -> Help:
    """The next deduction in words, for someone who was told so many here."""
    from ludotheque.puzzles.human import helping  # noqa: PLC0415

    found = helping.hint(_match(puzzle, moves), told)
    number = found.number if found.helps else 0
    if found.step is None:
        said = _say(found.name, lang, move=found.move)
        return Help(found.name, said, _cells(found.cells), found.move, number=number)
    more = f" {_say('more', lang, number=len(found.out) - FEW)}" if len(found.out) > FEW else ""
    out = f" {_say('out', lang, moves=', '.join(found.out[:FEW]) + more)}" if found.out else ""
    count = f"{found.number}/{found.last}. " if found.last > 1 else ""
    return Help(
        "step",
        count + found.step.say(lang) + out,
        _cells(found.cells),
        found.move,
        _pieces(found.step.kind, found.step.values),
        number,
    )


def check(puzzle: str, moves: tuple[str, ...], lang: str) -> Help:
    """What is wrong."""
    from ludotheque.puzzles.human import helping  # noqa: PLC0415

    found = helping.check(_match(puzzle, moves))
    return Help(found.name, _say(found.name, lang, moves=", ".join(found.moves)), _cells(found.cells))


def solution(puzzle: str, moves: tuple[str, ...]) -> tuple[str, ...]:
    """All the moves of a solution, those made already first if they lead to one; none if there is no solution."""
    from ludotheque.puzzles.human import helping  # noqa: PLC0415

    rest = helping.solution(_match(puzzle, moves))
    return (*moves, *rest) if rest else helping.solution(_match(puzzle, ()))


def booklet(names: list[tuple[str, str]], paper: str, lang: str) -> bytes:
    """A booklet of the puzzles with these names, short and long, as PDF."""
    from ludotheque.pictures.output.booklet import printed  # noqa: PLC0415

    return printed([known(*both) for both in names], paper=paper, lang=lang)


def warm_up() -> None:
    """Compile what all of these need."""
    for key, grade in (("tetrods", 4), ("hepta-solo", 3), ("pegs-solo", 12)):
        puzzle = make(key, grade, 1)
        hint(puzzle, (), 0, "en")
        check(puzzle, (), "en")


def _match(puzzle: str, moves: tuple[str, ...]) -> Match:
    found = read(puzzle)
    assert not isinstance(found, Wanted), "a description"
    match = found.match()
    for text in moves:
        match.play(0, text)
    return match


def _pieces(kind: str, values: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The pieces that a deduction is about; the single square if it is about colours."""
    if kind == "colour":
        return ("M",)
    named = dict(values)
    words = f"{named['things']}, {named['others']}".split(", ")
    return tuple(word for word in words if word in PIECES)


def _cells(bits: Bits) -> tuple[str, ...]:
    return tuple(names(bits))


def _say(name: str, lang: str, **values: object) -> str:
    return words.say(None, lang, "puzzles", "hints", name, **values)
