"""What is typed and what is meant."""

import pytest

import ludotheque
from ludotheque.cli.typed import holding, meant

HEPTA = ludotheque.game("hepta").rules.texts
TRICOLORE = ludotheque.game("tricolore").rules.texts
TETRODS = ludotheque.game("tetrods").rules.texts


@pytest.mark.parametrize(
    "typed", ["a1-b1-c1", "A1-B1-C1", "a1 b1 c1", "a1b1c1", "c1, a1, b1", "b1-c1-a1", " a1 -b1- c1"]
)
def test_case_spaces_and_the_order_of_cells_do_not_matter(typed: str) -> None:
    assert meant(typed, ["a1-a2-a3", "a1-b1-c1"], HEPTA) == ["a1-b1-c1"]


@pytest.mark.parametrize("typed", ["cut3", "CUT 3", " cut  3"])
def test_words_and_numbers_may_be_joined(typed: str) -> None:
    assert meant(typed, ["cut 3", "cut 4"], ["cut 3", "cut 4"]) == ["cut 3"]


def test_types_of_fleas_are_a_list_too() -> None:
    assert meant("drop b a", ["drop A", "drop A B"], ["drop A", "drop A B"]) == ["drop A B"]


def test_where_the_order_means_something_it_counts() -> None:
    assert meant("d2-c2", ["c2-d2"], TRICOLORE) == ["d2-c2"]


def test_the_first_cell_is_the_hole_if_it_can_be() -> None:
    both = ["I2:a2-a1-a3-a4", "I2:a3-a1-a2-a4"]
    assert meant("i2: a3 a4 a2 a1", both, TETRODS) == ["I2:a3-a1-a2-a4"]
    assert meant("i2: a1 a2 a3 a4", both, TETRODS) == both
    assert meant("i2: a1 a2 a3 a4", both[:1], TETRODS) == both[:1]


def test_a_move_of_the_game_that_is_not_legal_is_known_all_the_same() -> None:
    assert meant("D4", ["a1"], HEPTA) == ["d4"]


def test_nonsense_means_nothing() -> None:
    assert meant("hello", ["a1"], HEPTA) == []
    assert meant("a1-b1", ["a1-b1-c1"], HEPTA) == []


def test_moves_that_contain_something() -> None:
    assert holding("B1-c1", ["a1-b1-c1", "a1-a2-b1"]) == ["a1-b1-c1"]
