"""A WebSocket client that does as little work as possible: the bots share the machine with the server."""

import asyncio
import base64
import os
import struct
from collections.abc import Callable, Mapping
from typing import cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL, MASKED = 0x80, 0x80
CLOSED = b""  # the message that stands for the end of the connection


class Wire(asyncio.Protocol):
    """Calls `on_message` with every message as it arrives, or with CLOSED."""

    received_bytes = 0  # by all of them

    def __init__(self, on_message: Callable[[bytes], None]) -> None:
        self.on_message = on_message
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._read = bytearray()
        self._parts = bytearray()
        self._transport: asyncio.WriteTransport | None = None

    async def open(
        self, port: int, path: str, headers: Mapping[str, str] | None = None, address: str = "127.0.0.1"
    ) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", port, local_addr=(address, 0))
        self._send_handshake(port, path, headers or {})
        await self.opened

    def send(self, text: bytes) -> None:
        self._frame(TEXT, text)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _send_handshake(self, port: int, path: str, headers: Mapping[str, str]) -> None:
        lines = {
            "Host": f"127.0.0.1:{port}",
            "Origin": f"http://127.0.0.1:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
            **headers,
        }
        assert self._transport is not None
        written = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._transport.write(f"GET {path} HTTP/1.1\r\n{written}\r\n".encode())

    def _frame(self, kind: int, body: bytes) -> None:
        """A frame of a client is masked; a mask of zeros is as good as any on a loopback, and costs nothing."""
        assert self._transport is not None
        size = len(body)
        length = bytes([MASKED | size]) if size < 126 else bytes([MASKED | 126]) + struct.pack(">H", size)
        self._transport.write(bytes([FINAL | kind]) + length + b"\0\0\0\0" + body)

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)  # uvloop's is one without saying so

    def connection_lost(self, exc: Exception | None) -> None:
        if self.opened.done():
            self.on_message(CLOSED)
        else:
            self.opened.set_exception(exc or ConnectionError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        Wire.received_bytes += len(data)
        if not self._read and not self._parts and self._take_whole(data):
            return
        self._read += data
        if not self.opened.done():
            self._read_handshake()
        while self.opened.done() and self._next():
            pass

    def _take_whole(self, data: bytes) -> bool:
        """Nearly every packet is one whole text frame of at most 64 kB: no buffer is needed for it."""
        if len(data) < 4 or data[0] != FINAL | TEXT or data[1] == 127 or not self.opened.done():
            return False
        size, begin = (data[1], 2) if data[1] < 126 else (int.from_bytes(data[2:4], "big"), 4)
        is_whole = len(data) == begin + size
        if is_whole:
            self.on_message(data[begin:])
        return is_whole

    def _read_handshake(self) -> None:
        end = self._read.find(b"\r\n\r\n")
        if end < 0:
            return
        status = bytes(self._read[: self._read.find(b"\r\n")])
        del self._read[: end + 4]
        if b" 101 " in status:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(ConnectionError(status.decode()))

    def _next(self) -> bool:
        """Take one whole frame, if there is one."""
        read = self._read
        if len(read) < 2:
            return False
        size, begin = read[1] & 127, 2
        if size == 126 and len(read) >= 4:
            size, begin = int.from_bytes(read[2:4], "big"), 4
        elif size == 127 and len(read) >= 10:
            size, begin = int.from_bytes(read[2:10], "big"), 10
        elif size > 125:
            return False
        if len(read) < begin + size:
            return False
        body, head = bytes(read[begin : begin + size]), read[0]
        del read[: begin + size]
        self._take(head & 15, body, final=bool(head & FINAL))
        return True

    def _take(self, kind: int, body: bytes, *, final: bool) -> None:
        if kind == PING:
            self._frame(PONG, body)
        elif kind == CLOSE:
            self.close()
        elif kind != PONG:
            self._parts += body
            if final:
                whole = bytes(self._parts)
                self._parts.clear()
                self.on_message(whole)
