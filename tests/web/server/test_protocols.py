"""What a connection may send before anything is made of it: heads, bodies, trailers, requests in one go."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from uvicorn.server import ServerState

from ludotheque.web.guard.request_size import MAX_BODY_BYTES, Receive, Scope, Send
from ludotheque.web.server.connections import Connections
from ludotheque.web.server.protocols import (
    MAX_FRAMING_BYTES,
    MAX_HEAD_BYTES,
    MAX_PIPELINED,
    SLICE_BYTES,
    BoundedConfig,
    BoundedHttp,
)

READ_BYTES = 262_144  # what asyncio reads at once
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
ENDED = CHUNKED + b"1\r\na\r\n0\r\n"  # but for its trailers
GET = b"GET / HTTP/1.1\r\n\r\n"


class Wire(asyncio.Transport):
    """A client that reads everything at once."""

    def __init__(self) -> None:
        super().__init__()
        self.is_closed = False
        self.answered = b""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("192.0.2.1", 5000), "sockname": ("127.0.0.1", 8000)}.get(name, default)

    def write(self, data: "bytes | bytearray | memoryview[Any]") -> None:
        if not self.is_closed:
            self.answered += bytes(data)

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.is_closed

    def pause_reading(self) -> None:
        """All is sent by hand."""

    resume_reading = pause_reading


class App:
    """Reads requests to their end, answers when it is told to, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[tuple[Scope, bytes]] = asyncio.Queue()
        self.may_answer = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        await self.asked.put((scope, body))
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


class Client:
    """One connection to a server that is not there."""

    def __init__(self) -> None:
        self.app, self.wire = App(), Wire()
        config = BoundedConfig(cast("str", self.app), Connections(10), log_config=None, lifespan="off")
        config.load()
        self.server = BoundedHttp(config, ServerState(), {})
        self.server.connection_made(self.wire)

    def send(self, data: bytes) -> None:
        self.server.data_received(data)

    async def flood(self, data: bytes) -> None:
        """Send that again and again, until the connection ends or it is clear that it does not."""
        for _ in range(4):
            if not self.wire.is_closed:
                self.send(data * (READ_BYTES // len(data)))
                await asyncio.sleep(0)

    async def leave(self) -> None:
        self.server.connection_lost(ConnectionResetError())
        self.app.may_answer.set()
        await asyncio.gather(*self.server.tasks)


@asynccontextmanager
async def connected() -> AsyncIterator[Client]:
    client = Client()
    try:
        yield client
    finally:
        await client.leave()


@pytest.mark.parametrize("read_bytes", [1, SLICE_BYTES - 1, READ_BYTES])
def test_what_is_asked_arrives_however_it_is_cut(read_bytes: int) -> None:
    form = b"a" * (MAX_BODY_BYTES - 1)
    sent = CHUNKED + b"%x\r\n" % len(form) + form + b"\r\n1\r\nz\r\n0\r\n\r\n" + GET

    async def ask() -> None:
        async with connected() as client:
            client.app.may_answer.set()
            for begin in range(0, len(sent), read_bytes):
                client.send(sent[begin : begin + read_bytes])
            assert not client.wire.is_closed
            assert [len((await client.app.asked.get())[1]) for _ in range(2)] == [MAX_BODY_BYTES, 0]
            assert client.wire.answered.startswith(b"HTTP/1.1 200")

    asyncio.run(ask())


def test_trailers_are_no_headers() -> None:
    async def ask() -> None:
        async with connected() as client:
            client.send(ENDED + b"X-Forwarded-For: 192.0.2.9\r\n\r\n")
            scope, body = await client.app.asked.get()
            assert body == b"a"
            assert dict(scope["headers"]).keys() == {b"host", b"transfer-encoding"}

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("begun", "more"),
    [
        (ENDED, b"X-A: a\r\n"),
        (ENDED + b"X-A: ", b"a"),
        (ENDED, b"a"),
        (CHUNKED, b"1\r\na\r\n"),
        (CHUNKED + b"1;", b"a"),
    ],
    ids=["trailers", "value of a trailer", "name of a trailer", "tiny chunks", "extension of a chunk"],
)
def test_what_comes_beside_a_body_has_an_end(begun: bytes, more: bytes) -> None:
    async def send() -> None:
        async with connected() as client:
            client.send(begun)
            await client.flood(more)
            assert client.wire.answered.startswith(b"HTTP/1.1 413")
            assert client.server.framing_bytes <= MAX_FRAMING_BYTES + SLICE_BYTES
            assert len(client.server.headers) < 10

    asyncio.run(send())


@pytest.mark.parametrize("more", [b"X-A: a\r\n", b"a"])
def test_a_head_has_an_end(more: bytes) -> None:
    async def send() -> None:
        async with connected() as client:
            client.send(b"GET / HTTP/1.1\r\nX-A: ")
            await client.flood(more)
            assert client.wire.answered.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400"))
            assert client.server.head_bytes <= MAX_HEAD_BYTES + SLICE_BYTES

    asyncio.run(send())


def test_of_many_requests_in_one_go_few_are_looked_at() -> None:
    async def send() -> None:
        async with connected() as client:
            await client.flood(GET)
            assert client.wire.answered.startswith(b"HTTP/1.1 429")
            assert len(client.server.pipeline) == MAX_PIPELINED
            assert client.app.asked.qsize() == 1

    asyncio.run(send())


def test_a_refusal_does_not_get_into_another_answer() -> None:
    async def send() -> None:
        async with connected() as client:
            client.send(GET)
            await client.app.asked.get()
            running = client.server.running
            assert running is not None
            running.response_started = True
            client.send(GET * (MAX_PIPELINED + 1))
            assert client.wire.is_closed
            assert not client.wire.answered
            assert running.disconnected, "it writes no more"

    asyncio.run(send())
