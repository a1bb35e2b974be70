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

    points: tuple[int, int]  #: points of earlier legs, by the roles of this one
    left: int  #: legs still to come


@dataclass(frozen=True)
class Candidate:
    """A move that was considered: what it promises its seat, and which share of the search went into it."""

    move: str  #: its text
    expected: float  #: what it promises its seat, from 0 (all lost) to 1 (all won)
    attention: float  #: the share of the search that went into it
    proven: bool = False  #: whether that is certain if all play well


@dataclass(frozen=True)
class Thought:
    """What came of thinking. No move means that the seat passes for now.

    `expected` is for each role what it can expect, from 0 (all lost) to 1 (all won). `sure` is how likely the move is
    the best of the candidates. `proven` means that the expected result is certain if all play well. `line` is the
    expected continuation (the principal variation), as (role, text) pairs.
    """

    move: str | None  #: its text
    expected: tuple[float, ...]  #: by role
    sure: float  #: from 0 to 1
    proven: bool = False  #: whether the expected result is certain
    line: tuple[tuple[int, str], ...] = ()  #: (role, text) pairs
    candidates: tuple[Candidate, ...] = ()  #: the moves that were considered, the best first
    simulations: int = 0  #: how many it took
    seconds: float = 0.0  #: how long it took


@dataclass
class PlayerMemory:
    """What a player keeps from one move to the next: the tree, and the state at its root."""

    tree: Tree | None = None  #: the search tree
    root: Position | None = None  #: the state at its root
    objective: Objective | None = None  #: what the tree was grown for
    seen: int = 0  #: events witnessed when it was grown


@dataclass
class Task:
    """One move to think about, and how far the thinking has got."""

    game: AnyGame  #: the rules
    view: Position  #: what the seat sees
    witnessed: Witnessed  #: what it saw happen in this leg
    seat: int  #: its role in the rules
    level: Level  #: how well it plays
    objective: Objective  #: what it plays for
    profile: SearchProfile  #: how the game is searched best
    random: Random  #: all chance in the thinking comes from here
    cancel: Cancel  #: asked now and then: whether to stop
    progress: Progress  #: told now and then: which part is done
    memory: PlayerMemory  #: what was kept from earlier moves
    clock: Clock  #: in seconds
    begin: float = 0.0  #: when the thinking began, by the clock
    models_opponents: bool = True  #: whether it infers how the others choose in secret
    done: int = 0  #: simulations
    styles: Values = field(default_factory=all_rational)  #: how the seats choose in secret, by the opponent model

    @property
    def max_depth(self) -> int:
        """How many moves it looks ahead at most."""
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
