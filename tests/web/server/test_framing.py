"""Frames of text take a short way: what is heard and said is what the library would have heard and said."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from hypothesis import example, given
from hypothesis import strategies as st
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.utils import apply_mask

from ludotheque.web.server.framing import MOST, Framed, framed
from web.lines import run

GREETING = (
    b"GET /live/x HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
LARGEST = 300
MASK = b"mask"
BODIES = st.binary(max_size=140) | st.text(max_size=80).map(str.encode) | st.binary(min_size=126, max_size=310)
FRAMES = st.builds(Frame, st.sampled_from([*Opcode, Opcode.TEXT, Opcode.TEXT]), BODIES, st.booleans())
JOINED, BY_ITSELF = -1, 0
ARRIVALS = st.integers(JOINED, 3)
"""How a frame comes: together with the next, ending where the packet ends, or with its last bytes in the next one."""


class Transport(asyncio.Transport):
    """Remembers what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = self.paused = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


class Talk:
    """A line that was accepted, and what the application heard."""

    def __init__(self, protocol: type[WebSocketsSansIOProtocol]) -> None:
        self.heard: list[Any] = []
        self.transport = Transport()
        config = uvicorn.Config(
            self._listen, interface="asgi3", log_config=None, ws_max_size=LARGEST, ws_per_message_deflate=False
        )
        config.load()
        self.line = protocol(config, ServerState(), {})
        self.line.connection_made(self.transport)

    async def _listen(self, _scope: Any, receive: Callable[[], Any], send: Any) -> None:
        self.heard.append(await receive())
        await send({"type": "websocket.accept"})
        while self.heard[-1]["type"] != "websocket.disconnect":
            self.heard.append(await receive())

    async def open(self) -> "Talk":
        self.line.data_received(GREETING)
        await _a_moment()
        return self

    async def hear(self, data: bytes) -> None:
        if not self.transport.closed:
            self.line.data_received(data)
            await _a_moment()

    async def leave(self) -> None:
        self.line.connection_lost(None)
        await _a_moment()


async def _a_moment() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def _masked(frames: list[Frame]) -> bytes:
    """As a client sends them, also such as no client should."""
    return b"".join(
        bytes([frame.fin << 7 | frame.opcode]) + _size(len(frame.data)) + MASK + apply_mask(frame.data, MASK)
        for frame in frames
    )


def _size(size: int) -> bytes:
    return bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big")


# Beside Redis a worker listens in this process. It uses `random`, which hypothesis takes for our doing.
beside_a_worker = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")


def _packets(frames: list[tuple[Frame, int]]) -> Iterator[bytes]:
    waiting = b""
    for frame, how in frames:
        data = waiting + _masked([frame])
        end = 0 if how == JOINED else len(data) - how
        waiting = data[end:]
        yield data[:end]
    yield waiting


@beside_a_worker
@given(st.lists(st.tuples(FRAMES, ARRIVALS), max_size=6))
@example([(Frame(Opcode.TEXT, b"x" * 127), BY_ITSELF)])
@example([(Frame(Opcode.TEXT, b"\xff"), BY_ITSELF), (Frame(Opcode.TEXT, b"y"), BY_ITSELF)])
@example([(Frame(Opcode.TEXT, b"a", fin=False), BY_ITSELF), (Frame(Opcode.TEXT, b"b"), BY_ITSELF)])
@example([(Frame(Opcode.TEXT, b"a", fin=False), BY_ITSELF), (Frame(Opcode.CONT, b"b"), BY_ITSELF)])
@example([(Frame(Opcode.TEXT, b"1"), 1), (Frame(Opcode.PONG, b""), BY_ITSELF), (Frame(Opcode.TEXT, b"2"), BY_ITSELF)])
@example([(Frame(Opcode.BINARY, _masked([Frame(Opcode.TEXT, b"within")])), 12)])
def test_whatever_comes_is_heard_as_the_library_hears_it(frames: list[tuple[Frame, int]]) -> None:
    async def story() -> None:
        talks = [await Talk(WebSocketsSansIOProtocol).open(), await Talk(Framed).open()]
        for packet in filter(None, _packets(frames)):
            for talk in talks:
                await talk.hear(packet)
        theirs, ours = talks
        assert ours.heard == theirs.heard
        assert ours.transport.written == theirs.transport.written
        assert ours.transport.closed == theirs.transport.closed
        for talk in talks:
            await talk.leave()

    run(story)


def test_a_frame_by_itself_takes_the_short_way() -> None:
    async def story() -> None:
        talk = await Talk(Framed).open()
        talk.line.conn.receive_data = None  # type: ignore[assignment, method-assign]  # the library would stumble
        for text in ("d4", "é" * 70):
            await talk.hear(_masked([Frame(Opcode.TEXT, text.encode())]))
            assert talk.heard[-1] == {"type": "websocket.receive", "text": text}
        await talk.leave()

    run(story)


def test_who_sends_faster_than_we_listen_has_to_wait() -> None:
    async def story() -> None:
        talk = await Talk(Framed).open()
        for _ in range(MOST):
            assert not talk.transport.paused
            talk.line.data_received(_masked([Frame(Opcode.TEXT, b"d4")]))
        assert talk.transport.paused
        await _a_moment()
        assert not talk.transport.paused
        assert len(talk.heard) == 1 + MOST
        await talk.leave()

    run(story)


@beside_a_worker
@given(st.binary(max_size=200) | st.integers(0, 70_000).map(bytes))
def test_a_text_is_framed_as_the_library_frames_it(body: bytes) -> None:
    assert framed(body) == Frame(Opcode.TEXT, body).serialize(mask=False)


def test_nothing_is_said_on_a_line_that_is_closed() -> None:
    async def story() -> None:
        talk = await Talk(Framed).open()
        await talk.line.send({"type": "websocket.send", "text": "hello"})
        assert talk.transport.written.endswith(framed(b"hello"))
        await talk.line.send({"type": "websocket.close", "code": 4404})
        said = talk.transport.written
        with pytest.raises(RuntimeError):
            await talk.line.send({"type": "websocket.send", "text": "more"})
        assert talk.transport.written == said
        await talk.leave()

    run(story)
