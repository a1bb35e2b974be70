"""boardgame.io's own server, and how its client talks to it: socket.io over a WebSocket."""

import asyncio
import http.client
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import orjson

from crowd.pairs import CONNECT_TIMEOUT_S, GAME, LEGS, OnMoves, Seats
from crowd.wire import Wire
from ludotheque.board.square import NUMBERS

STATE = re.compile(rb'"_stateID":(\d+)')
SPACE = f"/{GAME},".encode()
OPENED, JOINED, SAYS, PING, PONG = b"0", b"40" + SPACE, b"42" + SPACE, b"2", b"3"


@dataclass
class Rival:
    """The server on this port."""

    port: int
    name: str = "boardgame.io"

    def open(self) -> Seats:
        """A match, and the credentials of both."""
        match = str(self._post("create", {"numPlayers": 2, "setupData": {"legs": LEGS}})["matchID"])
        people = [{"playerID": str(seat), "playerName": f"bot {seat}"} for seat in (0, 1)]
        return match, [str(self._post(f"{match}/join", {**person})["playerCredentials"]) for person in people]

    async def connect(self, seats: Seats, on_moves: OnMoves, on_answer: Callable[[], None]) -> "Both":
        match, credentials = seats
        both = Both(match, on_moves, on_answer)
        both.people = [Person(both, seat, secret) for seat, secret in enumerate(credentials)]
        for person in both.people:
            await person.connect(self.port)
        return both

    def _post(self, path: str, body: dict[str, object]) -> dict[str, object]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=CONNECT_TIMEOUT_S)
        connection.request("POST", f"/games/{GAME}/{path}", json.dumps(body), {"Content-Type": "application/json"})
        reply = connection.getresponse()
        found = json.loads(reply.read())
        connection.close()
        assert isinstance(found, dict)
        return found


@dataclass
class Both:
    """Both bots of a match."""

    match: str
    on_moves: OnMoves
    on_answer: Callable[[], None]
    people: "list[Person]" = field(default_factory=list)
    moving: int = 0

    def play(self, seat: int, text: str, moves: int) -> None:
        self.moving = seat
        self.people[seat].play(text, moves)

    def updated(self, seat: int, state: int) -> None:
        """The new state has come to a screen; to the mover it is the acknowledgement too."""
        self.on_moves(seat, state)
        if seat == self.moving:
            self.on_answer()

    def close(self) -> None:
        for person in self.people:
            person.close()


class Person:
    """One client."""

    def __init__(self, both: Both, seat: int, credentials: str) -> None:
        self.both, self.seat, self.credentials = both, seat, credentials
        self.wire = Wire(self._on_message)
        self.synced = asyncio.Event()

    async def connect(self, port: int) -> None:
        await self.wire.open(port, "/socket.io/?EIO=4&transport=websocket")
        await asyncio.wait_for(self.synced.wait(), CONNECT_TIMEOUT_S)

    def play(self, text: str, moves: int) -> None:
        kind, args = _call(text)
        seat = str(self.seat)
        payload = {"type": kind, "args": [args], "playerID": seat, "credentials": self.credentials}
        action = {"type": "MAKE_MOVE", "payload": payload}
        self._say("update", action, moves, self.both.match, seat)

    def close(self) -> None:
        self.wire.close()

    def _say(self, *words: object) -> None:
        self.wire.send(SAYS + orjson.dumps(words))

    def _on_message(self, message: bytes) -> None:
        if message == PING:
            self.wire.send(PONG)
        elif message.startswith(SAYS + b'["update"'):
            found = STATE.search(message)
            assert found is not None
            self.both.updated(self.seat, int(found[1]))
        elif message.startswith(SAYS + b'["sync"'):
            self.synced.set()
        elif message.startswith(JOINED):
            self._say("sync", self.both.match, str(self.seat), self.credentials, 2)
        elif message.startswith(OPENED):
            self.wire.send(JOINED)


def _call(text: str) -> tuple[str, object]:
    """A move of ours as theirs is called."""
    if text in ("I", "L"):
        return "take", text
    cells = [NUMBERS[name] for name in text.split("-")]
    return ("block", cells[0]) if len(cells) == 1 else ("lay", cells)
