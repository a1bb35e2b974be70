"""What is computed about a kind of puzzle: a record of compiled functions, one in each module of `engines/`.

Solvers start from a position, not only from a fresh puzzle: whatever has been laid stays. A solution is the moves
that are still to be made, in the order of the table of moves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from ludotheque.board.bits import Bits
from ludotheque.puzzles.human.effort import Rating
from ludotheque.puzzles.human.explain import Position
from ludotheque.puzzles.human.hints import Hint
from ludotheque.search.playouts import Noise

Moves: TypeAlias = tuple[int, ...]
S = TypeVar("S", bound=tuple[object, ...])


@dataclass(frozen=True, eq=False)
class PuzzleEngine(Generic[S]):
    """Solving, making, grading and explaining one kind of puzzle."""

    count: Callable[[S, int], int]
    """count(state, limit): how many solutions there are, counted up to a limit."""

    solutions: Callable[[S, int], list[Moves]]
    """solutions(state, limit): the first of them, at most so many."""

    generate: Callable[[int, Noise], dict[str, object]]
    """generate(grade, noise): the options of a new puzzle of this grade."""

    hint: Callable[[S, Moves, int], Hint]
    """hint(state, solution, strength): a hint of this strength about the next piece; see `human/hints.py`."""

    opening_hints: Callable[[S, Moves], list[Hint]]
    """opening_hints(state, solution): where to begin, told at once: for a booklet."""

    mistakes: Callable[[S, S], set[int]]
    """mistakes(fresh, state): of a position without a solution, the fewest moves that must go; the fresh puzzle has
    one."""

    covered: Callable[[int], Bits]
    """covered(move): the cells that a move covers."""

    position: Callable[[S], Position] | None = None
    """position(state): the position for deductions, if puzzles of this kind are solved by deductions."""

    rate: Callable[[S], Rating] | None = None
    """rate(state): how hard a puzzle is that has a solution, if that follows from deductions."""

    def first(self, state: S) -> Moves | None:
        """A solution, if there is one."""
        found = self.solutions(state, 1)
        return found[0] if found else None

    def unique(self, state: S) -> bool:
        """Whether there is exactly one solution."""
        return self.count(state, 2) == 1


AnyEngine: TypeAlias = PuzzleEngine[Any]  # of a kind whose state is its own affair
