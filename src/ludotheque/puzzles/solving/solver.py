"""What a solver is, and which one solves which puzzle.

Solvers start from a position, not only from a fresh puzzle: whatever has been laid stays. A solution is the moves
that are still to be made, in the order of the table of moves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from ludotheque.puzzles.solving import hepta_solo, pegs_solo, tetrods

Moves: TypeAlias = tuple[int, ...]
S = TypeVar("S", bound=tuple[object, ...])

ALL = 1 << 62


@dataclass(frozen=True)
class Solver(Generic[S]):
    """The solver of one puzzle."""

    count: Callable[[S, int], int]
    """count(state, limit): how many solutions there are, counted up to a limit."""

    solutions: Callable[[S, int], list[Moves]]
    """solutions(state, limit): the first of them, at most so many."""

    def first(self, state: S) -> Moves | None:
        """A solution, if there is one."""
        found = self.solutions(state, 1)
        return found[0] if found else None

    def unique(self, state: S) -> bool:
        """Whether there is exactly one."""
        return self.count(state, 2) == 1


AnySolver: TypeAlias = Solver[Any]  # of a puzzle whose state is its own affair

SOLVERS: dict[str, AnySolver] = {
    "tetrods": Solver(tetrods.count, tetrods.solutions),
    "hepta-solo": Solver(hepta_solo.count, hepta_solo.solutions),
    "pegs-solo": Solver(pegs_solo.count, pegs_solo.solutions),
}
