"""Looking back at a match: what could be hoped for before each move, what the move cost, where it turned.

Who only reads an analysis need not import those who think.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ludotheque.match import Match

if TYPE_CHECKING:
    from ludotheque.search.players import Thought

KINDS = ((0.25, "blunder"), (0.12, "mistake"), (0.05, "slip"))  # by what a move cost, at least
SIMULATIONS = 3000
LINE = 6  # moves of how it might have gone on


class Judgement(NamedTuple):
    """What a strong player thinks of a move: what it cost, what was best, how that might have gone on.

    `expected` is for each role what the position before the move promised, from 0 to 1.
    """

    cost: float
    best: str | None
    line: tuple[str, ...]
    expected: tuple[float, ...]
    proven: bool


Judge: TypeAlias = Callable[[Match, int, str], Judgement]
"""judge(match, seat, text): what to think of this move at this point of the match."""


@dataclass(frozen=True)
class Step:
    """One move of a match, judged. `hopes` are for each person what the position before the move promised."""

    number: int
    leg: int
    seat: int
    move: str
    cost: float
    best: str | None
    line: tuple[str, ...]
    hopes: tuple[float, ...]
    proven: bool

    @property
    def kind(self) -> str | None:
        """The word for what the move cost, if it cost much."""
        return next((kind for least, kind in KINDS if self.cost >= least), None)

    @property
    def better(self) -> str | None:
        """The move that should have been made."""
        return self.best if self.kind else None


def walk(match: Match, judge: Judge, since: int = 0) -> Iterator[Step]:
    """Every move of a match from this event on, judged by a strong player who sees what its seat could see."""
    again = Match(match.game, match.seats, None, match.options)
    for number, (actor, text) in enumerate(match.events):
        if isinstance(actor, int) and number >= since:
            yield _step(again, number, actor, text, judge(again, actor, text))
        again.enter((actor, text))


def _step(match: Match, number: int, seat: int, text: str, found: Judgement) -> Step:
    people = range(match.seats) if found.expected else ()
    hopes = tuple(found.expected[match.role(person)] for person in people)
    return Step(number, match.leg, seat, text, found.cost, found.best, found.line, hopes, found.proven)


def thorough(simulations: int = SIMULATIONS) -> Judge:
    """A judge who thinks about every move in this process."""
    from ludotheque.search.players import think_for  # noqa: PLC0415 - it takes long to import

    def judge(match: Match, seat: int, text: str) -> Judgement:
        return judged(think_for(match, seat, simulations=simulations, seed=len(match.events), reads=False), text)

    return judge


def judged(thought: "Thought", text: str) -> Judgement:
    """A move in the light of a thought about where it was made, in plain numbers that can be written down."""
    best = thought.options[0].move if thought.options else None
    line = tuple(move for _, move in thought.line[:LINE])
    expected = tuple(float(hope) for hope in thought.expected)
    return Judgement(float(_cost(thought, text)), best, line, expected, bool(thought.proven))


def _cost(thought: "Thought", text: str) -> float:
    """How much less the move promised than the best; a move hardly looked at promised what it was seen to promise."""
    expected = {option.move: option.expected for option in thought.options}
    if text not in expected:
        return 0.0
    return max(expected[thought.options[0].move] - expected[text], 0.0)


def turning_points(steps: list[Step], most: int = 5) -> list[Step]:
    """The moves that cost most, in the order they were made."""
    worst = sorted((step for step in steps if step.kind), key=lambda step: -step.cost)[:most]
    return sorted(worst, key=lambda step: step.number)
