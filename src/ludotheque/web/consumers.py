"""Live tables: one connection a page. It hears that the table is at a version, and looks at what its seat may see."""

import asyncio
import json
import time
from collections.abc import Mapping
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from ludotheque.game import Json
from ludotheque.web import limits, looks, metrics, moving, push, screen, standing, visitors
from ludotheque.web.changes import Page
from ludotheque.web.doing import Asked, do, number
from ludotheque.web.entrance import Receive, Scope, Send
from ludotheque.web.limits import TOO_OFTEN, address_of, too_often
from ludotheque.web.models import Table, hashed
from ludotheque.web.speech import language
from ludotheque.web.standing import Kept

LONGEST = 4000  # characters in a message
PATIENCE = 20  # messages over the limit
GONE, TOO_LONG, TOO_MANY = 4404, 4413, 4429


class TableConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """In: {"id", "do", …} as in `doing.py`, or {"look": seat}. Out: a screen, or its news, or {"answer": id, …}."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One message after the other; what other connections have to say comes by `push`."""
        self.scope, self.base_send = scope, send
        self.tasks: set[asyncio.Task[None]] = set()
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            for task in self.tasks:
                task.cancel()

    async def connect(self) -> None:
        self.table = self.scope["url_route"]["kwargs"]["table"]
        self.visitor = visitors.of_headers(self.scope["headers"])
        self.who = hashed(self.visitor)
        self.address = address_of(self.scope)
        self.warned = 0
        self.page = Page()
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        self.lang = language(query.get("lang", [""])[0])
        self.version = number(query.get("version", ["-1"])[0])
        self.seat = number(query.get("seat", ["-1"])[0])
        if not await Table.objects.filter(pk=self.table).aexists():
            await self.close(GONE)
            return
        await self.accept()
        await push.watch(self.table, self.table_changed)
        await self.show()

    async def disconnect(self, _code: int) -> None:
        await push.unwatch(self.table, self.table_changed)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if bytes_data is not None or text_data is None or len(text_data) > LONGEST:
            await self.close(TOO_LONG)
            return
        try:
            message = json.loads(text_data)
        except (ValueError, RecursionError):
            message = None
        await self.answer(message if isinstance(message, dict) else {})

    async def answer(self, message: dict[str, object]) -> None:
        asked = Asked.read(message)
        if seconds := await self.too_soon():
            await self.slow_down({"answer": asked.client, **too_often(seconds, self.lang)})
            return
        if "look" in message:
            self.seat = number(message["look"])
            await self.show(always=True)
            return
        reply = await self.reply(asked)
        if reply.get("code") == TOO_OFTEN:
            await self.slow_down({"answer": asked.client, **reply})
            return
        moved = asked.what == "move" and "ok" in reply
        if moved:
            self.seat = -1  # who has moved hands the screen over
        await self.say({"answer": asked.client, **reply})
        outdated = reply.get("code", "bad-message") != "bad-message"
        await self.show(asked.version + 1 if moved else None, always=outdated)

    async def too_soon(self) -> int:
        """Seconds to wait; counted here if that is a matter of memory, elsewhere if it takes a network."""
        if limits.counts_here():
            return limits.wait("deed", self.visitor, self.address)
        return await sync_to_async(limits.wait, thread_sensitive=False)("deed", self.visitor, self.address)

    async def reply(self, asked: Asked) -> dict[str, Json]:
        began = time.perf_counter()
        if asked.what == "move" and await moving.move(self.table, self.visitor, asked):
            metrics.DEEDS.labels("move", "ok").observe(time.perf_counter() - began)
            return {"ok": True}
        usual: dict[str, Json] = await database_sync_to_async(do)(
            self.table, self.visitor, asked, self.lang, self.address
        )
        return usual

    async def slow_down(self, reply: dict[str, Json]) -> None:
        """Say so; who goes on regardless is shown the door."""
        self.warned += 1
        await self.say(reply)
        if self.warned > PATIENCE:
            await self.close(TOO_MANY)

    def table_changed(self, version: int) -> None:
        if version > self.version:
            task = asyncio.ensure_future(self.push(version))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def push(self, version: int) -> None:
        with metrics.PUSHES.time():
            await self.show(version)

    async def show(self, version: int | None = None, *, always: bool = False) -> None:
        """Send what this seat sees at this version or later, by default now, unless the page has it already."""
        kept = standing.remembered(self.table, version) if version is not None else None
        if kept is None:
            kept = await database_sync_to_async(_look)(self.table)
        newer = kept.stands.version > self.version or (version is None and kept.stands.version != self.version)
        if always or newer:
            self.version = kept.stands.version
            eyes = looks.eyes(kept.stands, kept.seats, self.who, self.seat)
            await self.say(self.page.news(screen.seen(kept, eyes, self.lang)))

    async def say(self, message: Mapping[str, object]) -> None:
        await self.send(json.dumps(message, ensure_ascii=False))


def _look(table: str) -> Kept:
    return standing.look(Table.objects.get(pk=table))
