"""Clocks that jump: back an hour, forward a day."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from faults.dial import Dial
from faults.play import Fault, Size, Stage
from killing.sites import Site

HOUR_S = 3600
JUMPS_S = (-HOUR_S, 24 * HOUR_S, 0)


@contextmanager
def _with_clock(folder: Path) -> Iterator[Site]:
    clock = folder / "clock"
    Dial(clock).turn(0)
    yield Site(folder, "one", {"DJANGO_SETTINGS_MODULE": "faults.jumping_clock", "FAULTS_CLOCK_S": str(clock)})


async def _jump(stage: Stage) -> None:
    """One process with SQLite. Threads and the event loop wait by clocks that only go forward, which stay right.
    Counted from each jump.
    """
    clock = Dial(Path(stage.site.own["FAULTS_CLOCK_S"]))

    async def there_and_back() -> None:
        for wrong_by in JUMPS_S:
            clock.turn(wrong_by)
            since = time.monotonic()
            await stage.moves_are_back(since)
            await stage.computer_moves(since)
            await asyncio.sleep(stage.size.hold_s)

    await stage.each_time(there_and_back)


JUMPING = Fault(
    "The clock jumps: back an hour, forward a day and an hour, and back to the truth",
    _with_clock,
    _jump,
    Size(tables=6, pace_s=0.6, times=1, hold_s=0.5, to_end=False),
    Size(tables=40, pace_s=2, times=4, hold_s=4, spread_s=60),
)
