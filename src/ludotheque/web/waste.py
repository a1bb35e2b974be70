"""Memory that only refers to itself, which Python has to look for, is looked for rarely.

A move leaves none behind; lines that end leave a little. But Python looks whenever much was made that stays, and a
house full of tables makes much that stays: then it goes through all of them, and everybody waits, every few seconds.
So it is told not to. Here somebody looks now and then, the more seldom the longer it takes.
"""

import gc
import time
from threading import Thread

LOOK = 5.0  # seconds
MUCH = 100_000  # things made that stay, before it is worth looking
SELDOM = 500  # times as long as looking took is nothing looked for


def look_rarely() -> None:
    """From now on; what is loaded already stays, and need never be looked through."""
    gc.collect()
    gc.freeze()
    gc.disable()
    Thread(target=_keep_looking, name="waste", daemon=True).start()


def _keep_looking() -> None:
    took = 0.0
    while True:
        time.sleep(max(LOOK, SELDOM * took))
        if gc.get_count()[0] > MUCH:
            took = look()


def look() -> float:
    """Find what there is; the seconds that took."""
    began = time.perf_counter()
    gc.collect()
    return time.perf_counter() - began
