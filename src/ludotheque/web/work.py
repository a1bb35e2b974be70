"""Work that takes long, done where it disturbs nobody: in processes beside this one, or wherever the queue is read.

- `ask` and `post` name a function of ours, to be called where thinking is done, with the database at hand; `ask`
  waits for what it returns, `post` does not. Arguments and answers are plain JSON. Without Redis that place is here;
  with Redis it is any process of `ludotheque work`.
- `compute` is for these functions: it calls another one, which needs no database, in a process of the pool.
"""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from importlib import import_module
from multiprocessing import active_children, get_context
from threading import Event
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connection

from ludotheque.errors import LudothequeError
from ludotheque.game import Json
from ludotheque.web import metrics
from ludotheque.web.questions import begin

TRIES = 2  # at what kills its process
THREADS = 64  # most of them waiting for a process
POLITE, LAST = 5, 19  # how far the processes step back
PATIENCE = 30  # seconds until an answer is no longer waited for
P = ParamSpec("P")
R = TypeVar("R")

closing = Event()


class Away(LudothequeError):  # noqa: N818 - reads as what happened
    """Nobody answers now."""

    def __init__(self) -> None:
        super().__init__("away", "away")


def scaled() -> bool:
    """Whether others may do the work: then it goes by the queue."""
    return bool(settings.REDIS_URL)


def ask(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What the function returns, called where thinking is done; raises `Away` if nobody answers in time."""
    if not scaled():
        return function(*args, **kwargs)
    from ludotheque.web import queue  # noqa: PLC0415 - only whoever has Redis has this

    answer: R = queue.ask(_name(function), *args, **kwargs)  # type: ignore[assignment]  # it is what was asked for
    return answer


def post(function: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """Have the function called where thinking is done, some time soon."""
    if not scaled():
        _threads().submit(lambda: _done_with(function, *args, **kwargs))
        return
    from ludotheque.web import queue  # noqa: PLC0415

    queue.post(_name(function), *args, **kwargs)


def _done_with(function: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """Call the function in a thread whose connection to the database others can use afterwards."""
    try:
        function(*args, **kwargs)
    finally:
        connection.close()


def waiting() -> int:
    """How much is asked for and not done yet."""
    if not scaled():
        return _threads()._work_queue.qsize()  # noqa: SLF001 - there is no other way to know
    from ludotheque.web import queue  # noqa: PLC0415

    return queue.waiting()


def compute(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What the function returns, called in a process of the pool. One that was killed costs a moment."""
    for left in reversed(range(TRIES)):
        try:
            with metrics.THINKING.labels(function.__name__).time():
                return _pool().submit(function, *args, **kwargs).result()
        except BrokenProcessPool:  # begin anew
            _pool.cache_clear()
            if not left or closing.is_set():
                raise
    raise AssertionError


def named(name: str) -> Callable[..., Json]:
    """A function of ours by its name; nobody else's is called, whoever wrote into the queue."""
    module, _, function = name.partition(":")
    if module.partition(".")[0] != "ludotheque":
        raise LookupError(name)
    found: Callable[..., Json] = getattr(import_module(module), function)
    return found


def _name(function: Callable[..., object]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, "thinking")


@cache
def _pool() -> ProcessPoolExecutor:
    return processes(settings.THINKERS, POLITE)


def processes(number: int, nice: int) -> ProcessPoolExecutor:
    """Processes that know nothing of Django, and are gone when this one is."""
    return ProcessPoolExecutor(number, get_context("spawn"), begin, (os.getpid(), nice))


def close() -> None:
    """Let nobody think any more; it goes on after the next start."""
    closing.set()
    for process in active_children():
        process.terminate()
