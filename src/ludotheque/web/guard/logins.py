"""Log-ins at `/admin/`: every failure makes the next attempt wait longer, and all of them are logged.

Failures count for the name that was tried and for the address. A browser that has logged in before has a cookie and
counts by itself alone: nobody can lock a keeper out by failing in their name, or at their address.
"""

import logging
import math
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.core.signing import BadSignature, get_cookie_signer
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from ludotheque.web import visitors
from ludotheque.web.guard import rate_limits
from ludotheque.web.monitor import usage

log = logging.getLogger("ludotheque.web.guard.logins")

FREE_ATTEMPTS = 3
FIRST_DELAY_S = 2  # doubled by every further failure
MAX_DELAY_S = 15 * 60  # of an address, and of a browser that has logged in before
MAX_NAME_DELAY_S = 60  # short, since it also stops the right person at a new browser
FORGOTTEN_AFTER_S = 24 * 3600
BROWSER_COOKIE, BROWSER_COOKIE_AGE_S = "keeper", 180 * 24 * 3600
LOGIN_PATH = "/admin/login/"
SALT = "ludotheque.web.guard.logins"


@dataclass(frozen=True)
class Counter:
    """The failures of a name, an address or a browser."""

    key: str
    max_delay_s: int

    def seconds_left(self) -> int:
        until: float = cache.get(f"{self.key}:until", 0.0)
        return max(0, math.ceil(until - time.time()))

    def add(self) -> None:
        """Count an attempt as failed, before it is known to be: others may come while the password is checked."""
        cache.add(f"{self.key}:failures", 0, FORGOTTEN_AFTER_S)
        delay = delay_after(cache.incr(f"{self.key}:failures"), self.max_delay_s)
        cache.set(f"{self.key}:until", time.time() + delay, FORGOTTEN_AFTER_S)

    def reset(self) -> None:
        cache.delete_many([f"{self.key}:failures", f"{self.key}:until"])


def delay_after(failures: int, max_delay_s: int) -> int:
    """Seconds until the next attempt."""
    doublings = failures - FREE_ATTEMPTS - 1
    return 0 if doublings < 0 else min(max_delay_s, FIRST_DELAY_S << min(doublings, 20))


class Attempt(NamedTuple):
    """Somebody who wants to log in; `browser` is empty unless it has logged in under this name before."""

    name: str
    address: str
    browser: str

    @classmethod
    def of(cls, request: HttpRequest) -> "Attempt":
        name = request.POST.get("username", "")
        address = rate_limits.network(request.META.get("REMOTE_ADDR", ""))
        return cls(name, address, _known_browser(request, name))

    def counters(self) -> list[Counter]:
        if self.browser:
            return [_counter("browser", self.browser, MAX_DELAY_S)]
        return [_counter("address", self.address, MAX_DELAY_S), _counter("name", self.name, MAX_NAME_DELAY_S)]

    def begin(self, request: HttpRequest) -> int:
        """Count it. Seconds to wait if it comes too early, else 0."""
        waits = [counter.seconds_left() for counter in self.counters()]
        if not self.browser:
            waits.append(rate_limits.wait("login", visitors.known(request), self.address))
        if seconds := max(waits):
            return seconds
        for counter in self.counters():
            counter.add()
        return 0

    def failed(self) -> None:
        is_known = get_user_model().objects.filter(username=self.name).exists()
        name = self.name if is_known else "unknown"  # it may well be a password
        log.warning("log-in failed", extra={"facts": {"name": name, "who": usage.label(self.address)}})

    def succeeded(self, response: HttpResponse) -> None:
        """Forget failures, and let the browser be known."""
        for counter in (*self.counters(), _counter("name", self.name, MAX_NAME_DELAY_S)):
            counter.reset()
        cookie = get_cookie_signer(salt=SALT).sign(f"{salted(self.name)}.{self.browser or secrets.token_urlsafe(12)}")
        response.set_cookie(
            BROWSER_COOKIE,
            cookie,
            BROWSER_COOKIE_AGE_S,
            path=LOGIN_PATH,
            secure=settings.HTTPS,
            httponly=True,
            samesite="Strict",
        )
        log.info("log-in", extra={"facts": {"name": self.name, "who": usage.label(self.address)}})


class LoginMiddleware:
    """Answers 429 to attempts to log in that come too early; counts and logs the others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        attempt = request.META.get("ludotheque.login")
        if isinstance(attempt, Attempt) and response.status_code < 500:
            if response.status_code == 302:
                attempt.succeeded(response)
            else:
                attempt.failed()
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        match = request.resolver_match
        if request.method != "POST" or match is None or match.view_name != "admin:login":
            return None
        attempt = Attempt.of(request)
        if seconds := attempt.begin(request):
            return rate_limits.refusal(request, seconds)
        request.META["ludotheque.login"] = attempt
        return None


def salted(text: str) -> str:
    """Recognisable by this site alone, and only as the same again."""
    return salted_hmac(SALT, text).hexdigest()[:16]


def _counter(kind: str, name: str, max_delay_s: int) -> Counter:
    return Counter(f"login:{kind}:{salted(name)}", max_delay_s)


def _known_browser(request: HttpRequest, name: str) -> str:
    """The name of a browser that has logged in under this name; empty for any other."""
    try:
        signed = get_cookie_signer(salt=SALT).unsign(request.COOKIES.get(BROWSER_COOKIE, ""))
    except BadSignature:
        return ""
    whose, _, browser = signed.partition(".")
    return browser if secrets.compare_digest(whose, salted(name)) else ""
