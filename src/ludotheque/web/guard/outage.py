"""While the database cannot be reached: a page that says so within seconds, and reloads by itself."""

import logging
import time
from collections.abc import Callable
from threading import Event, Thread

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from ludotheque.extras import extra
from ludotheque.web.words import language, say
from ludotheque.words import in_every_language

log = logging.getLogger("ludotheque.web.guard.outage")

RETRY_AFTER_S = 5
CODE = "away"
MONITORING_PATHS = ("/health", "/ready", "/metrics")  # they report the outage themselves
PLAIN_TEXT = in_every_language("web", "away")


class DatabaseOutageMiddleware:
    """Answers 503 when a view finds no database; while an outage is known, before the view is called."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return (
            response(request)
            if _outage.is_set() and request.path not in MONITORING_PATHS
            else self.get_response(request)
        )

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not is_outage(error):
            return None
        log.warning("database unavailable", extra={"facts": {"error": type(error).__name__}})
        return response(request)


def is_outage(error: BaseException | None) -> bool:
    """Whether the database cannot be reached. SQLite raises these errors for our own mistakes, too, unless locked."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    notice()
    return connection.vendor != "sqlite" or "locked" in str(error)


def notice() -> None:
    """Check PostgreSQL after an error: if it cannot be reached at all, fail fast until it can."""
    if connection.vendor == "postgresql" and not _outage.is_set() and not _reached():
        _outage.set()
        Thread(target=_wait, daemon=True).start()


def check() -> None:
    """Raise at once during a known outage, instead of waiting for a timeout."""
    if _outage.is_set():
        raise OperationalError("PostgreSQL cannot be reached")


_outage = Event()


def _wait() -> None:
    while not _reached():
        time.sleep(1)
    _outage.clear()


def _reached() -> bool:
    """Whether PostgreSQL accepts a connection outside the pool, whose connections may just be busy."""
    with extra("scale"):
        import psycopg  # noqa: PLC0415 - only whoever has PostgreSQL has this

    try:
        psycopg.connect(**{**connection.get_connection_params(), "connect_timeout": 2}).close()
    except psycopg.OperationalError:
        return False
    return True


def response(request: HttpRequest) -> HttpResponse:
    """503, for a script or as a page."""
    answer: HttpResponse
    if "application/json" in (request.content_type, request.headers.get("Accept")):
        answer = JsonResponse(
            {"refused": say("away-line", language()), "code": CODE, "wait": RETRY_AFTER_S}, status=503
        )
    else:
        answer = render(request, "web/wrong.html", {"head": say("away"), "line": say("away-line")}, status=503)
        if request.method == "GET":
            answer["Refresh"] = str(RETRY_AFTER_S)
    answer["Retry-After"] = str(RETRY_AFTER_S)
    answer["Cache-Control"] = "no-store"
    return answer
