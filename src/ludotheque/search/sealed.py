"""Choices made at the same time in secret: equilibria of the small game they form, and how people choose instead.

A payoff table has a first axis for the seats that choose, then an axis for the choices of each. Flattened, each seat
has a row of cells, one for each combination; `indexes` says which choice of a seat each cell contains. A mix has a
probability for each choice of a seat.
"""

import math
from collections.abc import Sequence
from typing import TypeAlias

from ludotheque.extras import extra
from ludotheque.search.baselines import GREEDY_SAMPLES
from ludotheque.search.compiled import built

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray

Table: TypeAlias = NDArray[np.float64]
Mix: TypeAlias = NDArray[np.float64]
Indexes: TypeAlias = NDArray[np.int64]

ROUNDS = 1500  # of regret matching or mirror descent
LOGIT_TEMPERATURE = 0.05  # as a share of the payoffs' standard deviation
PAYOFF_STD = 0.15  # payoffs are rescaled to this standard deviation before mirror descent, whose steps must be small
STYLES = 4  # of choosing
RANDOM, NAIVE, GREEDY, RATIONAL = range(STYLES)
BEGINNER_TEMPERATURE = 0.03
SAMPLING_ERROR = 0.6  # temperature of a greedy player, in standard errors of what its samples tell
EPSILON = 1e-9


def equilibrium(payoffs: Table, rounds: int = ROUNDS, habits: Sequence[Mix] | None = None) -> list[Mix]:
    """The mix of each seat by regret matching, averaged with more weight on later rounds.

    For two seats of opposite interests that approaches the equilibrium; for three, nobody gains much by leaving their
    mix. Habits are what is expected of a seat whatever the payoffs: mixes that add up to less than 1, the rest being
    for the seat to choose rationally.
    """
    return _normalised(built(regret_matching)(*_flat(payoffs, habits), rounds), payoffs)


def logit_equilibrium(
    payoffs: Table, habits: Sequence[Mix] | None = None, temperature: float = LOGIT_TEMPERATURE
) -> list[Mix]:
    """The logit (quantal response) equilibrium: each choice by the softmax of its value, the others doing likewise.

    Against a habit there is a single best response, which could be predicted. Here choices that are nearly as good
    are made nearly as often. The temperature is relative to the standard deviation of a seat's payoffs, so that their
    unit does not matter.
    """
    spread = payoffs.reshape(len(payoffs), -1).std(axis=1).reshape(-1, *[1] * (payoffs.ndim - 1))
    scaled = PAYOFF_STD * payoffs / np.maximum(spread, EPSILON)
    sums = built(mirror_descent)(*_flat(scaled, habits), ROUNDS, PAYOFF_STD * temperature)
    return _normalised(sums, payoffs)


def _flat(payoffs: Table, habits: Sequence[Mix] | None) -> tuple[Table, Indexes, Indexes, Table, Mix]:
    """Flat payoffs, the choice in each cell, the number of choices, the habits, and the share that is free."""
    widths = payoffs.shape[1:]
    fixed = np.zeros((len(widths), max(widths)))
    for seat, mix in enumerate(habits or ()):
        fixed[seat, : len(mix)] = mix
    flat = np.ascontiguousarray(payoffs.reshape(len(widths), -1))
    return flat, choice_indexes(widths), np.array(widths), fixed, 1 - fixed.sum(axis=1)


def _normalised(sums: Table, payoffs: Table) -> list[Mix]:
    return [sums[seat, :width] / sums[seat, :width].sum() for seat, width in enumerate(payoffs.shape[1:])]


def choice_indexes(widths: Sequence[int]) -> Indexes:
    """Which choice of each seat is in each cell of a flat table."""
    return np.indices(widths).reshape(len(widths), -1)


def regret_matching(  # noqa: PLR0917 - compiled: no keywords
    payoffs: Table, indexes: Indexes, widths: Indexes, fixed: Table, free: Mix, rounds: int
) -> Table:
    """Regret matching (RM+): for each seat and choice the sum of its probabilities, weighted by the round."""
    regrets, sums, mixes, values = (
        np.zeros_like(fixed),
        np.zeros_like(fixed),
        _uniform(widths),
        np.zeros(fixed.shape[1]),
    )
    for number in range(1, rounds + 1):
        for seat in range(len(widths)):  # alternating updates converge faster than simultaneous ones
            _values_against(payoffs, indexes, seat, fixed, free, mixes, values)
            mean = total = 0.0
            for choice in range(widths[seat]):
                mean += values[choice] * mixes[seat, choice]
            for choice in range(widths[seat]):
                regrets[seat, choice] = max(regrets[seat, choice] + values[choice] - mean, 0.0)
                total += regrets[seat, choice]
            for choice in range(widths[seat]):
                mixes[seat, choice] = regrets[seat, choice] / total if total > 0 else 1 / widths[seat]
                sums[seat, choice] += number * mixes[seat, choice]
    return sums


def mirror_descent(  # noqa: PLR0917 - compiled: no keywords
    payoffs: Table,
    indexes: Indexes,
    widths: Indexes,
    fixed: Table,
    free: Mix,
    rounds: int,
    temperature: float,
) -> Table:
    """Entropy-regularised mirror descent towards the logit equilibrium; sums as of `regret_matching`."""
    logits, sums, mixes, values = (
        np.zeros_like(fixed),
        np.zeros_like(fixed),
        _uniform(widths),
        np.zeros(fixed.shape[1]),
    )
    for number in range(1, rounds + 1):
        for seat in range(len(widths)):
            _values_against(payoffs, indexes, seat, fixed, free, mixes, values)
            for choice in range(widths[seat]):
                logits[seat, choice] = (logits[seat, choice] + values[choice]) / (1 + temperature)
            likely = softmax(logits[seat, : widths[seat]], 1.0)
            for choice in range(widths[seat]):
                mixes[seat, choice] = likely[choice]
                sums[seat, choice] += number * likely[choice]
    return sums


def _uniform(widths: Indexes) -> Table:
    """Mixes in which all choices of a seat are equally likely."""
    mixes = np.zeros((len(widths), widths.max()))
    for seat in range(len(widths)):
        for choice in range(widths[seat]):
            mixes[seat, choice] = 1 / widths[seat]
    return mixes


def _values_against(  # noqa: PLR0917 - compiled: no keywords
    payoffs: Table, indexes: Indexes, seat: int, fixed: Table, free: Mix, mixes: Table, out: Mix
) -> None:
    """The expected payoff of each choice of a seat, given the mixes and habits of the others."""
    for choice in range(len(out)):
        out[choice] = 0
    for cell in range(payoffs.shape[1]):
        likely = payoffs[seat, cell]
        for other in range(len(free)):
            if other != seat:
                choice = indexes[other, cell]
                likely *= free[other] * mixes[other, choice] + fixed[other, choice]
        out[indexes[seat, cell]] += likely


def choice_values(payoffs: Table, mixes: list[Mix], seat: int) -> Mix:
    """The expected payoff of each choice of a seat against the mixes of the others; `payoffs` are that seat's."""
    for other in range(len(mixes) - 1, -1, -1):
        if other != seat:
            payoffs = np.tensordot(payoffs, mixes[other], axes=([other], [0]))
    return payoffs


def expected_payoff(payoffs: Table, mixes: list[Mix]) -> float:
    """The expected payoff of one seat when all keep to their mixes."""
    for mix in reversed(mixes):
        payoffs = payoffs @ mix
    return float(payoffs)


# How people choose


def habit(payoffs: Mix, leads: Mix, indexes: Indexes, width: int, styles: Mix) -> Mix:
    """The mix expected of a seat as far as it does not choose rationally, by the probabilities of its styles."""
    by_payoff = naive(payoffs, indexes, width, BEGINNER_TEMPERATURE)
    by_lead = greedy(leads, indexes, width)
    mix = np.empty(width)
    for choice in range(width):
        mix[choice] = styles[RANDOM] / width + styles[NAIVE] * by_payoff[choice] + styles[GREEDY] * by_lead[choice]
    return mix


def naive(payoffs: Mix, indexes: Indexes, width: int, temperature: float) -> Mix:
    """The mix of a beginner: the softmax of the mean payoffs, as if the others chose uniformly."""
    return softmax(_means(payoffs, indexes, width, 1), temperature)


def greedy(leads: Mix, indexes: Indexes, width: int) -> Mix:
    """The mix of the greedy baseline, which takes the greatest mean lead over a few random samples."""
    expected, squares, variance = _means(leads, indexes, width, 1), _means(leads, indexes, width, 2), 0.0
    for choice in range(width):
        variance += max(squares[choice] - expected[choice] ** 2, 0.0) / width
    return softmax(expected, max(SAMPLING_ERROR * math.sqrt(variance / GREEDY_SAMPLES), EPSILON))


def softmax(values: Mix, temperature: float) -> Mix:
    """Probabilities proportional to exp(value / temperature)."""
    best, total = values[0], 0.0
    for each in values:
        best = max(best, each)
    likely = np.empty(len(values))
    for choice in range(len(values)):
        likely[choice] = math.exp((values[choice] - best) / temperature)
        total += likely[choice]
    for choice in range(len(values)):
        likely[choice] /= total
    return likely


def _means(values: Mix, indexes: Indexes, width: int, power: int) -> Mix:
    """The mean of a power of the values for each choice of a seat, the others choosing uniformly."""
    means = np.zeros(width)
    for cell in range(len(values)):
        means[indexes[cell]] += values[cell] ** power * width / len(values)
    return means
