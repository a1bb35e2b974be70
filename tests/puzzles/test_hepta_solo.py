"""Hepta alone by its rules page."""

import pytest

import ludotheque
from ludotheque import BadOption, Match
from ludotheque.board.bits import lowest
from ludotheque.board.square import FULL, NAMES
from ludotheque.games.hepta import ELLS, EYES
from ludotheque.pictures.hepta_solo import text as picture
from ludotheque.puzzles.hepta_solo import GAME, PUZZLE, State
from solitaire import fresh, phase, play, refused

SOLUTION = [
    "a1-b1-b2",
    "a3-a4-a5",
    "a6-b6-c6",
    "a7-b7-c7",
    "b3-c3-d3",
    "b4-c4-c5",
    "c2-d1-d2",
    "d5-d6-d7",
    "e1-f1-g1",
    "e2-e3-e4",
    "e5-e6-f5",
    "f2-g2-g3",
    "f4-g4-g5",
    "f6-f7-g7",
]


def puzzle(**options: object) -> Match:
    return fresh("hepta-solo", **options)


def solving(*texts: str, **options: object) -> Match:
    return play(puzzle(**options), *texts)


def solutions(full: int, eyes: int = 7, ells: int = 7) -> int:
    """How many ways there are to fill the board."""
    if full == FULL:
        return 1
    cell = lowest(~full)
    found = 0
    for masks, straight in ((EYES if eyes else (), True), (ELLS if ells else (), False)):
        for mask in masks:
            if lowest(mask) == cell and not mask & full:
                found += solutions(full | mask, eyes - straight, ells - (not straight))
    return found


def test_seventy_straight_and_144_corner_placements() -> None:
    laying = [text for text in GAME.texts if not text.startswith("lift")]
    straight = [text for text in laying if len({name[0] for name in text.split("-")}) != 2]
    assert len(laying) == 214
    assert len(straight) == 70
    assert len(laying) - len(straight) == 144


def test_the_puzzle_can_be_solved_in_74_ways() -> None:
    assert solutions(sum(1 << NAMES.index(name) for name in PUZZLE)) == 74


@pytest.mark.parametrize("order", [1, -1])
def test_a_solution_solves(order: int) -> None:
    match = puzzle()
    for text in SOLUTION[::order]:
        assert (match.over, match.solved, match.scores, match.winners) == (False, False, (0,), ())
        match.play(0, text)
    assert (match.over, match.solved, match.scores, match.winners) == (True, True, (1,), (0,))
    assert match.to_act == ()


def test_solving_ends_the_game() -> None:
    assert refused(solving(*SOLUTION), "lift a1") == "over"


def test_pieces_lie_on_empty_cells() -> None:
    match = puzzle()
    assert all(not set(text.split("-")) & set(PUZZLE) for text in match.moves(0))
    match.play(0, "a3-a4-a5")
    assert not any(text.startswith(("a3", "a4", "a5")) for text in match.moves(0))


@pytest.mark.parametrize("cell", ["a3", "a4", "a5"])
def test_any_cell_lifts_the_piece(cell: str) -> None:
    match = solving("a1-b1-b2", "a3-a4-a5")
    assert {text for text in match.moves(0) if text.startswith("lift")} == {
        f"lift {name}" for name in ("a1", "b1", "b2", "a3", "a4", "a5")
    }
    match.play(0, f"lift {cell}")
    assert match.state == solving("a1-b1-b2").state
    match.play(0, "a3-a4-a5")


def test_equal_boards_are_equal_states() -> None:
    assert solving(*SOLUTION[:9]).state == solving(*reversed(SOLUTION[:9])).state


def test_at_most_seven_of_a_shape() -> None:
    """With the blockers in file g there is room for more than seven of either shape."""
    blockers = [f"g{rank}" for rank in range(1, 8)]
    eyes = [f"{file}1-{file}2-{file}3" for file in "abcdef"] + ["a4-b4-c4"]
    match = solving(*eyes, blockers=blockers)
    assert refused(match, "d4-e4-f4") == "no-I-left"
    match.play(0, "d4-e4-e5")
    match.play(0, "lift a4")
    match.play(0, "a4-b4-c4")
    ells = [
        f"{file}{rank}-{file}{rank + 1}-{after}{rank}" for file, after in ("ab", "cd", "ef") for rank in (1, 3, 5)
    ]
    match = solving(*ells[:7], blockers=blockers)
    assert refused(match, ells[7]) == "no-L-left"
    match.play(0, f"lift {ells[0][:2]}")
    match.play(0, ells[7])


def test_refusals() -> None:
    match = solving("a3-a4-a5")
    assert refused(match, "a1-a2-b1") == "blocked"
    assert refused(match, "a4-b4-c4") == "occupied"
    assert refused(match, "lift a2") == "lift-blocker"
    assert refused(match, "lift a1") == "nothing-to-lift"


def test_phases() -> None:
    match = puzzle()
    assert phase(match) == "lay"
    match.play(0, "a3-a4-a5")
    assert phase(match) == "lay-or-lift"
    while laying := [text for text in match.moves(0) if not text.startswith("lift")]:
        match.play(0, laying[-1])
    assert not match.solved
    assert phase(match) == "lift"


def test_the_position_in_words() -> None:
    match = solving("a3-a4-a5", "a1-b1-b2")
    assert match.view(None)["position"] == {
        "blockers": list(PUZZLE),
        "I": ["a3-a4-a5"],
        "L": ["a1-b1-b2"],
        "left": {"I": 6, "L": 6},
    }


def test_other_blockers() -> None:
    match = puzzle(blockers=["a1", "a2", "a3", "a4", "a5", "a6", "a7"])
    assert len(match.moves(0)) == 4 * 7 + 6 * 5 + 4 * 5 * 6  # on the 6×7 cells left: I's lying, I's standing, L's
    assert ludotheque.load(match.save()) == match


@pytest.mark.parametrize("wrong", [PUZZLE[:6], (*PUZZLE, "b1"), (*PUZZLE[:6], "a2"), (*PUZZLE[:6], "h1"), "a1"])
def test_seven_different_cells(wrong: object) -> None:
    with pytest.raises(BadOption):
        puzzle(blockers=wrong)


def test_the_picture_shows_pieces_blockers_and_stock() -> None:
    state = solving("a3-a4-a5", "a1-b1-b2").state
    assert isinstance(state, State)
    drawn = picture(state)
    assert drawn.count(" ◉ ") == 7
    assert drawn.count(" I ") == drawn.count(" L ") == 3 + 1
    assert drawn.count("[/] 6") == 2
