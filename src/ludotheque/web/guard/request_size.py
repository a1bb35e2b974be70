"""The entrance, before Django is asked: what is too long or too slow is turned away."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

ADDRESS = 2_000  # bytes of an address with its query
BODY = 64_000  # bytes of a request
PATIENCE = 20.0  # seconds for all of them to come
TOO_SLOW, TOO_BIG, TOO_LONG = 408, 413, 414
TURNED_AWAY = {
    TOO_SLOW: "That took too long. / Cela a pris trop de temps.",
    TOO_BIG: "That is too much at once. / C’est trop à la fois.",
    TOO_LONG: "That address is too long. / Cette adresse est trop longue.",
}


def sized(app: App) -> App:
    """The application, asked only for what has an ordinary size and arrives in time."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        asked = await _read(scope, receive)
        if isinstance(asked, int):
            await answer(send, asked, TURNED_AWAY[asked])
        elif asked is not None:
            await app(scope, _again(asked, receive), send)

    return serve


async def _read(scope: Scope, receive: Receive) -> bytes | int | None:
    """The body of a request; the status to turn it away with; or nothing, if whoever asked has gone."""
    if len(scope["path"]) + len(scope["query_string"]) > ADDRESS:
        return TOO_LONG
    if any(name == b"content-length" and _number(value) > BODY for name, value in scope["headers"]):
        return TOO_BIG
    try:
        async with asyncio.timeout(PATIENCE):
            return await _body(receive)
    except TimeoutError:
        return TOO_SLOW


async def _body(receive: Receive) -> bytes | int | None:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > BODY:
            return TOO_BIG
        if not message.get("more_body"):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """What was read, for whoever asks next."""
    left: list[Mapping[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def first_that() -> Mapping[str, Any]:
        return left.pop() if left else await receive()

    return first_that


def _number(value: bytes) -> int:
    return int(value) if value.isdigit() and len(value) < 20 else BODY + 1


async def turn_away(scope: Scope, send: Send, status: int, text: str, wait: int) -> None:
    """The answer to a WebSocket that is not opened."""
    if "websocket.http.response" in scope.get("extensions", {}):
        await answer(send, status, text, wait, before="websocket.")
    else:
        await send({"type": "websocket.close", "code": 4000 + status})


async def answer(send: Send, status: int, text: str, wait: int = 0, *, before: str = "") -> None:
    """A short answer in plain text; `before` makes it that to a WebSocket which is not opened."""
    body = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    if wait:
        headers.append((b"retry-after", str(wait).encode()))
    await send({"type": f"{before}http.response.start", "status": status, "headers": headers})
    await send({"type": f"{before}http.response.body", "body": body, "more_body": False})
