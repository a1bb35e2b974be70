"""Bots that play as pages do, whatever is killed, and the ledger of what they were told."""

import asyncio
import json
import time
from dataclasses import dataclass, field
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from killing.sites import Site

ANSWER_TIMEOUT_S = 4.0  # until a move is sent again by a plain request, as a page does
QUIET_TIMEOUT_S = 12.0  # without a message, until a bot asks for the screen
POLL_INTERVAL_S = 1.5  # of bots without a WebSocket
SENT_TWICE = 0.1  # of the moves, at once
WITHOUT_WEBSOCKET = 0.2  # of the bots
CSRF = "c" * 32


@dataclass
class Ledger:
    """What the bots were told."""

    acknowledged: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    resent: int = 0
    doubled: int = 0
    missed: int = 0  # changes that a WebSocket had not told of
    untrue: int = 0  # screens that showed what was not stored, or came out of order
    last: float = field(default_factory=time.monotonic)
    longest_silence: float = 0.0
    calm: datetime | None = None  # when the last kill was over; from then on bots do not pause

    def settle(self, message: dict[str, Any], answer: dict[str, Any], table: str) -> None:
        if answer.get("ok"):
            now = time.monotonic()
            self.longest_silence, self.last = max(self.longest_silence, now - self.last), now
            self.acknowledged[message["id"]] = (table, message["seat"], message["move"])
        else:
            self.refused[message["id"]] = str(answer.get("code"))

    async def moves_go_on(self, moves: int, seconds: float = 60) -> bool:
        """Whether so many moves were acknowledged from now on, in time: then the site is in use."""
        goal, end = len(self.acknowledged) + moves, time.monotonic() + seconds
        while len(self.acknowledged) < goal and time.monotonic() < end:  # noqa: ASYNC110 - bots only count
            await asyncio.sleep(0.02)
        return len(self.acknowledged) >= goal


class Bot:
    """One visitor with one page open."""

    def __init__(self, site: Site, ledger: Ledger, table: str, seat: int, visitor: str) -> None:
        from ludotheque.web.visitors import COOKIE, sign  # noqa: PLC0415 - Django must be set up first

        self.site, self.ledger, self.table, self.seat = site, ledger, table, seat
        self.random = random = Random(visitor)
        self.cookies = f"{COOKIE}={sign(visitor)}; csrftoken={CSRF}"
        self.by_request = random.random() < WITHOUT_WEBSOCKET
        self.version, self.moves, self.over = -1, list[str](), False
        self.pending: dict[str, Any] | None = None
        self.since = 0.0
        self.number = 0

    async def play(self, pace: float) -> None:
        """Until the match is over, whatever is killed."""
        while not self.over:
            try:
                await (self._by_request(pace) if self.by_request else self._by_socket(pace))
            except (OSError, WebSocketException, HTTPException, TimeoutError):
                await asyncio.sleep(self.random.uniform(0.2, 1.0))

    def _choose(self) -> dict[str, Any]:
        self.number += 1
        self.pending = {
            "do": "move",
            "id": f"{self.seat}-{self.number}-{self.random.getrandbits(60)}",
            "seat": self.seat,
            "move": self.random.choice(self.moves),
            "version": self.version,
        }
        self.since = time.monotonic()
        return self.pending

    def _hear(self, message: dict[str, Any]) -> None:
        if "answer" in message:
            self._settle(message)
        if message.get("version", -1) >= self.version:
            self.version = message["version"]
            self.moves = [move if isinstance(move, str) else move[0] for move in message["moves"]]
            shown = message.get("html") or "".join(change[-1] for change in message["changes"])
            self.over = self.over or 'id="after"' in shown

    def _settle(self, answer: dict[str, Any]) -> None:
        if self.pending is not None and answer.get("answer", self.pending["id"]) == self.pending["id"]:
            self.ledger.settle(self.pending, answer, self.table)
            self.pending, self.moves = None, []

    # With a WebSocket

    async def _by_socket(self, pace: float) -> None:
        address = f"ws://127.0.0.1:{self.site.port}/live/{self.table}?lang=en&version={self.version}&seat=-1"
        headers = {"Cookie": self.cookies, "Origin": f"http://127.0.0.1:{self.site.port}"}
        async with connect(address, additional_headers=headers, open_timeout=10, max_size=None) as socket:
            if self.pending is not None:
                self.ledger.resent += 1
                await socket.send(json.dumps(self.pending))
            elif self.moves:
                await self._send(socket, pace)
            while not self.over:
                await self._listen(socket, pace)

    async def _listen(self, socket: ClientConnection, pace: float) -> None:
        try:
            self._hear(
                json.loads(
                    await asyncio.wait_for(socket.recv(), ANSWER_TIMEOUT_S if self.pending else QUIET_TIMEOUT_S)
                )
            )
        except TimeoutError:
            if self.pending is not None:
                await self._insist()
            before = self.version
            await self._look()
            self.ledger.missed += self.version > before
        if self.moves and self.pending is None and not self.over:
            await self._send(socket, pace)

    async def _send(self, socket: ClientConnection, pace: float) -> None:
        await self._think(pace)
        message = json.dumps(self._choose())
        for _ in range(self._times()):
            await socket.send(message)

    async def _think(self, pace: float) -> None:
        await asyncio.sleep(self.random.uniform(0, 2 * pace) if self.ledger.calm is None else 0)

    def _times(self) -> int:
        twice = self.random.random() < SENT_TWICE
        self.ledger.doubled += twice
        return 2 if twice else 1

    # Without

    async def _by_request(self, pace: float) -> None:
        if self.pending is not None:
            await self._insist()
        await self._look()
        if self.moves and not self.over:
            await self._think(pace)
            message = self._choose()
            answers = await asyncio.gather(*(self._post(message) for _ in range(self._times())))
            self._settle(answers[0])
        else:
            await asyncio.sleep(POLL_INTERVAL_S)

    async def _insist(self) -> None:
        """The same message again until it gets through."""
        while self.pending is not None:
            self.ledger.resent += 1
            try:
                self._settle(await self._post(self.pending))
            except (OSError, HTTPException):
                await asyncio.sleep(self.random.uniform(0.2, 1.0))

    async def _post(self, message: dict[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "X-CSRFToken": CSRF}
        status, body = await self._ask("POST", f"/t/{self.table}/do", json.dumps(message), headers)
        if status >= 500:
            raise OSError(status)
        found: dict[str, Any] = json.loads(body)
        return found

    async def _look(self) -> None:
        status, body = await self._ask("GET", f"/t/{self.table}/screen?version=-1&seat=-1")
        if status >= 500:
            raise OSError(status)
        if status == 200:
            self._hear(json.loads(body))

    async def _ask(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        def ask() -> tuple[int, bytes]:
            connection = HTTPConnection("127.0.0.1", self.site.port, timeout=20)
            try:
                connection.request(method, path, body, {"Cookie": self.cookies, **(headers or {})})
                reply = connection.getresponse()
                return reply.status, reply.read()
            finally:
                connection.close()

        return await asyncio.to_thread(ask)
