"""Five grades, by what a puzzle asks of a person, and the effort it takes: what its deductions cost, added up.

Tetrods is graded by the longest what-if that cannot be avoided: one forced move, two, three, up to six; beyond that,
or where only trying helps, it is the fifth grade. Hepta alone nearly always has many solutions, so what counts is how
few they are and how much there is to deduce: its grade goes by the effort, less what many solutions make up for.
"""

from math import log10
from typing import NamedTuple

from ludotheque.puzzles.human import thinking
from ludotheque.puzzles.human.deductions import AnyState, thoughts_on
from ludotheque.puzzles.human.thinking import LONGEST
from ludotheque.puzzles.making.names import GRADES
from ludotheque.puzzles.solving.hepta_solo import count

STEPS = {1: 1, 2: 2, 3: 3, 4: 6, 5: LONGEST}
"""Tetrods: how many forced moves a what-if of this grade follows at most."""

RELIEF = 60
"""Hepta alone: the effort that ten times as many solutions make up for."""

STRAIN = {1: 20, 2: 75, 3: 135, 4: 240}
"""Hepta alone: the effort, less the relief, that a puzzle of this grade asks at most; the fifth knows no limit."""

ENOUGH = 100_000  # solutions, more than which make no difference

COSTS = {
    thinking.LAY: 1,
    thinking.POINT: 2,
    thinking.COLOUR: 2,
    thinking.REGION: 2,
    thinking.STARVE: 3,
    thinking.PAIR: 4,
    thinking.WHAT_IF: 3,
    thinking.TRIAL: 40,
    thinking.CHOICE: 4,
}
FOLLOWED = 2  # for each forced move of a what-if


class Rating(NamedTuple):
    """How hard a puzzle is: its grade, and the effort of solving it by deductions."""

    grade: int
    effort: int


def rated(key: str, state: AnyState) -> Rating:
    """The rating of a puzzle that has a solution; for Tetrods, exactly one."""
    thoughts, _ = thoughts_on(key, state)
    effort = sum(COSTS[kind] + FOLLOWED * steps for kind, _, _, _, steps in thoughts.tolist())
    if key == "tetrods":
        trials = thinking.TRIAL in thoughts[:, 0]
        return Rating(5 if trials else _by_steps(int(thoughts[:, 4].max())), effort)
    return Rating(_by_strain(effort - RELIEF * log10(count(state, ENOUGH))), effort)


def _by_steps(longest: int) -> int:
    return next(grade for grade in GRADES if longest <= STEPS[grade])


def _by_strain(strain: float) -> int:
    return next((grade for grade, most in STRAIN.items() if strain <= most), 5)
