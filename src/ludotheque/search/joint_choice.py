"""The value of a position in which several seats choose in secret, from all combinations of choices; compiled.

A tree search that samples sealed choices learns slowly, because the best responses keep moving. Where there are few
enough combinations, each outcome is estimated at once and the matrix game they form is solved, given what is believed
of how the others choose (`sealed.py`).
"""

import math
from typing import NamedTuple

from ludotheque.extras import extra
from ludotheque.search.baselines import WIN_POINTS
from ludotheque.search.compiled import Rules
from ludotheque.search.heuristics import Evaluator, Objective, Position, Values
from ludotheque.search.playouts import MAX_MOVES, list_moves
from ludotheque.search.sealed import RATIONAL, Indexes, Mix, Table, habit, regret_matching

with extra("players"):
    import numpy as np

rules: Rules  # the game's, bound by `Machine.build`
evaluator: Evaluator  # the same

MAX_COMBINATIONS = 1296
ROUNDS = 20  # of regret matching
SKILL_LOG_ODDS = 3.8  # by how much a seat that does not choose rationally makes less of a position, at the start


class JointChoice(NamedTuple):
    """All outcomes of a joint choice: a column for each combination, a row for each seat that chooses.

    `payoffs` has a row for each seat of the game.
    """

    seats: Indexes
    moves: Indexes  # of each, padded with 0
    widths: Indexes  # the number of moves of each
    indexes: Indexes  # which of its moves each makes
    payoffs: Table
    leads: Table


def evaluate_joint_choice(state: Position, choosing: int, styles: Values, objective: Objective, out: Values) -> bool:
    """Leave in `out` what each seat may expect; false if there are too many combinations."""
    joint = enumerate_outcomes(state, choosing, styles, objective)
    if joint.payoffs.shape[1] == 0:
        return False
    own, fixed, free = habits(joint, styles)
    sums = regret_matching(own, joint.indexes, joint.widths, fixed, free, ROUNDS)
    _expected_payoffs(joint, mixed(sums, fixed, free), out)
    return True


def enumerate_outcomes(state: Position, choosing: int, styles: Values, objective: Objective) -> JointChoice:
    """Every combination of choices and its estimated payoffs; none if there are too many."""
    number, cells = 0, 1
    seats, widths = np.zeros(styles.shape[0], np.int64), np.ones(styles.shape[0], np.int64)
    found, moves = np.empty(MAX_MOVES, np.int64), np.zeros((styles.shape[0], MAX_COMBINATIONS), np.int64)
    for seat in range(styles.shape[0]):
        if choosing >> seat & 1:
            width = list_moves(state, seat, found)
            cells = cells * width if cells * width <= MAX_COMBINATIONS else 0
            seats[number], widths[number] = seat, width
            for index in range(width if cells else 0):
                moves[number, index] = found[index]
            number += 1
    seats, moves, widths = seats[:number], moves[:number], widths[:number]
    indexes, out = np.zeros((number, cells), np.int64), np.zeros(styles.shape[0])
    payoffs, leads = np.zeros((objective.seats, cells)), np.zeros((number, cells))
    for cell in range(cells):
        after, rest = state, cell
        for index in range(number - 1, -1, -1):
            indexes[index, cell] = rest % widths[index]
            rest //= widths[index]
            after = rules.play(after, seats[index], moves[index, indexes[index, cell]])
        over = estimate_outcome(after, styles, objective, out)
        for seat in range(objective.seats):
            payoffs[seat, cell] = out[seat]
        for index in range(number):
            leads[index, cell] = _lead(after, seats[index], over)
    return JointChoice(seats, moves, widths, indexes, payoffs, leads)


def habits(joint: JointChoice, styles: Values) -> tuple[Table, Table, Mix]:
    """The payoffs of the seats that choose, the habit of each, and the share of each that is free choice."""
    number, cells = joint.indexes.shape
    most = 0
    for width in joint.widths:
        most = max(most, width)
    own, fixed, free = np.zeros((number, cells)), np.zeros((number, most)), np.ones(number)
    for index in range(number):
        seat, width = joint.seats[index], joint.widths[index]
        for cell in range(cells):
            own[index, cell] = joint.payoffs[seat, cell]
        mix = habit(own[index], joint.leads[index], joint.indexes[index], width, styles[seat])
        for choice in range(width):
            fixed[index, choice] = mix[choice]
            free[index] -= mix[choice]
    return own, fixed, free


def mixed(sums: Table, fixed: Table, free: Mix) -> Table:
    """The probability of each choice: habit, and for the free share the normalised sums of a solver."""
    likely = np.empty_like(fixed)
    for index in range(len(free)):
        total = 0.0
        for each in sums[index]:
            total += each
        for choice in range(sums.shape[1]):
            likely[index, choice] = fixed[index, choice] + free[index] * sums[index, choice] / total
    return likely


def estimate_outcome(state: Position, styles: Values, objective: Objective, out: Values) -> bool:
    """Leave in `out` what the outcome of a choice is worth to each seat; whether the game is over."""
    if rules.to_act(state):
        estimate_by_style(state, styles, objective, out)
        return False
    evaluator.payoffs(state, objective, out)
    return True


def estimate_by_style(state: Position, styles: Values, objective: Objective, out: Values) -> None:
    """The estimate for an unfinished game, lower for seats that do not choose rationally.

    The nearer they are to the goal the less is left for them to spoil.
    """
    evaluator.estimate(state, objective, out)
    points, total = rules.scores(state), 1.0
    for seat in range(objective.seats):
        if styles[seat, RATIONAL] < 1:
            total -= out[seat]
            out[seat] *= math.exp(
                -SKILL_LOG_ODDS * (1 - points[seat] / objective.points_scale) * (1 - styles[seat, RATIONAL])
            )
            total += out[seat]
    for seat in range(objective.seats):
        out[seat] /= total


def _lead(state: Position, seat: int, over: bool) -> float:
    """By how much a seat leads, as the greedy baseline sees it."""
    points = rules.scores(state)
    best = -1e9
    for other in range(len(points)):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best + (WIN_POINTS if over and rules.winners(state) >> seat & 1 else 0)


def _expected_payoffs(joint: JointChoice, likely: Table, out: Values) -> None:
    for seat in range(joint.payoffs.shape[0]):
        out[seat] = 0.0
    for cell in range(joint.payoffs.shape[1]):
        chance = 1.0
        for index in range(len(joint.seats)):
            chance *= likely[index, joint.indexes[index, cell]]
        for seat in range(joint.payoffs.shape[0]):
            out[seat] += chance * joint.payoffs[seat, cell]
