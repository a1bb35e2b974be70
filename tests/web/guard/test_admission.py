"""Who is served next when there is too much to do."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ludotheque.web.guard import admission
from ludotheque.web.guard.admission import MAX_WAITING, MAX_WAITING_PER_ADDRESS, Lane, Lanes, Overloaded, admit
from ludotheque.web.table import cache
from ludotheque.web.visitors import COOKIE, sign
from web.people import seated

Message = Mapping[str, Any]
TABLE = "ABCD"  # where ada has a seat


def has_seat(table: str, visitor: str) -> bool:
    return (table, visitor) == (TABLE, "ada")


def scope_of(path: str, method: str = "GET", visitor: str = "", address: str = "192.0.2.1") -> dict[str, Any]:
    """A request; with a visitor, it has their signed cookie."""
    headers = [(b"cookie", f"{COOKIE}={sign(visitor)}".encode())] if visitor else []
    return {"type": "http", "method": method, "path": path, "headers": headers, "client": (address, 1)}


class Crowd:
    """Requests that are served by an application in which each is computed until it is told to end."""

    def __init__(self) -> None:
        self.order: list[str] = []  # paths, as their computing begins
        self.computing: dict[str, list[asyncio.Event]] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.statuses: list[int] = []
        self.served = admit(self._compute, has_seat)

    async def _compute(self, scope: Message, _receive: object, send: Callable[..., Any]) -> None:
        path, done = scope["path"], asyncio.Event()
        self.order.append(path)
        self.computing.setdefault(path, []).append(done)
        await done.wait()
        self.computing[path].remove(done)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def ask(self, path: str, method: str = "GET", visitor: str = "", address: str = "192.0.2.1") -> None:
        told = [{"type": "http.request", "body": b""}]

        async def receive() -> Message:
            return told.pop() if told else await here()

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.statuses.append(message["status"])

        scope = scope_of(path, method, visitor, address)
        self.tasks.append(asyncio.ensure_future(self.served(scope, receive, send)))

    async def finish(self, path: str) -> None:
        """One that is being computed is done."""
        self.computing[path][0].set()
        await settle()

    def running(self, path: str) -> int:
        return len(self.computing.get(path, ()))

    async def finish_all(self) -> None:
        """Whatever is being computed is done, again and again, until nobody waits."""
        while any(not task.done() for task in self.tasks):
            for done in [each for several in self.computing.values() for each in several]:
                done.set()
            await settle()
        await asyncio.gather(*self.tasks)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine makes nobody give up."""
    monkeypatch.setattr(admission, "MAX_WAIT_S", 600)


async def here() -> Message:
    """A client that stays."""
    await asyncio.Event().wait()
    raise AssertionError


async def gone() -> Message:
    return {"type": "http.disconnect"}


def run(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]  # a coroutine function


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_addresses_take_turns_and_one_slot_is_left_for_the_next() -> None:
    async def story() -> None:
        lane, order = Lane("pages", 3), list[str]()

        async def visit(address: str) -> None:
            assert await lane.enter(address, here)
            order.append(address)

        tasks = [asyncio.ensure_future(visit("many")) for _ in range(10)]
        await settle()
        assert order == ["many", "many"], "of three slots, one address has two"
        tasks.append(asyncio.ensure_future(visit("other")))
        await settle()
        assert order == ["many", "many", "other"], "and whoever comes then is served at once"
        tasks.append(asyncio.ensure_future(visit("third")))
        await settle()
        for address in ("many", "other", "many", "many"):
            lane.leave(address)
            await settle()
        assert order[3:] == ["many", "third", "many", "many"], "in turns"
        for task in tasks:
            task.cancel()

    run(story)


def test_whoever_has_gone_makes_room_and_whoever_waits_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        lane = Lane("pages", 1)
        assert await lane.enter("ada", here)
        assert not await lane.enter("bob", gone)
        monkeypatch.setattr(admission, "MAX_WAIT_S", 0.01)
        with pytest.raises(Overloaded):
            await lane.enter("bob", here)
        assert not lane.queues
        monkeypatch.setattr(admission, "MAX_WAITING_PER_ADDRESS", 0)
        with pytest.raises(Overloaded):
            await lane.enter("ada", here)
        lane.leave("ada")
        assert not lane.running

    run(story)


def test_a_view_keeps_its_slot_until_it_is_computed_and_no_longer() -> None:
    async def story() -> None:
        computed, taken, order = asyncio.Event(), asyncio.Event(), list[str]()

        async def app(scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[..., Any]) -> None:
            assert (await receive())["body"] == b"x"
            order.append(scope["client"][0])
            await computed.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"x" * 1000})

        async def send(message: Message) -> None:
            if message["type"] == "http.response.body":
                await taken.wait()  # a client that takes its time

        def visit(address: str) -> "asyncio.Task[None]":
            told = [{"type": "http.request", "body": b"x"}]

            async def receive() -> Message:
                return told.pop() if told else await here()

            return asyncio.ensure_future(served(scope_of("/about", address=address), receive, send))

        served = admit(app, has_seat)
        tasks = [visit(f"192.0.2.{number}") for number in range(5)]
        await settle()
        assert len(order) == 3
        computed.set()
        await settle()
        assert len(order) == 5, "nobody waits until others have taken what they asked for"
        taken.set()
        await asyncio.gather(*tasks)

    run(story)


@pytest.mark.parametrize(
    ("path", "method", "visitor", "lane"),
    [
        (f"/t/{TABLE}/do", "POST", "ada", "moves"),
        (f"/t/{TABLE}/do", "GET", "ada", "tables"),  # no command
        (f"/t/{TABLE}", "GET", "ada", "tables"),
        (f"/t/{TABLE}/picture.svg", "GET", "ada", "tables"),
        (f"/t/{TABLE}/hint", "GET", "ada", "waiting"),
        (f"/t/{TABLE}/do", "POST", "bob", "pages"),
        (f"/t/{TABLE}/do", "POST", "", "pages"),
        (f"/t/{TABLE}", "GET", "bob", "pages"),
        ("/t/another", "GET", "ada", "pages"),
        ("/t/another/do", "POST", "ada", "pages"),
        ("/seat/secret", "POST", "ada", "pages"),
        ("/about", "GET", "ada", "pages"),
        ("/puzzles/hepta-solo/1/1", "GET", "ada", "waiting"),
    ],
)
def test_only_requests_of_those_who_have_a_seat_go_before_others(
    path: str, method: str, visitor: str, lane: str
) -> None:
    assert Lanes(has_seat).of(scope_of(path, method, visitor)).name == lane


def test_the_site_knows_who_sits_at_a_table_without_asking_the_database() -> None:
    table, lanes = seated("hepta", 2).id, Lanes(cache.has_seat)
    with CaptureQueriesContext(connection) as asked:
        assert lanes.of(scope_of(f"/t/{table}/do", "POST", "bob")).name == "moves"
        assert lanes.of(scope_of(f"/t/{table}/do", "POST", "cleo")).name == "pages"
    assert not asked.captured_queries


def test_nobody_sits_down_by_a_cookie_that_we_have_not_signed() -> None:
    scope = scope_of(f"/t/{TABLE}")
    scope["headers"] = [(b"cookie", f"{COOKIE}=ada:{sign('bob').partition(':')[2]}".encode())]
    assert Lanes(has_seat).of(scope).name == "pages"


def test_under_load_moves_go_first_then_tables_then_all_else() -> None:
    """A lane full of strangers waits for pages of tables and others; who plays is served at once, all are in time."""

    async def story() -> None:
        crowd = Crowd()
        for number in range(3 + MAX_WAITING):
            crowd.ask(f"/t/{number}" if number % 2 else "/about", address=f"198.51.100.{number % 200}")
        await settle()
        assert len(crowd.order) == 3, "strangers have their lane alone"
        crowd.ask(f"/t/{TABLE}/do", "POST", "ada")
        crowd.ask(f"/t/{TABLE}", "GET", "ada")
        crowd.ask("/about", address="203.0.113.1")
        await settle()
        assert crowd.order[3:] == [f"/t/{TABLE}/do", f"/t/{TABLE}"]
        assert crowd.statuses == [503], "so many wait that one more is told at once"
        await crowd.finish_all()
        assert sorted(crowd.statuses) == [200] * (3 + MAX_WAITING + 2) + [503]

    run(story)


def test_all_else_yields_while_those_at_tables_wait_and_is_never_kept_out() -> None:
    async def story() -> None:
        crowd, page = Crowd(), f"/t/{TABLE}"
        for number in range(9):
            crowd.ask("/about", address=f"198.51.100.{number}")
            crowd.ask("/puzzles/all", address=f"198.51.100.{number}")
        await settle()
        for number in range(6):
            crowd.ask(page, "GET", "ada", address=f"192.0.2.{number}")
        await settle()
        assert (crowd.running("/about"), crowd.running(page)) == (3, 4), "what has begun goes on"
        await crowd.finish("/about")
        await crowd.finish("/about")
        assert crowd.running("/about") == 1, "two wait at tables"
        await crowd.finish("/about")
        assert crowd.running("/about") == 1, "yet somebody is always served"
        await crowd.finish(page)
        assert (crowd.running("/about"), crowd.running(page)) == (1, 4), "one waits at a table"
        await crowd.finish(page)
        assert (crowd.running("/about"), crowd.running(page)) == (3, 4), "nobody waits at tables any more"
        await crowd.finish_all()

    run(story)


def test_tables_yield_while_moves_wait() -> None:
    async def story() -> None:
        crowd, page, command = Crowd(), f"/t/{TABLE}", f"/t/{TABLE}/do"
        for number in range(8):
            crowd.ask(page, "GET", "ada", address=f"192.0.2.{number}")
            crowd.ask(command, "POST", "ada", address=f"192.0.2.{number}")
        await settle()
        assert (crowd.running(page), crowd.running(command)) == (4, 4)
        for _ in range(3):
            await crowd.finish(page)
        assert crowd.running(page) == 1
        for _ in range(4):
            await crowd.finish(command)
        assert (crowd.running(page), crowd.running(command)) == (4, 4), "all moves have begun"
        await crowd.finish_all()

    run(story)


def test_whoever_waits_for_their_own_address_alone_makes_nobody_yield() -> None:
    async def story() -> None:
        crowd = Crowd()
        for _ in range(MAX_WAITING_PER_ADDRESS):
            crowd.ask(f"/t/{TABLE}", "GET", "ada")
        for number in range(4):
            crowd.ask("/about", address=f"198.51.100.{number}")
        await settle()
        assert (crowd.running(f"/t/{TABLE}"), crowd.running("/about")) == (3, 3)
        crowd.ask(f"/t/{TABLE}", "GET", "ada", address="192.0.2.2")
        await settle()
        assert crowd.running(f"/t/{TABLE}") == 4, "one slot is left for whoever comes from elsewhere"
        await crowd.finish_all()

    run(story)


def test_others_yield_no_more_when_whoever_waited_has_gone() -> None:
    async def story() -> None:
        moves = Lane("moves", 1)
        pages = Lane("pages", 3, before=(moves,))
        assert await moves.enter("ada", here)
        left = asyncio.Event()

        async def leaving() -> Message:
            await left.wait()
            return {"type": "http.disconnect"}

        bob = asyncio.ensure_future(moves.enter("bob", leaving))
        await settle()
        visits = [asyncio.ensure_future(pages.enter(f"address {number}", here)) for number in range(3)]
        await settle()
        assert [visit.done() for visit in visits] == [True, False, False]
        left.set()
        assert not await bob
        await settle()
        assert [visit.done() for visit in visits] == [True, True, True]

    run(story)
