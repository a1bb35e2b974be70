"""Help for whoever solves a puzzle: the next hint, what is wrong, a solution.

All of it is data, with the cells to mark on the picture; what it says is in `words/`, under [puzzles.hints].
"""

from functools import reduce
from operator import or_
from typing import NamedTuple

from ludotheque import words
from ludotheque.board.bits import Bits, count
from ludotheque.board.drilled import PLACEMENTS
from ludotheque.board.punched import RECTANGLES
from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.puzzles import hepta_solo, pegs_solo, tetrods
from ludotheque.puzzles.human.checking import wrong
from ludotheque.puzzles.human.deductions import Deduction, steps_to_next
from ludotheque.puzzles.solving.solver import SOLVERS


class Hint(NamedTuple):
    """A deduction, one of those that lead to the next piece; or, where there are none, a move that helps."""

    name: str
    """Of its sentence: `card`, `peg`, `lost`, `done`; a `step` has its own."""

    cells: Bits = 0
    move: str = ""
    step: Deduction | None = None
    number: int = 1
    last: int = 1
    out: tuple[str, ...] = ()
    """Moves that the step rules out, besides the one it tries."""

    @property
    def helps(self) -> bool:
        """Whether it says anything that was not plain to see."""
        return self.name not in {"done", "lost"}

    def say(self, lang: str) -> str:
        """The hint in words."""
        if self.step is not None:
            return self.step.say(lang)
        return words.say(None, lang, "puzzles", "hints", self.name, move=self.move)


class Check(NamedTuple):
    """What is wrong: `right`, `wrong` or `unsolvable`; the moves that must go, and their cells."""

    name: str
    moves: tuple[str, ...] = ()
    cells: Bits = 0


def hint(match: Match, told: int = 0) -> Hint:
    """The next deduction for someone who was told so many of this position; the last of them lays a piece."""
    game = match.game
    moves = SOLVERS[game.key].first(match.state)
    if not moves:
        return Hint("done" if match.over else "lost")
    if game.key == "pegs-solo":
        return _peg_hint(match, moves)
    steps = steps_to_next(game.key, match.state)
    number = min(told, len(steps) - 1)
    step = steps[number]
    out = tuple(game.texts[move] for move in step.out if move != step.tried)
    lays = "" if step.lays is None else game.texts[step.lays]
    return Hint("step", step.cells, lays, step, number + 1, len(steps), out)


def _peg_hint(match: Match, moves: tuple[int, ...]) -> Hint:
    """A card of a solution if all pegs are there, else the first peg."""
    state = match.state
    assert isinstance(state, pegs_solo.State)
    ready = count(state.pegs) == pegs_solo.PEGS
    move = next(move for move in moves if not ready or move >= pegs_solo.LAY_0)
    return Hint("card" if move >= pegs_solo.LAY_0 else "peg", covered(match.game, move), match.game.texts[move])


def check(match: Match) -> Check:
    """What has to go for the puzzle to be solved."""
    found = wrong(match)
    if found is None:
        return Check("unsolvable")
    if found:
        numbers = [match.game.texts.index(text) for text in found]
        return Check("wrong", found, reduce(or_, (covered(match.game, move) for move in numbers)))
    return Check("right")


def solution(match: Match) -> tuple[str, ...]:
    """Moves that solve it from here; none if none do."""
    return tuple(match.game.texts[move] for move in SOLVERS[match.game.key].first(match.state) or ())


def covered(game: AnyGame, move: int) -> Bits:
    """The cells that a move covers, or the one on which it puts a peg."""
    if game.key == tetrods.GAME.key:
        return PLACEMENTS[move].cells
    if game.key == hepta_solo.GAME.key:
        return hepta_solo.MASKS[move]
    return 1 << move if move < pegs_solo.LAY_0 else RECTANGLES[move - pegs_solo.LAY_0]
