"""The value of joint choices in secret, and the mixes of seats that do not choose rationally."""

from collections import Counter
from random import Random
from typing import cast

import numpy as np
import pytest

import ludotheque
from ludotheque.game import moves
from ludotheque.games.pizza import ADD, CUTS, State
from ludotheque.match import Match
from ludotheque.search import baselines, opponent_model, sealed
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import Objective
from ludotheque.search.joint_choice import ROUNDS, SKILL_LOG_ODDS, estimate_by_style, evaluate_joint_choice
from ludotheque.search.scratch import all_rational
from ludotheque.search.sealed import GREEDY, NAIVE, RANDOM, STYLES
from ludotheque.search.tree import SEATS

BOX = ludotheque.game("pizza")
OBJECTIVE = Objective(3, 0.05, 16.0, 0.0, 0.0, 1)
ALL = 0b111


def about_to_cut(seed: int, rounds: int = 2) -> Match:
    """A game at random up to a cut."""
    match, random = BOX.match(3, seed=seed), Random(seed)
    while cast("State", match.state).phase == ADD or cast("State", match.state).round < rounds:
        seat = match.to_act[0]
        match.play(seat, random.choice(match.moves(seat)))
    return match


def believed(**styles: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Styles of the seats: rational, if nothing else is given."""
    likely = all_rational()
    for seat, style in styles.items():
        likely[int(seat.removeprefix("seat_"))] = np.eye(STYLES)[style]
    return likely


@pytest.mark.parametrize("styles", [{}, {"seat_1": RANDOM, "seat_2": NAIVE}, {"seat_0": GREEDY, "seat_2": GREEDY}])
@pytest.mark.parametrize("seed", [3, 4, 8])
def test_the_value_is_the_expected_payoff_of_the_equilibrium(seed: int, styles: dict[str, int]) -> None:
    """The same by other means: outcomes one by one, their equilibrium, and the average of that."""
    state, seats, likely = about_to_cut(seed).state, [0, 1, 2], believed(**styles)
    out = np.zeros(SEATS)
    assert machine(BOX.rules).build(evaluate_joint_choice)(state, ALL, likely, OBJECTIVE, out)
    after = opponent_model.outcomes(BOX.rules, state, seats, [moves(BOX.rules, state, seat) for seat in seats])
    worth = opponent_model.estimates(BOX.rules, after, OBJECTIVE, likely)
    habits = opponent_model.habits(worth, opponent_model.leads(BOX.rules, after), seats, likely)
    mixes = sealed.equilibrium(worth[seats], ROUNDS, habits)
    mixes = [(1 - habit.sum()) * mix + habit for mix, habit in zip(mixes, habits, strict=True)]
    assert out[:3] == pytest.approx([sealed.expected_payoff(worth[seat], mixes) for seat in seats])
    assert out.sum() == pytest.approx(1)


def test_against_random_choosers_a_position_is_worth_more() -> None:
    judge, out = machine(BOX.rules).build(evaluate_joint_choice), np.zeros(SEATS)
    gains = []
    for seed in range(20):
        state = about_to_cut(seed).state
        judge(state, ALL, believed(), OBJECTIVE, out)
        well = out[0]
        judge(state, ALL, believed(seat_1=RANDOM, seat_2=RANDOM), OBJECTIVE, out)
        gains.append(out[0] - well)
    assert np.mean(gains) > 0.02


def test_random_choosers_make_less_of_a_position() -> None:
    """The less the nearer to the goal; the odds between seats of the same style do not change."""
    state, plain, out = BOX.match(3, seed=1).state, np.zeros(SEATS), np.zeros(SEATS)
    judge = machine(BOX.rules).build(estimate_by_style)
    judge(state, believed(), OBJECTIVE, plain)
    assert plain[:3] == pytest.approx([1 / 3] * 3)
    judge(state, believed(seat_1=RANDOM, seat_2=RANDOM), OBJECTIVE, out)
    assert out[0] / out[1] == pytest.approx(np.exp(SKILL_LOG_ODDS * 14 / 16)), "two toppings of sixteen"
    assert out[1] == out[2]
    assert out.sum() == pytest.approx(1)
    judge(state, believed(seat_0=RANDOM, seat_1=RANDOM, seat_2=RANDOM), OBJECTIVE, out)
    assert out == pytest.approx(plain)


def test_the_last_to_choose_takes_the_best() -> None:
    match = about_to_cut(1)
    for seat in (0, 1):
        match.play(seat, match.moves(seat)[2])
    after = opponent_model.outcomes(BOX.rules, match.state, [2], [moves(BOX.rules, match.state, 2)])
    out = np.zeros(SEATS)
    assert machine(BOX.rules).build(evaluate_joint_choice)(match.state, 0b100, believed(), OBJECTIVE, out)
    assert out[2] == pytest.approx(opponent_model.estimates(BOX.rules, after, OBJECTIVE)[2].max(), abs=0.05)


@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_greedy_players_cut_as_expected(chosen: int) -> None:
    """Whether or not others have cut before them, of which they know nothing."""
    match = about_to_cut(5)
    state, seat = match.state, 2
    after = opponent_model.outcomes(BOX.rules, state, [0, 1, 2], [moves(BOX.rules, state, each) for each in range(3)])
    leads = opponent_model.leads(BOX.rules, after)
    expected = sealed.greedy(leads[seat].ravel(), sealed.choice_indexes([CUTS] * 3)[seat], CUTS)
    for earlier in range(chosen):
        match.play(earlier, match.moves(earlier)[0])
    random = Random(1)
    made = Counter(baselines.greedy_move(BOX.rules, match.seen(seat), (), seat, random) for _ in range(300))
    found = [made[move] / 300 for move in moves(BOX.rules, match.seen(seat), seat)]
    assert found == pytest.approx(expected, abs=0.15)
