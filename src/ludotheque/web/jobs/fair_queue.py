"""Jobs in turns: whoever asks for much waits behind those who ask for little.

Addresses take turns, and those of one address (its visitors) among themselves, by the same rule: the next is whoever
has fewest running. Among those who have not had a turn since the oldest waiting job came, the most urgent job goes
first; then everybody has a turn, whoever has waited longest for one first. So nobody gets ahead of others by urgency
alone, again and again. Of one visitor's jobs, the most urgent goes first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from threading import Lock
from typing import NamedTuple, ParamSpec, TypeVar

from cachetools import LRUCache

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
MAX_REMEMBERED = 10_000  # addresses, and visitors, who have had a turn


class Asker(NamedTuple):
    """Who asks for a job: a visitor at an address."""

    address: str
    visitor: str = ""  # as a hash; empty for all without a cookie


class Job(NamedTuple):
    """Something to do; of two, the lesser goes first."""

    urgency: int
    number: int
    begin: Callable[[], None]
    cancel: Callable[[], object]


class Waiting(NamedTuple):
    """How many jobs have not begun: a visitor's, and all of their address."""

    of_visitor: int
    of_address: int


class Turns:
    """Who of those who take turns has how many jobs running, and had their last turn when."""

    def __init__(self) -> None:
        self.running: Counter[object] = Counter()
        self._last: LRUCache[object, int] = LRUCache(MAX_REMEMBERED)

    def begin(self, who: object, number: int) -> None:
        self.running[who] += 1
        self._last[who] = number

    def end(self, who: object) -> None:
        self.running[who] -= 1
        if not self.running[who]:
            del self.running[who]

    def next(self, first_jobs: Mapping[T, Job], able: Iterable[T]) -> T:
        """Whose turn it is, of those who are able, by the first job of each who waits."""
        oldest = min(job.number for job in first_jobs.values())
        return min(able, key=lambda who: self._rank(who, first_jobs[who], oldest))

    def _rank(self, who: object, first: Job, oldest: int) -> tuple[int, int, int, int]:
        last = self._last.get(who, 0)
        return self.running[who], last if last > oldest else 0, first.urgency, first.number


class FairQueues:
    """Jobs that wait, for each address one queue for each visitor, and who has their turn."""

    def __init__(self) -> None:
        self._queues: dict[str, dict[Asker, list[Job]]] = {}
        self._addresses, self._visitors = Turns(), Turns()
        self._numbers = count(1)

    @property
    def running(self) -> int:
        return self._addresses.running.total()

    def number(self) -> int:
        return next(self._numbers)

    def add(self, asker: Asker, job: Job) -> None:
        heappush(self._queues.setdefault(asker.address, {}).setdefault(asker, []), job)

    def waiting(self, asker: Asker) -> Waiting:
        queues = self._queues.get(asker.address, {})
        return Waiting(len(queues.get(asker, ())), sum(map(len, queues.values())))

    def all_waiting(self) -> int:
        return sum(len(queue) for queues in self._queues.values() for queue in queues.values())

    def next(self, most_each: int) -> tuple[Asker, Job] | None:
        """Who is next, and with what; their turn begins. None if whoever waits has as many running as may."""
        able = [address for address in self._queues if self._addresses.running[address] < most_each]
        if not able:
            return None
        firsts = {address: min(queue[0] for queue in queues.values()) for address, queues in self._queues.items()}
        queues = self._queues[self._addresses.next(firsts, able)]
        asker = self._visitors.next({each: queue[0] for each, queue in queues.items()}, queues)
        job = self._pop(asker)
        self._addresses.begin(asker.address, self.number())
        self._visitors.begin(asker, self.number())
        return asker, job

    def _pop(self, asker: Asker) -> Job:
        queues = self._queues[asker.address]
        job = heappop(queues[asker])
        if not queues[asker]:
            del queues[asker]
        if not queues:
            del self._queues[asker.address]
        return job

    def end(self, asker: Asker) -> None:
        """A turn is over."""
        self._addresses.end(asker.address)
        self._visitors.end(asker)

    def empty(self) -> list[Job]:
        """All that wait; nobody does any more."""
        left = [job for queues in self._queues.values() for queue in queues.values() for job in queue]
        self._queues.clear()
        return left


class FairExecutor:
    """Threads that run jobs, so many at once, and of one asker at most so many."""

    def __init__(self, name: str, threads: int, most_each: int) -> None:
        self._threads, self._most_each = threads, most_each
        self._queues, self._lock = FairQueues(), Lock()
        self._executor = ThreadPoolExecutor(threads, name)

    def submit(
        self, asker: Asker, urgency: int, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> "Future[R]":
        """Have the function called when it is the asker's turn; lesser numbers are more urgent."""
        future: Future[R] = Future()

        def begin() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = function(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001 - whoever asked gets it, as of any executor
                future.set_exception(error)
            else:
                future.set_result(result)

        with self._lock:
            self._queues.add(asker, Job(urgency, self._queues.number(), begin, future.cancel))
        self._begin_next()
        return future

    def waiting(self, asker: Asker) -> Waiting:
        """Jobs of this visitor and of this address that have not begun."""
        with self._lock:
            return self._queues.waiting(asker)

    def all_waiting(self) -> int:
        with self._lock:
            return self._queues.all_waiting()

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs, and nothing waits."""
        with self._lock:
            return not self._queues.running and not self._queues.all_waiting()

    def cancel_waiting(self) -> None:
        """Forget what has not begun."""
        with self._lock:
            left = self._queues.empty()
        for job in left:
            job.cancel()

    def _begin_next(self) -> None:
        """Fill the threads that are free."""
        with self._lock, suppress(RuntimeError):  # the interpreter shuts down: nobody waits for the rest
            while self._queues.running < self._threads and (found := self._queues.next(self._most_each)):
                self._executor.submit(self._run, *found)

    def _run(self, asker: Asker, job: Job) -> None:
        try:
            job.begin()
        finally:
            with self._lock:
                self._queues.end(asker)
            self._begin_next()
