"""Bounds on size and time of a request, before Django sees it. Also the types of an ASGI application."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from ludotheque.words import in_every_language

Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_URL_BYTES = 2_000
MAX_BODY_BYTES = 64_000
MAX_DISCARDED_BYTES = 256_000  # of a body that is too big: who still sends when the connection closes sees no answer
BODY_TIMEOUT_S = 20.0
TOO_SLOW, TOO_BIG, TOO_LONG = 408, 413, 414
MESSAGES = {
    TOO_SLOW: in_every_language("web", "too-slow"),
    TOO_BIG: in_every_language("web", "too-big"),
    TOO_LONG: in_every_language("web", "too-long"),
}


def limit_size(app: App) -> App:
    """The application, called only with requests of an ordinary size that arrive in time."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        asked = await _read(scope, receive)
        if isinstance(asked, int):
            await answer(send, asked, MESSAGES[asked])
        elif asked is not None:
            await app(scope, replay(asked, receive), send)

    return serve


async def _read(scope: Scope, receive: Receive) -> bytes | int | None:
    """The body of a request; the status to refuse it with; or None if the client has disconnected."""
    if len(scope["path"]) + len(scope["query_string"]) > MAX_URL_BYTES:
        return TOO_LONG
    if any(name == b"content-length" and _number(value) > MAX_DISCARDED_BYTES for name, value in scope["headers"]):
        return TOO_BIG
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            return await _body(receive)
    except TimeoutError:
        return TOO_SLOW


async def _body(receive: Receive) -> bytes | int | None:
    body, received = bytearray(), 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        received += len(part)
        if received <= MAX_BODY_BYTES:
            body += part
        if not message.get("more_body") or received > MAX_DISCARDED_BYTES:
            return bytes(body) if received <= MAX_BODY_BYTES else TOO_BIG


def replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body that was read, and then what comes."""
    left: list[Mapping[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Mapping[str, Any]:
        return left.pop() if left else await receive()

    return replayed


def _number(value: bytes) -> int:
    return int(value) if value.isdigit() and len(value) < 20 else MAX_DISCARDED_BYTES + 1


async def refuse_websocket(scope: Scope, send: Send, status: int, text: str, retry_after_s: int = 0) -> None:
    """Refuse a WebSocket before it is accepted."""
    if "websocket.http.response" in scope.get("extensions", {}):
        await answer(send, status, text, retry_after_s, before="websocket.")
    else:
        await send({"type": "websocket.close", "code": 4000 + status})


async def answer(send: Send, status: int, text: str, retry_after_s: int = 0, *, before: str = "") -> None:
    """A short answer in plain text; `before` makes it that to a WebSocket which is not opened."""
    body = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    if retry_after_s:
        headers.append((b"retry-after", str(retry_after_s).encode()))
    await send({"type": f"{before}http.response.start", "status": status, "headers": headers})
    await send({"type": f"{before}http.response.body", "body": body, "more_body": False})
