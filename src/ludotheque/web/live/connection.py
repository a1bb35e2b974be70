"""The WebSocket of one page: it sends commands to its table, and gets what its seat may see after every change."""

import asyncio
import logging
import time
from collections.abc import Coroutine, Mapping
from typing import Any
from urllib.parse import parse_qs

import orjson
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import DatabaseError

from ludotheque.game import Json
from ludotheque.web import inputs, visitors
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
from ludotheque.web.table import cache, moves, visits
from ludotheque.web.table.commands import Command, execute
from ludotheque.web.words import language, say
from ludotheque.words import in_every_language

log = logging.getLogger("ludotheque.web.live")

MAX_MESSAGE_CHARS = 4000
MAX_WARNINGS = 20  # messages over the rate limit before the connection is closed
NO_SUCH_TABLE, MESSAGE_TOO_LONG, TOO_MANY_MESSAGES, TRY_AGAIN_LATER = 4404, 4413, 4429, 1013  # close codes
NO_SUCH_ADDRESS_TEXT = in_every_language("web", "not-found-line")
MOVE_STORED = metrics.COMMANDS.labels("move", "ok")


async def live(scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application of a page's connection to a table."""
    await TableConnection(scope, send).run(receive)


async def no_such_address(scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application of all other addresses."""
    await receive()
    await refuse_websocket(scope, send, 404, NO_SUCH_ADDRESS_TEXT)


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
        self.known = screen.Known(number(query.get("events", ["-1"])[0]))
        self.unfolded = query.get("unfolded", [""])[0] == "true"
        self.storing = -1  # the version that a move of this page is about to make
        self.page = SentPage()
        self.is_fresh = True  # nothing was sent yet
        self.only_looks = self.is_late = False  # has no seat here; waits for a push until enough is paid back
        self.warnings = 0
        self.scope, self.send = scope, send
        self.tasks: set[asyncio.Task[None]] = set()

    async def run(self, receive: Receive) -> None:
        """Handle one message after the other; what others do arrives by `table_changed`."""
        await receive()  # websocket.connect
        try:
            outage.check()
            known = await database_sync_to_async(visits.visit)(self.table)
        except DatabaseError as error:
            await asyncio.to_thread(outage.is_outage, error)
            await refuse_websocket(self.scope, self.send, 503, outage.PLAIN_TEXT, outage.RETRY_AFTER_S)
            return
        if not known:
            await self.close(NO_SUCH_TABLE)
            return
        await self.send({"type": "websocket.accept"})
        subscriptions.watch(self.table, self.table_changed)
        try:
            await self.show()
            while (message := await receive())["type"] == "websocket.receive":
                await self.on_message(message.get("text"))
        except Table.DoesNotExist:
            await self.tell_gone()
        except DatabaseError:  # the page reconnects, and sends what was not answered again
            await self.close(TRY_AGAIN_LATER)
        finally:
            subscriptions.unwatch(self.table, self.table_changed)
            for task in self.tasks:
                task.cancel()

    # In

    async def on_message(self, text: str | None) -> None:
        if text is None or len(text) > MAX_MESSAGE_CHARS:
            await self.close(MESSAGE_TOO_LONG)
            return
        await self.handle(inputs.message(text.encode("utf-8", "surrogatepass")))

    async def handle(self, message: dict[str, object]) -> None:
        command = Command.read(message)
        if seconds := await self.seconds_to_wait(command):
            await self.warn({"answer": command.client, **too_often(seconds, self.lang)})
        elif "look" in message or "unfolded" in message:
            await self.look(message)
        else:
            await self.answer(command)

    async def look(self, message: dict[str, object]) -> None:
        """Show it through another seat, or with the position in words."""
        if "look" in message:
            self.seat = number(message["look"])
        if "unfolded" in message:
            self.unfolded = message["unfolded"] is True
        await self.show(always=True)

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
        """A move is first tried in a batch; other commands, and moves refused there, take the usual way.

        Whoever sends those pays for them; a move that is made costs nothing.
        """
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
        reply: dict[str, Json]
        reply, seconds = await database_sync_to_async(rate_limits.timed(execute))(
            self.table, self.visitor, command, self.lang, self.address
        )
        if command.name != "move" or "ok" not in reply:
            self.charge(seconds)
        return reply

    def charge(self, seconds: float) -> None:
        rate_limits.charge(self.visitor, self.address, seconds)

    async def seconds_to_wait(self, command: Command) -> int:
        """Seconds to wait before the message is allowed: too many came, or too much was computed, but for moves."""
        if seconds := await self.count_message():
            return seconds
        return 0 if command.name == "move" else rate_limits.overdrawn(self.visitor, self.address)

    async def count_message(self) -> int:
        """Seconds to wait if that was too many; counting may ask Redis, so not in the event loop."""
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
        if version == subscriptions.GONE:
            self.start(self.tell_gone())
        elif version > self.version and version != self.storing:
            self.start(self.push(version))

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.pushed)

    def pushed(self, task: "asyncio.Task[None]") -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.info("push failed", extra={"facts": {"error": type(error).__name__}})  # the page was just closing

    async def tell_gone(self) -> None:
        """The table was deleted: say so, and end the connection for good."""
        await self.send_json({"gone": say("table-gone", self.lang)})
        await self.close(NO_SUCH_TABLE)

    async def push(self, version: int) -> None:
        at: int | None = version
        if self.only_looks and (seconds := rate_limits.overdrawn(self.visitor, self.address)):
            if self.is_late:
                return  # what is sent then is newer
            self.is_late, at = True, None
            await asyncio.sleep(seconds)
            self.is_late = False
        began = time.perf_counter()
        try:
            await self.show(at)
        except Table.DoesNotExist:
            await self.tell_gone()
        except DatabaseError:  # the page reconnects and looks again
            await self.close(TRY_AGAIN_LATER)
        metrics.PUSHES.observe(time.perf_counter() - began)

    async def show(
        self, version: int | None = None, *, always: bool = False, answer: Mapping[str, object] | None = None
    ) -> bool:
        """Send what this seat sees at this version or later, by default now, unless the page has it already.

        An answer goes along with it. Returns whether anything was sent.
        """
        cached, seconds = cache.at_least(self.table, version) if version is not None else None, 0.0
        if cached is None:
            cached, seconds = await database_sync_to_async(rate_limits.timed(cache.latest))(self.table)
        found = cached.state.version
        newer = found > self.version or (version is None and found != self.version)
        known, self.known = (
            self.known,
            screen.Known(cached.state.match.length if cached.state.match else 0, live=True),
        )
        if always or newer:
            self.version = found
            viewer = viewer_of(cached.state, cached.seats, self.visitor, self.seat)
            folded = not self.unfolded and self.page.shows(viewer.seat)
            since = time.thread_time()
            facts, html = screen.render(cached, viewer, self.lang, self.page.fragments, folded=folded, known=known)
            page = self.page.update(html, facts["seat"], facts["moves"])
            self.only_looks = not viewer.mine
            if always or self.is_fresh or self.only_looks:  # what others do costs players nothing
                self.charge(seconds + time.thread_time() - since)
            self.is_fresh = False
            await self.send_json({**(answer or {}), **facts, **page})
        return always or newer

    async def send_json(self, message: Mapping[str, object]) -> None:
        await self.send({"type": "websocket.send", "text": orjson.dumps(message).decode()})

    async def close(self, code: int) -> None:
        subscriptions.unwatch(self.table, self.table_changed)
        await self.send({"type": "websocket.close", "code": code})
