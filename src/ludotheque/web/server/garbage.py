"""Memory that only refers to itself, which Python has to look for, is looked for rarely.

A move leaves none behind; requests and lines that end leave a little. But Python looks whenever much was made that
stays, and a house full of tables makes much that stays: then it goes through all of them, and everybody waits, every
few seconds. So it is told not to. Here somebody looks when many requests and lines have ended: through what was made
since the last look, which takes a moment, and through everything only when there is little else to do.
"""

import gc
import time
from threading import Thread

from django.core.signals import request_finished

from ludotheque.web.live.connection import connection_closed

LOOK = 2.0  # seconds
SOME = 500  # requests and lines that have ended, before it is worth looking through everything in a quiet moment
MANY = 2_000  # of them: what is young is looked through, whatever there is to do
TOO_MANY = 50_000  # of them: everything is
QUIET = 0.1  # of a core is little to do


class Waste:
    """How many requests and lines have left some, since the young and since everything was looked through."""

    def __init__(self) -> None:
        self.young = self.old = 0

    def one_more(self, **_request: object) -> None:
        self.young += 1
        self.old += 1

    def look(self, *, is_quiet: bool) -> None:
        if self.old >= (SOME if is_quiet else TOO_MANY):
            self.young = self.old = 0
            gc.collect()
        elif self.young >= MANY:
            self.young = 0
            gc.collect(0)


waste = Waste()
request_finished.connect(waste.one_more)
connection_closed.connect(waste.one_more)


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
        waste.look(is_quiet=time.process_time() - began < QUIET * LOOK)
