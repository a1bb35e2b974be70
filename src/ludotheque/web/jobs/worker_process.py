"""How a worker process begins. It must not import Django: worker processes compute, and know no database."""

import os
import signal
import time
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

PARENT_CHECK_S = 1
R = TypeVar("R")


def begin(parent: int, nice: int) -> None:
    """Lower the priority, leave Ctrl+C to the parent, and end when the parent is gone."""
    os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def timed(work: Callable[[], R]) -> tuple[R, float]:
    """What the function returns, and the seconds of a core that it took."""
    since = time.process_time()
    result = work()
    return result, time.process_time() - since


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_S)
    os._exit(0)
