"""The picture of Tetrods: every piece is somewhere, holes are holes, and a solved board says so."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

import ludotheque
from ludotheque import Match
from ludotheque.board.drilled import PIECES, PLACEMENTS
from ludotheque.pictures.output.render import render_match
from ludotheque.pictures.tetrods import ghost, picks, steps
from ludotheque.puzzles.tetrods import TEXTS, State

SOLUTION = (
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
)


def laid(pieces: int) -> Match:
    match = ludotheque.game("tetrods").match()
    for text in SOLUTION[:pieces]:
        match.play(0, text)
    return match


def elements(match: Match) -> dict[str, ET.Element]:
    found = ET.fromstring(render_match(match, 0)).iter()  # noqa: S314
    return {element.attrib["id"]: element for element in found if "id" in element.attrib}


def state(match: Match) -> State:
    assert isinstance(match.state, State)
    return match.state


@pytest.mark.parametrize("pieces", [0, 6, 13])
def test_every_piece_lies_on_the_board_or_in_the_tray(pieces: int) -> None:
    found = elements(laid(pieces))
    assert {name for name in found if name.startswith("piece-")} == {f"piece-{name}" for name in PIECES}
    assert {f"tray-{name}" for name in PIECES} <= set(found)
    assert sum(name.startswith("mushroom-") for name in found) == 13


def test_a_laid_piece_has_a_hole_round_its_mushroom() -> None:
    shapes = elements(laid(1))["piece-L1"].findall("{*}path")
    body = next(shape.attrib["d"] for shape in shapes if "drilled-L" in shape.attrib["class"])
    assert len(re.findall("[Zz]", body)) == 2
    assert body.endswith("M76 110a34 34 0 1 0 68 0a34 34 0 1 0-68 0z")  # on a7


def test_cells_say_what_lies_on_them() -> None:
    found = elements(laid(1))
    said = {name: found[f"cell-{name}"].findtext("{*}title") for name in ("a7", "a6", "b7", "g1")}
    assert said == {"a7": "a7: L1, mushroom", "a6": "a6: L1", "b7": "b7: mushroom", "g1": "g1"}


def test_cells_lie_above_the_pieces_so_that_these_can_be_lifted() -> None:
    order = list(elements(laid(13)))
    assert max(order.index(f"piece-{name}") for name in PIECES) < order.index("cell-a1")
    assert picks(state(laid(1)), 0, TEXTS.index("lift b6")) == ("cell-b6",)


def test_a_way_to_lie_has_the_same_number_all_over_the_board() -> None:
    ways: dict[tuple[int, frozenset[int]], set[str]] = {}
    for move, placement in enumerate(PLACEMENTS):
        shape = frozenset(cell - placement.hole for cell in range(49) if placement.solid >> cell & 1)
        tray, cell, way = picks(state(laid(0)), 0, move)
        assert (tray, cell) == (f"tray-{PIECES[placement.piece]}", f"cell-{TEXTS[move].split(':')[1][:2]}")
        ways.setdefault((placement.piece, shape), set()).add(way)
    assert all(len(numbers) == 1 for numbers in ways.values())


def test_ways_turn_clockwise() -> None:
    turns = ["T1:d4-c3-d3-e3", "T1:d4-c3-c4-c5", "T1:d4-c5-d5-e5", "T1:d4-e3-e4-e5"]
    assert [picks(state(laid(0)), 0, TEXTS.index(text))[2] for text in turns] == ["way-0", "way-1", "way-2", "way-3"]


def test_ghosts_have_no_ids() -> None:
    start = state(laid(1))
    assert "id=" not in ghost(start, 0, TEXTS.index(SOLUTION[1]))
    assert "id=" not in ghost(start, 0, TEXTS.index("lift a7"))


def test_only_a_full_board_has_a_ribbon() -> None:
    boards = [laid(pieces) for pieces in range(14)]
    assert ["ribbon" in elements(match) for match in boards] == [False] * 13 + [True]
    told = [
        [step.sentence for step in steps(state(before), ((0, TEXTS.index(text)),), state(after))]
        for (before, after), text in zip(pairwise(boards), SOLUTION, strict=True)
    ]
    assert told == [["lay"]] * 12 + [["lay", "solved"]]


def test_a_lifted_piece_goes_back_to_the_tray() -> None:
    (step,) = steps(state(laid(1)), ((0, TEXTS.index("lift c6")),), state(laid(0)))
    assert (step.kind, step.element, step.to, step.sentence) == ("move", "piece-L1", "piece-L1", "lift")
    assert dict(step.values) == {"piece": "L1", "cells": "a7-a6-b6-c6"}
