"""Help for whoever solves a puzzle: the next hint, what is wrong, a solution.

Each is data, with the cells to mark on the picture; `say` puts it into words, for terminal and page alike. The
sentences are in `words/`, under [puzzles.hints].
"""

from functools import reduce
from operator import or_
from typing import NamedTuple

from ludotheque import words
from ludotheque.board.bits import Bits
from ludotheque.match import Match
from ludotheque.puzzles.human.deductions import Deduction
from ludotheque.puzzles.human.mistakes import mistakes
from ludotheque.puzzles.kinds import kind

MAX_MOVES_NAMED = 6  # of those that a hint rules out


class Hint(NamedTuple):
    """A deduction, one of those that lead to the next piece; or, where there are none, a move that helps."""

    name: str
    """Of its sentence: `card`, `peg`, `lost`, `done`; a `step` has that of its deduction."""

    cells: Bits = 0
    move: str = ""
    deduction: Deduction | None = None
    number: int = 1
    last: int = 1
    out: tuple[str, ...] = ()
    """Moves that the deduction rules out, besides the one it tries."""

    @property
    def helps(self) -> bool:
        """Whether it says anything that was not plain to see."""
        return self.name not in {"done", "lost"}

    @property
    def pieces(self) -> tuple[str, ...]:
        """The pieces that it is about, to be marked in the tray."""
        return self.deduction.pieces if self.deduction else ()

    def say(self, lang: str) -> str:
        """The whole hint: which of how many, the sentence, the moves it rules out."""
        if self.deduction is None:
            return _say(lang, self.name, move=self.move)
        parts = [f"{self.number}/{self.last}."] if self.last > 1 else []
        parts.append(self.deduction.say(lang))
        if self.out:
            left_out = len(self.out) - MAX_MOVES_NAMED
            more = f" {_say(lang, 'more', number=left_out)}" if left_out > 0 else ""
            parts.append(_say(lang, "out", moves=", ".join(self.out[:MAX_MOVES_NAMED]) + more))
        return " ".join(parts)


class Check(NamedTuple):
    """What is wrong: `right`, `wrong` or `unsolvable`; the moves that must go, and their cells."""

    name: str
    moves: tuple[str, ...] = ()
    cells: Bits = 0

    def say(self, lang: str) -> str:
        """The verdict in words."""
        return _say(lang, self.name, moves=", ".join(self.moves))


def hint(match: Match, told: int = 0) -> Hint:
    """The next hint for someone who was told so many about this position; the last of them is a move."""
    engine = kind(match.game.key).engine
    solution = engine.first(match.state)
    if not solution:
        return Hint("done" if match.over else "lost")
    return engine.hint(match.state, solution, told)


def check(match: Match) -> Check:
    """What has to go for the puzzle to be solved."""
    found = mistakes(match)
    if found is None:
        return Check("unsolvable")
    if not found:
        return Check("right")
    covered = kind(match.game.key).engine.covered
    return Check("wrong", found, reduce(or_, (covered(match.game.numbers[text]) for text in found)))


def solution(match: Match) -> tuple[str, ...]:
    """Moves that solve it from here; none if none do, or if it is solved."""
    return tuple(match.game.texts[move] for move in kind(match.game.key).engine.first(match.state) or ())


def _say(lang: str, name: str, **values: object) -> str:
    return words.say(None, lang, "puzzles", "hints", name, **values)
