"""Live tables: one connection a page. It hears that the table is at a version, and looks at what its seat may see."""

import asyncio
import logging
import time
from collections.abc import Mapping
from urllib.parse import parse_qs

import orjson
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import DatabaseError

from ludotheque.game import Json
from ludotheque.web import visitors
from ludotheque.web.guard import outage, rate_limits
from ludotheque.web.guard.rate_limits import TOO_OFTEN, address_of, too_often
from ludotheque.web.guard.request_size import Receive, Scope, Send, turn_away
from ludotheque.web.live import subscriptions
from ludotheque.web.models import Table, hashed
from ludotheque.web.monitor import metrics
from ludotheque.web.screen import screen, viewer
from ludotheque.web.screen.diff import Page
from ludotheque.web.table import moves, state
from ludotheque.web.table.commands import Asked, do, number
from ludotheque.web.words import language

log = logging.getLogger("ludotheque.web.live.connection")

LONGEST = 4000  # characters in a message
PATIENCE = 20  # messages over the limit
GONE, TOO_LONG, TOO_MANY = 4404, 4413, 4429
MOVED = metrics.COMMANDS.labels("move", "ok")
LATER = 1013


async def live(scope: Scope, receive: Receive, send: Send) -> None:
    """A page's connection to a table, until it ends."""
    await Conversation(scope, send).hold(receive)


class Conversation:
    """In: {"id", "do", …} as in `doing.py`, {"look": seat} or {"unfolded": whether the position is read in words}.

    Out: a screen, or its news, or {"answer": id, …}, or both in one.
    """

    def __init__(self, scope: Scope, send: Send) -> None:
        query = parse_qs(scope["query_string"].decode("latin-1"))
        self.table: str = scope["url_route"]["kwargs"]["table"]
        self.visitor = visitors.of_headers(scope["headers"])
        self.who = hashed(self.visitor)
        self.address = address_of(scope)
        self.lang = language(query.get("lang", [""])[0])
        self.version = number(query.get("version", ["-1"])[0])
        self.seat = number(query.get("seat", ["-1"])[0])
        self.unfolded = query.get("unfolded", [""])[0] == "true"
        self.making = -1  # the version that a move of this page's is about to make
        self.page = Page()
        self.warned = 0
        self.scope, self.send = scope, send
        self.tasks: set[asyncio.Task[None]] = set()

    async def hold(self, receive: Receive) -> None:
        """One message after the other; what others do at the table comes by `push`."""
        await receive()  # that somebody wants to connect
        try:
            outage.check()
            known = await database_sync_to_async(_exists)(self.table)
        except DatabaseError as error:
            await asyncio.to_thread(outage.is_away, error)
            await turn_away(self.scope, self.send, 503, outage.PLAIN, outage.SOON)
            return
        if not known:
            await self.close(GONE)
            return
        await self.send({"type": "websocket.accept"})
        await subscriptions.watch(self.table, self.table_changed)
        try:
            await self.show()
            while (message := await receive())["type"] == "websocket.receive":
                await self.receive(message.get("text"))
        except DatabaseError:  # the page comes back, and what was not answered is sent again
            await self.close(LATER)
        finally:
            await subscriptions.unwatch(self.table, self.table_changed)
            for task in self.tasks:
                task.cancel()

    async def receive(self, text: str | None) -> None:
        if text is None or len(text) > LONGEST:
            await self.close(TOO_LONG)
            return
        try:
            message = orjson.loads(text)
        except ValueError:
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
        if "unfolded" in message:
            self.unfolded = message["unfolded"] is True
            await self.show(always=True)
            return
        reply = await self.reply(asked)
        if reply.get("code") == TOO_OFTEN:
            await self.slow_down({"answer": asked.client, **reply})
            return
        moved = asked.what == "move" and "ok" in reply
        if moved:
            self.seat = -1  # who has moved hands the screen over
        outdated = reply.get("code", "bad-message") != "bad-message"
        answer = {"answer": asked.client, **reply}
        if not await self.show(asked.version + 1 if moved else None, always=outdated, answer=answer):
            await self.say(answer)

    async def too_soon(self) -> int:
        """Seconds to wait. As long as there are few, that is a matter of memory; else it may take a network."""
        if rate_limits.counts_here():
            return rate_limits.wait("deed", self.visitor, self.address)
        if rate_limits.among_few("deed", self.visitor, self.address):
            return 0
        return await sync_to_async(rate_limits.wait, thread_sensitive=False)("deed", self.visitor, self.address)

    async def reply(self, asked: Asked) -> dict[str, Json]:
        began = time.perf_counter()
        if asked.what == "move":
            self.making = asked.version + 1
            moved = await moves.move(self.table, self.visitor, asked)
            self.making = -1
            if moved:
                MOVED.observe(time.perf_counter() - began)
                return {"ok": True}
        outage.check()
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
        if version > self.version and version != self.making:
            task = asyncio.ensure_future(self.push(version))
            self.tasks.add(task)
            task.add_done_callback(self.shown)

    def shown(self, task: "asyncio.Task[None]") -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.info("not told", extra={"facts": {"error": type(error).__name__}})  # they were just leaving

    async def push(self, version: int) -> None:
        began = time.perf_counter()
        try:
            await self.show(version)
        except DatabaseError:  # the page comes back and looks again
            await self.close(LATER)
        metrics.PUSHES.observe(time.perf_counter() - began)

    async def show(
        self, version: int | None = None, *, always: bool = False, answer: Mapping[str, object] | None = None
    ) -> bool:
        """Send what this seat sees at this version or later, by default now, unless the page has it already.

        An answer goes along with it; whether anything was sent.
        """
        kept = state.remembered(self.table, version) if version is not None else None
        if kept is None:
            kept = await database_sync_to_async(state.newest)(self.table)
        newer = kept.stands.version > self.version or (version is None and kept.stands.version != self.version)
        if always or newer:
            self.version = kept.stands.version
            eyes = viewer.eyes(kept.stands, kept.seats, self.who, self.seat)
            folded = not self.unfolded and self.page.is_for(eyes.seat)
            news = self.page.news(*screen.seen(kept, eyes, self.lang, self.page.drawn, folded=folded))
            await self.say({**answer, **news} if answer else news)
        return always or newer

    async def say(self, message: Mapping[str, object]) -> None:
        await self.send({"type": "websocket.send", "text": orjson.dumps(message).decode()})

    async def close(self, code: int) -> None:
        await subscriptions.unwatch(self.table, self.table_changed)
        await self.send({"type": "websocket.close", "code": code})


def _exists(table: str) -> bool:
    return Table.objects.filter(pk=table).exists()
