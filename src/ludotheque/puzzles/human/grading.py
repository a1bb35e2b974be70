"""Five grades, by what a puzzle asks of a person, and the effort of solving it: what deductions cost, added up.

Tetrods is graded by the longest what-if that cannot be avoided: one forced move, two, three, up to six; beyond that,
or where only trying helps, it is the fifth grade.

Hepta alone nearly always has many solutions, and one may go far by laying what one likes. Its grade is how far ahead
one has to look for that: someone who makes every deduction, with what-ifs of so many forced moves, and lays anything
where nothing follows, fills the board at least every other time. The effort has no part in it: it is what it costs
the same person at every grade, one who sees one forced move ahead, guesses, and begins again when that was wrong.
"""

from typing import NamedTuple

import numpy as np

from ludotheque.puzzles.human import thinking
from ludotheque.puzzles.human.deductions import MANY, POSITIONS, AnyState, thoughts_on
from ludotheque.puzzles.human.thinking import FIELDS, LONGEST, SEED, attempt, fills, often
from ludotheque.puzzles.making.names import GRADES
from ludotheque.puzzles.solving.cover import Ints
from ludotheque.search.compiled import built

STEPS = {1: 1, 2: 2, 3: 3, 4: 6, 5: LONGEST}
"""Tetrods: how many forced moves a what-if of this grade follows at most."""

AHEAD = {1: 0, 2: 1, 3: 2, 4: 4}
"""Hepta alone: how many forced moves the what-ifs of this grade follow; the fifth knows no limit."""

TRIES = 32
PERSON = 1  # forced moves that the person sees whose effort is told
SUCCESSES, MOST_ATTEMPTS = 8, 400  # of that person: enough for an average, and when to give up

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
    if key == "hepta-solo":
        return Rating(hepta_grade(state), hepta_effort(state))
    thoughts, _ = thoughts_on(key, state)
    trials = thinking.TRIAL in thoughts[:, 0]
    return Rating(5 if trials else _by_steps(int(thoughts[:, 4].max())), cost(thoughts))


def cost(thoughts: Ints) -> int:
    """What some deductions cost."""
    return sum(COSTS[kind] + FOLLOWED * steps for kind, _, _, _, steps in thoughts.tolist())


def hepta_effort(state: AnyState) -> int:
    """What Hepta alone costs a person who begins again after a wrong guess, on average."""
    puzzle, noise, thoughts = POSITIONS["hepta-solo"](state).puzzle, SEED, np.zeros((MANY, FIELDS), np.int64)
    spent = successes = attempts = 0
    while successes < SUCCESSES and attempts < MOST_ATTEMPTS:
        noise, number, full = built(attempt)(puzzle, thoughts, PERSON, np.uint64(noise))
        spent += cost(thoughts[:number])
        successes += full
        attempts += 1
    return round(spent / max(successes, 1))


def hepta_grade(state: AnyState) -> int:
    """The grade of Hepta alone without its effort."""
    puzzle = POSITIONS["hepta-solo"](state).puzzle
    return next((grade for grade, steps in AHEAD.items() if built(often)(puzzle, steps, TRIES)), 5)


def promising(state: AnyState, grade: int) -> bool:
    """Whether this Tetrods puzzle can be solved with what-ifs of this grade: much quicker than rating it, and nearly
    always right."""
    return bool(grade == max(STEPS) or built(fills)(POSITIONS["tetrods"](state).puzzle, STEPS[grade], SEED)[1])


def _by_steps(longest: int) -> int:
    return next(grade for grade in GRADES if longest <= STEPS[grade])
