"""Long work off the event loop: in threads and processes beside the server, or in workers that read the queue.

There are three pools, and none waits for another: `thinking` for tables, `making` for puzzles, `printing` for
booklets.

- `ask` and `post` run a function of ours as a job, with the database at hand; `ask` waits for its result, `post` does
  not. Arguments and results are plain JSON. Without Redis a job runs in a thread of this process; with Redis in any
  process of `ludotheque work`.
- `compute` is for jobs: it calls a function that needs no database in a process of the pool.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from importlib import import_module
from multiprocessing import active_children, get_context
from threading import Event
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connection
from prometheus_client.core import GaugeMetricFamily, Metric

from ludotheque.game import Json
from ludotheque.web.jobs.worker_process import begin
from ludotheque.web.monitor import metrics
from ludotheque.web.refusals import WorkerUnavailable

MAX_ATTEMPTS = 2  # at a computation whose process dies
NICE_BELOW_SERVER, NICE_LOWEST = 5, 19  # `nice` values of processes
ANSWER_TIMEOUT_S = 30
P = ParamSpec("P")
R = TypeVar("R")

closing = Event()


def scaled() -> bool:
    """Whether jobs go by the queue to workers, that is, whether there is Redis."""
    return bool(settings.REDIS_URL)


class Pool:
    """Jobs of one kind: threads that run them, and processes that compute for them."""

    def __init__(self, name: str, threads: int, processes: int, nice: int) -> None:
        self.name, self.threads, self.processes, self.nice = name, threads, processes, nice
        if not scaled():
            metrics.WAITING.labels(name)  # so that it is exported as 0

    def ask(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function as a job and return its result; raises `WorkerUnavailable` if none comes in time."""
        if not scaled():
            return self._answer(self._begin(function, *args, **kwargs))
        from ludotheque.web.jobs import queue  # noqa: PLC0415 - needs the extra `scale`

        answer: R = queue.ask(self.name, _name(function), *args, **kwargs)  # type: ignore[assignment]  # as asked for
        return answer

    def post(self, function: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Run the function as a job, some time soon; raises `WorkerUnavailable` if it cannot be queued."""
        if not scaled():
            self._begin(function, *args, **kwargs)
            return
        from ludotheque.web.jobs import queue  # noqa: PLC0415

        queue.post(self.name, _name(function), *args, **kwargs)

    def waiting(self) -> int:
        """Jobs that have not begun; with Redis, those that run are included."""
        if not scaled():
            return self._threads._work_queue.qsize()  # noqa: SLF001 - there is no other way to know
        from ludotheque.web.jobs import queue  # noqa: PLC0415

        return queue.waiting(self.name)

    def compute(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function in a process of the pool; if that process is killed, once more in a new one."""
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                with metrics.THINKING.labels(function.__name__).time():
                    return self._processes.submit(function, *args, **kwargs).result()
            except BrokenProcessPool:
                self.__dict__.pop("_processes", None)
                if not attempts_left or closing.is_set():
                    raise
        raise AssertionError

    def _begin(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        waiting = metrics.WAITING.labels(self.name)

        def begun() -> R:
            waiting.dec()
            return _call(function, *args, **kwargs)

        waiting.inc()
        return self._threads.submit(begun)

    def _answer(self, asked: "Future[R]") -> R:
        try:
            return asked.result(ANSWER_TIMEOUT_S)
        except TimeoutError as error:
            raise WorkerUnavailable from error

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, self.name)

    @cached_property
    def _processes(self) -> ProcessPoolExecutor:
        return processes(self.processes, self.nice)


thinking = Pool("thinking", 64, settings.THINKERS, NICE_BELOW_SERVER)  # most threads sleep, or wait for a process
making = Pool("making", 4, 1, NICE_BELOW_SERVER)
printing = Pool("printing", 2, 1, NICE_LOWEST)
POOLS = (thinking, making, printing)


class QueueLengths:
    """How many jobs wait in Redis, for `/metrics`."""

    def collect(self) -> Iterator[Metric]:
        lengths = GaugeMetricFamily(*metrics.QUEUE_LENGTH, labels=["line"])
        for pool in POOLS:
            lengths.add_metric([pool.name], pool.waiting())
        yield lengths


if scaled():
    metrics.SITE_COLLECTORS.append(QueueLengths())


def _call(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call the function, and give this thread's database connection back to the pool."""
    try:
        return function(*args, **kwargs)
    finally:
        connection.close()


def function_named(name: str) -> Callable[..., Json]:
    """A function of this package by its name; a message in the queue can call no other."""
    module, _, function = name.partition(":")
    if module.partition(".")[0] != "ludotheque":
        raise LookupError(name)
    found: Callable[..., Json] = getattr(import_module(module), function)
    if _name(found) != name:  # a name that the module has only imported
        raise LookupError(name)
    return found


def _name(function: Callable[..., object]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def processes(number: int, nice: int) -> ProcessPoolExecutor:
    """Processes without Django, which end when this one does; refused while the site shuts down."""
    if closing.is_set():
        raise WorkerUnavailable
    return ProcessPoolExecutor(number, get_context("spawn"), begin, (os.getpid(), nice))


def close() -> None:
    """End all jobs at shutdown; what they were for is taken up after the next start."""
    closing.set()
    for process in active_children():
        process.terminate()
