"""Studies: parts of them in the tests, all of them behind `--slow`."""

import numpy as np
import pytest

from ludotheque.board.square import NUMBERS
from ludotheque.puzzles.solving.pegs_solo import fewest
from ludotheque.puzzles.studies import hepta_solo, pegs_solo, tetrods


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
    """Each set is counted once: by the smallest of its images, for all of them."""
    images = hepta_solo.IMAGES
    random = np.random.default_rng(1)
    for _ in range(50):
        cells = random.choice(49, 7, replace=False)
        orbit = {sum(1 << int(way[cell]) for cell in cells) for way in images}
        assert hepta_solo.alike(min(orbit), images) == len(orbit)
        assert all(hepta_solo.alike(other, images) == 0 for other in orbit - {min(orbit)})


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
