"""Others who ask for one thing after the other while somebody attacks: a page, a new puzzle, a computer's turn."""

import http.client
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from crowd.site import EVENTS_BEFORE_MOVES, REFUSED, Refused, Site

READER, SOLVER, PLAYER = "127.0.2.1", "127.0.2.2", "127.0.2.3"
PAGE_EVERY_S, WISH_EVERY_S = 0.2, 1.0
ANSWER_TIMEOUT_S = 30
ASK_AGAIN_S = 2.0  # as the page of a puzzle that is being made does
LOOK_AGAIN_S = 0.1  # for a move of a computer player
PUZZLE = "/puzzles/hepta-solo/2/{}"
FIRST_PUZZLE, PUZZLES_APART = 600_000, 100  # so that the site has not made the next one ahead
LEVEL = "3"


class Ended(Exception):  # noqa: N818 - reads as what happened
    """It is over before the answer has come."""


@dataclass
class Looker:
    """Somebody at an address of their own, and what became of all that they asked for."""

    name: str
    ask: Callable[[int, threading.Event], None]
    every_s: float
    took_s: list[float] = field(default_factory=list)
    unanswered_s: float = 0.0  # since when the last one was waited for in vain, at the end
    refused: int = 0
    failures: list[str] = field(default_factory=list)
    _since: float = 0.0

    @property
    def slowest_s(self) -> float:
        """An answer that never came counts as long as it was waited for; infinite if nothing was answered."""
        return max([*self.took_s, *filter(None, [self.unanswered_s])], default=float("inf"))

    def forget(self) -> None:
        """Begin to measure; what is waited for now counts from now on."""
        self.took_s.clear()
        self._since = time.monotonic()

    def look(self, over: threading.Event) -> None:
        """Ask again and again, until it is over."""
        number = 0
        while not over.wait(self.every_s):
            self._since = time.monotonic()
            try:
                self.ask(number, over)
            except Ended:
                self.unanswered_s = time.monotonic() - self._since
                return
            except Refused:
                self.refused += 1
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(f"{self.name}: {error!r}")
            else:
                self.took_s.append(time.monotonic() - self._since)
            number += 1


class Address(NamedTuple):
    """Where somebody asks from."""

    port: int
    own: str

    def get(self, path: str) -> int:
        """The status of a page that was read whole; raises `Refused`, or whatever else goes wrong."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=ANSWER_TIMEOUT_S, source_address=(self.own, 0)
        )
        try:
            connection.request("GET", path)
            reply = connection.getresponse()
            reply.read()
        finally:
            connection.close()
        if reply.status in REFUSED:
            raise Refused(f"{path}: {reply.status}")
        if reply.status >= 400:
            raise ConnectionError(f"{path}: {reply.status}")
        return reply.status


def page(port: int, path: str) -> Looker:
    """Somebody who reads a page five times a second."""
    address = Address(port, READER)

    def ask(_number: int, _over: threading.Event) -> None:
        address.get(path)

    return Looker("page", ask, PAGE_EVERY_S)


def puzzle(port: int) -> Looker:
    """Somebody who wants new puzzles: a page asks until it is made."""
    address = Address(port, SOLVER)

    def ask(number: int, over: threading.Event) -> None:
        path = PUZZLE.format(FIRST_PUZZLE + PUZZLES_APART * number)
        while address.get(path) != 200:
            _wait(over, ASK_AGAIN_S)

    return Looker("puzzle", ask, WISH_EVERY_S)


def computers_turn(port: int) -> Looker:
    """Somebody who sits down against a computer player, who moves first, and waits for that move."""
    address = Address(port, PLAYER)
    visit = Site(port, address=address.own)

    def ask(_number: int, over: threading.Event) -> None:
        table = visit.open_against_computer(LEVEL)
        while address.get(f"/t/{table}/screen?version={EVENTS_BEFORE_MOVES}") != 200:
            _wait(over, LOOK_AGAIN_S)

    return Looker("turn", ask, WISH_EVERY_S)


def _wait(over: threading.Event, seconds: float) -> None:
    if over.wait(seconds):
        raise Ended
