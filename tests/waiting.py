"""Tests wait for what happens, not for time."""

import time
from collections.abc import Callable

TIMEOUT_S = 300.0  # of everything together: a machine that is busy takes its time


def until(true: Callable[[], bool], what: str = "it did not happen", seconds: float = TIMEOUT_S) -> None:
    """Wait until something is true; fails with `what` was waited for."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)
