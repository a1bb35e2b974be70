"""Studies: parts of them in the tests, all of them behind `--slow`."""

from pathlib import Path

import numpy as np
import pytest
from dask.distributed import Client

from ludotheque.board.square import NUMBERS, names
from ludotheque.puzzles.hepta_solo import start as hepta_start
from ludotheque.puzzles.solving.cover import NO_LIMIT
from ludotheque.puzzles.solving.hepta_solo import count
from ludotheque.puzzles.solving.layouts import WAYS
from ludotheque.puzzles.solving.pegs_solo import fewest
from ludotheque.puzzles.studies import hepta_solo, pegs_solo, tetrods
from ludotheque.puzzles.studies.halves import counted, halves
from ludotheque.puzzles.studies.study import Study, result, run


def test_no_tiling_has_the_single_square_on_the_corners_colour() -> None:
    for cell in ("a1", "d4", "b2"):
        assert tetrods.count_part(NUMBERS[cell]) == 0
    assert tetrods.count_part(NUMBERS["a2"]) == tetrods.count_part(NUMBERS["g6"]) != 0


def test_part_of_the_census_of_pegs() -> None:
    """What the quick way finds has the fewest cards it says, and few bare cells are never enough."""
    begun = pegs_solo.beginnings(8)
    rows = pegs_solo.census(begun[:: len(begun) // 40], 8)
    assert len(rows)
    full = (1 << 49) - 1
    for bare, cards, _ in rows[:50].tolist():
        assert fewest(full & ~bare) == cards
    assert not any(len(pegs_solo.census(pegs_solo.beginnings(bare), bare)) for bare in range(1, 5))


def test_blockers_up_to_symmetry() -> None:
    """One set of those that are alike stands for all of them: the smallest."""
    random = np.random.default_rng(1)
    for _ in range(50):
        cells = random.choice(49, 7, replace=False)
        alike = {sum(1 << way[cell] for cell in cells) for way in WAYS}
        assert [some for some in alike if hepta_solo.smallest(some, hepta_solo.images())] == [min(alike)]


def test_half_boards_count_as_searching_does() -> None:
    """A few halves of each kind, put together: as many solutions as the solver finds, one set at a time."""
    random = np.random.default_rng(2)
    for blockers in range(8):
        lefts, rights = halves(blockers, left=True), halves(7 - blockers, left=False)
        lefts, rights = random.choice(lefts, 3), random.choice(rights, 3)
        for left, row in zip(lefts, counted(lefts, rights), strict=True):
            for right, number in zip(rights, row, strict=True):
                assert number == count(hepta_start(1, blockers=tuple(names(int(left | right)))), NO_LIMIT)


def test_all_halves_make_all_sets() -> None:
    parts = sum(len(halves(blockers, left=True)) * len(halves(7 - blockers, left=False)) for blockers in range(8))
    assert parts == 85_900_584
    found = hepta_solo.total_of_all([hepta_solo.count_part(60)])
    assert found["sets"] == 28 * 2000


@pytest.mark.slow
def test_all_tilings() -> None:
    study = tetrods.study()
    assert study.total([study.count(part) for part in range(study.parts)])["tilings"] == 3_163_656


@pytest.mark.slow
def test_the_census_of_pegs() -> None:
    study = pegs_solo.study()
    found = study.total([study.count(part) for part in range(study.parts)])
    assert (found["most pegs"], found["fewest cards"], found["layouts"]) == (41, 10, 162_652)
    assert found["by fewest cards"] == {"10": 12_680, "11": 94_516, "12": 50_832, "13": 4_352, "14": 272}


def square(part: int) -> int:
    return part * part


def test_a_study_on_a_cluster_goes_on_where_it_was(tmp_path: Path) -> None:
    squares, parts = Study("squares", 5, square, lambda results: {"squares": results}, str), tmp_path / "parts.jsonl"
    parts.write_text("[2, 4]\n[3, ", encoding="utf-8")
    with Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None):  # type: ignore[no-untyped-call]
        assert list(run(squares, parts, 1, "dask")) == [1, 2, 3, 4, 5]
    assert result(squares, parts) == {"squares": [0, 1, 4, 9, 16]}
