"""Work that takes long, done where it disturbs nobody: in processes beside this one, or wherever the queue is read.

There are three lines of it, and none keeps another waiting: `thinking` for tables, `making` for puzzles, `printing`
for booklets. On each line

- `ask` and `post` name a function of ours, to be called where the work is done, with the database at hand; `ask`
  waits for what it returns, `post` does not. Arguments and answers are plain JSON. Without Redis that place is here;
  with Redis it is any process of `ludotheque work`.
- `compute` is for these functions: it calls another one, which needs no database, in a process of the line's pool.
"""

import os
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from importlib import import_module
from multiprocessing import active_children, get_context
from threading import Event
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connection

from ludotheque.game import Json
from ludotheque.web.jobs.worker_process import begin
from ludotheque.web.monitor import metrics
from ludotheque.web.refusals import WorkerUnavailable

TRIES = 2  # at what kills its process
POLITE, LAST = 5, 19  # how far the processes step back
PATIENCE = 30  # seconds until an answer is no longer waited for
P = ParamSpec("P")
R = TypeVar("R")

closing = Event()


def scaled() -> bool:
    """Whether others may do the work: then it goes by the queue."""
    return bool(settings.REDIS_URL)


class Line:
    """Work of one kind: threads that see to it, and processes that do it."""

    def __init__(self, name: str, threads: int, processes: int, nice: int) -> None:
        self.name, self.threads, self.processes, self.nice = name, threads, processes, nice
        if not scaled():
            metrics.WAITING.labels(name)  # there, if only as nothing

    def ask(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What the function returns, called where work is done; `WorkerUnavailable` if nobody answers in time."""
        if not scaled():
            return self._answer(self._begin(function, *args, **kwargs))
        from ludotheque.web.jobs import queue  # noqa: PLC0415 - only whoever has Redis has this

        answer: R = queue.ask(self.name, _name(function), *args, **kwargs)  # type: ignore[assignment]  # as asked for
        return answer

    def post(self, function: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Have the function called where work is done, some time soon; `WorkerUnavailable` if nobody takes it."""
        if not scaled():
            self._begin(function, *args, **kwargs)
            return
        from ludotheque.web.jobs import queue  # noqa: PLC0415

        queue.post(self.name, _name(function), *args, **kwargs)

    def waiting(self) -> int:
        """How much is asked for and not begun yet; with Redis, what is being done included."""
        if not scaled():
            return self._threads._work_queue.qsize()  # noqa: SLF001 - there is no other way to know
        from ludotheque.web.jobs import queue  # noqa: PLC0415

        return queue.waiting(self.name)

    def compute(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What the function returns, called in a process of the pool. One that was killed costs a moment."""
        for left in reversed(range(TRIES)):
            try:
                with metrics.THINKING.labels(function.__name__).time():
                    return self._pool.submit(function, *args, **kwargs).result()
            except BrokenProcessPool:  # begin anew
                self.__dict__.pop("_pool", None)
                if not left or closing.is_set():
                    raise
        raise AssertionError

    def _begin(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        waiting = metrics.WAITING.labels(self.name)

        def begun() -> R:
            waiting.dec()
            return _done_with(function, *args, **kwargs)

        waiting.inc()
        return self._threads.submit(begun)

    def _answer(self, asked: "Future[R]") -> R:
        try:
            return asked.result(PATIENCE)
        except TimeoutError as error:
            raise WorkerUnavailable from error

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, self.name)

    @cached_property
    def _pool(self) -> ProcessPoolExecutor:
        return processes(self.processes, self.nice)


thinking = Line("thinking", 64, settings.THINKERS, POLITE)  # most threads keep a pause, or wait for a process
making = Line("making", 4, 1, POLITE)
printing = Line("printing", 2, 1, LAST)
LINES = (thinking, making, printing)


def _done_with(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call the function in a thread whose connection to the database others can use afterwards."""
    try:
        return function(*args, **kwargs)
    finally:
        connection.close()


def named(name: str) -> Callable[..., Json]:
    """A function of ours by its name; nobody else's is called, whoever wrote into the queue."""
    module, _, function = name.partition(":")
    if module.partition(".")[0] != "ludotheque":
        raise LookupError(name)
    found: Callable[..., Json] = getattr(import_module(module), function)
    return found


def _name(function: Callable[..., object]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def processes(number: int, nice: int) -> ProcessPoolExecutor:
    """Processes that know nothing of Django, and are gone when this one is; none any more once the house closes."""
    if closing.is_set():
        raise WorkerUnavailable
    return ProcessPoolExecutor(number, get_context("spawn"), begin, (os.getpid(), nice))


def close() -> None:
    """Let nobody work any more; it goes on after the next start."""
    closing.set()
    for process in active_children():
        process.terminate()
