"""Text that can be stored: NUL and half surrogate pairs are refused before any view or connection sees them.

Addresses and bodies are checked before Django is asked; cookies and forms once more as Django reads them, whatever
encoding they have come in. Bytes that are no UTF-8 become replacement characters, which can be stored.
"""

import codecs
import re
from collections.abc import Callable, Iterable
from urllib.parse import unquote_to_bytes

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from ludotheque.web.guard.request_size import App, Receive, Scope, Send, answer, refuse_websocket, replay
from ludotheque.web.inputs import ESCAPED_NUL, is_storable
from ludotheque.words import in_every_language

UNREADABLE = 400
UNREADABLE_TEXT = in_every_language("web", "unreadable")
NUL = re.compile(rb"\0|%00|\\u0000")  # in a body of unknown kind
NUL_BY_KIND = {
    b"application/json": re.compile(rb"\0|" + ESCAPED_NUL.pattern),
    b"multipart/form-data": re.compile(rb"\0"),
}


def plain_text(app: App) -> App:
    """The application, called only with what can be stored; bodies arrive here whole, from `limit_size`."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        good = is_storable(scope["path"]) and b"\0" not in unquote_to_bytes(scope["query_string"])
        if scope["type"] == "websocket":
            await (app(scope, receive, send) if good else _refuse_websocket(scope, receive, send))
            return
        body = (await receive()).get("body", b"")
        if good and not _nul(scope).search(body):
            await app(scope, replay(body, receive), send)
        else:
            await answer(send, UNREADABLE, UNREADABLE_TEXT)

    return serve


async def _refuse_websocket(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await refuse_websocket(scope, send, UNREADABLE, UNREADABLE_TEXT)


def _nul(scope: Scope) -> re.Pattern[bytes]:
    """How a body of this kind writes NUL."""
    kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    return NUL_BY_KIND.get(kind.partition(b";")[0].strip().lower(), NUL)


class PlainTextMiddleware:
    """Answers 400 to cookies and forms with text that cannot be stored, and to forms that are not in UTF-8."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.encoding and codecs.lookup(request.encoding).name != "utf-8":
            raise BadRequest
        if not all(map(is_storable, _texts(request))):
            raise BadRequest
        return self.get_response(request)


def _texts(request: HttpRequest) -> Iterable[str]:
    """What cookies and forms say."""
    for name, value in request.COOKIES.items():
        yield from (name, value)
    for name, values in request.POST.lists():
        yield name
        yield from (str(value) for value in values)
    for name, file in request.FILES.items():
        yield from (name, getattr(file, "name", None) or "")
