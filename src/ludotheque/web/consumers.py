"""Live tables: one connection a page. It hears that the table is at a version, and asks for what its seat may see."""

import json
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer

from ludotheque.game import Json
from ludotheque.web import push, visitors
from ludotheque.web.doing import Asked, do, number
from ludotheque.web.limits import TOO_OFTEN, address_of, too_often, wait
from ludotheque.web.models import Table
from ludotheque.web.screen import screen
from ludotheque.web.speech import language

LONGEST = 4000  # characters in a message
PATIENCE = 20  # messages over the limit
GONE, TOO_LONG, TOO_MANY = 4404, 4413, 4429


class TableConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """In: {"id", "do", …} as in `doing.py`, or {"look": seat}. Out: a screen, or {"answer": id, …}."""

    async def connect(self) -> None:
        push.listen_here()
        self.table = self.scope["url_route"]["kwargs"]["table"]
        self.visitor = visitors.of_headers(self.scope["headers"])
        self.address = address_of(self.scope)
        self.warned = 0
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        self.lang = language(query.get("lang", [""])[0])
        self.version = number(query.get("version", ["-1"])[0])
        self.seat = number(query.get("seat", ["-1"])[0])
        if not await Table.objects.filter(pk=self.table).aexists():
            await self.close(GONE)
            return
        await self.channel_layer.group_add(push.group(self.table), self.channel_name)
        await self.accept()
        await self.show()

    async def disconnect(self, _code: int) -> None:
        await get_channel_layer().group_discard(push.group(self.table), self.channel_name)

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
        reply = await database_sync_to_async(self._reply)(message, asked)
        if reply.get("code") == TOO_OFTEN:
            await self.slow_down({"answer": asked.client, **reply})
            return
        if "look" in message:
            self.seat = number(message["look"])
        else:
            if asked.what == "move" and "ok" in reply:
                self.seat = -1  # who has moved hands the screen over
            await self.say({"answer": asked.client, **reply})
        await self.show(always="look" in message or reply.get("code", "bad-message") != "bad-message")

    def _reply(self, message: dict[str, object], asked: Asked) -> dict[str, Json]:
        if seconds := wait("deed", self.visitor, self.address):
            return too_often(seconds, self.lang)
        if "look" in message:
            return {}
        return do(self.table, self.visitor, asked, self.lang, self.address)

    async def slow_down(self, reply: dict[str, Json]) -> None:
        """Say so; who goes on regardless is shown the door."""
        self.warned += 1
        await self.say(reply)
        if self.warned > PATIENCE:
            await self.close(TOO_MANY)

    async def table_changed(self, event: dict[str, int]) -> None:
        if event["version"] > self.version:
            await self.show()

    async def show(self, *, always: bool = False) -> None:
        """Send what this seat sees, unless the page has it already."""
        shown = await database_sync_to_async(screen)(self.table, self.visitor, self.lang, self.seat)
        if always or shown["version"] != self.version:
            self.version = shown["version"]
            await self.say(shown)

    async def say(self, message: dict[str, Json]) -> None:
        await self.send(json.dumps(message, ensure_ascii=False))
