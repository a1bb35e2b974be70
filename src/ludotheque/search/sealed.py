"""Choices made together in secret: an equilibrium of the small game they form, from what each outcome is worth."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Table: TypeAlias = NDArray[np.float64]  # first axis: the seats that choose; then an axis for the choices of each
Mix: TypeAlias = NDArray[np.float64]

ROUNDS = 1500


def equilibrium(worth: Table, rounds: int = ROUNDS) -> list[Mix]:
    """How likely each seat should choose what: regret matching, averaged over the later rounds.

    With two seats of opposite interests that approaches the equilibrium; with three nobody can gain much by always
    choosing otherwise while the others keep to their mixes.
    """
    widths = worth.shape[1:]
    regrets = [np.zeros(width) for width in widths]
    sums = [np.zeros(width) for width in widths]
    mixes = [np.full(width, 1 / width) for width in widths]
    for number in range(1, rounds + 1):
        for seat in range(len(widths)):  # one after the other: that converges faster than all at once
            gains = answers(worth[seat], mixes, seat)
            regrets[seat] = np.maximum(regrets[seat] + gains - gains @ mixes[seat], 0)
            total = regrets[seat].sum()
            mixes[seat] = regrets[seat] / total if total > 0 else np.full(widths[seat], 1 / widths[seat])
            sums[seat] += number * mixes[seat]
    return [part / part.sum() for part in sums]


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
