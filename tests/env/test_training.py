"""The example learns: the short form of `python examples/train_hepta.py`."""

import runpy
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples/train_hepta.py"))
INPUTS, ACTIONS = 158, 266


def test_a_network_learns_to_beat_random_play() -> None:
    network = EXAMPLE["Network"].fresh(INPUTS, ACTIONS, np.random.default_rng(1))
    before = EXAMPLE["win_rate"](network, 1000, 1)
    assert before < 0.6
    EXAMPLE["train"](network, updates=30, games=256, steps=64, seed=1)
    assert EXAMPLE["win_rate"](network, 1000, 2) > before + 0.1


def test_the_gradient_is_that_of_the_loss() -> None:
    random = np.random.default_rng(2)
    network = EXAMPLE["Network"].fresh(5, 4, random)
    network.inner = network.inner.astype(np.float64)  # the steps are small
    network.outer = random.normal(0, 0.3, network.outer.shape)
    masks = random.random((20, 4)) < 0.7
    masks[:, 0] = True
    actions = np.array([random.choice(np.flatnonzero(mask)) for mask in masks])
    played = EXAMPLE["Played"](random.random((20, 5), np.float32), masks, actions, random.choice([-1, 1], 20))
    _, _, expected = network(played.seen, masks)
    surprise = played.rewards - expected  # how much a choice counts is no part of the gradient

    def loss() -> float:
        _, chances, value = network(played.seen, masks)
        logs = np.log(chances + 1e-9)
        chosen = logs[np.arange(20), actions]
        entropy = -(chances * logs).sum(1)
        error = (played.rewards - value) ** 2
        each = -surprise * chosen + EXAMPLE["VALUE_WEIGHT"] * error - EXAMPLE["ENTROPY_WEIGHT"] * entropy
        return float(each.mean())

    for weights, found in zip((network.inner, network.outer), EXAMPLE["gradients"](network, played), strict=True):
        for place in [(0, 0), (2, 3), (4, 1)]:
            kept, step = weights[place], 1e-6
            weights[place] = kept + step
            more = loss()
            weights[place] = kept - step
            less = loss()
            weights[place] = kept
            assert found[place] == pytest.approx((more - less) / (2 * step), rel=1e-3, abs=1e-6)
