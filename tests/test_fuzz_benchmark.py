"""What the long run of malformed messages does not let pass (`benchmarks/fuzz.py`)."""

import pytest

from fuzz import MAX_COMPUTED_S, MAX_GROWTH_MIB, Row

GOOD = Row("requests", "sqlite", 1000, 9, 5.0, MAX_COMPUTED_S, 200, 200 + MAX_GROWTH_MIB, 1000, "GET /about")


def test_a_run_within_its_bounds_passes() -> None:
    assert not list(GOOD.failures())


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (GOOD._replace(most_computed_s=MAX_COMPUTED_S + 0.1), "GET /about"),
        (GOOD._replace(last_mib=GOOD.last_mib + 1), "memory grew"),
        (GOOD._replace(sent=999), "only 999 of 1,000"),
    ],
)
def test_slow_answers_growing_memory_and_a_run_cut_short_fail(row: Row, said: str) -> None:
    (failure,) = row.failures()
    assert said in failure
