"""PNG files, drawn in a worker process: each once, however many ask for it at the same time, and few of them wait.

They are cached in this process alone: in Redis nothing would bound how many bytes they take.
"""

import base64
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache

from ludotheque.pictures.output.raster import timed_png
from ludotheque.web.jobs import pool
from ludotheque.web.monitor import metrics
from ludotheque.web.refusals import Refused, WorkerUnavailable

MAX_CACHED_BYTES = 16_000_000
MAX_WAITING = 16  # for the worker process, each about a tenth of a second
MAX_WAITING_PER_ADDRESS = 4


class Drawing(NamedTuple):
    """A PNG file, and the seconds of a core that it took; none if it was there."""

    file: bytes
    seconds: float


_cached: LRUCache[Hashable, bytes] = LRUCache(MAX_CACHED_BYTES, len)
_begun: dict[Hashable, "Future[bytes]"] = {}
_waiting: Counter[str] = Counter()  # by address
_lock = Lock()


def drawing(key: Hashable, svg: Callable[[], str], width: int, address: str) -> Drawing:
    """The PNG file of a picture, which is asked for its SVG unless the file of this key is there or being drawn.

    Raises `Refused` if too many wait, of all or of this address, and `WorkerUnavailable` if none comes in time.
    """
    with _lock:
        if key in _cached:
            return Drawing(_cached[key], 0)
        begun = _begun.get(key)
        if begun is None:
            mine = _begin(key, address)
    if begun is not None:
        return Drawing(_joined(begun), 0)
    try:
        drawn = _drawn(svg(), width)
    except BaseException as error:
        _end(key, address)
        mine.set_exception(error)
        raise
    _end(key, address, drawn.file)
    mine.set_result(drawn.file)
    return drawn


def _begin(key: Hashable, address: str) -> "Future[bytes]":
    """With the lock: take a place among those that wait."""
    if len(_begun) >= MAX_WAITING or _waiting[address] >= MAX_WAITING_PER_ADDRESS:
        metrics.LIMITED.labels("overload").inc()
        raise Refused("busy")
    _waiting[address] += 1
    _begun[key] = Future()
    return _begun[key]


def _end(key: Hashable, address: str, file: bytes = b"") -> None:
    """Leave that place."""
    with _lock:
        del _begun[key]
        _waiting[address] -= 1
        if not _waiting[address]:
            del _waiting[address]
        if file:
            _cached[key] = file


def _joined(begun: "Future[bytes]") -> bytes:
    try:
        return begun.result(pool.ANSWER_TIMEOUT_S)
    except TimeoutError as error:
        raise WorkerUnavailable from error


def _drawn(svg: str, width: int) -> Drawing:
    try:
        file, seconds = pool.drawing.ask(draw, svg, width)
    except BrokenProcessPool as error:
        raise WorkerUnavailable from error
    return Drawing(base64.b64decode(file), seconds)


def clear() -> None:
    """Forget what was drawn."""
    with _lock:
        _cached.clear()


# Called where jobs are done


def draw(svg: str, width: int) -> tuple[str, float]:
    """A PNG file as text, and the seconds of a core that it took."""
    file, seconds = pool.drawing.compute(timed_png, svg, width)
    return base64.b64encode(file).decode(), seconds
