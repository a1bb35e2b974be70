"""Train a small network to play one leg of Hepta, from nothing, against itself: `python examples/train_hepta.py`.

It needs numpy and `ludotheque.env`, no framework. Every game of a batch is played by the same network for both seats;
each choice is then made more likely if its seat won more than the network expected, and less likely if it won less
(REINFORCE with a learned baseline). Before and after it is measured against random play, in both seats.
"""

import argparse
import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import ludotheque
from ludotheque.env.batch import Batch

Floats = NDArray[np.float32]

HEPTA = ludotheque.game("hepta").rules
HIDDEN = 128
VALUE_WEIGHT, ENTROPY_WEIGHT = 0.5, 0.01
LEARNING_RATE, BETA_1, BETA_2 = 3e-3, 0.9, 0.99  # of Adam; the first falls to 0


@dataclass
class Network:
    """One hidden layer; from it the preference for each action, and in the last column the expected reward."""

    inner: Floats
    outer: Floats

    @classmethod
    def fresh(cls, inputs: int, actions: int, random: np.random.Generator) -> "Network":
        inner = random.normal(0, 1 / np.sqrt(inputs), (inputs + 1, HIDDEN)).astype(np.float32)
        return cls(inner, random.normal(0, 0.01, (HIDDEN, actions + 1)).astype(np.float32))

    def __call__(self, seen: Floats, masks: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
        """Hidden units, chances of the actions, expected rewards."""
        hidden = np.maximum(seen @ self.inner[:-1] + self.inner[-1], 0)
        out = hidden @ self.outer
        wish = np.where(masks, out[:, :-1], -np.inf)
        chances = np.exp(wish - wish.max(1, keepdims=True))
        return hidden, chances / chances.sum(1, keepdims=True), np.tanh(out[:, -1])


class Played(NamedTuple):
    """Choices of finished games, and what their seats got in the end."""

    seen: Floats
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    rewards: Floats


def pick(chances: Floats, random: np.random.Generator) -> NDArray[np.int64]:
    """An action in every game, by its chances."""
    drawn = random.random((len(chances), 1), np.float32) * chances.sum(1, keepdims=True)
    picked = np.argmax(np.cumsum(chances, axis=1) > drawn, axis=1)
    possible = np.take_along_axis(chances, picked[:, None], 1)[:, 0] > 0  # rounding may pick an illegal one
    return np.asarray(np.where(possible, picked, np.argmax(chances, axis=1)))


def play(batch: Batch, network: Network, steps: int, random: np.random.Generator) -> Played:
    """The network plays both seats; what was not finished after these steps is left out."""
    rows = []
    for _ in range(steps):
        seen, masks, seats = batch.observations.copy(), batch.masks.copy(), batch.seats.copy()
        actions = pick(network(seen, masks)[1], random)
        batch.step(actions)
        rows.append((seen, masks, actions, seats, batch.rewards.copy(), batch.over.copy()))
    result, known = np.zeros_like(batch.rewards), np.zeros(batch.number, bool)
    finished = []
    for seen, masks, actions, seats, rewards, over in reversed(rows):
        result[over], known = rewards[over], known | over
        got = result[np.arange(batch.number), seats]
        finished.append((seen[known], masks[known], actions[known], got[known]))
    return Played(*(np.concatenate(parts) for parts in zip(*finished, strict=True)))


def gradients(network: Network, played: Played) -> tuple[Floats, Floats]:
    """Of the loss: surprise times the log of the chance, the error of what was expected, less the entropy."""
    hidden, chances, expected = network(played.seen, played.masks)
    surprise = played.rewards - expected
    rows = np.arange(len(played.actions))
    logs = np.log(chances + 1e-9)
    entropy = -(chances * logs).sum(1, keepdims=True)
    out = np.empty((len(rows), network.outer.shape[1]), np.float32)
    out[:, :-1] = chances * surprise[:, None] + ENTROPY_WEIGHT * chances * (logs + entropy)
    out[rows, played.actions] -= surprise
    out[:, -1] = -2 * VALUE_WEIGHT * surprise * (1 - expected**2)
    out /= len(rows)
    back = (out @ network.outer.T) * (hidden > 0)
    return np.concatenate([played.seen.T @ back, back.sum(0, keepdims=True)]), hidden.T @ out


def train(network: Network, updates: int, games: int, steps: int, seed: int) -> None:
    """Play and learn, so many times, by Adam."""
    batch, random = Batch(HEPTA, games, seed=seed, legs=1), np.random.default_rng(seed)
    weights = [network.inner, network.outer]
    means, squares = ([np.zeros_like(each) for each in weights] for _ in range(2))
    for update in range(1, updates + 1):
        found, rate = gradients(network, play(batch, network, steps, random)), LEARNING_RATE * (1 - update / updates)
        for weight, gradient, mean, square in zip(weights, found, means, squares, strict=True):
            mean[:] += (1 - BETA_1) * (gradient - mean)
            square[:] += (1 - BETA_2) * (gradient**2 - square)
            root = np.sqrt(square / (1 - BETA_2**update)) + 1e-8
            weight[:] -= rate * mean / (1 - BETA_1**update) / root


def win_rate(network: Network, games: int, seed: int) -> float:
    """Its likeliest actions against random play, half of the games in each seat: the share won, draws half."""
    batch = Batch(HEPTA, games, seed=seed, legs=1)
    mine, points, left = np.arange(games) % 2, 0.0, np.ones(games, bool)
    while left.any():
        chosen = np.argmax(network(batch.observations, batch.masks)[1], axis=1)
        batch.step(np.where(batch.seats == mine, chosen, batch.sample()))
        ended = batch.over & left
        points += float((1 + batch.rewards[ended, mine[ended]]).sum() / 2)
        left &= ~batch.over
    return points / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--games", type=int, default=256, help="at once")
    parser.add_argument("--steps", type=int, default=64, help="in each game, for each update")
    parser.add_argument("--matches", type=int, default=4000, help="against random play, before and after")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    batch = Batch(HEPTA, 1, legs=1)
    network = Network.fresh(batch.layout.size, batch.masks.shape[1], np.random.default_rng(asked.seed))
    print(f"before: {win_rate(network, asked.matches, asked.seed):.1%} against random play", flush=True)
    begun, computed = time.perf_counter(), time.process_time()
    train(network, asked.updates, asked.games, asked.steps, asked.seed)
    took, used = time.perf_counter() - begun, time.process_time() - computed
    choices = asked.updates * asked.games * asked.steps
    print(
        f"{asked.updates} updates, {choices:,} choices: {took:.0f} s, of them {used:.0f} s of processor time",
        flush=True,
    )
    print(f"after: {win_rate(network, asked.matches, asked.seed + 1):.1%} against random play")


if __name__ == "__main__":
    main()
