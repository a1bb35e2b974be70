"""What a position is worth in which seats are about to choose in secret: from all that may come of it; compiled.

A search that tries such choices one by one learns little: the others' answers change as fast as one's own. Where all
combinations are few enough, each is judged as it stands, and the small game they form is solved on the spot, with
what is known of how the others choose (`sealed.py`).
"""

import math

import numpy as np

from ludotheque.search.compiled import Rules
from ludotheque.search.heuristics import Aim, Position, Sense, Worths
from ludotheque.search.playouts import WIDEST, listed
from ludotheque.search.rivals import WIN
from ludotheque.search.sealed import WELL, Places, Table, habit, matched

rules: Rules  # the game's, given by `Machine.build`
sense: Sense  # the same

MOST = 1296  # combinations
ROUNDS = 20  # of regret matching
EDGE = 3.0  # how much less one who does not choose well makes of a position, as a logarithm of the odds: at first


def judge_together(state: Position, choosing: int, styles: Worths, aim: Aim, out: Worths) -> bool:
    """Leave on `out` what each seat may expect; False if that would be too much to look at."""
    found, seats = np.empty(WIDEST, np.int64), np.zeros(styles.shape[0], np.int64)
    moves = np.zeros((styles.shape[0], MOST), np.int64)
    widths, cells, number = np.ones(styles.shape[0], np.int64), 1, 0
    for seat in range(styles.shape[0]):
        if choosing >> seat & 1:
            width = listed(state, seat, found)
            if cells * width > MOST:
                return False
            seats[number], widths[number] = seat, width
            for index in range(width):
                moves[number, index] = found[index]
            cells *= width
            number += 1
    places = np.zeros((number, cells), np.int64)
    worths, leads = np.zeros((aim.seats, cells)), np.zeros((number, cells))
    for cell in range(cells):
        after, rest = state, cell
        for index in range(number - 1, -1, -1):
            places[index, cell] = rest % widths[index]
            rest //= widths[index]
            after = rules.play(after, seats[index], moves[index, places[index, cell]])
        over = rules.to_act(after) == 0
        if over:
            sense.worth(after, aim, out)
        else:
            judge_seats(after, styles, aim, out)
        for seat in range(aim.seats):
            worths[seat, cell] = out[seat]
        for index in range(number):
            leads[index, cell] = _ahead(after, seats[index], over)
    _expect(worths, leads, places, seats[:number], widths[:number], styles, out)
    return True


def judge_seats(state: Position, styles: Worths, aim: Aim, out: Worths) -> None:
    """What an unfinished game seems worth to each seat, if those who do not choose well make less of it.

    The nearer they are to the goal the less is left for them to spoil.
    """
    sense.judge(state, aim, out)
    points, total = rules.scores(state), 1.0
    for seat in range(aim.seats):
        if styles[seat, WELL] < 1:
            total -= out[seat]
            out[seat] *= math.exp(-EDGE * (1 - points[seat] / aim.scale) * (1 - styles[seat, WELL]))
            total += out[seat]
    for seat in range(aim.seats):
        out[seat] /= total


def _ahead(state: Position, seat: int, over: bool) -> float:
    """By how much a seat leads, as a greedy player sees it."""
    points = rules.scores(state)
    best = -1e9
    for other in range(len(points)):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best + (WIN if over and rules.winners(state) >> seat & 1 else 0)


def _expect(  # noqa: PLR0917 - compiled: no keywords
    worths: Table, leads: Table, places: Places, seats: Places, widths: Places, styles: Worths, out: Worths
) -> None:
    """What comes of it on average, if those who choose well answer the habits of the others and each other."""
    number, cells = places.shape
    most = 0
    for width in widths:
        most = max(most, width)
    fixed, free, own = np.zeros((number, most)), np.zeros(number), np.zeros((number, cells))
    for index in range(number):
        for cell in range(cells):
            own[index, cell] = worths[seats[index], cell]
        mix = habit(own[index], leads[index], places[index], widths[index], styles[seats[index]])
        free[index] = 1.0
        for choice in range(widths[index]):
            fixed[index, choice] = mix[choice]
            free[index] -= mix[choice]
    sums = matched(own, places, widths, fixed, free, ROUNDS)
    for index in range(number):
        total = 0.0
        for choice in range(widths[index]):
            total += sums[index, choice]
        for choice in range(widths[index]):
            fixed[index, choice] += free[index] * sums[index, choice] / total
    for seat in range(worths.shape[0]):
        out[seat] = 0.0
    for cell in range(cells):
        likely = 1.0
        for index in range(number):
            likely *= fixed[index, places[index, cell]]
        for seat in range(worths.shape[0]):
            out[seat] += likely * worths[seat, cell]
