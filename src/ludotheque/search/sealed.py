"""Choices made together in secret: an equilibrium of the small game they form, from what each outcome is worth."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.search.compiled import built

Table: TypeAlias = NDArray[np.float64]  # first axis: the seats that choose; then an axis for the choices of each
Mix: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]

ROUNDS = 1500


def equilibrium(worth: Table, rounds: int = ROUNDS, habits: Sequence[Mix] | None = None) -> list[Mix]:
    """How likely each seat should choose what: regret matching, averaged over the later rounds.

    With two seats of opposite interests that approaches the equilibrium; with three nobody can gain much by always
    choosing otherwise while the others keep to their mixes. Habits are what the others expect of a seat whatever the
    position asks for: mixes that add up to less than 1, the rest being for the seat to choose well.
    """
    widths = worth.shape[1:]
    places = np.indices(widths).reshape(len(widths), -1)
    flat = np.ascontiguousarray(worth.reshape(len(widths), -1))
    fixed = np.zeros((len(widths), max(widths)))
    for seat, habit in enumerate(habits or ()):
        fixed[seat, : len(habit)] = habit
    sums = built(matched)(flat, places, np.array(widths), fixed, 1 - fixed.sum(axis=1), rounds)
    return [sums[seat, :width] / sums[seat, :width].sum() for seat, width in enumerate(widths)]


def matched(  # noqa: PLR0917 - compiled: no keywords
    worth: Table, places: Places, widths: Places, fixed: Table, free: Mix, rounds: int
) -> Table:
    """Regret matching over all combinations: their worth to each seat, and which choice of each seat they contain."""
    seats, most = fixed.shape
    regrets, sums, mixes = np.zeros((seats, most)), np.zeros((seats, most)), np.zeros((seats, most))
    for seat in range(seats):
        for choice in range(widths[seat]):
            mixes[seat, choice] = 1 / widths[seat]
    gains = np.zeros(most)
    for number in range(1, rounds + 1):
        for seat in range(seats):  # one after the other: that converges faster than all at once
            for choice in range(most):
                gains[choice] = 0
            for cell in range(worth.shape[1]):
                likely = worth[seat, cell]
                for other in range(seats):
                    if other != seat:
                        choice = places[other, cell]
                        likely *= free[other] * mixes[other, choice] + fixed[other, choice]
                gains[places[seat, cell]] += likely
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
