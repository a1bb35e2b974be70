"""How often is too often: at every entrance, by visitor and by address.

Each entrance has a limit within a window of time. The window before counts for as much of it as is less than a window
ago, so nobody gains by waiting for the full minute. What is refused does not count. The counters are in the memory of
this process or, by steps that cannot collide, in Redis for all of them. Processes
without Redis count each for itself, so together they may let through as many times as much as they are. A Redis that
is away stops nobody. What comes over an open line is counted in Redis only once it is a tenth of the limit: most
people never make the network wait.
"""

import logging
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from ipaddress import ip_address, ip_network
from threading import Lock
from typing import Any, NamedTuple

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from ludotheque.game import Json
from ludotheque.web import visitors
from ludotheque.web.guard.request_size import App, Receive, Scope, Send, answer, turn_away
from ludotheque.web.models import hashed
from ludotheque.web.monitor import metrics
from ludotheque.web.words import language, say
from ludotheque.words import LANGUAGES

log = logging.getLogger("ludotheque.web.guard.rate_limits")

TOO_OFTEN = "too-often"  # the code of such a refusal
MINUTE, HOUR = 60, 3600
FEW = 0.1  # part of a limit that each process lets through before it asks what the others have counted
COUNTERS = 100_000  # in memory; those that were not touched for longest are forgotten
IPV6_PREFIX = 64  # one household or one server has at least so many addresses


class Limit(NamedTuple):
    """How many a visitor and an address may have in so many seconds, 0 for any number; at once if there are none."""

    visitor: int
    address: int
    seconds: int


USUAL = {
    "page": Limit(600, 12_000, MINUTE),
    "file": Limit(0, 12_000, MINUTE),
    "deed": Limit(300, 6_000, MINUTE),
    "table": Limit(120, 2_000, HOUR),
    "hint": Limit(30, 300, MINUTE),
    "make": Limit(30, 600, MINUTE),
    "puzzle": Limit(60, 600, MINUTE),
    "booklet": Limit(20, 200, HOUR),
    "link": Limit(60, 600, HOUR),
    "seat": Limit(60, 600, HOUR),
    "login": Limit(30, 60, HOUR),
    "socket": Limit(120, 6_000, MINUTE),
    "sockets": Limit(60, 3_000, 0),
}
"""A club behind one address never meets these; `LUDOTHEQUE_LIMITS` changes them."""

DEAR = {
    ("POST", "new"): "table",
    ("GET", "hint"): "hint",
    ("POST", "link"): "link",
    ("GET", "seat"): "seat",
    ("POST", "seat"): "seat",
    ("POST", "admin:login"): "login",
    ("POST", "booklets"): "booklet",
    ("POST", "bring"): "make",
    ("GET", "table-preview"): "make",
    ("GET", "replay-preview"): "make",
    ("GET", "puzzle-preview"): "make",
}
"""Views that have an entrance of their own, beside that of all pages and deeds."""


def read(wanted: str) -> dict[str, Limit]:
    """The limits as a keeper wants them: `deed=600/9000 table=30/0`, or `off`."""
    if wanted.strip() == "off":
        return {name: Limit(0, 0, limit.seconds) for name, limit in USUAL.items()}
    found = dict(USUAL)
    for word in wanted.replace(",", " ").split():
        name, _, numbers = word.partition("=")
        visitor, _, address = numbers.partition("/")
        if name not in USUAL or not (visitor.isdecimal() and address.isdecimal()):
            raise ImproperlyConfigured(
                f"LUDOTHEQUE_LIMITS: {word!r} is no limit; write ENTRANCE=VISITOR/ADDRESS, with {', '.join(USUAL)}"
            )
        found[name] = Limit(int(visitor), int(address), USUAL[name].seconds)
    return found


@lru_cache(10_000)
def network(address: str) -> str:
    """What counts as one address."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"  # a socket of this machine
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ip_network((int(found), IPV6_PREFIX), strict=False).network_address)


@cache
def counts_here() -> bool:
    """Whether counting is a matter of this process's memory, and takes no time."""
    return not settings.REDIS_URL


@cache
def _limits() -> dict[str, Limit]:
    """What the keeper wants: read once, since Django's settings take their time and every move asks."""
    return read(settings.LIMITS)


@receiver(setting_changed)
def _forget(*, setting: str, **_more: object) -> None:
    """Only tests change them."""
    if setting == "LIMITS":
        _limits.cache_clear()


def wait(entrance: str, visitor: str, address: str) -> int:
    """Count one more. Seconds to wait if that is too many, else 0."""
    most = _most(entrance, visitor, address)
    try:
        seconds = _count(most, USUAL[entrance].seconds) if most else 0
    except Exception:
        log.warning("limits are not counted", exc_info=True)  # whatever the cache is, the house stays open without it
        return 0
    if seconds:
        metrics.LIMITED.labels(entrance).inc()
    return seconds


def _most(entrance: str, visitor: str, address: str) -> Mapping[str, int]:
    """Under which names it is counted, and how many there may be under each."""
    return _named(_limits()[entrance], entrance, visitor, address)


@lru_cache(10_000)
def _named(limit: Limit, entrance: str, visitor: str, address: str) -> Mapping[str, int]:
    """Who moves comes again soon."""
    most = {}
    if visitor and limit.visitor:
        most[f"{entrance}.{hashed(visitor)}"] = limit.visitor
    if limit.address:
        most[f"{entrance}.{network(address)}"] = limit.address
    return most


def among_few(entrance: str, visitor: str, address: str) -> bool:
    """Count one more, here alone: whether it is so far from the limit that the other processes need not know."""
    names = _most(entrance, visitor, address)
    seconds = _limits()[entrance].seconds
    counted = few.one_more(list(names), int(time.time() // seconds), seconds)
    return all(
        number + earlier <= FEW * limit for (number, earlier), limit in zip(counted, names.values(), strict=True)
    )


def _count(most: Mapping[str, int], seconds: int) -> int:
    """Count one more under each of these names, or under none of them if that is too many for one."""
    window, since = divmod(time.time(), seconds)
    counters: Here | Shared = here if counts_here() else shared
    counted = counters.one_more(list(most), int(window), seconds)
    for (number, earlier), limit in zip(counted, most.values(), strict=True):
        if number + earlier * (1 - since / seconds) > limit:
            counters.one_less(list(most), int(window))
            return _until_free(number - 1, earlier, limit, seconds) - int(since)
    return 0


class Here:
    """Counters in this process: for every name the window, how many there are in it, and how many were before."""

    def __init__(self) -> None:
        self._counts: OrderedDict[str, tuple[int, int, int]] = OrderedDict()
        self._lock = Lock()

    def one_more(self, names: list[str], window: int, _seconds: int) -> list[tuple[int, int]]:
        with self._lock:
            return [self._one_more(name, window) for name in names]

    def _one_more(self, name: str, window: int) -> tuple[int, int]:
        known, number, earlier = self._counts.get(name, (window, 0, 0))
        if known != window:
            number, earlier = 0, number if known == window - 1 else 0
        self._counts[name] = window, number + 1, earlier
        self._counts.move_to_end(name)
        if len(self._counts) > COUNTERS:
            self._counts.popitem(last=False)
        return number + 1, earlier

    def one_less(self, names: list[str], _window: int) -> None:
        with self._lock:
            for name in names:
                if name in self._counts:
                    window, number, earlier = self._counts[name]
                    self._counts[name] = window, number - 1, earlier

    def clear(self) -> None:
        with self._lock:
            self._counts.clear()


class Shared:
    """Counters for all processes, in Redis."""

    def one_more(self, names: list[str], window: int, seconds: int) -> list[tuple[int, int]]:
        pairs = [(f"limit.{name}.{window}", f"limit.{name}.{window - 1}") for name in names]
        store: Any = caches["default"]  # `memory.Shared`, which only those have who have Redis
        counted: list[tuple[int, int]] = store.count(pairs, 2 * seconds)
        return counted

    def one_less(self, names: list[str], window: int) -> None:
        for name in names:
            caches["default"].decr(f"limit.{name}.{window}")


here, few, shared = Here(), Here(), Shared()


def _until_free(number: int, earlier: int, most: int, seconds: int) -> int:
    """Seconds from the beginning of this window until one more is within the limit."""
    if number < most:
        return math.ceil(seconds * (1 - (most - number - 1) / earlier)) if earlier else 1
    return seconds + math.ceil(seconds * (1 - (most - 1) / number))


class Limited:
    """Stops requests that are too many."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return _stopped(request, "deed" if request.method == "POST" else "page") or self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        match = request.resolver_match
        dear = DEAR.get((request.method or "", match.view_name)) if match else None
        return _stopped(request, dear) if dear else None


def _stopped(request: HttpRequest, entrance: str) -> HttpResponse | None:
    seconds = wait(entrance, visitors.known(request), request.META.get("REMOTE_ADDR", ""))
    if not seconds:
        return None
    told = too_often(seconds, language())
    response: HttpResponse
    if "application/json" in (request.content_type, request.headers.get("Accept")):
        response = JsonResponse(told, status=429)
    else:
        response = render(request, "web/wrong.html", {"head": say("too-often"), "line": told["refused"]}, status=429)
    response["Retry-After"] = str(seconds)
    return response


def too_often(seconds: int, lang: str) -> dict[str, Json]:
    """Please wait, for our script."""
    return {"refused": say("too-often-line", lang, seconds=seconds), "code": TOO_OFTEN, "wait": seconds}


# Before Django is asked


def address_of(scope: Scope) -> str:
    """The address of whoever asks; the server has put that of a trusted proxy's client in its place."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def counted_files(app: App) -> App:
    """Static files, by address."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        seconds = await _wait(scope, "file")
        await (answer(send, 429, _PLAIN, seconds) if seconds else app(scope, receive, send))

    return serve


def counted_sockets(app: App) -> App:
    """WebSockets: so many new ones, and so many at once."""

    async def connect(scope: Scope, receive: Receive, send: Send) -> None:
        who = visitors.of_headers(scope["headers"]), network(address_of(scope))
        seconds = await _wait(scope, "socket")
        with _at_once(who) as fits:
            if seconds or not fits:
                await receive()
                await turn_away(scope, send, 429, _PLAIN, seconds or MINUTE)
            else:
                with metrics.CONNECTIONS.track_inprogress():
                    await app(scope, receive, send)

    return connect


async def _wait(scope: Scope, entrance: str) -> int:
    who = visitors.of_headers(scope["headers"])
    return await sync_to_async(wait, thread_sensitive=False)(entrance, who, address_of(scope))


_open: Counter[tuple[str, str]] = Counter()  # the WebSockets of this process


@contextmanager
def _at_once(who: tuple[str, str]) -> Iterator[bool]:
    limit = _limits()["sockets"]
    names = [("visitor", who[0]), ("address", who[1])][0 if who[0] else 1 :]
    mosts = {"visitor": limit.visitor, "address": limit.address}
    fits = all(not mosts[kind] or _open[kind, name] < mosts[kind] for kind, name in names)
    _open.update(names if fits else [])
    try:
        yield fits
    finally:
        _open.subtract(names if fits else [])
        for name in names:
            if not _open[name]:
                del _open[name]


_PLAIN = " / ".join(say("too-often", lang) for lang in LANGUAGES)
