"""While the database is away: a kind page within seconds, and whoever asked comes back by themselves."""

import logging
import time
from collections.abc import Callable
from threading import Event, Thread

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from ludotheque.web.words import language, say
from ludotheque.words import LANGUAGES

log = logging.getLogger("ludotheque.web.guard.outage")

SOON = 5  # seconds after which one should ask again
CODE = "away"
KEEPERS = ("/health", "/ready", "/metrics")  # they tell by themselves
PLAIN = " / ".join(say("away", lang) for lang in LANGUAGES)


class Excused:
    """Says so kindly when a view finds no database; once that is known, before it looks for one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return sorry(request) if _gone.is_set() and request.path not in KEEPERS else self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not is_away(error):
            return None
        log.warning("the database is away", extra={"facts": {"error": type(error).__name__}})
        return sorry(request)


def is_away(error: BaseException | None) -> bool:
    """Whether it is the database that cannot be reached; SQLite gives the same name to mistakes of ours."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    notice()
    return connection.vendor != "sqlite" or "locked" in str(error)


def notice() -> None:
    """Something went wrong: if PostgreSQL is not there at all, nobody waits for it until it is."""
    if connection.vendor == "postgresql" and not _gone.is_set() and not _reached():
        _gone.set()
        Thread(target=_wait, daemon=True).start()


def check() -> None:
    """Raises at once what else would come after a while."""
    if _gone.is_set():
        raise OperationalError("PostgreSQL is away")


_gone = Event()


def _wait() -> None:
    while not _reached():
        time.sleep(1)
    _gone.clear()


def _reached() -> bool:
    """Whether PostgreSQL lets somebody in who is not of the pool, where one may have to wait for others."""
    import psycopg  # noqa: PLC0415 - only whoever has PostgreSQL has this

    try:
        psycopg.connect(**{**connection.get_connection_params(), "connect_timeout": 2}).close()
    except psycopg.OperationalError:
        return False
    return True


def sorry(request: HttpRequest) -> HttpResponse:
    response: HttpResponse
    if "application/json" in (request.content_type, request.headers.get("Accept")):
        response = JsonResponse({"refused": say("away-line", language()), "code": CODE, "wait": SOON}, status=503)
    else:
        response = render(request, "web/wrong.html", {"head": say("away"), "line": say("away-line")}, status=503)
        if request.method == "GET":
            response["Refresh"] = str(SOON)
    response["Retry-After"] = str(SOON)
    response["Cache-Control"] = "no-store"
    return response
