"""Who is served next when there is too much to do: an overloaded site answers those who play first.

Views are computed in threads that share one interpreter with the event loop, where moves are made. So only a few run
at a time, in four lanes: moves and other commands of those who have a seat, their pages of the table, all other
pages, and views that themselves wait for a worker process. While somebody waits in one of the first two, the lanes
after it have a third of their slots. Where several wait in a lane, addresses take turns, so that nobody waits for all
requests of somebody else; and what nobody could answer in time is refused at once, with a sentence. Moves that come
by WebSocket wait in no lane.

Who has a seat is decided before anything is asked of the database: by the signed cookie, and by what this process
remembers of the table.
"""

import asyncio
import re
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from ludotheque.web import visitors
from ludotheque.web.guard.rate_limits import address_of, network
from ludotheque.web.guard.request_size import App, Receive, Scope, Send, answer
from ludotheque.web.monitor import metrics, usage
from ludotheque.words import in_every_language

MAX_WAIT_S = 10.0  # for one's turn
MAX_WAITING_PER_ADDRESS = 50
MAX_WAITING = 400  # in a lane
SHARE_WHILE_YIELDING = 3  # a lane that lets others go first has this part of its slots: a third, and never none
RETRY_AFTER_S = 5
OVERLOADED = 503
OVERLOADED_TEXT = in_every_language("web", "overloaded")

TABLE_PATH = re.compile(r"/t/(?P<table>[^/]+)(?P<command>/do$)?")
WAITING_PATH = re.compile(r"/t/[^/]*/hint$|/puzzles/|.*/preview\.png$")  # these views wait for worker processes
MONITORING_PATH = re.compile(r"/(health|ready|metrics)$")

HasSeat: TypeAlias = Callable[[str, str], bool]
"""Whether at this table this visitor has a seat, as far as is known without asking the database."""


class Overloaded(Exception):  # noqa: N818 - reads as what happened
    """Too many wait already, or it has taken too long."""


class Lane:
    """So many views at a time; those that wait stand in queues, one for each address. Lanes `before` go first."""

    def __init__(self, name: str, slots: int, most_each: int = 0, before: tuple["Lane", ...] = ()) -> None:
        self.name, self.slots, self.most_each = name, slots, most_each or max(1, slots - 1)
        self.before, self.after = before, list[Lane]()
        for lane in before:
            lane.after.append(self)
        self.running: Counter[str] = Counter()
        self.queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def enter(self, address: str, receive: Receive) -> bool:
        """Wait for one's turn; False if the client has gone meanwhile."""
        if not self.queues and self._may_run(address):
            self.running[address] += 1
            return True
        queue = self.queues.get(address, ())
        if len(queue) >= MAX_WAITING_PER_ADDRESS or sum(map(len, self.queues.values())) >= MAX_WAITING:
            raise Overloaded
        return await self._wait(address, receive)

    def leave(self, address: str) -> None:
        """Make room for the next."""
        self.running[address] -= 1
        if not self.running[address]:
            del self.running[address]
        self._call_next()

    def _may_run(self, address: str) -> bool:
        """Nobody takes all slots: one is left for whoever comes from elsewhere."""
        return self.running.total() < self._open_slots() and self.running[address] < self.most_each

    def _open_slots(self) -> int:
        if any(lane.lacks_slots() for lane in self.before):
            return max(1, self.slots // SHARE_WHILE_YIELDING)
        return self.slots

    def lacks_slots(self) -> bool:
        """Whether somebody waits for others; whoever waits for their own address alone makes nobody yield."""
        return any(self.running[address] < self.most_each for address in self.queues)

    async def _wait(self, address: str, receive: Receive) -> bool:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.queues.setdefault(address, deque()).append(turn)
        self._call_next()  # somebody before may be kept waiting by their own address alone
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait({turn, gone}, timeout=MAX_WAIT_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_gone = gone.done()
            gone.cancel()
            if not turn.done():
                self._leave_queue(address, turn)
        if not turn.done() and not is_gone:
            raise Overloaded
        return turn.done()

    def _leave_queue(self, address: str, turn: "asyncio.Future[None]") -> None:
        self.queues[address].remove(turn)
        if not self.queues[address]:
            del self.queues[address]
        self._call_next()  # others need not yield any more

    def _call_next(self) -> None:
        """Give free slots to those who wait, one of each address after the other; then in the lanes after this."""
        while address := next(self._callable(), None):
            turn = self.queues[address].popleft()
            self.queues.move_to_end(address)
            if not self.queues[address]:
                del self.queues[address]
            self.running[address] += 1
            turn.set_result(None)
        for lane in self.after:
            lane._call_next()  # noqa: SLF001 - of the same class

    def _callable(self) -> Iterator[str]:
        return (address for address in self.queues if self._may_run(address))


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Lanes:
    """The lanes, and which of them a request belongs to."""

    def __init__(self, has_seat: HasSeat) -> None:
        self.has_seat = has_seat
        self.moves = Lane("moves", 4)
        self.tables = Lane("tables", 4, before=(self.moves,))
        self.pages = Lane("pages", 3, before=(self.moves, self.tables))
        self.waiting = Lane("waiting", 24, most_each=8, before=(self.moves, self.tables))

    def of(self, scope: Scope) -> Lane:
        if WAITING_PATH.match(scope["path"]):
            return self.waiting
        found = TABLE_PATH.match(scope["path"])
        if found is None or not self.has_seat(found["table"], visitors.of_headers(scope["headers"])):
            return self.pages
        return self.moves if found["command"] and scope["method"] == "POST" else self.tables


def admit(app: App, has_seat: HasSeat) -> App:
    """The application, called only with as many requests at a time as it can serve beside moves."""
    lanes = Lanes(has_seat)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if MONITORING_PATH.match(scope["path"]):
            await app(scope, receive, send)
        else:
            await _serve_in(lanes.of(scope), app, scope, receive, send)

    return serve


async def _serve_in(lane: Lane, app: App, scope: Scope, receive: Receive, send: Send) -> None:
    address = network(address_of(scope))
    request = await receive()  # whole, and there already
    try:
        if not await lane.enter(address, receive):
            return
    except Overloaded:
        metrics.LIMITED.labels("overload").inc()
        usage.refused("overload", address)
        await answer(send, OVERLOADED, OVERLOADED_TEXT, RETRY_AFTER_S)
        return
    inside = True

    async def send_outside(message: Mapping[str, Any]) -> None:
        """What is computed is computed: how slowly the client takes it is nobody else's affair."""
        nonlocal inside
        if inside:
            inside = False
            lane.leave(address)
        await send(message)

    try:
        await app(scope, _only(request), send_outside)
    finally:
        if inside:
            lane.leave(address)


def _only(request: Mapping[str, Any]) -> Receive:
    """A `receive` that never tells that the client has gone: a view cannot be interrupted, and keeps its place."""
    told = [request]

    async def receive() -> Mapping[str, Any]:
        return told.pop() if told else await asyncio.get_running_loop().create_future()

    return receive
