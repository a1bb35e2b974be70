"""Choices made together in secret: an equilibrium of the small game they form, and how people choose instead.

A table of outcomes has an axis for the choices of each seat. Flat, it is a row of cells, one for each combination;
`places` then tells which choice of a seat each of them contains.
"""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.search.baselines import SAMPLES
from ludotheque.search.compiled import built

Table: TypeAlias = NDArray[np.float64]  # first axis: the seats that choose; then an axis for the choices of each
Mix: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]

ROUNDS = 1500
CLOSE = 0.05  # of what is at stake: choices that differ by less are made about as often, to be hard to guess
STAKE = 0.15  # how much outcomes differ in the coin in which a logit equilibrium is looked for: small steps find it
STYLES = 4  # of choosing
RANDOM, NAIVE, GREEDY, RATIONAL = range(STYLES)
BEGINNER = 0.03  # the temperature of a beginner
DIM = 0.6  # how much of the error of a few tries blurs what they tell
TINY = 1e-9


def equilibrium(worth: Table, rounds: int = ROUNDS, habits: Sequence[Mix] | None = None) -> list[Mix]:
    """How likely each seat should choose what: regret matching, averaged over the later rounds.

    With two seats of opposite interests that approaches the equilibrium; with three nobody can gain much by always
    choosing otherwise while the others keep to their mixes. Habits are what the others expect of a seat whatever the
    position asks for: mixes that add up to less than 1, the rest being for the seat to choose well.
    """
    return _parts(built(regret_matching)(*_flat(worth, habits), rounds), worth)


def logit_equilibrium(worth: Table, habits: Sequence[Mix] | None = None, close: float = CLOSE) -> list[Mix]:
    """The same for those whom nobody is to guess: what is nearly as good is chosen nearly as often.

    Who answers a habit has one best choice, and whoever thinks of that can wait for it. Here each choice is made by
    how good it is, on a scale of what is `close`, while the others do likewise: a logit equilibrium. What is at stake
    is by how much the outcomes differ for a seat, so that it does not matter in which coin they are counted.
    """
    spread = worth.reshape(len(worth), -1).std(axis=1).reshape(-1, *[1] * (worth.ndim - 1))
    return _parts(
        built(mirror_descent)(*_flat(STAKE * worth / np.maximum(spread, TINY), habits), ROUNDS, STAKE * close), worth
    )


def _flat(worth: Table, habits: Sequence[Mix] | None) -> tuple[Table, Places, Places, Table, Mix]:
    """A table as a row of cells, which choice is where, how many each seat has, habits, and what these leave."""
    widths = worth.shape[1:]
    fixed = np.zeros((len(widths), max(widths)))
    for seat, habit in enumerate(habits or ()):
        fixed[seat, : len(habit)] = habit
    flat = np.ascontiguousarray(worth.reshape(len(widths), -1))
    return flat, cells(widths), np.array(widths), fixed, 1 - fixed.sum(axis=1)


def _parts(sums: Table, worth: Table) -> list[Mix]:
    """Mixes from what has added up for each choice."""
    return [sums[seat, :width] / sums[seat, :width].sum() for seat, width in enumerate(worth.shape[1:])]


def cells(widths: Sequence[int]) -> Places:
    """Which choice of each seat is in each cell of a flat table."""
    return np.indices(widths).reshape(len(widths), -1)


def regret_matching(  # noqa: PLR0917 - compiled: no keywords
    worth: Table, places: Places, widths: Places, fixed: Table, free: Mix, rounds: int
) -> Table:
    """Regret matching over all combinations: their worth to each seat, and which choice of each seat they contain."""
    regrets, sums, mixes, gains = (
        np.zeros_like(fixed),
        np.zeros_like(fixed),
        _anything(widths),
        np.zeros(fixed.shape[1]),
    )
    for number in range(1, rounds + 1):
        for seat in range(len(widths)):  # one after the other: that converges faster than all at once
            _gains(worth, places, seat, fixed, free, mixes, gains)
            mean = total = 0.0
            for choice in range(widths[seat]):
                mean += gains[choice] * mixes[seat, choice]
            for choice in range(widths[seat]):
                regrets[seat, choice] = max(regrets[seat, choice] + gains[choice] - mean, 0.0)
                total += regrets[seat, choice]
            for choice in range(widths[seat]):
                mixes[seat, choice] = regrets[seat, choice] / total if total > 0 else 1 / widths[seat]
                sums[seat, choice] += number * mixes[seat, choice]
    return sums


def mirror_descent(  # noqa: PLR0917 - compiled: no keywords
    worth: Table, places: Places, widths: Places, fixed: Table, free: Mix, rounds: int, close: float
) -> Table:
    """The logit equilibrium of all combinations, by mirror descent: what is gained adds up, and fades."""
    merits, sums, mixes, gains = (
        np.zeros_like(fixed),
        np.zeros_like(fixed),
        _anything(widths),
        np.zeros(fixed.shape[1]),
    )
    for number in range(1, rounds + 1):
        for seat in range(len(widths)):
            _gains(worth, places, seat, fixed, free, mixes, gains)
            for choice in range(widths[seat]):
                merits[seat, choice] = (merits[seat, choice] + gains[choice]) / (1 + close)
            likely = softmax(merits[seat, : widths[seat]], 1.0)
            for choice in range(widths[seat]):
                mixes[seat, choice] = likely[choice]
                sums[seat, choice] += number * likely[choice]
    return sums


def _anything(widths: Places) -> Table:
    """The mixes of seats that make all of their choices alike."""
    mixes = np.zeros((len(widths), widths.max()))
    for seat in range(len(widths)):
        for choice in range(widths[seat]):
            mixes[seat, choice] = 1 / widths[seat]
    return mixes


def _gains(  # noqa: PLR0917 - compiled: no keywords
    worth: Table, places: Places, seat: int, fixed: Table, free: Mix, mixes: Table, out: Mix
) -> None:
    """What each choice of a seat is worth to it while the others keep to their mixes and habits."""
    for choice in range(len(out)):
        out[choice] = 0
    for cell in range(worth.shape[1]):
        likely = worth[seat, cell]
        for other in range(len(free)):
            if other != seat:
                choice = places[other, cell]
                likely *= free[other] * mixes[other, choice] + fixed[other, choice]
        out[places[seat, cell]] += likely


def answers(worth: Table, mixes: list[Mix], seat: int) -> Mix:
    """What each choice of a seat is worth to it while the others keep to their mixes."""
    for other in range(len(mixes) - 1, -1, -1):
        if other != seat:
            worth = np.tensordot(worth, mixes[other], axes=([other], [0]))
    return worth


def expected(worth: Table, mixes: list[Mix]) -> float:
    """What a table of outcomes is worth when all keep to their mixes."""
    for mix in reversed(mixes):
        worth = worth @ mix
    return float(worth)


def habit(worth: Mix, leads: Mix, places: Places, width: int, styles: Mix) -> Mix:
    """What a seat is expected to choose as far as it does not choose well; all of this flat."""
    by_worth, by_lead = naive(worth, places, width, BEGINNER), greedy(leads, places, width)
    mix = np.empty(width)
    for choice in range(width):
        mix[choice] = styles[RANDOM] / width + styles[NAIVE] * by_worth[choice] + styles[GREEDY] * by_lead[choice]
    return mix


def naive(worth: Mix, places: Places, width: int, temperature: float) -> Mix:
    """How a beginner chooses: whatever does well if the others choose anything."""
    return softmax(_on_average(worth, places, width, 1), temperature)


def greedy(leads: Mix, places: Places, width: int) -> Mix:
    """How one chooses who tries each choice a few times in memory, and takes what leaves them furthest ahead."""
    expected, squares, spread = _on_average(leads, places, width, 1), _on_average(leads, places, width, 2), 0.0
    for choice in range(width):
        spread += max(squares[choice] - expected[choice] ** 2, 0.0) / width
    return softmax(expected, max(DIM * math.sqrt(spread / SAMPLES), TINY))


def softmax(expected: Mix, temperature: float) -> Mix:
    """How likely each choice is made by one who sees differences of less than `temperature` only dimly."""
    best, total = expected[0], 0.0
    for each in expected:
        best = max(best, each)
    likely = np.empty(len(expected))
    for choice in range(len(expected)):
        likely[choice] = math.exp((expected[choice] - best) / temperature)
        total += likely[choice]
    for choice in range(len(expected)):
        likely[choice] /= total
    return likely


def _on_average(values: Mix, places: Places, width: int, power: int) -> Mix:
    """What comes of each choice of a seat if the others choose anything; or its square."""
    means = np.zeros(width)
    for cell in range(len(values)):
        means[places[cell]] += values[cell] ** power * width / len(values)
    return means
