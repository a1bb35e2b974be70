"""Run the cyclic garbage collector rarely, at quiet moments.

Moves leave no reference cycles; requests and connections that end leave a few. Python's own schedule counts
allocations instead, and a site with many tables allocates much that stays: every few seconds it would go through all
of it while everybody waits. So automatic collection is off. A thread collects the young generation after some
requests and connections have ended, and everything when the process has little else to do.
"""

import gc
import time
from threading import Thread

from ludotheque.web.guard.request_size import App, Receive, Scope, Send

CHECK_INTERVAL_S = 2.0
QUIET_CORES = 0.1  # the process is quiet when it uses less of a core than this
FULL_WHEN_QUIET = 500  # requests and connections that ended, after which a quiet process collects everything
YOUNG_AFTER = 100  # of them, after which the young generation is collected, quiet or not: a little at a time
FULL_AFTER = 50_000  # of them, after which everything is collected, quiet or not


class Counter:
    """How many requests and connections have ended since the last collection of the young generation, and of all."""

    def __init__(self) -> None:
        self.since_young = self.since_full = 0

    def count_one(self) -> None:
        self.since_young += 1
        self.since_full += 1

    def collect(self, *, is_quiet: bool) -> None:
        """Run the collector if enough has ended."""
        if self.since_full >= (FULL_WHEN_QUIET if is_quiet else FULL_AFTER):
            self.since_young = self.since_full = 0
            gc.collect()
        elif self.since_young >= YOUNG_AFTER:
            self.since_young = 0
            gc.collect(0)


counter = Counter()


def counted(app: App) -> App:
    """The application, whose requests and connections are counted when they end."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        finally:
            counter.count_one()

    return serve


def collect_rarely() -> None:
    """Replace Python's schedule by ours; what is loaded already is never looked through again."""
    gc.collect()
    gc.freeze()
    gc.disable()
    Thread(target=_keep_collecting, name="garbage", daemon=True).start()


def _keep_collecting() -> None:
    while True:
        cpu_s = time.process_time()
        time.sleep(CHECK_INTERVAL_S)
        counter.collect(is_quiet=time.process_time() - cpu_s < QUIET_CORES * CHECK_INTERVAL_S)
