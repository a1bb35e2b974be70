"""While the database is away: a kind page within seconds, and whoever asked comes back by themselves."""

import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from ludotheque.web.speech import language, say
from ludotheque.words import LANGUAGES

log = logging.getLogger("ludotheque.web.away")

SOON = 5  # seconds after which one should ask again
CODE = "away"
PLAIN = " / ".join(say("away", lang) for lang in LANGUAGES)


class Excused:
    """Says so kindly when a view finds no database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not is_away(error):
            return None
        log.warning("the database is away", extra={"facts": {"error": type(error).__name__}})
        return sorry(request)


def is_away(error: BaseException | None) -> bool:
    """Whether it is the database that cannot be reached; SQLite gives the same name to mistakes of ours."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return connection.vendor != "sqlite" or "locked" in str(error)


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
