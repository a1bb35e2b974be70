"""Equilibria of sealed choices: near those that are known."""

from collections import Counter
from typing import cast

import numpy as np
import pytest

import ludotheque
from ludotheque.board.bits import union
from ludotheque.board.hexagon import NUMBERS
from ludotheque.games.pizza import CUT, State
from ludotheque.match import Match
from ludotheque.search.heuristics import Objective
from ludotheque.search.heuristics.pizza import sealed_choices
from ludotheque.search.opponent_model import STYLE_PRIOR, infer_styles
from ludotheque.search.players import think
from ludotheque.search.sealed import (
    LOGIT_TEMPERATURE,
    RANDOM,
    RATIONAL,
    Mix,
    Table,
    choice_values,
    equilibrium,
    expected_payoff,
    logit_equilibrium,
    softmax,
)
from search.beginnings import play_on


def zero_sum(first: list[list[float]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    gains = np.array(first)
    return np.stack([gains, -gains])


def test_matching_pennies_and_its_lopsided_sister() -> None:
    mixes = equilibrium(zero_sum([[1, -1], [-1, 1]]))
    assert mixes[0] == pytest.approx([0.5, 0.5], abs=0.02)
    mixes = equilibrium(zero_sum([[2, -1], [-1, 1]]))
    assert mixes[0] == pytest.approx([0.4, 0.6], abs=0.02)
    assert mixes[1] == pytest.approx([0.4, 0.6], abs=0.02)


def test_stone_paper_scissors_where_stone_pays_double() -> None:
    worth = zero_sum([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    mixes = equilibrium(worth, 5000)
    assert mixes[0] == pytest.approx([0.25, 0.5, 0.25], abs=0.02)
    assert expected_payoff(worth[0], mixes) == pytest.approx(0, abs=0.02)


def test_a_better_choice_is_always_taken() -> None:
    worth = np.zeros((3, 2, 2, 2))
    for seat in range(3):
        worth[seat] += np.moveaxis(np.array([0.0, 1.0])[:, None, None], 0, seat)
    assert all(mix[1] > 0.99 for mix in equilibrium(worth))


def test_nobody_gains_much_by_leaving_the_mix_of_three() -> None:
    worth = np.random.default_rng(1).random((3, 6, 6, 6))
    mixes = equilibrium(worth, 4000)
    for seat in range(3):
        gains = choice_values(worth[seat], mixes, seat)
        assert gains.max() - gains @ mixes[seat] < 0.08


def last_round(*toppings: str, third_knife: int) -> State:
    """Two players who have only the cut of the last round left."""
    gold, green, white = (union(NUMBERS[name] for name in names.split()) for names in toppings)
    return State(2, 1, (gold, green, white), (0, 0, third_knife), 0, CUT, 2)


def outcomes(state: State) -> Table:
    """What each seat gets by the rules, for all 36 pairs of cuts of a last round."""
    game = ludotheque.game("pizza").rules
    worth = np.zeros((2, 6, 6))
    for first in range(6):
        for second in range(6):
            after = game.play(game.play(state, 0, 37 + first), 1, 37 + second)
            assert game.to_act(after) == 0
            won, points = game.winners(after) & 3, game.scores(after)
            part = 0.5 + (points[0] - points[1]) / 32
            for seat, mine in enumerate((part, 1 - part)):
                worth[seat, first, second] = 0.95 * (won >> seat & 1) / max(won.bit_count(), 1) + 0.05 * mine
    return worth


def indifferent(gains: Table, mine: list[int], theirs: list[int]) -> Mix:
    """How to mix these choices so that it makes no difference which of theirs the other takes: linear equations."""
    size = len(mine)
    equations = np.zeros((size + 1, size + 1))
    equations[:size, :size], equations[:size, size], equations[size, :size] = gains[np.ix_(mine, theirs)].T, -1, 1
    mix = np.zeros(len(gains))
    mix[mine] = np.linalg.solve(equations, [*(0.0 for _ in theirs), 1.0])[:size]
    return mix


def test_a_cut_with_a_mixed_equilibrium_is_drawn_from_it() -> None:
    """Each has three good cuts, and none of them is safe: the equilibrium, found by other means, mixes all three."""
    state = last_round(
        "a1 b5 c3 c5 d1 d2 d3 d7 e2 f1 g1",
        "a2 a4 b2 b3 b4 c2 c6 e1 e3 e5 e6 f2 g2",
        "a3 b1 c1 c4 d6 g4",
        third_knife=4,
    )
    worth = outcomes(state)
    known = indifferent(worth[0], [1, 2, 3], [3, 4, 5])
    others = indifferent(worth[1].T, [3, 4, 5], [1, 2, 3])
    assert min(known[1:4]) > 0.3
    assert min(others[3:]) > 0.3
    assert (known @ worth[0]).min() == pytest.approx((worth[0] @ others).max())  # so it is the equilibrium
    thought = think(ludotheque.game("pizza").rules, state, (), 0, simulations=4000)
    mix = {option.move: option.attention for option in thought.candidates}
    assert [mix[f"cut {cut}"] for cut in range(1, 7)] == pytest.approx(known, abs=0.03)
    drawn = Counter(
        think(ludotheque.game("pizza").rules, state, (), 0, simulations=300, seed=seed).move for seed in range(150)
    )
    assert set(drawn) == {"cut 2", "cut 3", "cut 4"}
    assert all(30 < number < 70 for number in drawn.values())


def last_cut() -> State:
    """Two players in their last round: what the cut makes of it decides nothing but a win at sixteen."""
    return State(2, 1, (0b111111111111, 0b111111111111 << 24, 0), (0, 0, 3), 0, CUT, 2)


def test_a_pizza_cut_is_drawn_from_the_equilibrium_of_its_36_outcomes() -> None:
    game = ludotheque.game("pizza").rules
    state = last_cut()
    worth = outcomes(state)
    known = equilibrium(worth, 20_000)
    thought = think(game, state, (), 0, simulations=4000)
    mix = {option.move: option.attention for option in thought.candidates}
    gains = choice_values(worth[0], known, 0)
    value = float(gains @ known[0])
    assert thought.expected[0] == pytest.approx(value, abs=0.03)
    mine = np.array([mix[f"cut {cut}"] for cut in range(1, 7)])
    assert float(mine @ worth[0] @ known[1]) == pytest.approx(value, abs=0.03)
    assert min(float(worth[1][:, cut] @ mine) for cut in range(6)) <= float(known[0] @ worth[1] @ known[1]) + 0.03


def test_the_best_response_to_a_habit() -> None:
    """Who shows heads in six of ten games whatever happens is met with heads, whatever the other four."""
    first, second = equilibrium(zero_sum([[1, -1], [-1, 1]]), habits=[np.zeros(2), np.array([0.6, 0.0])])
    assert first[0] > 0.95
    assert second[1] > 0.95


def test_the_logit_equilibrium_mixes_near_equals() -> None:
    """Against a habit one choice is best; the logit equilibrium also makes those that lose next to nothing."""
    gains, habit = np.array([0.5, 0.48, 0.0]), np.array([0.5, 0.5])
    worth = np.zeros((2, 3, 2))
    worth[0] += gains[:, None]
    plain, _ = equilibrium(worth, habits=[np.zeros(3), habit])
    mixed, _ = logit_equilibrium(worth, [np.zeros(3), habit])
    assert plain[0] > 0.99
    assert mixed[1] / mixed[0] == pytest.approx(np.exp(-0.02 / (LOGIT_TEMPERATURE * gains.std())), abs=0.02)
    assert mixed[2] < 0.001


def test_the_unit_of_payoffs_does_not_matter() -> None:
    worth = np.random.default_rng(3).random((3, 6, 6, 6))
    for mix, same in zip(logit_equilibrium(worth), logit_equilibrium(0.05 * worth + 0.9), strict=True):
        assert same == pytest.approx(mix, abs=0.02)


def test_who_must_not_be_guessed_mixes_as_the_equilibrium_does_where_much_is_at_stake() -> None:
    for gains in ([[1.0, 0.0], [0.0, 1.0]], [[0.8, 0.4], [0.35, 0.6]]):
        worth = np.stack([np.array(gains), 1 - np.array(gains)])
        for mix, known in zip(logit_equilibrium(worth), equilibrium(worth, 20_000), strict=True):
            assert mix == pytest.approx(known, abs=0.03)


@pytest.mark.parametrize("habit", [0.0, 0.6])
def test_each_of_three_answers_the_mixes_of_the_others_by_how_good_it_is(habit: float) -> None:
    worth = 0.2 + 0.4 * np.random.default_rng(2).random((3, 6, 6, 6))
    habits = [np.zeros(6), np.full(6, habit / 6), np.zeros(6)]
    mixes = logit_equilibrium(worth, habits)
    shown = [(1 - known.sum()) * mix + known for mix, known in zip(mixes, habits, strict=True)]
    for seat, mix in enumerate(mixes):
        assert mix == pytest.approx(
            softmax(choice_values(worth[seat], shown, seat), LOGIT_TEMPERATURE * worth[seat].std()), abs=0.05
        )


@pytest.mark.parametrize("seats", [2, 3])
def test_what_others_have_cut_so_far_tells_how_they_choose(seats: int) -> None:
    """Those who choose anything are told from those who choose well, by their cuts alone."""
    rules = ludotheque.game("pizza").rules
    objective = Objective(seats, 0.05, 16.0, 0.0, 0.0, 1)
    assert infer_styles(rules, [], [], 0, objective)[1:] == pytest.approx(np.tile(STYLE_PRIOR, (3, 1)))
    evidence = {}
    for name in ("random", "300n"):
        matches = [played_by(name, seats, seed) for seed in range(10)]
        cuts = [sealed_choices(cast("State", match.seen(0)), match.witnessed(0)) for match in matches]
        believed = np.array([infer_styles(rules, found, [], 0, objective)[1] for found in cuts])
        odds = believed[:, RATIONAL] / believed[:, RANDOM] * STYLE_PRIOR[RANDOM] / STYLE_PRIOR[RATIONAL]
        evidence[name] = np.exp(np.log(odds).mean())
    assert evidence["random"] < 0.1
    assert evidence["300n"] > 2, "who answers careless strangers does not cut as among equals, so this tells less"


def played_by(name: str, seats: int, seed: int) -> Match:
    """The first rounds of a game in which all seats are played by players of this name."""
    match = ludotheque.game("pizza").match(seats, seed=seed)
    return play_on(match, [name] * seats, seed, lambda match: cast("State", match.state).round < 4)
