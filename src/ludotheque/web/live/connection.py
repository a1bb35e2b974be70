"""The WebSocket of one page: it sends commands to its table, and gets what its seat may see after every change."""

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
from ludotheque.web.guard.request_size import Receive, Scope, Send, refuse_websocket
from ludotheque.web.inputs import number
from ludotheque.web.live import subscriptions
from ludotheque.web.models import Table
from ludotheque.web.monitor import metrics
from ludotheque.web.screen import screen
from ludotheque.web.screen.fragments import SentPage
from ludotheque.web.screen.viewer import viewer_of
from ludotheque.web.table import cache, moves
from ludotheque.web.table.commands import Command, execute
from ludotheque.web.words import language

log = logging.getLogger("ludotheque.web.live")

MAX_MESSAGE_CHARS = 4000
MAX_WARNINGS = 20  # messages over the rate limit before the connection is closed
NO_SUCH_TABLE, MESSAGE_TOO_LONG, TOO_MANY_MESSAGES, TRY_AGAIN_LATER = 4404, 4413, 4429, 1013  # close codes
MOVE_STORED = metrics.COMMANDS.labels("move", "ok")


async def live(scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application of a page's connection to a table."""
    await TableConnection(scope, send).run(receive)


class TableConnection:
    """In: {"id", "do", …} as `Command` reads it, {"look": seat}, or {"unfolded": whether one reads in words}.

    Out: a screen, or what changed of it, or {"answer": id, …}, or both in one.
    """

    def __init__(self, scope: Scope, send: Send) -> None:
        query = parse_qs(scope["query_string"].decode("latin-1"))
        self.table: str = scope["url_route"]["kwargs"]["table"]
        self.visitor = visitors.of_headers(scope["headers"])
        self.address = address_of(scope)
        self.lang = language(query.get("lang", [""])[0])
        self.version = number(query.get("version", ["-1"])[0])
        self.seat = number(query.get("seat", ["-1"])[0])
        self.unfolded = query.get("unfolded", [""])[0] == "true"
        self.storing = -1  # the version that a move of this page is about to make
        self.page = SentPage()
        self.warnings = 0
        self.scope, self.send = scope, send
        self.tasks: set[asyncio.Task[None]] = set()

    async def run(self, receive: Receive) -> None:
        """Handle one message after the other; what others do arrives by `table_changed`."""
        await receive()  # websocket.connect
        try:
            outage.check()
            known = await database_sync_to_async(_exists)(self.table)
        except DatabaseError as error:
            await asyncio.to_thread(outage.is_outage, error)
            await refuse_websocket(self.scope, self.send, 503, outage.PLAIN_TEXT, outage.RETRY_AFTER_S)
            return
        if not known:
            await self.close(NO_SUCH_TABLE)
            return
        await self.send({"type": "websocket.accept"})
        await subscriptions.watch(self.table, self.table_changed)
        try:
            await self.show()
            while (message := await receive())["type"] == "websocket.receive":
                await self.on_message(message.get("text"))
        except DatabaseError:  # the page reconnects, and sends what was not answered again
            await self.close(TRY_AGAIN_LATER)
        finally:
            await subscriptions.unwatch(self.table, self.table_changed)
            for task in self.tasks:
                task.cancel()

    # In

    async def on_message(self, text: str | None) -> None:
        if text is None or len(text) > MAX_MESSAGE_CHARS:
            await self.close(MESSAGE_TOO_LONG)
            return
        try:
            message = orjson.loads(text)
        except ValueError:
            message = None
        await self.handle(message if isinstance(message, dict) else {})

    async def handle(self, message: dict[str, object]) -> None:
        command = Command.read(message)
        if seconds := await self.seconds_to_wait():
            await self.warn({"answer": command.client, **too_often(seconds, self.lang)})
        elif "look" in message:
            self.seat = number(message["look"])
            await self.show(always=True)
        elif "unfolded" in message:
            self.unfolded = message["unfolded"] is True
            await self.show(always=True)
        else:
            await self.answer(command)

    async def answer(self, command: Command) -> None:
        """Execute a command; the answer goes out together with what the command changed."""
        reply = await self.execute(command)
        answer = {"answer": command.client, **reply}
        if reply.get("code") == TOO_OFTEN:
            await self.warn(answer)
            return
        moved = command.name == "move" and "ok" in reply
        if moved:
            self.seat = -1  # who has moved hands the screen over
        outdated = reply.get("code", "bad-message") != "bad-message"
        if not await self.show(command.version + 1 if moved else None, always=outdated, answer=answer):
            await self.send_json(answer)

    async def execute(self, command: Command) -> dict[str, Json]:
        """A move is first tried in a batch; other commands, and moves refused there, take the usual way."""
        began = time.perf_counter()
        if command.name == "move":
            self.storing = command.version + 1
            stored = await moves.play_in_batch(
                self.table,
                self.visitor,
                command.seat,
                command.move,
                version=command.version,
                client=command.client,
            )
            self.storing = -1
            if stored:
                MOVE_STORED.observe(time.perf_counter() - began)
                return {"ok": True}
        outage.check()
        reply: dict[str, Json] = await database_sync_to_async(execute)(
            self.table, self.visitor, command, self.lang, self.address
        )
        return reply

    async def seconds_to_wait(self) -> int:
        """Seconds to wait before the next message is allowed; counting may ask Redis, so not in the event loop."""
        if rate_limits.counts_in_memory():
            return rate_limits.wait("deed", self.visitor, self.address)
        if rate_limits.within_local_share("deed", self.visitor, self.address):
            return 0
        return await sync_to_async(rate_limits.wait, thread_sensitive=False)("deed", self.visitor, self.address)

    async def warn(self, answer: dict[str, Json]) -> None:
        """Say that it was too often; who goes on regardless is disconnected."""
        self.warnings += 1
        await self.send_json(answer)
        if self.warnings > MAX_WARNINGS:
            await self.close(TOO_MANY_MESSAGES)

    # Out

    def table_changed(self, version: int) -> None:
        if version > self.version and version != self.storing:
            task = asyncio.ensure_future(self.push(version))
            self.tasks.add(task)
            task.add_done_callback(self.pushed)

    def pushed(self, task: "asyncio.Task[None]") -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.info("push failed", extra={"facts": {"error": type(error).__name__}})  # the page was just closing

    async def push(self, version: int) -> None:
        began = time.perf_counter()
        try:
            await self.show(version)
        except DatabaseError:  # the page reconnects and looks again
            await self.close(TRY_AGAIN_LATER)
        metrics.PUSHES.observe(time.perf_counter() - began)

    async def show(
        self, version: int | None = None, *, always: bool = False, answer: Mapping[str, object] | None = None
    ) -> bool:
        """Send what this seat sees at this version or later, by default now, unless the page has it already.

        An answer goes along with it. Returns whether anything was sent.
        """
        cached = cache.at_least(self.table, version) if version is not None else None
        if cached is None:
            cached = await database_sync_to_async(cache.latest)(self.table)
        found = cached.state.version
        newer = found > self.version or (version is None and found != self.version)
        if always or newer:
            self.version = found
            viewer = viewer_of(cached.state, cached.seats, self.visitor, self.seat)
            folded = not self.unfolded and self.page.shows(viewer.seat)
            facts, html = screen.render(cached, viewer, self.lang, self.page.fragments, folded=folded)
            await self.send_json({**(answer or {}), **facts, **self.page.update(html, facts["seat"], facts["moves"])})
        return always or newer

    async def send_json(self, message: Mapping[str, object]) -> None:
        await self.send({"type": "websocket.send", "text": orjson.dumps(message).decode()})

    async def close(self, code: int) -> None:
        await subscriptions.unwatch(self.table, self.table_changed)
        await self.send({"type": "websocket.close", "code": code})


def _exists(table: str) -> bool:
    return Table.objects.filter(pk=table).exists()
