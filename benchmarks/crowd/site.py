"""Our own site, and how a page talks to it: forms with cookies and a token, then WebSocket messages."""

import asyncio
import http.client
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode

import orjson

from crowd.pairs import CONNECT_TIMEOUT_S, GAME, LEGS, OnMoves, Seats
from crowd.wire import Wire

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
VERSION = re.compile(rb'"version": ?(\d+)')
COOKIE = re.compile(r"(\w+)=([^;]+)")
EVENTS_BEFORE_MOVES = 3  # two sat down, and it began


@dataclass
class Site:
    """The server, or the proxy, on this port."""

    port: int
    name: str = "Ludothèque"
    cookie: str = ""
    token: str = ""

    def open(self) -> Seats:
        """A table, and the cookies of both."""
        if not self.token:
            self._get_token()
        form = {"way": "link", "seats": "2", "seat": "0", "name-0": "bot 0", "option-legs": str(LEGS)}
        address, first = self._post(f"/games/{GAME}/new", urlencode(form), "application/x-www-form-urlencoded")
        table, sit = address.removeprefix("/t/"), {"do": "sit", "seat": 1, "name": "bot 1", "id": "sit"}
        _, second = self._post(f"{address}/do", json.dumps(sit), "application/json")
        return table, [first, second]

    async def connect(self, seats: Seats, on_moves: OnMoves, on_answer: Callable[[], None]) -> "Both":
        table, cookies = seats
        both = Both(on_moves, on_answer)
        both.people = [Person(both, seat) for seat in (0, 1)]
        for person, cookie in zip(both.people, cookies, strict=True):
            await person.connect(self.port, table, cookie)
        return both

    def _get_token(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=CONNECT_TIMEOUT_S)
        connection.request("GET", f"/games/{GAME}")
        reply = connection.getresponse()
        self.cookie = _cookies(reply)["csrftoken"]
        found = TOKEN.search(reply.read().decode())
        assert found is not None
        self.token = found[1]
        connection.close()

    def _post(self, path: str, body: str, kind: str) -> tuple[str, str]:
        """Where it redirects to, and the cookie of a new visitor."""
        headers = {
            "Content-Type": kind,
            "Cookie": f"csrftoken={self.cookie}",
            "X-CSRFToken": self.token,
            "Origin": f"http://127.0.0.1:{self.port}",
        }
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=CONNECT_TIMEOUT_S)
        connection.request("POST", path, body, headers)
        reply = connection.getresponse()
        page = reply.read()
        connection.close()
        if reply.status >= 400:
            raise ConnectionError(f"{path}: {reply.status} {page[:200]!r}")
        return reply.headers.get("Location", ""), _cookies(reply)["visitor"]


def _cookies(reply: http.client.HTTPResponse) -> dict[str, str]:
    found = [COOKIE.match(line) for line in reply.headers.get_all("Set-Cookie") or []]
    return {match[1]: match[2] for match in found if match is not None}


@dataclass
class Both:
    """Both people at a table."""

    on_moves: OnMoves
    on_answer: Callable[[], None]
    people: "list[Person]" = field(default_factory=list)

    def play(self, seat: int, text: str, moves: int) -> None:
        self.people[seat].play(text, moves)

    def close(self) -> None:
        for person in self.people:
            person.wire.close()


class Person:
    """One page."""

    def __init__(self, both: Both, seat: int) -> None:
        self.both, self.seat = both, seat
        self.wire = Wire(self._on_message)
        self.shown = asyncio.Event()

    async def connect(self, port: int, table: str, visitor: str) -> None:
        path = f"/live/{table}?lang=en&version=-1&seat=-1"
        await self.wire.open(port, path, {"Cookie": f"visitor={visitor}"})
        await asyncio.wait_for(self.shown.wait(), CONNECT_TIMEOUT_S)

    def play(self, text: str, moves: int) -> None:
        message = {
            "version": EVENTS_BEFORE_MOVES + moves,
            "entropy": "0123456789012345678901234567890123456789",
            "do": "move",
            "seat": self.seat,
            "move": text,
            "id": f"{self.seat}-{moves}",
        }
        self.wire.send(orjson.dumps(message))

    def _on_message(self, message: bytes) -> None:
        if message.startswith(b'{"answer"') and b'"ok"' in message[:100]:
            self.both.on_answer()
        found = VERSION.search(message, 1, 200)
        if found is None:
            return
        moves = int(found[1]) - EVENTS_BEFORE_MOVES
        if moves > 0:
            self.both.on_moves(self.seat, moves)
        else:
            self.shown.set()
