"""What a position is worth in which seats are about to choose in secret: from all that may come of it; compiled.

A search that tries such choices one by one learns little: the others' answers change as fast as one's own. Where all
combinations are few enough, each is judged as it stands, and the small game they form is solved on the spot, with
what is known of how the others choose (`sealed.py`).
"""

import math
from typing import NamedTuple

import numpy as np

from ludotheque.search.baselines import WIN
from ludotheque.search.compiled import Rules
from ludotheque.search.heuristics import Objective, Position, Sense, Worths
from ludotheque.search.playouts import WIDEST, listed
from ludotheque.search.sealed import RATIONAL, Mix, Places, Table, habit, regret_matching

rules: Rules  # the game's, given by `Machine.build`
sense: Sense  # the same

MOST = 1296  # combinations
ROUNDS = 20  # of regret matching
EDGE = 3.8  # how much less one who does not choose well makes of a position, as a logarithm of the odds: at first


class Prospect(NamedTuple):
    """All that may come of choices in secret: a column for each combination, a row for each seat that chooses.

    `worths` has a row for each seat of the game.
    """

    seats: Places
    moves: Places  # of each, all others 0
    widths: Places  # how many moves each has
    places: Places  # which of its moves each has made
    worths: Table
    leads: Table


def judge_together(state: Position, choosing: int, styles: Worths, objective: Objective, out: Worths) -> bool:
    """Leave on `out` what each seat may expect; False if that would be too much to look at."""
    prospect = prospects(state, choosing, styles, objective)
    if prospect.worths.shape[1] == 0:
        return False
    own, fixed, free = habits(prospect, styles)
    sums = regret_matching(own, prospect.places, prospect.widths, fixed, free, ROUNDS)
    _expect(prospect, blended(sums, fixed, free), out)
    return True


def prospects(state: Position, choosing: int, styles: Worths, objective: Objective) -> Prospect:
    """Every combination of the choices and what it is worth as it stands; none if they are too many to look at."""
    number, cells = 0, 1
    seats, widths = np.zeros(styles.shape[0], np.int64), np.ones(styles.shape[0], np.int64)
    found, moves = np.empty(WIDEST, np.int64), np.zeros((styles.shape[0], MOST), np.int64)
    for seat in range(styles.shape[0]):
        if choosing >> seat & 1:
            width = listed(state, seat, found)
            cells = cells * width if cells * width <= MOST else 0
            seats[number], widths[number] = seat, width
            for index in range(width if cells else 0):
                moves[number, index] = found[index]
            number += 1
    seats, moves, widths = seats[:number], moves[:number], widths[:number]
    places, out = np.zeros((number, cells), np.int64), np.zeros(styles.shape[0])
    worths, leads = np.zeros((objective.seats, cells)), np.zeros((number, cells))
    for cell in range(cells):
        after, rest = state, cell
        for index in range(number - 1, -1, -1):
            places[index, cell] = rest % widths[index]
            rest //= widths[index]
            after = rules.play(after, seats[index], moves[index, places[index, cell]])
        over = judge_after(after, styles, objective, out)
        for seat in range(objective.seats):
            worths[seat, cell] = out[seat]
        for index in range(number):
            leads[index, cell] = _ahead(after, seats[index], over)
    return Prospect(seats, moves, widths, places, worths, leads)


def habits(prospect: Prospect, styles: Worths) -> tuple[Table, Table, Mix]:
    """What those who choose look at: what all is worth to them, the habits of each, and how much is free choice."""
    number, cells = prospect.places.shape
    most = 0
    for width in prospect.widths:
        most = max(most, width)
    own, fixed, free = np.zeros((number, cells)), np.zeros((number, most)), np.ones(number)
    for index in range(number):
        seat, width = prospect.seats[index], prospect.widths[index]
        for cell in range(cells):
            own[index, cell] = prospect.worths[seat, cell]
        mix = habit(own[index], prospect.leads[index], prospect.places[index], width, styles[seat])
        for choice in range(width):
            fixed[index, choice] = mix[choice]
            free[index] -= mix[choice]
    return own, fixed, free


def blended(sums: Table, fixed: Table, free: Mix) -> Table:
    """How likely each choice is: by habit, or else in the proportions of what has added up for it."""
    likely = np.empty_like(fixed)
    for index in range(len(free)):
        total = 0.0
        for each in sums[index]:
            total += each
        for choice in range(sums.shape[1]):
            likely[index, choice] = fixed[index, choice] + free[index] * sums[index, choice] / total
    return likely


def judge_after(state: Position, styles: Worths, objective: Objective, out: Worths) -> bool:
    """Leave on `out` what the outcome of a choice is worth as it stands; whether the game is over."""
    if rules.to_act(state):
        judge_seats(state, styles, objective, out)
        return False
    sense.worth(state, objective, out)
    return True


def judge_seats(state: Position, styles: Worths, objective: Objective, out: Worths) -> None:
    """What an unfinished game seems worth to each seat, if those who do not choose well make less of it.

    The nearer they are to the goal the less is left for them to spoil.
    """
    sense.judge(state, objective, out)
    points, total = rules.scores(state), 1.0
    for seat in range(objective.seats):
        if styles[seat, RATIONAL] < 1:
            total -= out[seat]
            out[seat] *= math.exp(-EDGE * (1 - points[seat] / objective.scale) * (1 - styles[seat, RATIONAL]))
            total += out[seat]
    for seat in range(objective.seats):
        out[seat] /= total


def _ahead(state: Position, seat: int, over: bool) -> float:
    """By how much a seat leads, as a greedy player sees it."""
    points = rules.scores(state)
    best = -1e9
    for other in range(len(points)):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best + (WIN if over and rules.winners(state) >> seat & 1 else 0)


def _expect(prospect: Prospect, likely: Table, out: Worths) -> None:
    """What comes of it on average."""
    for seat in range(prospect.worths.shape[0]):
        out[seat] = 0.0
    for cell in range(prospect.worths.shape[1]):
        chance = 1.0
        for index in range(len(prospect.seats)):
            chance *= likely[index, prospect.places[index, cell]]
        for seat in range(prospect.worths.shape[0]):
            out[seat] += chance * prospect.worths[seat, cell]
