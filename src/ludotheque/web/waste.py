"""Memory that only refers to itself, which Python has to look for, is looked for rarely.

A move leaves none behind; lines that end leave a little. But Python looks whenever much was made that stays, and a
house full of tables makes much that stays: then it goes through all of them, and everybody waits, every few seconds.
So it is told not to. Here somebody looks when there is little else to do, or if memory has become twice as much.
"""

import gc
import resource
import time
from threading import Thread

LOOK = 5.0  # seconds
MUCH = 100_000  # things made that stay, before it is worth looking
QUIET = 0.1  # of a core is little to do
TWICE = 2


def look_rarely() -> None:
    """From now on; what is loaded already stays, and need never be looked through."""
    gc.collect()
    gc.freeze()
    gc.disable()
    Thread(target=_keep_looking, name="waste", daemon=True).start()


def _keep_looking() -> None:
    memory = _most_memory()
    while True:
        began = time.process_time()
        time.sleep(LOOK)
        is_quiet = time.process_time() - began < QUIET * LOOK
        if gc.get_count()[0] > MUCH and (is_quiet or _most_memory() > TWICE * memory):
            gc.collect()
            memory = _most_memory()


def _most_memory() -> int:
    """The most that there was at any time: if that grows, more is needed than ever before."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
