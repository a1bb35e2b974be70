"""Hepta: the facts and rulings of its rules."""

import pytest

import ludotheque
from ludotheque import IllegalMove, Match
from ludotheque.board.bits import count
from ludotheque.games.hepta import ELLS, EYES, GAME, State

DIAGONAL = ("a1", "b2", "c3", "d4", "e5", "f6", "g7")


def blocked(*cells: str, legs: int = 1) -> Match:
    match = ludotheque.game("hepta").match(legs=legs)
    for cell in cells or DIAGONAL:
        match.play(0, cell)
    return match


def refusal(match: Match, seat: int, text: str) -> str:
    with pytest.raises(IllegalMove) as error:
        match.play(seat, text)
    return error.value.code


def test_there_are_70_places_for_an_i_and_144_for_an_l() -> None:
    assert (len(set(EYES)), len(set(ELLS))) == (70, 144)
    assert {count(mask) for mask in EYES + ELLS} == {3}


def test_moves_are_written_by_file_then_rank() -> None:
    assert "a1-b1-c1" in GAME.texts
    assert "a1-a2-b1" in GAME.texts
    assert "b1-a1-a2" not in GAME.texts


def test_seven_blockers_then_the_other_chooses_and_opens() -> None:
    match = blocked()
    assert match.to_act == (1,)
    assert match.moves(1) == ["I", "L"]
    match.play(1, "L")
    assert match.to_act == (1,)
    assert match.view(0)["position"]["shapes"] == ["I", "L"]  # type: ignore[index,call-overload]
    match.play(1, "a2-a3-b3")
    assert match.to_act == (0,)
    match.play(0, "a4-a5-a6")
    assert match.scores == (1, 1)


def test_refusals() -> None:
    match = ludotheque.game("hepta").match()
    assert refusal(match, 0, "I") == "blockers-first"
    match.play(0, "d4")
    assert refusal(match, 0, "d4") == "occupied"
    match = blocked()
    assert refusal(match, 1, "a2-a3-a4") == "choose-shape"
    match.play(1, "I")
    assert refusal(match, 1, "a2-a3-b3") == "other-shape"
    assert refusal(match, 1, "a1-a2-a3") == "no-room"
    assert refusal(match, 1, "d3") == "lay-now"


def test_a_seat_without_room_is_skipped_and_the_other_goes_on_alone() -> None:
    """The I's have one corridor left, the L's nothing: the I's lay there though it is not their turn by the clock."""
    full = (1 << 49) - 1
    corridor = 0b111
    state = State(full & ~(corridor | 0b111 << 7), 0, 0, 0, 7, 7, 1, 1)
    after = GAME.play(state, 1, GAME.texts.index("a1-a2-a3"))
    assert after.turn == 1
    over = GAME.play(after, 1, GAME.texts.index("b1-b2-b3"))
    assert GAME.to_act(over) == 0
    assert GAME.scores(over) == (0, 2)
    assert GAME.winners(over) == 0b10


def test_a_seat_without_pieces_is_skipped() -> None:
    state = State(0, 0, 0, 0, 1, 3, 1, 1)
    after = GAME.play(state, 1, GAME.texts.index("a1-a2-a3"))
    assert after.turn == 0
    again = GAME.play(after, 0, GAME.texts.index("b1-b2-c1"))
    assert again.turn == 0


def test_equal_is_a_draw() -> None:
    state = State(0, 0, 0, 0, 3, 3, 1, -1)
    assert GAME.scores(state) == (4, 4)
    assert GAME.winners(state) & 0b11 == 0b11
    match = ludotheque.game("hepta").match(legs=2)
    assert match.legs == 2


def test_points_stay_with_the_people_over_the_legs() -> None:
    match = ludotheque.game("hepta").match(legs=2)
    while match.leg == 0:
        (seat,) = match.to_act
        match.play(seat, match.moves(seat)[0])
    first = match.scores
    assert match.to_act == (1,)
    for cell in DIAGONAL:
        match.play(1, cell)
    assert match.to_act == (0,)
    match.play(0, "I")
    match.play(0, "a2-a3-a4")
    assert match.scores == (first[0] + 1, first[1])
