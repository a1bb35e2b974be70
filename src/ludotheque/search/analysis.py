"""Analysis of a match: what each position promised, what each move cost, and the turning points.

Reading an analysis imports no player, and so no numba.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from ludotheque.match import Match
from ludotheque.search.levels import evaluation_simulations

KINDS = ((0.25, "blunder"), (0.12, "mistake"), (0.05, "slip"))  # by the least that a move cost
LEAST_COST = KINDS[-1][0]
MARGIN = 0.05  # by which what a move is said to have cost and the change of the evaluation differ at most
FULL_EFFORT_MOVES = 60  # in a longer match each move gets less, so that nobody waits much longer
MIN_SIMULATIONS = 50
MAX_LINE_MOVES = 6
MIN_SWING = 0.12  # by which somebody's hopes change at least at a turning point that cost nothing
MAX_SWINGS = 3


class Evaluation(NamedTuple):
    """What a position promises each role, from 0 (all lost) to 1 (all won), and how play may go on from it."""

    expected: tuple[float, ...]  #: by role
    proven: bool = False  #: whether it is exact
    line: tuple[str, ...] = ()  #: the moves that are expected now

    @property
    def best(self) -> str | None:
        """The move to make."""
        return self.line[0] if self.line else None


class Judgement(NamedTuple):
    """A strong player's judgement of a move: what it cost, what was best, and the line expected after that.

    `expected` is for each role what the position before the move promised, `after` what the one after it does, before
    luck and before others' secret choices are known. Where the evaluations disagree by more than the margin it is
    `unsure` what the move cost, and no cost is claimed.
    """

    cost: float  #: what of the win it gave away, 0 to 1
    best: str | None  #: the move to make instead, or this one
    line: tuple[str, ...]  #: the best move, and those that are expected after it
    expected: tuple[float, ...]  #: before the move
    proven: bool  #: whether the cost is exact
    after: tuple[float, ...] = ()  #: the same after it
    unsure: bool = False  #: whether evaluations disagree by too much to name a cost


Judge: TypeAlias = Callable[[Match, int, str], Judgement]
"""judge(match, seat, text): the judgement of this move in this position."""


@dataclass(frozen=True)
class JudgedMove:
    """A move of a match with its judgement. `hopes` are for each person what the position before it promised.

    The field names are those of analyses stored in databases.
    """

    number: int  #: of its event, from 0
    leg: int  #: from 0
    seat: int  #: who made it
    move: str  #: its text
    cost: float  #: what of the win it gave away, 0 to 1
    best: str | None  #: the move to make instead, or this one
    line: tuple[str, ...]  #: the best move, and those that are expected after it
    hopes: tuple[float, ...]  #: before the move
    proven: bool  #: whether the cost is exact
    after: tuple[float, ...] = ()  #: for each person what the position after it promises
    unsure: bool = False  #: whether evaluations disagree by too much to name a cost

    @property
    def kind(self) -> str | None:
        """The word for what the move cost, if it cost much."""
        return next((kind for least, kind in KINDS if self.cost >= least), None)

    @property
    def better(self) -> str | None:
        """The move that should have been made."""
        return self.best if self.kind else None

    @property
    def drop(self) -> float:
        """By how much the hopes of whoever made the move fell with it; 0 where that is not known."""
        return self.hopes[self.seat] - self.after[self.seat] if self.hopes and self.after else 0.0


def walk(match: Match, judge: Judge, since: int = 0) -> Iterator[JudgedMove]:
    """Judge every move of a match from this event on, by what its seat could see."""
    again = Match(match.game, match.seats, None, match.options)
    for number, (actor, text) in enumerate(match.events):
        if isinstance(actor, int) and number >= since:
            yield _judged_move(again, number, actor, text, judge(again, actor, text))
        again.enter((actor, text))


def _judged_move(match: Match, number: int, seat: int, text: str, found: Judgement) -> JudgedMove:
    people = [match.role(person) for person in range(match.seats)]
    hopes, after = (tuple(each[role] for role in people if each) for each in (found.expected, found.after))
    return JudgedMove(
        number,
        match.leg,
        seat,
        text,
        found.cost,
        found.best,
        found.line,
        hopes,
        found.proven,
        after,
        found.unsure,
    )


def simulations_for(match: Match) -> int:
    """The simulations of each evaluation: the same for the same match, wherever it is analysed."""
    moves = max(sum(actor != "luck" for actor, _ in match.events), 1)
    usual = evaluation_simulations(match.game, match.seats)
    return max(min(usual, usual * FULL_EFFORT_MOVES // moves), MIN_SIMULATIONS)


def local_judge(simulations: int) -> Judge:
    """A judge that searches every position in this process."""
    from ludotheque.search import evaluation, players  # noqa: PLC0415 - numba takes long to import

    def judge(match: Match, seat: int, text: str) -> Judgement:
        return evaluation.judge(
            match.game,
            match.seen(seat),
            match.witnessed(seat),
            match.role(seat),
            text,
            simulations=simulations,
            series=players.series_of(match),
        )

    return judge


def compared(role: int, text: str, before: Evaluation, after: Callable[[str], Evaluation]) -> Judgement:
    """The judgement of a move by evaluations of the same effort: before it, after it, and after the best move.

    It cost what both comparisons say: by how much the evaluation fell, and how much more the best move promises after
    it was made. If the position fell by more than that and the margin, it had been overrated: then all is unsure.
    """
    made, best = after(text), before.best
    drop = before.expected[role] - made.expected[role]
    judgement = Judgement(0.0, best, before.line, before.expected, before.proven, made.expected)
    if best is None or best == text or drop < LEAST_COST:
        return judgement
    other = after(best)
    gain = other.expected[role] - made.expected[role]
    if gain < LEAST_COST:
        return judgement
    if drop - gain > MARGIN:
        return judgement._replace(unsure=True)
    return judgement._replace(cost=min(drop, gain), line=(best, *other.line)[:MAX_LINE_MOVES])


def outcome(match: Match) -> tuple[float, ...]:
    """What became of each person's hopes: a share of the win; nothing while the match goes on."""
    if not match.over:
        return ()
    share = 1 / max(len(match.winners), 1)  # in a draw everybody is at the top
    return tuple(share if seat in match.winners else 0.0 for seat in range(match.seats))


def by_rules(match: Match) -> tuple[float, ...]:
    """The outcome that the last move led to: nothing if people ended the match, by giving up or by agreement."""
    return () if match.ending else outcome(match)


def turning_points(judged_moves: list[JudgedMove], ended: tuple[float, ...] = (), most: int = 5) -> list[JudgedMove]:
    """The moves that cost most, and those with the largest swings of the curve, in the order they were made.

    `ended` is the outcome that the last move led to.
    """
    worst = sorted((each for each in judged_moves if each.kind), key=lambda each: -each.cost)[:most]
    swung = swings(judged_moves, ended)
    largest = sorted(
        (each for each in judged_moves if each.number in swung and abs(swung[each.number].change) >= MIN_SWING),
        key=lambda each: -abs(swung[each.number].change),
    )[:MAX_SWINGS]
    return sorted({each.number: each for each in (*worst, *largest)}.values(), key=lambda each: each.number)


class Swing(NamedTuple):
    """The largest change of the curve from before a move to before the next one: whose hopes changed, and to what.

    After the last move that is the outcome.
    """

    seat: int  #: whose chances changed
    before: float  #: what it could hope for before
    after: float  #: what it could hope for after

    @property
    def change(self) -> float:
        """How much it gained or lost."""
        return self.after - self.before


def swings(judged_moves: list[JudgedMove], ended: tuple[float, ...] = ()) -> dict[int, Swing]:
    """By the numbers of the moves; what luck and sealed choices did before the next move is part of it.

    Between two legs hopes are of different things, so the last move of a leg that another one follows has no swing.
    """
    found = {}
    for move, following in pairwise(judged_moves):
        if move.leg == following.leg and len(move.hopes) == len(following.hopes) > 0:
            found[move.number] = _largest(move.hopes, following.hopes)
    last = judged_moves[-1] if judged_moves else None
    # What was proven before the last move is no news, though a narrow win promised less than the win itself.
    if last and not last.proven and len(last.hopes) == len(ended) > 0:
        found[last.number] = _largest(last.hopes, ended)
    return found


def _largest(before: tuple[float, ...], after: tuple[float, ...]) -> Swing:
    changes = [Swing(seat, *hopes) for seat, hopes in enumerate(zip(before, after, strict=True))]
    return max(changes, key=lambda swing: abs(swing.change))
