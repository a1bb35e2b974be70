"""Attacks below the application: frames, headers, connections."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from random import Random

from attack.client import ATTACKER, connect, request, websocket
from crowd.site import Site

PING = b"\x89\x80\0\0\0\0"  # the smallest frame there is, masked with zeros
CHUNK_BYTES = 60_000
MANY = 1_100  # connections
PIPELINED_BYTES, PIPELINING = 256_000, 100  # at once, and over so many connections
SLOW_EVERY_S = 0.5
MALFORMED_TARGETS = ("GET /t/%00", "GET /t/%ff%fe", "POST /replay", "POST /games/hepta/new", "BREW /about")
MALFORMED_FRAMES = (b"\x81\x82\0\0\0\0\xff\xfe", b"\x81\x81\0\0\0\0{", b"\x83\x81\0\0\0\0x")
"""No UTF-8, no JSON, and a kind of frame that there is not."""


def pings(port: int, until: float) -> None:
    """One WebSocket after the other that sends nothing but pings, as fast as it can."""
    _flood(port, until, PING * (CHUNK_BYTES // len(PING)))


def frames(port: int, until: float) -> None:
    """Empty messages instead."""
    _flood(port, until, b"\x81\x80\0\0\0\0" * (CHUNK_BYTES // 6))


def fragments(port: int, until: float) -> None:
    """A message that never ends, in parts of one byte."""
    _flood(port, until, b"\x01\x81\0\0\0\0x" + b"\x00\x81\0\0\0\0x" * (CHUNK_BYTES // 7))


def _flood(port: int, until: float, data: bytes) -> None:
    table, _ = Site(port, address=ATTACKER).open()
    while time.monotonic() < until:
        with suppress(OSError), websocket(port, f"/live/{table}") as line:
            line.settimeout(1)
            while time.monotonic() < until:
                line.sendall(data)


def endless_header(port: int, until: float) -> None:
    """One header after the other, none of which ends the head of the request."""
    while time.monotonic() < until:
        with suppress(OSError), connect(port) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            while time.monotonic() < until:
                line.sendall(b"X-A: " + b"a" * CHUNK_BYTES + b"\r\n")


def endless_trailer(port: int, until: float) -> None:
    """Requests whose body has come, and after it trailers without end: many short ones, or one that never ends."""
    head = b"POST /settings HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"
    while time.monotonic() < until:
        for first, data in ((b"", b"X-A: a\r\n" * (CHUNK_BYTES // 8)), (b"X-A: ", b"a" * CHUNK_BYTES)):
            with suppress(OSError), connect(port) as line:
                line.sendall(head + first)
                while time.monotonic() < until:
                    line.sendall(data)


def slow_headers(port: int, until: float) -> None:
    """Many connections that send their head a byte at a time."""
    with _crowd(port) as lines:
        for line in lines:
            with suppress(OSError):
                line.sendall(b"GET / HTTP/1.1\r\nX: ")
        while time.monotonic() < until:
            for line in lines:
                with suppress(OSError):
                    line.sendall(b"a")
            time.sleep(SLOW_EVERY_S)


def idle_connections(port: int, until: float) -> None:
    """Many connections on which nothing is ever sent; who is thrown out comes again."""
    while time.monotonic() < until:
        with _crowd(port) as lines:
            while time.monotonic() < until and not any(_is_closed(line) for line in lines[:10]):
                time.sleep(SLOW_EVERY_S)


def slow_readers(port: int, until: float) -> None:
    """Many who ask for a page, and take nothing of it."""
    with _crowd(port, 200, receive_bytes=2048) as lines:
        for line in lines:
            with suppress(OSError):
                line.sendall(b"GET /games/pizza HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 4)
        time.sleep(max(0.0, until - time.monotonic()))


def pipelined(port: int, until: float) -> None:
    """The smallest requests there are, thousands in one go, over many connections, and again."""
    request = b"GET /about HTTP/1.1\r\n\r\n"
    data = request * (PIPELINED_BYTES // len(request))
    while time.monotonic() < until:
        with _crowd(port, PIPELINING) as lines:
            for line in lines:
                with suppress(OSError):
                    line.send(data)
            for line in lines:
                line.settimeout(2)
                with suppress(OSError):
                    while line.recv(CHUNK_BYTES):
                        pass


def malformed(port: int, until: float) -> None:
    """Bytes that are no request, requests that make no sense, and messages that are none."""
    random, path = Random(port), f"/live/{Site(port, address=ATTACKER).open()[0]}"
    while time.monotonic() < until:
        with suppress(OSError), connect(port) as line:
            line.sendall(random.randbytes(1000) + b"\r\n\r\n")
            line.recv(CHUNK_BYTES)
        for target in MALFORMED_TARGETS:
            with suppress(OSError):
                request(port, target, b"\xff\0")
        for frame in MALFORMED_FRAMES:
            with suppress(OSError), websocket(port, path) as line:
                line.sendall(frame)
                line.recv(CHUNK_BYTES)


@contextmanager
def _crowd(port: int, number: int = MANY, receive_bytes: int = 0) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        lines = []
        for _ in range(number):
            with suppress(OSError):
                line = connect(port, receive_bytes=receive_bytes)
                line.setblocking(False)
                lines.append(stack.enter_context(line))
        yield lines


def _is_closed(line: socket.socket) -> bool:
    try:
        return line.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
