"""Connections of pages to live tables, for the tests: the whole application is asked, as a server would ask it."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.db import connections

from ludotheque.web.asgi import application
from ludotheque.web.screen.fragments import SEPARATOR
from ludotheque.web.visitors import COOKIE, sign
from web.people import Round

HERE = b"http://localhost"
ANSWER = ("answer", "ok", "refused", "code", "wait", "go")
CANCEL_ROUNDS = 20  # of 5 seconds


class Reader:
    """A page that puts together what it hears, as connection.js does."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.moves: dict[str, list[object]] = {}

    def complete(self, message: dict[str, Any]) -> dict[str, object]:
        if "html" in message:
            self.parts = message["html"].split(SEPARATOR)
        for part, at, gone, text in message.get("changes", []):
            self.parts[part] = put_together(self.parts[part], at, gone, text)
        self.moves |= {move[0]: move for move in message["moves"] if isinstance(move, list)}
        moves = [self.moves[move] if isinstance(move, str) else move for move in message["moves"]]
        return {**message, "html": "".join(self.parts), "moves": moves}


def put_together(old: str, at: int, gone: int, text: str) -> str:
    """A change of a text, counted as JavaScript counts."""
    units = old.encode("utf-16-le")
    return (units[: 2 * at] + text.encode("utf-16-le") + units[2 * (at + gone) :]).decode("utf-16-le")


class PageConnection:
    """One page's connection: what it sends and what it hears."""

    def __init__(
        self, table: Round | str, visitor: str, query: str = "", origin: bytes = HERE, address: str = "192.0.2.1"
    ) -> None:
        where = table if isinstance(table, str) else table.id
        headers = [(b"origin", origin), (b"host", b"localhost"), (b"cookie", f"{COOKIE}={sign(visitor)}".encode())]
        scope = {
            "type": "websocket",
            "path": f"/live/{where}",
            "query_string": f"lang=en{query}".encode(),
            "headers": headers,
            "subprotocols": [],
            "client": (address, 50_000),
            "extensions": {"websocket.http.response": {}},
        }
        self.sent: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        self.heard: asyncio.Queue[Mapping[str, object]] = asyncio.Queue()
        self.talk = asyncio.ensure_future(application(scope, self.sent.get, self.heard.put))
        self.visitor, self.next = visitor, 0
        self.reader, self.held = Reader(), list[dict[str, object]]()

    async def open(self) -> bool:
        await self.sent.put({"type": "websocket.connect"})
        return (await self.event())["type"] == "websocket.accept"

    async def event(self) -> Mapping[str, object]:
        return await asyncio.wait_for(self.heard.get(), 60)

    async def send(self, text: str) -> None:
        await self.sent.put({"type": "websocket.receive", "text": text})

    async def hear(self) -> dict[str, object]:
        """What comes, completed as connection.js does it: an answer, and then the screen that came along with it."""
        if self.held:
            return self.held.pop()
        message = json.loads(str((await self.event())["text"]))
        assert isinstance(message, dict)
        if "version" not in message:
            return message
        screen = self.reader.complete(message)
        if "answer" not in message:
            return screen
        self.held.append({name: value for name, value in screen.items() if name not in ANSWER})
        return {name: value for name, value in screen.items() if name in ANSWER}

    async def ask(self, **message: object) -> dict[str, object]:
        """The answer to this; screens that come before it are let go."""
        self.next += 1
        name = f"{self.visitor}-{self.next}"
        await self.send(json.dumps({"id": name, **message}))
        while True:
            heard = await self.hear()
            if heard.get("answer") == name:
                return heard

    async def silent(self) -> bool:
        """Whether nothing was left to hear: what was sent before comes before the answer to a command."""
        self.next += 1
        name = f"{self.visitor}-{self.next}"
        await self.send(json.dumps({"id": name, "do": "nothing"}))
        return not self.held and (await self.hear()).get("answer") == name and not self.held

    async def close(self) -> None:
        await self.sent.put({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(self.talk, 60)


async def end_tasks() -> None:
    """Cancel all tasks of this event loop but the one that asks, and wait until they have ended.

    One that is destroyed while it is pending raises errors in whatever test runs then.
    """
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for _ in range(CANCEL_ROUNDS):  # over Redis one was seen to go on after it was cancelled; why is not known
        for task in others:
            task.cancel()
        others = (await asyncio.wait(others, timeout=5))[1] if others else others


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await story()
        await end_tasks()

    asyncio.run(whole())
    connections.close_all()
