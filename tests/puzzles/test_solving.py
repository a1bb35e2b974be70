"""Solvers: what they find are solutions, and they find as many as other people's solvers."""

from random import Random

import pytest

import rivals
from ludotheque.board.square import FULL, NAMES, NUMBERS, names
from ludotheque.puzzles.solving.cover import NO_LIMIT
from ludotheque.puzzles.solving.layouts import bare, images, layouts
from ludotheque.puzzles.solving.pegs_solo import fewest
from solitaire import engine, finish, fresh, play

KNOWN = {
    *("L1:a7-a6-b6-c6", "L4:b7-c7-d6-d7", "T3:e5-e6-e7-f6", "L3:g6-f7-g5-g7", "L2:a5-a3-a4-b5", "T1:b4-c3-c4-c5"),
    *("I2:d3-d2-d4-d5", "S2:f4-e3-e4-f5", "I1:g4-g1-g2-g3", "S1:a1-a2-b2-b3", "M:f3", "T2:c1-b1-c2-d1"),
    "O1:f1-e1-e2-f2",
}
PEGS = tuple(name for name in NAMES if name not in ["a6", "b2", "b6", "c3", "d5", "d7", "e2", "e3"])


def test_the_known_puzzle_has_its_one_solution() -> None:
    match = fresh("tetrods")
    assert engine("tetrods").unique(match.state)
    found = engine("tetrods").first(match.state)
    assert found is not None
    assert {match.game.texts[move] for move in found} == KNOWN


@pytest.mark.parametrize(
    ("key", "options"), [("tetrods", {}), ("hepta-solo", {}), ("pegs-solo", {"pegs": PEGS, "cards": 10})]
)
def test_every_solution_solves_the_puzzle_and_no_two_are_alike(key: str, options: dict[str, object]) -> None:
    found = engine(key).solutions(fresh(key, **options).state, 40)
    assert len(set(found)) == len(found) == engine(key).count(fresh(key, **options).state, 40)
    for moves in found:
        assert finish(fresh(key, **options), moves).solved


def test_solutions_go_on_from_a_position() -> None:
    match = play(fresh("tetrods"), *sorted(KNOWN)[:6])
    found = engine("tetrods").first(match.state)
    assert found is not None
    assert finish(match, found).solved
    match = fresh("tetrods")
    match.play(0, next(text for text in match.moves(0) if text.startswith("L1") and text not in KNOWN))
    assert engine("tetrods").count(match.state, NO_LIMIT) == 0


def test_a_full_board_has_one_solution_nothing() -> None:
    match = play(fresh("tetrods"), *KNOWN)
    assert engine("tetrods").solutions(match.state, NO_LIMIT) == [()]


def test_counting_stops_at_the_limit() -> None:
    state = fresh("hepta-solo").state
    assert engine("hepta-solo").count(state, NO_LIMIT) == 74
    assert engine("hepta-solo").count(state, 10) == 10
    assert len(engine("hepta-solo").solutions(state, 10)) == 10
    assert not engine("hepta-solo").unique(state)


def test_tetrods_against_exact_cover() -> None:
    """Any thirteen cells, solved boards among them, have as many solutions as another solver finds."""
    random, solvable = Random(1), 0
    for _ in range(30):
        mushrooms = tuple(random.sample(NAMES, 13))
        number = engine("tetrods").count(fresh("tetrods", mushrooms=mushrooms).state, NO_LIMIT)
        assert number == rivals.tetrods(mushrooms)
        solvable += number > 0
    assert 0 < solvable < 30


def test_hepta_against_exact_cover() -> None:
    random = Random(2)
    for _ in range(12):
        blockers = tuple(random.sample(NAMES, 7))
        state = fresh("hepta-solo", blockers=blockers).state
        assert engine("hepta-solo").count(state, NO_LIMIT) == rivals.hepta(blockers)


def test_pegs_against_cp_sat() -> None:
    random = Random(3)
    for cards, some in bare().items():
        layout = FULL & ~random.choice(images(random.choice(some)))
        assert fewest(layout) == cards == rivals.pegs(tuple(names(layout)))
    assert fewest(FULL) is None
    assert rivals.pegs(NAMES) is None


def test_pegs_from_an_empty_board() -> None:
    match = fresh("pegs-solo")
    found = engine("pegs-solo").first(match.state)
    assert found is not None
    assert finish(match, found).solved


def test_pegs_go_on_from_pegs_and_cards_laid() -> None:
    match = play(fresh("pegs-solo"), "peg a3", "1@a1/0")
    assert engine("pegs-solo").first(match.state) is None  # five bare cells in that corner are too many
    match.undo(0)
    found = engine("pegs-solo").first(match.state)
    assert found is not None
    assert NUMBERS["a3"] not in found


def test_all_layouts_are_there() -> None:
    numbers = {cards: len({image for some in found for image in images(some)}) for cards, found in bare().items()}
    assert numbers == {10: 12_680, 11: 94_516, 12: 50_832, 13: 4_352, 14: 272}
    assert len(set(layouts().tolist())) == 162_652
