"""Help for whoever solves a puzzle: a hint of some strength, what is wrong, a solution.

A hint about the next piece comes in three strengths: where to look, why it lies where it lies, and the piece laid.
Each is data, with the cells to mark on the picture; `say` puts it into words, for terminal and page alike. The
sentences are in `words/`, under [puzzles.hints].
"""

from functools import reduce
from operator import or_
from typing import NamedTuple

from ludotheque import words
from ludotheque.board.bits import Bits
from ludotheque.match import Match
from ludotheque.puzzles.human.deductions import Deduction, Elimination, placed
from ludotheque.puzzles.human.mistakes import mistakes
from ludotheque.puzzles.kinds import kind

WHERE, WHY, LAY = 1, 2, 3  # how strong a hint is, and what it counts
STRENGTHS = {"where": WHERE, "why": WHY, "lay": LAY}


class Hint(NamedTuple):
    """A hint about the next piece, or, where there is none, why not."""

    name: str
    """Of its sentence: `where-cell`, `card-only`, `peg`, `lost`, `done`, …; a `step` has that of its deduction."""

    cells: Bits = 0  #: what it points at
    move: str = ""
    """The move that lays the piece; a hint that only says where to look has none."""

    strength: int = 0  #: `WHERE`, `WHY` or `LAY`: how much it gives away
    pieces: tuple[str, ...] = ()
    """The pieces that it is about, to be marked in the tray."""

    values: tuple[tuple[str, str], ...] = ()
    """What its sentence names."""

    deduction: Deduction | None = None  #: what it follows from, if it follows from one
    chain: tuple[Elimination, ...] = ()
    """What has to be ruled out first."""

    marks: tuple[str, ...] = ()
    """What is ruled out then, as pencil marks."""

    hard: bool = False
    """Whether something has to be ruled out first, also where the hint does not say what."""

    @property
    def helps(self) -> bool:
        """Whether it says anything that was not plain to see."""
        return self.name not in {"done", "lost"}

    def say(self, lang: str) -> str:
        """The hint in short; however many eliminations it rests on, they are one remark."""
        parts = [_say(lang, "laid")] if self.strength == LAY else []
        if self.chain:
            parts.append(_say(lang, "after", number=sum(len(each.deductions) for each in self.chain)))
        if self.deduction is None:
            parts.append(_say(lang, self.name, **dict(self.values) | {"move": placed(self.move, lang)}))
        else:
            parts.append(self.deduction.say(lang))
        if self.hard and self.strength == WHERE:
            parts.append(_say(lang, "where-hard"))
        return " ".join(parts)

    def steps(self, lang: str) -> list[str]:
        """The eliminations, a sentence each, for whoever wants to follow them."""
        return [each.say(lang) for each in self.chain]


class Check(NamedTuple):
    """What is wrong: `right`, `wrong` or `unsolvable`; the moves that must go, and their cells."""

    name: str  #: of its sentence: `right`, `wrong` or `unsolvable`
    moves: tuple[str, ...] = ()  #: the moves that must go
    cells: Bits = 0  #: their cells

    def say(self, lang: str) -> str:
        """The verdict in words."""
        return _say(lang, self.name, moves=", ".join(placed(move, lang) for move in self.moves))


def hint(match: Match, strength: int) -> Hint:
    """A hint of this strength about the next piece."""
    engine = kind(match.game.key).engine
    solution = engine.first(match.state)
    if not solution:
        return Hint("done" if match.over else "lost")
    return engine.hint(match.state, solution, strength)


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
