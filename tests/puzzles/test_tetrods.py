"""Tetrods by its rules page."""

from collections.abc import Iterator

import pytest

import ludotheque
from ludotheque import BadOption, Match
from ludotheque.board.bits import cells
from ludotheque.board.drilled import PLACEMENTS, Placement
from ludotheque.board.square import FULL, NAMES
from ludotheque.pictures.tetrods import text as picture
from ludotheque.puzzles.tetrods import PUZZLE, State
from solitaire import fresh, phase, play, refused

SOLUTION = [
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
    "M:f3",
    "T2:c1-b1-c2-d1",
    "O1:f1-e1-e2-f2",
]

# The page's picture of the same puzzle, rank 7 on top.
MUSHROOMS = """
    * * . . . . .
    . . . . . . *
    * . . . * . .
    . * . . . * *
    . . . * . * .
    . . . . . . .
    * . * . . * .
"""


def puzzle(**options: object) -> Match:
    return fresh("tetrods", **options)


def solving(*texts: str) -> Match:
    return play(puzzle(), *texts)


def solutions(mushrooms: int, full: int = 0, used: frozenset[int] = frozenset()) -> Iterator[list[Placement]]:
    """Every way to fill the board, always going on where there are the fewest ways to cover a cell."""
    if full == FULL:
        yield []
        return
    ways = [
        placement
        for placement in PLACEMENTS
        if mushrooms >> placement.hole & 1
        and not placement.solid & mushrooms
        and not placement.cells & full
        and placement.piece not in used
    ]
    narrow = min(
        ([placement for placement in ways if placement.cells >> cell & 1] for cell in cells(FULL & ~full)), key=len
    )
    for first in narrow:
        for rest in solutions(mushrooms, full | first.cells, used | {first.piece}):
            yield [first, *rest]


def test_the_puzzle_is_the_one_of_the_page() -> None:
    rows = MUSHROOMS.split("\n")[1:-1]
    found = {
        f"{file}{7 - number}"
        for number, row in enumerate(rows)
        for file, mark in zip("abcdefg", row.split(), strict=True)
        if mark == "*"
    }
    assert puzzle().options == {"mushrooms": PUZZLE}
    assert len(PUZZLE) == 13
    assert set(PUZZLE) == found


def test_the_puzzle_has_one_solution() -> None:
    mushrooms = sum(1 << NAMES.index(name) for name in PUZZLE)
    [only] = solutions(mushrooms)
    assert sorted(placement.text for placement in only) == sorted(SOLUTION)


@pytest.mark.parametrize("order", [1, -1])
def test_the_solution_solves(order: int) -> None:
    match = puzzle()
    for text in SOLUTION[::order]:
        assert (match.over, match.solved, match.scores, match.winners) == (False, False, (0,), ())
        match.play(0, text)
    assert (match.over, match.solved, match.scores, match.winners) == (True, True, (1,), (0,))
    assert match.to_act == ()


def test_solving_ends_the_game() -> None:
    assert refused(solving(*SOLUTION), "lift a1") == "over"


def test_every_first_move_has_its_hole_on_a_mushroom() -> None:
    texts = puzzle().moves(0)
    assert {text.partition(":")[2][:2] for text in texts} == set(PUZZLE)
    assert all(not set(text.partition(":")[2].split("-")[1:]) & set(PUZZLE) for text in texts)
    assert {text for text in texts if text.startswith("M")} == {f"M:{name}" for name in PUZZLE}
    assert not any(text.startswith("lift") for text in texts)


@pytest.mark.parametrize("cell", ["g6", "f7", "g5", "g7"])
def test_any_cell_lifts_the_piece(cell: str) -> None:
    match = solving("L1:a7-a6-b6-c6", "L3:g6-f7-g5-g7")
    assert {f"lift {name}" for name in ("g6", "f7", "g5", "g7", "a7", "a6", "b6", "c6")} == {
        text for text in match.moves(0) if text.startswith("lift")
    }
    match.play(0, f"lift {cell}")
    assert match.state == solving("L1:a7-a6-b6-c6").state
    match.play(0, "L3:g6-f7-g5-g7")


def test_equal_boards_are_equal_states() -> None:
    assert solving(*SOLUTION[:6]).state == solving(*reversed(SOLUTION[:6])).state


def test_refusals() -> None:
    match = solving("L1:a7-a6-b6-c6", "I2:d3-d2-d4-d5")
    assert refused(match, "M:c3") == "no-mushroom"
    assert refused(match, "L3:c3-c2-c4-d2") == "no-mushroom"
    assert refused(match, "O1:f3-f4-g3-g4") == "mushroom-under-solid"
    assert refused(match, "O1:e5-d4-d5-e4") == "occupied"
    assert refused(match, "L1:g6-e7-f7-g7") == "piece-used"
    assert refused(match, "L1:a7-a6-b6-c6") == "piece-used"
    assert refused(match, "lift g1") == "nothing-to-lift"
    assert refused(match, "lift a5") == "nothing-to-lift"


def test_phases() -> None:
    match = puzzle()
    assert phase(match) == "lay"
    match.play(0, "M:f3")
    assert phase(match) == "lay-or-lift"
    while laying := [text for text in match.moves(0) if not text.startswith("lift")]:
        match.play(0, laying[0])
    assert phase(match) == "lift"
    match.play(0, "lift f3")
    assert phase(match) == "lay-or-lift"


def test_the_position_in_words() -> None:
    match = solving("M:f3", "I1:g4-g1-g2-g3")
    assert match.view(None)["position"] == {
        "mushrooms": list(PUZZLE),
        "pieces": ["I1:g4-g1-g2-g3", "M:f3"],
        "left": ["I2", "O1", "T1", "T2", "T3", "S1", "S2", "L1", "L2", "L3", "L4"],
    }


def test_other_mushrooms() -> None:
    cells = [f"{file}{rank}" for file in "ac" for rank in range(1, 8)][:13]
    match = puzzle(mushrooms=cells)
    assert {text[2:] for text in match.moves(0) if text.startswith("M:")} == set(cells)
    assert ludotheque.load(match.save()) == match


@pytest.mark.parametrize("wrong", [PUZZLE[:12], (*PUZZLE, "b1"), (*PUZZLE[:12], "a1"), (*PUZZLE[:12], "h1"), "a1"])
def test_thirteen_different_cells(wrong: object) -> None:
    with pytest.raises(BadOption):
        puzzle(mushrooms=wrong)


def test_undo_takes_back_a_lift() -> None:
    match = solving("M:f3", "lift f3")
    match.undo(0)
    assert match.state == solving("M:f3").state


def test_the_picture_shows_pieces_mushrooms_and_stock() -> None:
    state = solving("L3:g6-f7-g5-g7").state
    assert isinstance(state, State)
    drawn = picture(state)
    assert drawn.count(" ● ") == 13
    assert drawn.count("L3") == 3
    assert drawn.count("L4") == 1
