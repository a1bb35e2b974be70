"""What hints expect is what comes: the short form of `benchmarks/hopes.py`, and that it would notice if not."""

import pytest

import hopes
import ludotheque
from hopes import Hope
from ludotheque.search.players import think_for


def test_hopes_are_put_together_by_their_size() -> None:
    box = ludotheque.game("hepta")
    found = [Hope(0.05, 0.0), Hope(0.15, 0.0), Hope(0.9, 0.5), Hope(1.0, 1.0)]
    assert hopes.row(box, 2, found) == "| hepta | 2 | 4 | 15.0 | 10 → 0 | – | – | – | 95 → 75 |"


@pytest.mark.parametrize("key", ["hepta", "pegs"])
def test_who_expects_much_gets_more_than_who_expects_little(key: str) -> None:
    box = ludotheque.game(key)
    found = hopes.hopes(box, 2, games=6, simulations=200, jobs=1)
    high = [hope.came for hope in found if hope.expected > 0.7]
    low = [hope.came for hope in found if hope.expected < 0.3]
    assert sum(high) / len(high) > sum(low) / len(low) + 0.3


def test_early_in_pegs_hints_promise_nothing() -> None:
    match = ludotheque.game("pegs").match(seed=1)
    thought = think_for(match, 0, simulations=500, model_opponents=False)
    assert 0.45 < thought.expected[0] < 0.55
    assert all(0.4 < option.expected < 0.6 for option in thought.candidates)
