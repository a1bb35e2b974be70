"""Memory that only refers to itself, which Python has to look for, is looked for rarely.

A move leaves none behind; pages and lines that end leave a little. But Python looks whenever much was made that
stays, and a house full of tables makes much that stays: then it goes through all of them, and everybody waits, every
few seconds. So it is told not to. Here somebody looks when there is little else to do, or if too much has come
together.
"""

import gc
import time
from threading import Thread

LOOK = 5.0  # seconds
MUCH = 100_000  # things made that stay, before it is worth looking
TOO_MUCH = 1_000_000  # of them, some hundred megabytes: one looks, whatever there is to do
QUIET = 0.1  # of a core is little to do


def look_rarely() -> None:
    """From now on; what is loaded already stays, and need never be looked through."""
    gc.collect()
    gc.freeze()
    gc.disable()
    Thread(target=_keep_looking, name="waste", daemon=True).start()


def _keep_looking() -> None:
    while True:
        began = time.process_time()
        time.sleep(LOOK)
        is_quiet = time.process_time() - began < QUIET * LOOK
        if gc.get_count()[0] > (MUCH if is_quiet else TOO_MUCH):
            gc.collect()
