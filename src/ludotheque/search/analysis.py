"""Analysis of a match: what each position promised, what each move cost, and the turning points.

Reading an analysis imports no player, and so no numba.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ludotheque.match import Match

if TYPE_CHECKING:
    from ludotheque.search.players import Thought

KINDS = ((0.25, "blunder"), (0.12, "mistake"), (0.05, "slip"))  # by the least that a move cost
SIMULATIONS = 3000  # a move
MAX_LINE_MOVES = 6


class Judgement(NamedTuple):
    """A strong player's judgement of a move: what it cost, what was best, and the line expected after that.

    `expected` is for each role what the position before the move promised, from 0 to 1.
    """

    cost: float
    best: str | None
    line: tuple[str, ...]
    expected: tuple[float, ...]
    proven: bool


Judge: TypeAlias = Callable[[Match, int, str], Judgement]
"""judge(match, seat, text): the judgement of this move in this position."""


@dataclass(frozen=True)
class JudgedMove:
    """A move of a match with its judgement. `hopes` are for each person what the position before it promised.

    The field names are those of analyses stored in databases.
    """

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


def walk(match: Match, judge: Judge, since: int = 0) -> Iterator[JudgedMove]:
    """Judge every move of a match from this event on, by what its seat could see."""
    again = Match(match.game, match.seats, None, match.options)
    for number, (actor, text) in enumerate(match.events):
        if isinstance(actor, int) and number >= since:
            yield _judged_move(again, number, actor, text, judge(again, actor, text))
        again.enter((actor, text))


def _judged_move(match: Match, number: int, seat: int, text: str, found: Judgement) -> JudgedMove:
    people = range(match.seats) if found.expected else ()
    hopes = tuple(found.expected[match.role(person)] for person in people)
    return JudgedMove(number, match.leg, seat, text, found.cost, found.best, found.line, hopes, found.proven)


def local_judge(simulations: int = SIMULATIONS) -> Judge:
    """A judge that searches every position in this process."""
    from ludotheque.search.players import think_for  # noqa: PLC0415 - numba takes long to import

    def judge(match: Match, seat: int, text: str) -> Judgement:
        return judged(
            think_for(match, seat, simulations=simulations, seed=len(match.events), model_opponents=False), text
        )

    return judge


def judged(thought: "Thought", text: str) -> Judgement:
    """The judgement of a move by a thought about its position, in plain numbers that can be stored."""
    best = thought.candidates[0].move if thought.candidates else None
    line = tuple(move for _, move in thought.line[:MAX_LINE_MOVES])
    expected = tuple(float(each) for each in thought.expected)
    return Judgement(float(_cost(thought, text)), best, line, expected, bool(thought.proven))


def _cost(thought: "Thought", text: str) -> float:
    """How much less the move promised than the best one; 0 for a move that was not a candidate."""
    expected = {each.move: each.expected for each in thought.candidates}
    if text not in expected:
        return 0.0
    return max(expected[thought.candidates[0].move] - expected[text], 0.0)


def turning_points(judged_moves: list[JudgedMove], most: int = 5) -> list[JudgedMove]:
    """The moves that cost most, in the order they were made."""
    worst = sorted((each for each in judged_moves if each.kind), key=lambda each: -each.cost)[:most]
    return sorted(worst, key=lambda each: each.number)
