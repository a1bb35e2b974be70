"""The effort of solving a puzzle: what deductions cost a person, added up.

A grade is what a puzzle asks of a person; each kind has its own measure, in its module of `engines/`. The effort has
no part in it.
"""

from typing import NamedTuple

from ludotheque.puzzles.human.candidates import CHOICE, COLOUR, LAY, PAIR, POINT, REGION, STARVE, TRIAL, WHAT_IF
from ludotheque.puzzles.solving.cover import Ints

COSTS = {LAY: 1, POINT: 2, COLOUR: 2, REGION: 2, STARVE: 3, PAIR: 4, WHAT_IF: 3, TRIAL: 40, CHOICE: 4}
COST_OF_A_FORCED_MOVE = 2  # in a what-if


class Rating(NamedTuple):
    """How hard a puzzle is: its grade, and the effort of solving it by deductions."""

    grade: int  #: what it asks of a person, 1 the easiest
    effort: int  #: what all deductions cost together


def effort(inferences: Ints) -> int:
    """What some deductions cost."""
    return sum(COSTS[kind] + COST_OF_A_FORCED_MOVE * moves for kind, _, _, _, moves in inferences.tolist())
