"""Access control, the first ASGI wrapper of a request: counts by address, refuses addresses the keeper has blocked.

A blocked address costs a look into memory and an answer of one line; its WebSockets that are open already are closed.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from ludotheque.web.guard import blocks
from ludotheque.web.guard.rate_limits import address_of, network
from ludotheque.web.guard.request_size import App, Receive, Scope, Send, answer, refuse_websocket
from ludotheque.web.monitor import metrics, usage
from ludotheque.words import in_every_language

BLOCKED = 403
CLOSE_BLOCKED = 4403
BLOCKED_TEXT = in_every_language("web", "blocked")


def control_access(app: App) -> App:
    """The application, for addresses that are not blocked."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        address = network(address_of(scope))
        usage.count(address, requests=1)
        block = blocks.of(address)
        if block is not None:
            await _refuse(block, address, scope, receive, send)
        elif scope["type"] == "websocket":
            connection = BlockableConnection(address, receive, send)
            try:
                await app(scope, connection.receive, connection.send)
            finally:
                connection.leave()
        else:
            await app(scope, receive, _counted(address, send))

    return serve


async def _refuse(block: blocks.Entry, address: str, scope: Scope, receive: Receive, send: Send) -> None:
    metrics.LIMITED.labels("blocked").inc()
    usage.count(address, refused=1)
    seconds = max(1, int((block.until - timezone.now()).total_seconds()))
    if scope["type"] == "websocket":
        await receive()
        await refuse_websocket(scope, send, BLOCKED, BLOCKED_TEXT, seconds)
    else:
        await answer(send, BLOCKED, BLOCKED_TEXT, seconds)


def _counted(address: str, send: Send) -> Send:
    async def counted(message: Mapping[str, Any]) -> None:
        body = message.get("body")
        if body:
            usage.count(address, sent=len(body))
        await send(message)

    return counted


class BlockableConnection:
    """A WebSocket, which is closed when its address is blocked."""

    def __init__(self, address: str, receive: Receive, send: Send) -> None:
        self.address, self._receive, self._send = address, receive, send
        self.loop = asyncio.get_running_loop()
        self.is_open = self.is_ended = False

    async def receive(self) -> Mapping[str, Any]:
        message = await self._receive()
        if self.is_ended:  # what was sent before it was closed counts no more
            return {"type": "websocket.disconnect", "code": CLOSE_BLOCKED}
        usage.count(self.address, sent=len(message.get("text") or ""))
        return message

    async def send(self, message: Mapping[str, Any]) -> None:
        if self.is_ended:
            return
        if message["type"] == "websocket.send":
            usage.count(self.address, sent=len(message.get("text") or ""))
        await self._send(message)
        if message["type"] == "websocket.accept":
            await self._enter()

    async def _enter(self) -> None:
        self.is_open = True
        _open.add(self)
        usage.connect(self.address, 1)
        await self.end_if_blocked()  # since just now

    def leave(self) -> None:
        if self.is_open:
            self.is_open = False
            _open.discard(self)
            usage.connect(self.address, -1)

    async def end_if_blocked(self) -> None:
        """Close it then. The application hears of that as if the page had gone."""
        if self.is_open and not self.is_ended and blocks.of(self.address):
            self.is_ended = True
            await self._send({"type": "websocket.close", "code": CLOSE_BLOCKED})


_open: set[BlockableConnection] = set()


def _end_blocked() -> None:
    """The list has changed: look at every connection, in its own loop."""
    for connection in list(_open):
        if not connection.loop.is_closed():
            asyncio.run_coroutine_threadsafe(connection.end_if_blocked(), connection.loop)


blocks.listeners.append(_end_blocked)
