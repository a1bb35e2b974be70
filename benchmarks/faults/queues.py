"""A Redis that loses everything: flushed, or started anew."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

import services
from faults.play import Fault, Size, Stage
from killing.sites import Site


@contextmanager
def _shared(folder: Path) -> Iterator[Site]:
    yield Site(folder, "two")


async def _lose(stage: Stage) -> None:
    """Two web processes and two workers behind nginx, with PostgreSQL; a turn of a computer player that was lost is
    taken after 3 seconds (`LUDOTHEQUE_SWEEP`). Counted from the flush, and from the kill.
    """
    server = next(each for each in stage.site.backends if isinstance(each, services.Redis))

    def flush() -> None:
        with redis.Redis.from_url(server.url) as client:
            client.flushall()

    def restart() -> None:
        server.kill()
        server.start()

    async def lose_twice() -> None:
        for act in (flush, restart):
            since = time.monotonic()
            await asyncio.to_thread(act)
            await stage.moves_are_back(since)
            await stage.computer_moves(since)
            await asyncio.sleep(stage.size.hold_s)

    await stage.each_time(lose_twice)
    stage.outcome.add("changes that a page was not told of within 12 s", stage.ledger.missed)


FLUSHED = Fault(
    "Redis is flushed (FLUSHALL), then killed and started again",
    _shared,
    _lose,
    Size(tables=6, pace_s=0.6, times=1, hold_s=1, to_end=False),
    Size(tables=40, pace_s=2, times=6, hold_s=4, spread_s=100),
    lacking=services.lacking,
)
