"""The Tetrods: which there are, what they are called, where they can lie."""

from collections import Counter
from itertools import product

import pytest

from ludotheque.board.bits import cells, count
from ludotheque.board.drilled import DRAWINGS, PIECES, PLACEMENTS, SINGLE, TETRODS, drawn, hole_starts
from ludotheque.board.shapes import Shape, flipped, orientations, shape
from ludotheque.board.square import CELLS, NAMES, SIDE

TETROMINOES = ("####", "##/##", ".#./###", "##./.##", "#../###")
TEXTS = {placement.text for placement in PLACEMENTS}


def drillings(*, flips: bool) -> set[frozenset[Shape]]:
    """Every tetromino and its mirror image, every square drilled; what turning (and flipping) makes equal is one."""
    found = set()
    for drawing in TETROMINOES:
        for squares in (list(shape(drawing)), flipped(shape(drawing))):
            for hole in squares:
                solid = [square for square in squares if square != hole]
                found.add(frozenset(orientations([hole, *solid], flips=flips)))
    return found


def dark_minus_light(bits: int) -> int:
    """How many more dark cells than light ones, a1 dark: file number + rank number even."""
    return sum(1 if sum(divmod(cell, SIDE)) % 2 == 0 else -1 for cell in cells(bits))


def test_the_twelve_tetrods_are_all_drillings() -> None:
    named = {frozenset(orientations(drawn(DRAWINGS[name]), flips=True)) for name in TETRODS}
    assert named == drillings(flips=True)
    assert len(named) == len(TETRODS) == 12


def test_there_would_be_nineteen_without_flipping() -> None:
    assert len(drillings(flips=False)) == 19


def test_shapes_by_name() -> None:
    assert Counter(name[0] for name in PIECES) == {"I": 2, "O": 1, "T": 3, "S": 2, "L": 4, "M": 1}
    assert PIECES[SINGLE] == "M"


def test_the_pieces_have_as_many_squares_as_the_board() -> None:
    squares = {placement.piece: count(placement.cells) for placement in PLACEMENTS}
    assert sum(squares.values()) == CELLS == 49


@pytest.mark.parametrize(
    "text",
    [
        "I1:a1-a2-a3-a4",
        "I1:d1-a1-b1-c1",
        "I2:b1-a1-c1-d1",
        "O1:b2-a1-a2-b1",
        "T1:b2-a1-b1-c1",
        "T2:b1-a1-b2-c1",
        "T3:a1-b1-b2-c1",
        "S1:a1-b1-b2-c2",
        "S2:b1-a1-b2-c2",
        "L1:c2-a1-b1-c1",
        "L2:c1-a1-b1-c2",
        "L3:b1-a1-c1-c2",
        "L4:a1-b1-c1-c2",
        "L3:c3-c2-c4-d2",
        "L3:c3-b2-c2-c4",
        "M:d3",
    ],
)
def test_names_tell_where_the_hole_is(text: str) -> None:
    assert text in TEXTS


def test_every_placement_once() -> None:
    assert len(TEXTS) == len(PLACEMENTS) == 2337
    assert Counter(PIECES[placement.piece] for placement in PLACEMENTS) == {
        **dict.fromkeys(("I1", "I2"), 112),
        "O1": 144,
        **dict.fromkeys(("T1", "T2"), 120),
        **dict.fromkeys(("T3", "S1", "S2", "L1", "L2", "L3", "L4"), 240),
        "M": 49,
    }


def test_texts_name_the_hole_first_and_sort_the_rest() -> None:
    for placement in PLACEMENTS:
        piece, _, where = placement.text.partition(":")
        hole, *solid = where.split("-")
        assert (piece, hole) == (PIECES[placement.piece], NAMES[placement.hole])
        assert solid == sorted(solid)
        assert {hole, *solid} == {NAMES[cell] for cell in cells(placement.cells)}
        assert hole not in solid


def test_placements_go_by_hole() -> None:
    starts = hole_starts(PLACEMENTS)
    assert (starts[0], starts[CELLS]) == (0, len(PLACEMENTS))
    for cell in range(CELLS):
        block = PLACEMENTS[starts[cell] : starts[cell + 1]]
        assert {placement.hole for placement in block} == {cell}


def test_the_single_square_lies_on_a_light_cell() -> None:
    """Only the T's and the single square can make good that the board has one dark cell more."""
    balances = {
        name: {dark_minus_light(at.cells) for at in PLACEMENTS if PIECES[at.piece] == name} for name in PIECES
    }
    assert all(balances[name] == ({-2, 2} if name[0] == "T" else {0}) for name in TETRODS)
    totals = {sum(tees) for tees in product(*(balances[name] for name in ("T1", "T2", "T3")))}
    assert dark_minus_light((1 << CELLS) - 1) == 1
    assert {single for single in (-1, 1) for total in totals if total + single == 1} == {-1}
