"""New puzzles: by their ids, of the grade wanted, solved again by other people's solvers."""

from datetime import date, timedelta

import pytest

from ludotheque import BadOption
from ludotheque.puzzles.kinds import kind, kind_keys
from ludotheque.puzzles.making.puzzles import of_the_day, puzzle
from ludotheque.puzzles.solving.pegs_solo import fewest
from solitaire import engine, finish, made

SUNDAY = date(2026, 11, 15)
PINNED = {
    "tetrods:4#20261115": "tetrods:a2-a5-a6-b1-b4-c3-c5-d4-e7-f1-f4-f7-g6",
    "tetrods:2#1": "tetrods:a3-a4-a5-b2-b4-c2-d3-d6-e5-f2-g2-g6-g7",
    "hepta-solo:5#20261115": "hepta-solo:a3-b6-c2-d6-e2-f6-g3",
    "hepta-solo:1#7": "hepta-solo:a2-b3-b4-c6-e5-e6-g1",
    "pegs-solo:10#20261115": "pegs-solo:10:a5-b4-b6-c1-c2-d6-e4-f7",
}


def state_of(key: str, grade: int, number: int) -> tuple[object, ...]:
    return made(key, grade, number).match().state


def grade_of(key: str, state: tuple[object, ...]) -> int:
    rate = engine(key).rate
    assert rate is not None
    return rate(state).grade


def cells(value: object) -> tuple[str, ...]:
    assert isinstance(value, tuple)
    return value


@pytest.mark.parametrize("grade", kind("tetrods").grades)
def test_tetrods_have_one_solution_and_their_grade(grade: int) -> None:
    for number in range(3):
        state = state_of("tetrods", grade, number)
        assert engine("tetrods").unique(state)
        assert grade_of("tetrods", state) == grade


@pytest.mark.parametrize("grade", kind("hepta-solo").grades)
def test_hepta_has_solutions_and_its_grade(grade: int) -> None:
    state = state_of("hepta-solo", grade, 5)
    assert engine("hepta-solo").count(state, 1)
    assert grade_of("hepta-solo", state) == grade


@pytest.mark.parametrize("cards", kind("pegs-solo").grades)
def test_pegs_need_the_cards_they_say(cards: int) -> None:
    found = made("pegs-solo", cards, 1)
    pegs = cells(found.options["pegs"])
    assert found.options["cards"] == cards
    assert len(pegs) == 41
    solution = engine("pegs-solo").first(found.match().state)
    assert solution is not None
    assert finish(found.match(), solution).solved


@pytest.mark.parametrize("key", kind_keys())
def test_both_ids_name_the_same_puzzle(key: str) -> None:
    short = made(key, kind(key).grades[2], 20261115)
    assert short.seed == f"{key}:{kind(key).grades[2]}#20261115"
    assert puzzle(short.seed) == short
    assert puzzle(short.description).options == short.options
    assert puzzle(short.description).description == short.description


def test_ids_mean_the_same_everywhere_and_always() -> None:
    for text, description in PINNED.items():
        assert puzzle(text).description == description


def test_the_free_problem_has_an_id() -> None:
    assert puzzle("pegs-solo:11").options == {"cards": 11}


@pytest.mark.parametrize(
    "text",
    ["", "tetrods", "tetrods:6#1", "hepta:1#1", "tetrods:a1", "pegs-solo:9#1", "pegs-solo:11:a1-a2", "tetrods:1#"],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(BadOption):
        puzzle(text)


@pytest.mark.parametrize("key", kind_keys())
def test_a_puzzle_a_day(key: str) -> None:
    week = [of_the_day(key, SUNDAY - timedelta(days=back)) for back in range(6, -1, -1)]
    found = [kind(key).grades.index(one.grade or 0) for one in week]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0, 4)
    assert of_the_day(key, SUNDAY) == week[-1]
    assert len({one.description for one in week}) == 7


def test_many_looks() -> None:
    """Symmetric blockers among others; mushrooms that cluster, and that do not."""
    blockers = [set(cells(made("hepta-solo", 3, number).options["blockers"])) for number in range(10)]
    flips = [str.maketrans("abcdefg", "gfedcba"), str.maketrans("1234567", "7654321")]
    turned = [{cell.translate(flips[0]).translate(flips[1]) for cell in some} for some in blockers]
    assert 0 < sum(some == image for some, image in zip(blockers, turned, strict=True)) < 10
    assert fewest(0) is None
