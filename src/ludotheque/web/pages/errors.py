"""Error pages: what cannot be read, is not allowed, is not found, or went wrong."""

import sys

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import render

from ludotheque.web.guard import disk_space, outage
from ludotheque.web.words import say
from ludotheque.words import DEFAULT_LANGUAGE, LANGUAGES, in_every_language

BAD_REQUEST_TEXT = in_every_language("web", "unreadable")
SERVER_ERROR_HTML = f"""<!doctype html><html lang="{DEFAULT_LANGUAGE}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>{say("house", DEFAULT_LANGUAGE)}</title></head><body><main><h1>{say("house", DEFAULT_LANGUAGE)}</h1>
{"".join(f'<p lang="{lang}">{say("broken", lang)}</p>' for lang in LANGUAGES)}
</main></body></html>
"""


def bad_request(_request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """400. The request is not read again, as Django's own page would."""
    return HttpResponseBadRequest(BAD_REQUEST_TEXT, content_type="text/plain; charset=utf-8")


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return csrf_failure(request)


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return render(request, "web/wrong.html", {"head": say("not-found"), "line": say("not-found-line")}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, as a page that needs nothing else to work; 503 if only the database cannot be reached or written."""
    if outage.is_outage(sys.exception()):
        return outage.response(request)
    if disk_space.is_unstored(sys.exception()):
        return disk_space.response(request, disk_space.NOT_STORED)
    return HttpResponse(SERVER_ERROR_HTML, status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    if request.headers.get("Accept") == "application/json":
        return HttpResponseBadRequest()
    return render(request, "web/wrong.html", {"head": say("forged"), "line": say("forged-line")}, status=403)
