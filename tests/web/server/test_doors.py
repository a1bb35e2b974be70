"""Lines are handed to the process that has their table, and stay where they are if nobody takes them."""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import uvicorn
from uvicorn.server import ServerState

from ludotheque.web.guard.request_size import Receive, Scope, Send, answer, sized
from ludotheque.web.server import doors
from ludotheque.web.server.doors import Doors
from ludotheque.web.server.many import Usher

Taken = list[tuple[socket.socket, bytes]]


def hello(table: str) -> bytes:
    return f"GET /live/{table}?lang=en HTTP/1.1\r\nHost: here\r\n\r\n".encode()


class Process:
    """One of several, as far as doors are concerned."""

    def __init__(self, folder: Path, many: int) -> None:
        self.taken: Taken = []
        self.doors = Doors(folder, many, lambda line, said: self.taken.append((line, said)))
        self.doors.open()

    async def has_taken(self, many: int) -> Taken:
        async with asyncio.timeout(10):
            while len(self.taken) < many:  # noqa: ASYNC110 - what it waits for calls nobody
                await asyncio.sleep(0.01)
        return self.taken

    def close(self) -> None:
        self.doors.close()
        for line, _ in self.taken:
            line.close()


@asynccontextmanager
async def processes(folder: Path, many: int) -> AsyncIterator[list[Process]]:
    made = [Process(folder, many) for _ in range(many)]
    yield made
    for process in made:
        process.close()


def table_of(number: int, at: Doors) -> str:
    """A table that asks for this number first."""
    return next(name for name in map(str, range(1000)) if at.order(name.encode())[0] == number)


def test_a_line_goes_to_the_process_of_its_table_with_what_was_said(tmp_path: Path) -> None:
    async def story() -> None:
        async with processes(tmp_path, 2) as (first, second):
            mine, theirs = socket.socketpair()
            said = hello(table_of(1, first.doors))
            assert first.doors.lead(said, theirs.fileno())
            theirs.close()
            [(line, heard)] = await second.has_taken(1)
            assert heard == said
            mine.sendall(b"more")
            await asyncio.sleep(0.01)
            assert line.recv(10) == b"more", "the same connection"
            assert not second.doors.lead(said, line.fileno()), "it is here"
            mine.close()

    asyncio.run(story())


def test_a_table_whose_process_is_gone_goes_to_the_next_of_its_order(tmp_path: Path) -> None:
    async def story() -> None:
        async with processes(tmp_path, 3) as made:
            mine, theirs = socket.socketpair()
            name = table_of(2, made[0].doors)
            order = made[0].doors.order(name.encode())
            assert made[order[1]].doors.order(name.encode()) == order, "they agree"
            asker, owner, heir = made[order[2]], made[order[0]], made[order[1]]
            assert asker.doors.lead(hello(name), theirs.fileno())
            await owner.has_taken(1)
            owner.close()
            assert asker.doors.lead(hello(name), theirs.fileno())
            await heir.has_taken(1)
            heir.close()
            assert not asker.doors.lead(hello(name), theirs.fileno()), "there is nobody else"
            mine.close()
            theirs.close()

    asyncio.run(story())


def test_whoever_replaces_a_process_has_its_number_as_soon_as_that_leaves(tmp_path: Path) -> None:
    async def story() -> None:
        async with processes(tmp_path, 2) as (first, second):
            name = table_of(1, first.doors)
            mine, theirs = socket.socketpair()
            assert first.doors.lead(hello(name), theirs.fileno())
            await second.has_taken(1)
            newcomer = Process(tmp_path, 2)
            assert newcomer.doors.number is None, "both are held"
            assert newcomer.doors.lead(hello(name), theirs.fileno()), "whoever has none hands over"
            await second.has_taken(2)
            second.close()
            await asyncio.sleep(3 * doors.SOON)
            assert newcomer.doors.number == 1
            assert first.doors.lead(hello(name), theirs.fileno()), "by a new line"
            await newcomer.has_taken(1)
            newcomer.close()
            mine.close()
            theirs.close()

    asyncio.run(story())


def test_nothing_else_is_handed_over(tmp_path: Path) -> None:
    async def story() -> None:
        async with processes(tmp_path, 2) as (first, second):
            name, (mine, theirs) = table_of(1, first.doors), socket.socketpair()
            others = [
                f"GET /t/{name} HTTP/1.1\r\n\r\n",
                f"POST /live/{name} HTTP/1.1\r\n\r\n",
                f"get /live/{name} HTTP/1.1\r\n\r\n",
                f"GET /live/{name}",
                f"GET /live/{name}/more HTTP/1.1\r\n\r\n",
                f"x GET /live/{name} HTTP/1.1\r\n\r\n",
                f"GET /live/ HTTP/1.1\r\n\r\n{hello(name).decode()}",
                hello("a" * 101).decode(),
                hello(name).decode() + "x" * doors.LONGEST,
                "",
                "\x00\xff",
            ]
            assert [said for said in others if first.doors.lead(said.encode("latin-1"), theirs.fileno())] == []
            assert second.taken == []
            mine.close()
            theirs.close()

    asyncio.run(story())


def test_tables_are_shared_out_evenly(tmp_path: Path) -> None:
    at = Doors(tmp_path, 4, lambda *_: None)
    firsts = Counter(at.order(f"table{number}".encode())[0] for number in range(4000))
    assert sorted(firsts) == [0, 1, 2, 3]
    assert min(firsts.values()) > 900


def test_a_house_without_room_for_doors_opens_all_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        deep = tmp_path / ("long" * 30)  # more than the name of a socket may have
        deep.mkdir()
        async with processes(deep, 2) as (first, _second):
            mine, theirs = socket.socketpair()
            assert not first.doors.lead(hello(table_of(1, first.doors)), theirs.fileno())
            mine.close()
            theirs.close()

    asyncio.run(story())


class Spy(Doors):
    """Takes nothing, and remembers what it was asked."""

    asked: list[bytes]

    def lead(self, said: bytes, _connection: int) -> bool:
        self.asked.append(said)
        return False


def test_what_comes_later_on_a_connection_is_never_taken_for_its_beginning(tmp_path: Path) -> None:
    spy = Spy(tmp_path, 2, lambda *_: None)
    spy.asked = []

    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        await answer(send, 200, f"{scope['method']} {scope['path']}")

    async def story() -> None:
        config = uvicorn.Config(sized(app), lifespan="off", log_config=None, access_log=False)
        config.load()
        usher = partial(Usher, spy, config=config, server_state=ServerState(), app_state={})
        server = await asyncio.get_running_loop().create_server(usher, "127.0.0.1", 0)
        read, write = await asyncio.open_connection(*server.sockets[0].getsockname())
        body = hello("smuggled")
        head = f"POST /t/mine/do HTTP/1.1\r\nHost: here\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        write.write(head)
        await asyncio.sleep(0.2)  # so that the body comes for itself
        write.write(body)
        said = await asyncio.wait_for(read.read(), 10)
        assert b"POST /t/mine/do" in said
        assert b"smuggled" not in said
        write.close()
        server.close()
        await server.wait_closed()
        assert spy.asked == [head]

    asyncio.run(story())
