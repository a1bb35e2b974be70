"""Who is asking: a visitor is a random name in a signed cookie, and nothing more."""

import secrets
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie

from django.conf import settings
from django.core.signing import BadSignature, get_cookie_signer
from django.http import HttpRequest, HttpResponse

COOKIE = "visitor"
AGE = 400 * 24 * 3600  # the longest that browsers keep


def visitor(request: HttpRequest) -> str:
    """The visitor of this request."""
    found = request.META["ludotheque.visitor"]
    assert isinstance(found, str)
    return found


def known(request: HttpRequest) -> str:
    """The visitor, if they have been here before; else nobody."""
    return visitor(request) if request.META["ludotheque.known"] else ""


class Welcomed:
    """Gives everyone who comes without a cookie one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        known = read(request.COOKIES.get(COOKIE, ""))
        request.META["ludotheque.known"] = bool(known)
        request.META["ludotheque.visitor"] = known or secrets.token_urlsafe(18)
        response = self.get_response(request)
        if not known and request.META.get("ludotheque.keep"):
            response.set_cookie(
                COOKIE, sign(visitor(request)), AGE, secure=settings.HTTPS, httponly=True, samesite="Lax"
            )
        return response


def remember(request: HttpRequest) -> str:
    """The visitor, who from now on gets a cookie: called when there is something to remember."""
    request.META["ludotheque.keep"] = True
    return visitor(request)


def sign(name: str) -> str:
    return get_cookie_signer(salt=COOKIE).sign(name)


def read(cookie: str) -> str:
    """The visitor of a cookie, or nobody if it is forged."""
    try:
        return get_cookie_signer(salt=COOKIE).unsign(cookie)
    except BadSignature:
        return ""


def of_headers(headers: list[tuple[bytes, bytes]]) -> str:
    """The visitor of a WebSocket."""
    cookies: SimpleCookie = SimpleCookie()
    for name, value in headers:
        if name == b"cookie":
            try:
                cookies.load(value.decode("latin-1"))
            except CookieError:
                return ""
    return read(cookies[COOKIE].value) if COOKIE in cookies else ""
