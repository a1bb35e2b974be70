"""The networks of Pizza Theory: players evaluate what was trained, and training learns."""

from random import Random
from typing import cast

import numpy as np
import pytest

import learn
import ludotheque
from learn import Seen
from ludotheque.games.pizza import ADD, STOCK, State
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import Objective
from ludotheque.search.heuristics.pizza import BIAS_ROW, LEARNED, OUTPUT_ROW, UNITS

BOX = ludotheque.game("pizza")


def between_rounds(seats: int, seed: int) -> list[State]:
    """The positions after each round of a game at random."""
    match, random, found = BOX.match(seats, seed=seed), Random(seed), []
    while not match.over:
        before = cast("State", match.state).round
        seat = match.to_act[0]
        match.play(seat, random.choice(match.moves(seat)))
        state = cast("State", match.state)
        if state.round > before and state.phase == ADD:
            found.append(state)
    return found


def hopes(state: State) -> list[float]:
    out = np.zeros(4)
    machine(BOX.rules).evaluator.estimate(state, Objective(state.seats, 0.05, STOCK, 0.0, 0.0, 1), out)
    return [float(each) for each in out[: state.seats]]


def seen(states: list[State], won: list[list[float]] | None = None) -> Seen:
    many = len(states)
    return Seen(
        np.array([state.toppings for state in states]),
        np.array([state.round for state in states]),
        np.zeros((many, 3), np.float32),
        np.array(won or np.full((many, 3), 1 / 3), np.float32),
        np.arange(many),
    )


@pytest.mark.parametrize("seats", learn.SEATINGS)
def test_players_judge_as_the_network_does(seats: int) -> None:
    """Two ways to the same values: space by space, compiled, and all positions in one matrix product."""
    states = [state for seed in range(4) for state in between_rounds(seats, seed)]
    likely = learn.forward(seen(states), LEARNED[seats - 2], np.arange(len(states)))[2]
    for state, expected in zip(states, likely, strict=True):
        assert hopes(state) == pytest.approx(expected[:seats], rel=1e-4)
        if seats == 3:
            assert sum(hopes(state)) == pytest.approx(1)


def test_whoever_sits_where_the_same_pizza_is_worth_the_same() -> None:
    """One seat and one round further on, everybody has another's role and toppings."""
    for state in between_rounds(3, 7):
        first, second, third = state.toppings
        turned = state._replace(toppings=(third, first, second), round=state.round + 1)
        mine, yours, theirs = hopes(state)
        assert hopes(turned) == pytest.approx([theirs, mine, yours])


@pytest.mark.parametrize("seats", learn.SEATINGS)
def test_more_toppings_promise_more(seats: int) -> None:
    """On the whole: whoever leads after a round of a game at random has the best hopes most of the time."""
    agree = total = 0
    for seed in range(30):
        for state in between_rounds(seats, seed):
            points = BOX.rules.scores(state)[:seats]
            if points.count(max(points)) == 1:
                agree += max(points) == points[int(np.argmax(hopes(state)))]
                total += 1
    assert agree > 0.8 * total


def test_counting_is_where_learning_begins() -> None:
    states = between_rounds(3, 2)
    likely = learn.chances(seen(states), learn.counting(3), np.arange(len(states)))
    for state, found in zip(states, likely, strict=True):
        weights = np.exp(learn.TOPPING_LOGIT[3] * np.array(BOX.rules.scores(state)))
        assert found == pytest.approx(weights / weights.sum(), rel=1e-4)


def test_the_gradient_is_that_of_the_loss() -> None:
    states = between_rounds(3, 3) + between_rounds(3, 4)
    won = np.eye(3)[[number % 3 for number in range(len(states))]].tolist()
    found, all_, random = seen(states, won), np.arange(len(states)), np.random.default_rng(1)
    everything = np.ones(len(states), bool)
    weights = learn.counting(3) + random.normal(0, 0.05, (OUTPUT_ROW + 1, UNITS)).astype(np.float32)
    gradient = learn.gradient(found, found.won, weights, all_)
    step = 0.02
    for row, unit in [(0, 0), (20, 3), (50, 7), (BIAS_ROW + 1, 2), (OUTPUT_ROW, 0), (OUTPUT_ROW, 5)]:
        more, less = weights.copy(), weights.copy()
        more[row, unit] += step
        less[row, unit] -= step
        change = (learn.loss(found, more, everything) - learn.loss(found, less, everything)) / (2 * step)
        assert gradient[row, unit] == pytest.approx(change, abs=2e-3)


def test_what_decides_is_learned() -> None:
    """Where whoever holds the middle wins, that is found out."""
    random = np.random.default_rng(5)
    toppings = np.array([random.permutation(37)[:18].reshape(3, 6) for _ in range(3000)])
    bits = (1 << toppings).sum(2)
    middle = bits >> 18 & 1
    held = middle.any(1)
    many = int(held.sum())
    won, random_play = middle[held].astype(np.float32), np.zeros((many, 3), np.float32)
    found = Seen(bits[held], random.integers(60, size=many), random_play, won, np.arange(many))
    fitted = learn.fit(found, learn.counting(3), 150, np.random.default_rng(1))
    checked = learn.validation(found)
    assert learn.loss(found, fitted, checked) < 0.5 * learn.loss(found, learn.counting(3), checked)


def test_targets_are_partly_the_next_estimate() -> None:
    states = between_rounds(3, 6)[:2]
    together = seen(states, [[1, 0, 0], [1, 0, 0]])._replace(game=np.zeros(2, np.int64))
    weights = learn.counting(3)
    seemed = learn.chances(together, weights, np.arange(2))
    first, last = learn.targets(together, weights)
    assert last == pytest.approx([1, 0, 0])
    assert first == pytest.approx((1 - learn.LAMBDA) * seemed[1] + learn.LAMBDA * last)


@pytest.mark.parametrize("seats", learn.SEATINGS)
def test_games_to_learn_from(seats: int) -> None:
    found = learn.played(seats, 6, 3)
    assert found.won.sum(1) == pytest.approx(1)
    assert len(np.unique(found.game)) == 6
    assert found.random_play.max() == 1, "somebody plays at random"
    assert (found.random_play[:, :seats].sum(1) < seats).all(), "but never all"
    for toppings, number in zip(found.toppings, found.round, strict=True):
        assert number >= 1
        assert max(int(each).bit_count() for each in toppings) < STOCK
        assert not toppings[0] & toppings[1] | toppings[0] & toppings[2] | toppings[1] & toppings[2]
