"""Who is asking. A visitor is a random name in a signed cookie; the database knows its hash alone."""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie

from django.conf import settings
from django.core.signing import BadSignature, get_cookie_signer
from django.http import HttpRequest, HttpResponse

from ludotheque.web.models import Seat

COOKIE = "visitor"
COOKIE_AGE_S = 400 * 24 * 3600  # the longest that browsers allow


address: ContextVar[str] = ContextVar("address", default="")
"""The address from which was asked for what is done now; empty for what the site does by itself."""

asker: ContextVar[str] = ContextVar("asker", default="")
"""The visitor who asked for it, as a hash; empty for all without a cookie."""


@contextmanager
def asked_from(where: str, who: str = "") -> Iterator[None]:
    """What is done meanwhile, somebody at this address has asked for, and of them this visitor, as a hash."""
    tokens = address.set(where), asker.set(who)
    try:
        yield
    finally:
        address.reset(tokens[0])
        asker.reset(tokens[1])


@lru_cache(10_000)  # the same few visitors ask again and again
def hashed(secret: str) -> str:
    """What the database stores instead of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def hash_of(visitor: str) -> str:
    """A visitor as the database knows them; empty for those without a cookie."""
    return hashed(visitor) if visitor else ""


def owns(seat: Seat, visitor: str) -> bool:
    """Whether the seat is this visitor's."""
    return seat.kind == Seat.Kind.PERSON and bool(visitor) and seat.visitor == hashed(visitor)


def visitor(request: HttpRequest) -> str:
    """The visitor of this request."""
    found = request.META["ludotheque.visitor"]
    assert isinstance(found, str)
    return found


def known(request: HttpRequest) -> str:
    """The visitor if they brought a cookie, else an empty text."""
    return visitor(request) if request.META["ludotheque.known"] else ""


class VisitorMiddleware:
    """Names every visitor, and sets the cookie once a view has asked to remember them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        known = read(request.COOKIES.get(COOKIE, ""))
        request.META["ludotheque.known"] = bool(known)
        request.META["ludotheque.visitor"] = known or secrets.token_urlsafe(18)
        response = self.get_response(request)
        if _needs_cookie(request, response):
            response.set_cookie(
                COOKIE, sign(visitor(request)), COOKIE_AGE_S, secure=settings.HTTPS, httponly=True, samesite="Lax"
            )
        return response


def _needs_cookie(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether something is to be remembered of a new visitor, or the cookie is signed with an old key."""
    if not request.META["ludotheque.known"]:
        return bool(request.META.get("ludotheque.keep"))
    if not settings.SECRET_KEY_FALLBACKS or "public" in response.get("Cache-Control", ""):  # caches keep cookies, too
        return False
    return not read(request.COOKIES[COOKIE], current_key_only=True)


def remember(request: HttpRequest) -> str:
    """The visitor, who gets a cookie with the response: call it when something of theirs is stored."""
    request.META["ludotheque.keep"] = True
    return visitor(request)


def sign(name: str) -> str:
    return get_cookie_signer(salt=COOKIE).sign(name)


def read(cookie: str, *, current_key_only: bool = False) -> str:
    """The visitor of a cookie; an empty text if its signature is wrong."""
    signer = get_cookie_signer(salt=COOKIE)
    if current_key_only:
        signer.fallback_keys = []
    try:
        return signer.unsign(cookie)
    except BadSignature:
        return ""


def of_headers(headers: list[tuple[bytes, bytes]]) -> str:
    """The visitor of an ASGI scope, WebSockets included."""
    cookies: SimpleCookie = SimpleCookie()
    for name, value in headers:
        if name == b"cookie":
            try:
                cookies.load(value.decode("latin-1"))
            except CookieError:
                return ""
    return read(cookies[COOKIE].value) if COOKIE in cookies else ""
