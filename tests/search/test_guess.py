"""The strongest player's cut cannot be guessed: the short form of `benchmarks/guess.py`."""

import guess
from guess import Cut


def test_cuts_are_put_together_by_round() -> None:
    found = [Cut(0, 0.5, 0.4), Cut(0, 0.7, 0.6), Cut(5, 1.0, 0.5), Cut(9, 0.8, 0.7)]
    assert guess.rows(3, found) == ["| 3 | 1 | 2 | 60 % | 50 % |", "| 3 | 6 and later | 2 | 90 % | 60 % |"]


def test_among_equals_no_cut_is_sure() -> None:
    found = [cut for number in range(4) for cut in guess.cuts(3, number, 300)]
    sure = [cut for cut in found if cut.ours > 0.95]
    assert all(1 / 6 <= cut.ours <= 1 for cut in found)
    assert len(sure) < 0.5 * len(found)
    assert sum(cut.ours for cut in found) / len(found) < 0.88
