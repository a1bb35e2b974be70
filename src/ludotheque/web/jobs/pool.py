"""Long work off the event loop: in threads and processes beside the server, or in workers that read the queue.

There are four pools, and none waits for another: `thinking` for tables, `making` for puzzles, `printing` for
booklets, `drawing` for PNG files.

- `ask` and `post` run a function of ours as a job, with the database at hand; `ask` waits for its result, `post` does
  not. Arguments and results are plain JSON. Without Redis a job runs in a thread of this process; with Redis in any
  process of `ludotheque work`.
- `compute` is for jobs: it calls a function that needs no database in a process of the pool.

Both wait in fair queues (`fair_queue`): addresses take turns, and so do the visitors of one address, so that whoever
asks for much waits behind those who ask for little. Turns of computer players go before hints and analyses, and these
before what is made ahead.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from functools import cached_property, partial
from importlib import import_module
from multiprocessing import active_children, get_context
from threading import Event
from typing import NamedTuple, ParamSpec, TypeVar

from django.conf import settings
from django.db import connection
from prometheus_client.core import GaugeMetricFamily, Metric

from ludotheque.game import Json
from ludotheque.web import visitors
from ludotheque.web.guard import rate_limits
from ludotheque.web.jobs import fair_queue
from ludotheque.web.jobs.fair_queue import FairExecutor, Waiting
from ludotheque.web.jobs.worker_process import begin, timed
from ludotheque.web.monitor import metrics
from ludotheque.web.refusals import TooManyJobs, WorkerUnavailable

MAX_ATTEMPTS = 2  # at a computation whose process dies
NICE_BELOW_SERVER, NICE_LOWEST = 5, 19  # `nice` values of processes
ANSWER_TIMEOUT_S = 30
MAX_WAITING_PER_VISITOR = 12  # jobs that have not begun, in a pool; turns are never refused
MAX_WAITING_PER_ADDRESS = 3 * MAX_WAITING_PER_VISITOR  # so that no visitor takes all the room of their address
SHARE_OF_THREADS = 2  # one address has at most this part of a pool's threads: half
P = ParamSpec("P")
R = TypeVar("R")

closing = Event()


class Urgency(IntEnum):
    """What goes first."""

    TURN = 0  # of a computer player: people at a table wait
    ASKED = 1  # somebody waits
    AHEAD = 2  # nobody waits yet


urgency: ContextVar[Urgency] = ContextVar("urgency", default=Urgency.ASKED)


@contextmanager
def with_urgency(wanted: Urgency) -> Iterator[None]:
    """Jobs that are asked for meanwhile are as urgent as this."""
    token = urgency.set(wanted)
    try:
        yield
    finally:
        urgency.reset(token)


class Asker(NamedTuple):
    """From which address and by which visitor (a hash) a job was asked for, and how urgent it is."""

    address: str
    visitor: str
    urgency: Urgency

    @classmethod
    def now(cls) -> "Asker":
        return cls(visitors.address.get(), visitors.asker.get(), urgency.get())

    @property
    def queue(self) -> fair_queue.Asker:
        """In whose queue it waits."""
        return fair_queue.Asker(self.address, self.visitor)

    @contextmanager
    def asking(self) -> Iterator[None]:
        """What is done meanwhile is done for this asker."""
        with visitors.asked_from(self.address, self.visitor), with_urgency(self.urgency):
            yield


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

        self.check_room(Asker.now())
        answer: R = queue.ask(self.name, _name(function), *args, **kwargs)  # type: ignore[assignment]  # as asked for
        return answer

    def post(self, function: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Run the function as a job, some time soon; raises `WorkerUnavailable` if it cannot be queued."""
        if not scaled():
            self._begin(function, *args, **kwargs)
            return
        from ludotheque.web.jobs import queue  # noqa: PLC0415

        self.check_room(Asker.now())
        queue.post(self.name, _name(function), *args, **kwargs)

    def waiting(self, asker: Asker) -> Waiting:
        """Jobs of this visitor and of this address that have not begun."""
        if not scaled():
            return self._threads.waiting(asker.queue)
        from ludotheque.web.jobs import queue  # noqa: PLC0415

        return queue.waiting(self.name, asker.queue)

    def all_waiting(self) -> int:
        """Jobs of all that have not begun; with Redis, those that run, too."""
        if not scaled():
            return self._threads.all_waiting()
        from ludotheque.web.jobs import queue  # noqa: PLC0415

        return queue.all_waiting(self.name)

    def check_room(self, asker: Asker) -> None:
        """Refuse what a visitor or an address may not ask for, at once or in a time; turns have to be taken."""
        if asker.urgency == Urgency.TURN:
            return
        waiting = self.waiting(asker)
        if waiting.of_visitor >= MAX_WAITING_PER_VISITOR or waiting.of_address >= MAX_WAITING_PER_ADDRESS:
            metrics.LIMITED.labels("jobs").inc()
            raise TooManyJobs
        if asker.address and rate_limits.overdrawn("", asker.address, "compute"):
            raise TooManyJobs

    def compute(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function in a process of the pool; if that process is killed, once more in a new one."""
        asker = Asker.now()
        with metrics.THINKING.labels(function.__name__).time():
            compute = partial(self._compute, function, *args, **kwargs)
            result, seconds = self._computers.submit(asker.queue, asker.urgency, compute).result()
        if asker.address and asker.urgency == Urgency.ASKED:  # nobody asked for turns, nor for what is made ahead
            rate_limits.charge("", asker.address, seconds, "compute")
        return result

    def _compute(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, float]:
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                return self._processes.submit(timed, partial(function, *args, **kwargs)).result()
            except BrokenProcessPool:
                self.__dict__.pop("_processes", None)
                if not attempts_left or closing.is_set():
                    raise
        raise AssertionError

    def _begin(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        waiting, asker = metrics.WAITING.labels(self.name), Asker.now()
        self.check_room(asker)

        def begun() -> R:
            waiting.dec()
            with asker.asking():
                return _call(function, *args, **kwargs)

        waiting.inc()
        begin = self._threads.submit(asker.queue, asker.urgency, begun)
        begin.add_done_callback(lambda done: waiting.dec() if done.cancelled() else None)
        return begin

    def _answer(self, asked: "Future[R]") -> R:
        try:
            return asked.result(ANSWER_TIMEOUT_S)
        except (TimeoutError, CancelledError) as error:
            asked.cancel()  # nobody waits for it any more
            raise WorkerUnavailable from error

    def close(self) -> None:
        """End its processes, and forget what waits."""
        for executor in (self._threads, self._computers):
            executor.cancel_waiting()
        if found := self.__dict__.pop("_processes", None):
            found.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def _threads(self) -> FairExecutor:
        return FairExecutor(self.name, self.threads, max(1, self.threads // SHARE_OF_THREADS))

    @cached_property
    def _computers(self) -> FairExecutor:
        """A thread that waits for each process: whose computation is next is decided when a process is free."""
        return FairExecutor(f"{self.name}-processes", self.processes, self.processes)

    @cached_property
    def _processes(self) -> ProcessPoolExecutor:
        return processes(self.processes, self.nice)


thinking = Pool("thinking", 64, settings.THINKERS, NICE_BELOW_SERVER)  # most threads sleep, or wait for a process
making = Pool("making", 4, 1, NICE_BELOW_SERVER)
printing = Pool("printing", 2, 1, NICE_LOWEST)
drawing = Pool("drawing", 2, 1, NICE_BELOW_SERVER)  # while one is drawn, the next is made ready
POOLS = (thinking, making, printing, drawing)


class QueueLengths:
    """How many jobs wait in Redis, for `/metrics`."""

    def collect(self) -> Iterator[Metric]:
        lengths = GaugeMetricFamily(*metrics.QUEUE_LENGTH, labels=["line"])
        for pool in POOLS:
            lengths.add_metric([pool.name], pool.all_waiting())
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
    for pool in POOLS:
        pool.close()
    for process in active_children():
        process.terminate()
