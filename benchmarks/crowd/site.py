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
FORM = "application/x-www-form-urlencoded"
REFUSED = (429, 503)
EVENTS_BEFORE_MOVES = 3  # two sat down, and it began


class Refused(ConnectionError):  # noqa: N818 - reads as what happened
    """The site answers that it cannot now."""


def move_id(seat: int, moves: int) -> str:
    """The id under which a move is sent that is made after so many others."""
    return f"{seat}-{moves}"


@dataclass
class Site:
    """The server, or the proxy, on this port, as somebody at a loopback address visits it."""

    port: int
    name: str = "Ludothèque"
    address: str = "127.0.0.1"
    cookie: str = ""
    token: str = ""

    def open(self, visitor: str = "") -> Seats:
        """A table, and the cookies of both. `visitor` is the cookie of whoever sets it, else it is somebody new."""
        if not self.token:
            self.get_token()
        form = {"way": "link", "seats": "2", "seat": "0", "name-0": "bot 0", "option-legs": str(LEGS)}
        address, first = self._post(f"/games/{GAME}/new", urlencode(form), FORM, visitor)
        table, sit = address.removeprefix("/t/"), {"do": "sit", "seat": 1, "name": "bot 1", "id": "sit"}
        _, second = self._post(f"{address}/do", json.dumps(sit), "application/json")
        return table, [first, second]

    def open_against_computer(self, level: str = "5", visitor: str = "") -> str:
        """A table at which a computer player moves first."""
        if not self.token:
            self.get_token()
        form = {"way": "computer", "seats": "2", "seat": "1", "level": level}
        address, _ = self._post(f"/games/{GAME}/new", urlencode(form), FORM, visitor)
        return address.removeprefix("/t/")

    async def connect(self, seats: Seats, on_moves: OnMoves, on_answer: Callable[[], None]) -> "Both":
        table, cookies = seats
        both = Both(on_moves, on_answer)
        both.people = [Person(both, seat) for seat in (0, 1)]
        for person, cookie in zip(both.people, cookies, strict=True):
            await person.connect(self.port, table, cookie, self.address)
        return both

    def get_token(self) -> None:
        connection = self._connection()
        connection.request("GET", f"/games/{GAME}")
        reply = connection.getresponse()
        page = reply.read()
        connection.close()
        _check(reply, f"/games/{GAME}", page)
        self.cookie = _cookies(reply)["csrftoken"]
        found = TOKEN.search(page.decode())
        assert found is not None
        self.token = found[1]

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=CONNECT_TIMEOUT_S, source_address=(self.address, 0)
        )

    def _post(self, path: str, body: str, kind: str, visitor: str = "") -> tuple[str, str]:
        """Where it redirects to, and the cookie of the visitor, who may be new."""
        headers = {
            "Content-Type": kind,
            "Cookie": f"csrftoken={self.cookie}{f'; visitor={visitor}' if visitor else ''}",
            "X-CSRFToken": self.token,
            "Origin": f"http://127.0.0.1:{self.port}",
        }
        connection = self._connection()
        connection.request("POST", path, body, headers)
        reply = connection.getresponse()
        page = reply.read()
        connection.close()
        _check(reply, path, page)
        return reply.headers.get("Location", ""), _cookies(reply).get("visitor", visitor)


def _check(reply: http.client.HTTPResponse, path: str, page: bytes) -> None:
    """Raise an error that says what was not answered."""
    if reply.status in REFUSED:
        raise Refused(f"{path}: {reply.status}")
    if reply.status >= 400:
        raise ConnectionError(f"{path}: {reply.status} {page[:200]!r}")


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

    async def connect(self, port: int, table: str, visitor: str, address: str) -> None:
        path = f"/live/{table}?lang=en&version=-1&seat=-1"
        await self.wire.open(port, path, {"Cookie": f"visitor={visitor}"}, address)
        await asyncio.wait_for(self.shown.wait(), CONNECT_TIMEOUT_S)

    def play(self, text: str, moves: int) -> None:
        message = {
            "version": EVENTS_BEFORE_MOVES + moves,
            "entropy": "0123456789012345678901234567890123456789",
            "do": "move",
            "seat": self.seat,
            "move": text,
            "id": move_id(self.seat, moves),
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
