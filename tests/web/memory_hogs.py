"""Computations for `jobs/test_no_memory.py`, which a worker process can import."""

import os
import resource
import signal
from pathlib import Path

LEFT_BYTES = 64_000_000


def dies(told: str, times: int) -> str:
    """Kill the process that it runs in, so many times, as the kernel does when memory is short."""
    file = Path(told)
    died = len(file.read_text(encoding="utf-8")) if file.exists() else 0
    if died < times:
        file.write_text("x" * (died + 1), encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def eats(number: int) -> int:
    """Use so many bytes."""
    return len(bytearray(number))


def bytes_used(process: int) -> int:
    """Of address space."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[0])
    return pages * resource.getpagesize()
