"""The punched cards of Pegs: which there are, how they are numbered, and where their holes fall."""

from collections import Counter

import pytest

from ludotheque.board.punched import BLUE, CARDS, FIRST, HOLES, PATTERNS, PLACES, RECTANGLES, WHITE, rows, turns
from ludotheque.board.square import FULL, name, names
from naive import pegs as naive

NUMBERS = {str(place): number for number, place in enumerate(PLACES)}


def holes(text: str, colour: int) -> str:
    return name(HOLES[colour * len(PLACES) + NUMBERS[text]])


def test_the_deck_has_35_cards_counted_by_their_holes() -> None:
    assert CARDS == len(set(PATTERNS)) == 35
    assert Counter(pattern.count("1") for pattern in PATTERNS) == {1: 3, 2: 9, 3: 10, 4: 9, 5: 3, 6: 1}


def test_cards_are_numbered_by_holes_and_then_from_the_largest_pattern_down() -> None:
    assert PATTERNS[:4] == ("100000", "010000", "001000", "110000")
    assert PATTERNS[16] == "101100"
    assert PATTERNS[31:] == ("111110", "111101", "111011", "111111")


def test_every_pattern_is_a_card_or_its_half_turn() -> None:
    """So a rectangle with at least one peg in it always has exactly one card that fits."""
    readings = Counter(reading for pattern in PATTERNS for reading in {pattern, pattern[::-1]})
    assert len(readings) == 63
    assert set(readings.values()) == {1}


def test_seven_cards_equal_their_half_turn() -> None:
    assert sum(turns(card) == 2 for card in range(1, CARDS + 1)) == 7
    assert turns(35) == 2
    assert "35@a1/1" in NUMBERS
    assert "35@a1/2" not in NUMBERS


def test_the_white_face_is_the_mirror_image() -> None:
    assert rows(17, BLUE) == ["10", "11", "00"]
    assert rows(17, WHITE) == ["01", "11", "00"]


def test_the_worked_example() -> None:
    assert holes("17@b4/1", BLUE) == "c4-c5-d5"
    assert holes("17@b4/1", WHITE) == "c4-c5-d4"


@pytest.mark.parametrize(
    ("turn", "blue", "white"), [(0, "a3", "b3"), (1, "c2", "c1"), (2, "b1", "a1"), (3, "a1", "a2")]
)
def test_card_1_goes_round_clockwise(turn: int, blue: str, white: str) -> None:
    """Its hole is top left on the blue face, top right on the white one."""
    assert holes(f"1@a1/{turn}", BLUE) == blue
    assert holes(f"1@a1/{turn}", WHITE) == white


def test_rectangles_stand_on_their_corner() -> None:
    assert name(RECTANGLES[NUMBERS["17@b4/0"]]) == "b4-b5-b6-c4-c5-c6"
    assert name(RECTANGLES[NUMBERS["17@b4/1"]]) == "b4-b5-c4-c5-d4-d5"
    assert {"17@f5/0", "17@e6/1"} < NUMBERS.keys()
    assert not {"17@g5/0", "17@f6/0", "17@f6/1", "17@e7/1"} & NUMBERS.keys()


def test_there_are_30_places_a_turn_in_one_span_a_card() -> None:
    assert len(PLACES) == len(NUMBERS) == (28 * 4 + 7 * 2) * 30
    for card in range(1, CARDS + 1):
        span = PLACES[FIRST[card - 1] : FIRST[card]]
        assert {place.card for place in span} == {card}
        assert len(span) == 30 * turns(card)


@pytest.mark.parametrize("colour", [BLUE, WHITE])
def test_masks_are_those_of_the_naive_cards(colour: int) -> None:
    places = {text: squares for card in naive.CARDS for text, squares in naive.PLACES[colour, card].items()}
    for text, squares in places.items():
        number = NUMBERS[text]
        assert set(names(RECTANGLES[number])) == set(squares)
        assert set(holes(text, colour).split("-")) == {cell for cell, bit in squares.items() if bit == "1"}
        assert RECTANGLES[number] & FULL == RECTANGLES[number]
    assert set(places) == set(NUMBERS)
