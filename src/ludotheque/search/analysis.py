"""Looking back at a match: what could be hoped for before each move, what the move cost, where it turned."""

from collections.abc import Iterator
from dataclasses import dataclass

from ludotheque.match import Match
from ludotheque.search.players import Thought, think_for

KINDS = ((0.25, "blunder"), (0.12, "mistake"), (0.05, "slip"))  # by what a move cost, at least
SIMULATIONS = 3000


@dataclass(frozen=True)
class Step:
    """One move of a match: who made it, what it cost, what would have been better, and what all could hope for.

    `hopes` are for each person what the position before the move promised, from 0 to 1.
    """

    number: int
    leg: int
    seat: int
    move: str
    thought: Thought
    cost: float
    hopes: tuple[float, ...]

    @property
    def kind(self) -> str | None:
        """The word for what the move cost, if it cost much."""
        return next((kind for least, kind in KINDS if self.cost >= least), None)

    @property
    def better(self) -> str | None:
        """The move that should have been made."""
        return self.thought.options[0].move if self.kind and self.thought.options else None


def walk(match: Match, simulations: int = SIMULATIONS) -> Iterator[Step]:
    """Every move of a match with what a strong player would have thought, seeing what its seat could see."""
    again = Match(match.game, match.seats, None, match.options)
    for number, (actor, text) in enumerate(match.events):
        if isinstance(actor, int):
            thought = think_for(again, actor, simulations=simulations, seed=number)
            yield Step(number, again.leg, actor, text, thought, _cost(thought, text), _hopes(again, thought))
        again.enter((actor, text))


def turning_points(steps: list[Step], most: int = 5) -> list[Step]:
    """The moves that cost most, in the order they were made."""
    worst = sorted((step for step in steps if step.kind), key=lambda step: -step.cost)[:most]
    return sorted(worst, key=lambda step: step.number)


def _cost(thought: Thought, text: str) -> float:
    """How much less the move promised than the best; a move hardly looked at promised what it was seen to promise."""
    expected = {option.move: option.expected for option in thought.options}
    if text not in expected:
        return 0.0
    return max(expected[thought.options[0].move] - expected[text], 0.0)


def _hopes(match: Match, thought: Thought) -> tuple[float, ...]:
    if not thought.expected:
        return ()
    return tuple(thought.expected[match.role(person)] for person in range(match.seats))
