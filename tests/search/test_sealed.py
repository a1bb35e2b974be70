"""Secret choices come out mixed as they should: near the equilibria that are known."""

import numpy as np
import pytest

import ludotheque
from ludotheque.games.pizza import CUT, State
from ludotheque.search.players import think
from ludotheque.search.sealed import answers, equilibrium, expected


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
    assert expected(worth[0], mixes) == pytest.approx(0, abs=0.02)


def test_a_better_choice_is_always_taken() -> None:
    worth = np.zeros((3, 2, 2, 2))
    for seat in range(3):
        worth[seat] += np.moveaxis(np.array([0.0, 1.0])[:, None, None], 0, seat)
    assert all(mix[1] > 0.99 for mix in equilibrium(worth))


def test_nobody_gains_much_by_leaving_the_mix_of_three() -> None:
    worth = np.random.default_rng(1).random((3, 6, 6, 6))
    mixes = equilibrium(worth, 4000)
    for seat in range(3):
        gains = answers(worth[seat], mixes, seat)
        assert gains.max() - gains @ mixes[seat] < 0.08


def last_cut() -> State:
    """Two players in their last round: what the cut makes of it decides nothing but a win at sixteen."""
    return State(2, 1, (0b111111111111, 0b111111111111 << 24, 0), (0, 0, 3), 0, CUT, 2)


def test_a_pizza_cut_is_drawn_from_the_equilibrium_of_its_36_outcomes() -> None:
    game = ludotheque.game("pizza").rules
    state = last_cut()
    worth = np.zeros((2, 6, 6))
    for first in range(6):
        for second in range(6):
            after = game.play(game.play(state, 0, 37 + first), 1, 37 + second)
            assert game.to_act(after) == 0
            won = game.winners(after)
            points = game.scores(after)
            share = [(won >> seat & 1) / max((won & 3).bit_count(), 1) for seat in (0, 1)]
            lead = points[0] - points[1]
            worth[0, first, second] = 0.95 * share[0] + 0.05 * (0.5 + lead / 32)
            worth[1, first, second] = 0.95 * share[1] + 0.05 * (0.5 - lead / 32)
    known = equilibrium(worth, 20_000)
    thought = think(game, state, (), 0, simulations=4000)
    mix = {option.move: option.attention for option in thought.options}
    gains = answers(worth[0], known, 0)
    value = float(gains @ known[0])
    assert thought.expected[0] == pytest.approx(value, abs=0.03)
    mine = np.array([mix[f"cut {cut}"] for cut in range(1, 7)])
    assert float(mine @ worth[0] @ known[1]) == pytest.approx(value, abs=0.03)
    assert min(float(worth[1][:, cut] @ mine) for cut in range(6)) <= float(known[0] @ worth[1] @ known[1]) + 0.03
