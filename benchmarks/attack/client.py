"""Connections of an attacker, from an address of his own."""

import base64
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

ATTACKER = "127.0.0.66"
TIMEOUT_S = 10


def connect(port: int, address: str = ATTACKER, receive_bytes: int = 0) -> socket.socket:
    """A connection from the attacker's address; with a small receive buffer, if so many bytes are asked for."""
    line = socket.socket()
    if receive_bytes:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    line.settimeout(TIMEOUT_S)
    line.bind((address, 0))
    line.connect(("127.0.0.1", port))
    return line


def get(
    port: int, path: str, address: str = ATTACKER, headers: str = "", *, line: socket.socket | None = None
) -> int:
    """Ask for a page; its status, or 0 without an answer."""
    status, _ = request(port, f"GET {path}", b"", address, headers, line=line)
    return status


def request(
    port: int,
    what: str,
    body: bytes = b"",
    address: str = ATTACKER,
    headers: str = "",
    *,
    line: socket.socket | None = None,
) -> tuple[int, bytes]:
    """Send a request on a connection of its own; status and answer, or 0 and nothing."""
    try:
        opened = line or connect(port, address)
    except OSError:
        return 0, b""
    try:
        head = f"{what} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{headers}"
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        opened.sendall(f"{head}{length}\r\n".encode() + body)
        answer = b""
        while part := opened.recv(65_536):
            answer += part
    except OSError:
        return 0, b""
    finally:
        if line is None:
            opened.close()
    return (int(answer[9:12]), answer) if answer.startswith(b"HTTP/1.1 ") else (0, answer)


@contextmanager
def websocket(
    port: int, path: str = "/live/nothing", address: str = ATTACKER, cookie: str = ""
) -> Iterator[socket.socket]:
    """A WebSocket after its handshake, accepted or not."""
    key = base64.b64encode(os.urandom(16)).decode()
    with connect(port, address) as line:
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\n{f'Cookie: {cookie}' if cookie else 'X: x'}\r\n\r\n".encode()
        )
        line.recv(65_536)
        yield line
