"""Records of thinking: what a player is asked (`Task`), answers (`Thought`) and keeps (`PlayerMemory`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeAlias

from ludotheque.game import AnyGame
from ludotheque.search import heuristics
from ludotheque.search.heuristics import Objective, Position, SearchProfile, Values
from ludotheque.search.levels import Level
from ludotheque.search.scratch import all_rational
from ludotheque.search.tree import MAX_DEPTH, Tree

Witnessed: TypeAlias = Sequence[tuple[int, int]]  # (role, move) pairs
Cancel: TypeAlias = Callable[[], bool]
Progress: TypeAlias = Callable[[float], None]
Clock: TypeAlias = Callable[[], float]

CLOCK_CHECK_S = 0.02  # between two looks at the clock


class Series(NamedTuple):
    """How a series stands: the points of earlier legs by the roles of this one, and the legs still to come."""

    points: tuple[int, int]
    left: int


@dataclass(frozen=True)
class Candidate:
    """A move that was considered: what it promises its seat, and which share of the search went into it."""

    move: str
    expected: float
    attention: float
    proven: bool = False


@dataclass(frozen=True)
class Thought:
    """What came of thinking. No move means that the seat passes for now.

    `expected` is for each role what it can expect, from 0 (all lost) to 1 (all won). `sure` is how likely the move is
    the best of the candidates. `proven` means that the expected result is certain if all play well. `line` is the
    expected continuation (the principal variation), as (role, text) pairs.
    """

    move: str | None
    expected: tuple[float, ...]
    sure: float
    proven: bool = False
    line: tuple[tuple[int, str], ...] = ()
    candidates: tuple[Candidate, ...] = ()
    simulations: int = 0
    seconds: float = 0.0


@dataclass
class PlayerMemory:
    """What a player keeps from one move to the next: the tree, and the state at its root."""

    tree: Tree | None = None
    root: Position | None = None
    objective: Objective | None = None
    seen: int = 0  # events witnessed


@dataclass
class Task:
    """One move to think about, and how far the thinking has got."""

    game: AnyGame
    view: Position
    witnessed: Witnessed
    seat: int
    level: Level
    objective: Objective
    profile: SearchProfile
    random: Random
    cancel: Cancel
    progress: Progress
    memory: PlayerMemory
    clock: Clock
    begin: float = 0.0
    models_opponents: bool = True
    done: int = 0  # simulations
    styles: Values = field(default_factory=all_rational)

    @property
    def max_depth(self) -> int:
        return min(self.level.max_depth, MAX_DEPTH)

    @property
    def budget(self) -> int:
        """Simulations, at most."""
        return self.level.simulations

    @property
    def rushed(self) -> bool:
        """Whether the player picks among moves that seem about as good, instead of the best."""
        return self.level.temperature > 0

    def spent(self) -> float:
        """Seconds of thinking so far."""
        return self.clock() - self.begin

    def left(self) -> int:
        """How many more simulations are expected."""
        more = self.budget - self.done
        if self.done == 0:
            return more
        return min(more, int(self.done * (self.level.seconds / max(self.spent(), 1e-6) - 1)))

    def over(self) -> bool:
        """Whether time or simulations are used up; reports progress, too."""
        part = max(self.done / self.budget, self.spent() / self.level.seconds)
        self.progress(min(part, 1.0))
        return part >= 1 or self.cancel()

    def possible_state(self) -> Position:
        """A state that may lie behind what the seat has seen."""
        recall = getattr(heuristics.knowledge(self.game), "recall", None)
        if recall is None:
            state: Position = self.game.guess(self.view, self.seat, self.random)
            return state
        found: Position = recall(self.view, self.witnessed, self.seat, self.random, self.level.recall)
        return found
