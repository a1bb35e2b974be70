"""Our own house, and how a page talks to it: forms with cookies and a token, then the messages of connection.js."""

import asyncio
import http.client
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode
from zlib import crc32

import orjson

from crowd.pairs import GAME, LEGS, PATIENCE, Heard, Seats
from crowd.wire import Wire

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
VERSION = re.compile(rb'"version": ?(\d+)')
COOKIE = re.compile(r"(\w+)=([^;]+)")
SEATED = 3  # events before the first move: two sat down, and it began


@dataclass
class House:
    """The server on this port, or those on these: then each table has one of them, or each seat."""

    ports: list[int]
    by_table: bool = True
    name: str = "Ludothèque"
    cookie: str = ""
    token: str = ""

    def open(self) -> Seats:
        """A table, and the cookies of both."""
        if not self.token:
            self._come_in()
        form = {"way": "link", "seats": "2", "seat": "0", "name-0": "bot 0", "option-legs": str(LEGS)}
        new = self.ports[0], f"/games/{GAME}/new"
        address, first = self._post(*new, urlencode(form), "application/x-www-form-urlencoded")
        table, sit = address.removeprefix("/t/"), {"do": "sit", "seat": 1, "name": "bot 1", "id": "sit"}
        _, second = self._post(self._port(table, 1), f"{address}/do", json.dumps(sit), "application/json")
        return table, [first, second]

    async def connect(self, seats: Seats, heard: Heard, settled: Callable[[], None]) -> "Both":
        table, cookies = seats
        both = Both(heard, settled)
        both.people = [Person(both, seat) for seat in (0, 1)]
        for person, cookie in zip(both.people, cookies, strict=True):
            await person.connect(self._port(table, person.seat), table, cookie)
        return both

    def _port(self, table: str, seat: int) -> int:
        return self.ports[(crc32(table.encode()) + (0 if self.by_table else seat)) % len(self.ports)]

    def _come_in(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self.ports[0], timeout=30)
        line.request("GET", f"/games/{GAME}")
        reply = line.getresponse()
        self.cookie = _cookies(reply)["csrftoken"]
        found = TOKEN.search(reply.read().decode())
        assert found is not None
        self.token = found[1]
        line.close()

    def _post(self, port: int, path: str, body: str, kind: str) -> tuple[str, str]:
        """Where it leads, and the cookie of a new visitor."""
        headers = {
            "Content-Type": kind,
            "Cookie": f"csrftoken={self.cookie}",
            "X-CSRFToken": self.token,
            "Origin": f"http://127.0.0.1:{port}",
        }
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        line.request("POST", path, body, headers)
        reply = line.getresponse()
        said = reply.read()
        line.close()
        if reply.status >= 400:
            raise ConnectionError(f"{path}: {reply.status} {said[:200]!r}")
        return reply.headers.get("Location", ""), _cookies(reply)["visitor"]


def _cookies(reply: http.client.HTTPResponse) -> dict[str, str]:
    found = [COOKIE.match(line) for line in reply.headers.get_all("Set-Cookie") or []]
    return {match[1]: match[2] for match in found if match is not None}


@dataclass
class Both:
    """Both people at a table."""

    heard: Heard
    settled: Callable[[], None]
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
        self.wire = Wire(self._hear)
        self.shown = asyncio.Event()

    async def connect(self, port: int, table: str, visitor: str) -> None:
        path = f"/live/{table}?lang=en&version=-1&seat=-1"
        await self.wire.open(port, path, {"Cookie": f"visitor={visitor}"})
        await asyncio.wait_for(self.shown.wait(), PATIENCE)

    def play(self, text: str, moves: int) -> None:
        message = {
            "version": SEATED + moves,
            "entropy": "0123456789012345678901234567890123456789",
            "do": "move",
            "seat": self.seat,
            "move": text,
            "id": f"{self.seat}-{moves}",
        }
        self.wire.send(orjson.dumps(message))

    def _hear(self, message: bytes) -> None:
        if message.startswith(b'{"answer"') and b'"ok"' in message[:100]:
            self.both.settled()
        found = VERSION.search(message, 1, 200)
        if found is None:
            return
        moves = int(found[1]) - SEATED
        if moves > 0:
            self.both.heard(self.seat, moves)
        else:
            self.shown.set()
