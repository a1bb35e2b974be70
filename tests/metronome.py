"""How late this machine is by itself: bounds of seconds in tests are counted on top of that.

    with metronome() as machine, others(port) as felt:
        attack()
    assert felt.slowest_move_s < machine.bound_s(1.0)

A beat is what a move costs a machine, done by a process that has nothing to do with the site: wait, and compute.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import Thread

from waiting import TIMEOUT_S

WAIT_S, COMPUTE_S = 0.01, 0.01  # of a beat on a machine that is free
BEATS_OF_A_MOVE = 10  # bot, server, the thread that stores, server, bot; and as much again for what waits in line


class Metronome:
    """The largest lateness of a beat so far."""

    def __init__(self, latest_s: Iterator[str]) -> None:
        self.latest_s = float(next(latest_s))
        self._reader = Thread(target=self._read, args=(latest_s,))
        self._reader.start()

    def _read(self, latest_s: Iterator[str]) -> None:
        for line in latest_s:
            self.latest_s = float(line)

    def bound_s(self, felt_s: float) -> float:
        """So many seconds on a machine that is free, more on this one."""
        return felt_s + BEATS_OF_A_MOVE * self.latest_s

    def join(self) -> None:
        self._reader.join()


@contextmanager
def metronome() -> Iterator[Metronome]:
    """It beats meanwhile, in a process of its own."""
    command = [sys.executable, __file__]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ourselves
    assert process.stdout is not None
    with process:
        found = Metronome(iter(process.stdout))
        try:
            yield found
        finally:
            process.terminate()
            process.wait(TIMEOUT_S)
            found.join()


def beat() -> float:
    """Seconds by which waiting and computing a little took longer than they should."""
    since = time.monotonic()
    time.sleep(WAIT_S)
    computed = time.process_time()
    while time.process_time() - computed < COMPUTE_S:
        pass
    return time.monotonic() - since - WAIT_S - COMPUTE_S


def main() -> None:
    """Say how late a beat was whenever it was later than all before."""
    latest_s = -1.0
    for _ in count():
        if (late_s := beat()) > latest_s:
            latest_s = late_s
            sys.stdout.write(f"{latest_s}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
