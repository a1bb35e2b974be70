"""T. for Two by its rules page and the example of its sheet."""

import pytest

import ludotheque
from ludotheque import BadOption, IllegalMove, Match, words
from ludotheque.game import NOBODY, Json
from ludotheque.games.tfortwo import GAME, State, scores
from ludotheque.pictures.tfortwo import text as picture

# Eleven Tetrods and a twelfth mushroom that the last Tetrod, L4, does not fit: groups of 4, 3, 2, 1, 1, 1.
EXAMPLE = [
    "T2:g5-f5-g4-g6",
    "T1:b4-a3-a4-a5",
    "L2:c6-a6-b6-c5",
    "I1:d7-a7-b7-c7",
    "I2:c2-b2-d2-e2",
    "S1:b3-c3-c4-d4",
    "S2:e3-d3-e4-f4",
    "O1:d6-d5-e5-e6",
    "T3:e7-f6-f7-g7",
    "L1:f3-g1-g2-g3",
    "L3:e1-d1-f1-f2",
]

# All twelve Tetrods, and f3 left.
COMPLETE = [
    "L1:a7-a6-b6-c6",
    "L4:b7-c7-d6-d7",
    "T3:e5-e6-e7-f6",
    "L3:g6-f7-g5-g7",
    "L2:a5-a3-a4-b5",
    "T1:b4-c3-c4-c5",
    "I2:d3-d2-d4-d5",
    "S2:f4-e3-e4-f5",
    "I1:g4-g1-g2-g3",
    "S1:a1-a2-b2-b3",
    "T2:c1-b1-c2-d1",
    "O1:f1-e1-e2-f2",
]


def duel(legs: int = 2) -> Match:
    return ludotheque.game("tfortwo").match(luck=None, legs=legs)


def answer(match: Match, *layings: str) -> None:
    """For each Tetrod: its mushroom first, then the Tetrod."""
    for laying in layings:
        planter, fencer = match.leg, 1 - match.leg
        match.play(planter, hole(laying))
        match.play(fencer, laying)


def hole(laying: str) -> str:
    return laying.partition(":")[2][:2]


def position(match: Match) -> dict[str, Json]:
    found = match.view(None)["position"]
    assert isinstance(found, dict)
    return found


def refused(match: Match, seat: int, text: str) -> str:
    before = match.save()
    with pytest.raises(IllegalMove) as error:
        match.play(seat, text)
    assert match.save() == before
    assert error.value.reason == words.say("tfortwo", "en", "refusals", error.value.code)
    assert words.say("tfortwo", "fr", "refusals", error.value.code)
    return error.value.code


def points(*mushrooms: str) -> int:
    bits = sum(1 << GAME.texts.index(cell) for cell in mushrooms)
    return scores(State(bits, 0, 0, 0, 0, NOBODY, 0))[0]


def test_the_mushroom_player_begins_anywhere() -> None:
    match = duel()
    assert match.to_act == (0,)
    assert match.moves(0) == [file + rank for file in "abcdefg" for rank in "1234567"]


def test_the_answer_has_its_hole_on_the_mushroom() -> None:
    match = duel()
    match.play(0, "d4")
    assert match.to_act == (1,)
    assert len(match.moves(1)) == 76  # every way to turn and flip twelve Tetrods: here they all have room
    assert all(text.partition(":")[2].startswith("d4-") for text in match.moves(1))
    assert "M:d4" not in GAME.texts


def test_in_a_corner_only_some_fit() -> None:
    match = duel()
    match.play(0, "a1")
    assert sorted({text[:2] for text in match.moves(1)}) == ["I1", "L1", "L2", "L4", "O1", "S1", "T3"]
    assert len(match.moves(1)) == 13


def test_the_laid_tetrod_covers_and_is_used() -> None:
    match = duel()
    answer(match, "L3:c3-c2-c4-d2")
    assert match.to_act == (0,)
    assert not {"c3", "c2", "c4", "d2"} & set(match.moves(0))
    assert len(match.moves(0)) == 45
    match.play(0, "e5")
    assert not any(text.startswith("L3") for text in match.moves(1))


def test_a_tetrod_does_not_lie_on_other_mushrooms_or_pieces() -> None:
    match = duel()
    answer(match, "L3:c3-c2-c4-d2")
    match.play(0, "d3")
    covered = {"c3", "c2", "c4", "d2"}
    assert all(not covered & set(text[3:].split("-")) for text in match.moves(1))
    assert refused(match, 1, "I1:d3-a3-b3-c3") == "occupied"
    match.play(1, "I1:d3-e3-f3-g3")


@pytest.mark.parametrize(
    ("mushrooms", "expected"),
    [
        ("", 0),
        ("d4", 1),
        ("d4 d5", 3),
        ("d4 d5 e5", 6),
        ("d4 e5", 2),  # a corner is no neighbour
        ("a7 b1", 2),  # nor is the next cell by number
        ("d4 d5 e4 e5", 10),
        ("a1 a2 a3 a4 a5 a6 a7", 28),
        ("a1 b1 c1 d1 e1 f1 g1 g2 g3 g4 g5 g6 g7", 91),
        ("a4 b4 c4 e4 f4", 9),
        ("a4 b4 c4 d4 e4 f4", 21),
    ],
)
def test_groups_of_neighbours_score(mushrooms: str, expected: int) -> None:
    assert points(*mushrooms.split()) == expected


def test_the_example_of_the_sheet() -> None:
    match = duel(legs=1)
    answer(match, *EXAMPLE)
    assert match.scores == (19, 0)  # the group of three is still a group of two
    match.play(0, "b5")
    assert match.over
    assert match.scores == (22, 0)
    assert position(match) == {
        "mushrooms": ["b3", "b4", "b5", "c2", "c6", "d6", "d7", "e1", "e3", "e7", "f3", "g5"],
        "tetrods": sorted(EXAMPLE, key=hole),
        "left": ["L4"],
        "last": "b5",
    }


def test_twelve_tetrods_leave_a_cell_for_the_last_mushroom() -> None:
    match = duel(legs=1)
    answer(match, *COMPLETE)
    assert match.moves(0) == ["f3"]
    match.play(0, "f3")
    assert match.over
    assert match.scores == (17, 0)  # a7 b7; f3 f4 g4; eight alone


def test_a_single_leg_has_points_but_no_winner() -> None:
    match = duel(legs=1)
    answer(match, *EXAMPLE)
    match.play(0, "b5")
    assert (match.winners, match.draw, match.legs) == ((), False, 1)


def test_roles_are_swapped_and_points_compared() -> None:
    match = duel()
    answer(match, *EXAMPLE)
    match.play(0, "b5")
    assert not match.over
    assert (match.leg, match.scores, match.to_act) == (1, (22, 0), (1,))
    answer(match, *COMPLETE)
    match.play(1, "f3")
    assert match.over
    assert match.scores == (22, 17)
    assert match.winners == (0,)
    assert not match.draw


def test_equal_points_are_a_draw() -> None:
    match = duel()
    for seat in (0, 1):
        answer(match, *EXAMPLE)
        match.play(seat, "b5")
    assert match.scores == (22, 22)
    assert match.winners == (0, 1)
    assert match.draw


def test_the_tetrod_player_must_lay_while_anything_fits() -> None:
    match = duel()
    match.play(0, "a1")
    assert match.to_act == (1,)
    assert all(":" in text for text in match.moves(1))


def test_refusals_of_the_mushroom_player() -> None:
    match = duel()
    assert refused(match, 0, "L3:c3-c2-c4-d2") == "plant-now"
    answer(match, "L3:c3-c2-c4-d2")
    assert refused(match, 0, "c3") == "occupied"
    assert refused(match, 0, "d2") == "occupied"


def test_refusals_of_the_tetrod_player() -> None:
    match = duel()
    answer(match, "L3:c3-c2-c4-d2")
    match.play(0, "d3")
    assert refused(match, 1, "e5") == "lay-now"
    assert refused(match, 1, "I1:e5-e2-e3-e4") == "hole-elsewhere"
    assert refused(match, 1, "O1:d3-c3-c4-d4") == "occupied"
    match.play(1, "I1:d3-e3-f3-g3")
    match.play(0, "e5")
    assert refused(match, 1, "L3:e5-e4-e6-f4") == "piece-used"


def test_phases_have_words() -> None:
    match = duel()
    assert GAME.phase(GAME.start(2), 0) == "plant"
    match.play(0, "d4")
    state = match.state
    assert isinstance(state, State)
    assert GAME.phase(state, 1) == "lay"
    for lang in words.LANGUAGES:
        assert words.say("tfortwo", lang, "phases", "plant") != words.say("tfortwo", lang, "phases", "lay")


def test_the_position_in_words() -> None:
    match = duel()
    answer(match, "L3:c3-c2-c4-d2", "O1:d3-d4-e3-e4")
    match.play(0, "a1")
    assert match.view(0)["position"] == {
        "mushrooms": ["a1", "c3", "d3"],
        "tetrods": ["L3:c3-c2-c4-d2", "O1:d3-d4-e3-e4"],
        "left": ["I1", "I2", "T1", "T2", "T3", "S1", "S2", "L1", "L2", "L4"],
        "last": "a1",
    }
    assert match.view(0)["position"] == match.view(1)["position"] == match.view(None)["position"]


def test_laid_pieces_are_told_apart_side_by_side() -> None:
    match = duel()
    answer(match, *COMPLETE)
    assert position(match)["tetrods"] == sorted(COMPLETE, key=hole)


def test_equal_positions_are_equal_states() -> None:
    one, other = duel(), duel()
    answer(one, "L3:c3-c2-c4-d2", "O1:f6-f7-g6-g7")
    answer(other, "O1:f6-f7-g6-g7", "L3:c3-c2-c4-d2")
    assert one.state == other.state


def test_only_one_or_two_legs() -> None:
    assert duel().legs == duel(2).legs == 2
    for legs in (0, 3):
        with pytest.raises(BadOption):
            duel(legs)


def test_the_picture_shows_pieces_and_stock() -> None:
    match = duel()
    answer(match, "L3:c3-c2-c4-d2")
    match.play(0, "e5")
    state = match.state
    assert isinstance(state, State)
    drawn = picture(state)
    assert drawn.count("L3") == 3  # its solid squares; it is no longer in stock
    assert drawn.count("I1") == 1
    assert "● 11" in drawn
    assert drawn.count(" ● ") == 2 + 1  # two mushrooms on the board, and the stock
