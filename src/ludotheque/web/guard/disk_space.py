"""When the disk gets full: what has begun goes on, and all else is refused.

This concerns SQLite, whose file grows beside everything else here; PostgreSQL looks after its own disk. Below
`LUDOTHEQUE_MIN_FREE_MB` moves, hints, puzzles that were begun and all reading go on, with the room that is left, and
so do the deletions of the keeper. Everything else is refused: what may go on is named here, not what may not. When
even a move finds no room, it is refused, too; nothing is acknowledged that was not stored. What reading would store
on the side is left out then. Everything goes on by itself when there is room again.
"""

import logging
import shutil
import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from ludotheque.web.refusals import Refused
from ludotheque.web.words import language, refusal, say

log = logging.getLogger("ludotheque.web.guard.disk_space")
T = TypeVar("T")

NO_ROOM, NOT_STORED = "no-room", "not-stored"  # codes: only what was begun; and not even that
RETRY_AFTER_S = 60
CACHE_S = 1.0  # asking a disk may take a while
MB = 1_000_000
READING = {"GET", "HEAD", "OPTIONS"}
GOING_ON = {
    "do",  # which of its commands: below
    "puzzle",  # none is begun: `puzzles.attempts`
    "lesson",  # stores nothing
    "settings",  # cookies
    "admin:login",
    "admin:logout",
    "admin:web_table_changelist",  # deletes those that were chosen
    "admin:web_table_delete",
    "admin:web_replay_changelist",
    "admin:web_replay_delete",
}
"""Views that more than read, and that go on nevertheless: moves, and what makes room."""

GOING_ON_COMMANDS = {"move", "undo", "draw", "agree", "decline", "resign", "leave", "entropy"}
"""Commands to a table that do; `sit`, for one, does not: a match begins with its last seat."""


class FreeRoomMiddleware:
    """Answers 503 to all but moves and reading while room is short, and to what could not be stored."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        match = request.resolver_match
        goes_on = request.method in READING or match is None or match.view_name in GOING_ON
        return None if goes_on or is_enough() else response(request, NO_ROOM)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return response(request, NOT_STORED) if is_unstored(error) else None


def require() -> None:
    """Refuse what is neither a move nor reading while room is short."""
    if not is_enough():
        raise Refused(NO_ROOM)


def is_enough() -> bool:
    """Whether there is room for more than moves."""
    asked, enough = _last[0]
    if time.monotonic() - asked > CACHE_S:
        is_now = connection.vendor != "sqlite" or free_bytes() > settings.MIN_FREE_MB * MB
        if is_now != enough:
            _tell(is_now)
        enough = is_now
        _last[0] = time.monotonic(), enough
    return enough


_last = [(-CACHE_S, True)]


def forget() -> None:
    """Ask the disk anew."""
    _last[0] = -CACHE_S, True


def free_bytes() -> int:
    """What is left for us on the disk of the data."""
    return shutil.disk_usage(settings.DATA).free


def _tell(is_now: bool) -> None:
    facts = {"folder": str(settings.DATA), "least_mb": settings.MIN_FREE_MB}
    if is_now:
        log.warning("there is room again", extra={"facts": facts})
    else:
        log.warning("room is short: only moves and reading go on", extra={"facts": facts})


def is_unstored(error: BaseException | None) -> bool:
    """Whether SQLite could not write to its disk: it is full, read-only or broken. Nothing has changed then."""
    cause = error.__cause__ if isinstance(error, OperationalError) else None
    code = getattr(cause, "sqlite_errorcode", None)
    if code is None or code & 0xFF not in UNSTORED:
        return False
    log.warning("the database cannot be written", extra={"facts": {"error": cause.sqlite_errorname}})  # type: ignore[union-attr]
    return True


def store_if_possible(write: Callable[[], T], otherwise: T) -> T:
    """What reading stores on the side; where the disk takes nothing, reading goes on without."""
    try:
        return write()
    except OperationalError as error:
        if not is_unstored(error):
            raise
        return otherwise


UNSTORED = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}


def response(request: HttpRequest, code: str) -> HttpResponse:
    """503, for a script or as a page."""
    sentence = refusal(Refused(code), language())
    answer: HttpResponse
    if "application/json" in (request.content_type, request.headers.get("Accept")):
        answer = JsonResponse({"refused": sentence, "code": code, "wait": RETRY_AFTER_S}, status=503)
    else:
        answer = render(request, "web/wrong.html", {"head": say("no-room"), "line": sentence}, status=503)
    answer["Retry-After"] = str(RETRY_AFTER_S)
    answer["Cache-Control"] = "no-store"
    return answer
