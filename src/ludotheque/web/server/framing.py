"""A page's line as uvicorn holds it, with a short way for what nearly all goes over it: one whole frame of text.

The library that reads and writes frames is careful and takes its time. Here a frame that came whole is taken apart at
once, and a text is framed at once. Whatever else comes, in pieces, together or not as it should be, is the library's,
and so is the rest of that line: it begins with a frame's first byte, since all before were whole.
"""

from asyncio import Queue
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

try:
    from websockets.speedups import apply_mask
except ImportError:  # where nobody has compiled it
    from websockets.utils import apply_mask

TEXT, PING, PONG = 0x81, 0x89, 0x8A  # first bytes of frames that are no parts of larger ones
MASKED, SHORT, LONG = 0x80, 126, 127
MASK = 4  # bytes
MOST = 8  # messages that wait before no more are read


class Framed(WebSocketsSansIOProtocol):
    """One line."""

    queue: Queue[Any]
    greeted = False
    is_whole = True  # all that came after the greeting were whole frames

    def data_received(self, data: bytes) -> None:
        begin = frame(data) if self.greeted and self.is_whole else 0
        text = _text(data, begin) if begin and data[0] == TEXT and self.conn.state is State.OPEN else None
        if text is not None:
            self._hear(text)
            return
        self.is_whole = self.is_whole and (not self.greeted or (bool(begin) and data[0] in (PING, PONG)))
        self.greeted = True
        super().data_received(data)

    def _hear(self, text: str) -> None:
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() >= MOST and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    async def send(self, message: Any) -> None:
        text = message.get("text")
        if text is None or self.conn.state is not State.OPEN or self.disconnected or not self.writable.is_set():
            await super().send(message)
        else:
            self.transport.write(framed(text.encode()))


def frame(data: bytes) -> int:
    """Where the content begins if this is just one whole frame of a client, and not a long one; else 0."""
    if len(data) < 2 + MASK or data[1] < MASKED or data[1] == MASKED + LONG:
        return 0
    size, begin = data[1] - MASKED, 2 + MASK
    if size == SHORT:
        size, begin = int.from_bytes(data[2:4], "big"), 4 + MASK
    return begin if len(data) == begin + size else 0


def _text(data: bytes, begin: int) -> str | None:
    try:
        return apply_mask(data[begin:], data[begin - MASK : begin]).decode()
    except UnicodeDecodeError:
        return None


def framed(body: bytes) -> bytes:
    """A text as a frame of a server."""
    size = len(body)
    if size < SHORT:
        return bytes((TEXT, size)) + body
    if size < 1 << 16:
        return bytes((TEXT, SHORT, size >> 8, size & 255)) + body
    return bytes((TEXT, LONG)) + size.to_bytes(8, "big") + body
