"""Rate limits, by visitor and by address, for every kind of request, and for what is computed for them.

The algorithm is GCRA, from the library `throttled`: the whole limit at once, then evenly as many in its time. The
counters are in memory, where the least recently used are evicted, or in Redis for all processes. If Redis cannot be
reached, nobody is stopped. Messages of an open connection are counted in Redis only beyond a tenth of the limit, so
that most people never wait for the network.
"""

import logging
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache, lru_cache, wraps
from ipaddress import ip_address, ip_network
from typing import NamedTuple, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from throttled import BaseStore, MemoryStore, RateLimiterType, RedisStore, Throttled, per_duration

from ludotheque.game import Json
from ludotheque.web import visitors
from ludotheque.web.backends import REDIS_TIMEOUT_S
from ludotheque.web.guard.budgets import Rate, TokenBucket
from ludotheque.web.guard.request_size import App, Receive, Scope, Send, answer, refuse_websocket
from ludotheque.web.monitor import metrics, usage
from ludotheque.web.visitors import hashed
from ludotheque.web.words import language, say
from ludotheque.words import in_every_language

log = logging.getLogger("ludotheque.web.guard")
P = ParamSpec("P")
R = TypeVar("R")

TOO_OFTEN = "too-often"  # the code of such a refusal
MINUTE_S, HOUR_S = 60, 3600
LOCAL_SHARE = 0.1  # of a limit, which each process allows before it counts together with the others
MAX_COUNTERS = 100_000  # in memory
MAX_WAIT_S = HOUR_S  # no limit makes anybody wait longer
NO_ADDRESS = "unknown"  # a Unix socket
IPV6_PREFIX_BITS = 64  # one household or one server has at least so many addresses


class Limit(NamedTuple):
    """Requests that a visitor and an address may make in so many seconds, 0 for any number; at once if no seconds."""

    visitor: int
    address: int
    seconds: int


USUAL = {
    "page": Limit(600, 12_000, MINUTE_S),
    "file": Limit(0, 12_000, MINUTE_S),
    "deed": Limit(300, 6_000, MINUTE_S),
    "table": Limit(120, 2_000, HOUR_S),
    "hint": Limit(20, 60, MINUTE_S),
    "make": Limit(30, 600, MINUTE_S),
    "puzzle": Limit(30, 120, MINUTE_S),
    "booklet": Limit(10, 40, HOUR_S),
    "record": Limit(30, 60, HOUR_S),
    "link": Limit(60, 600, HOUR_S),
    "seat": Limit(60, 600, HOUR_S),
    "login": Limit(30, 60, HOUR_S),
    "socket": Limit(120, 6_000, MINUTE_S),
    "sockets": Limit(60, 1_000, 0),
    "work": Limit(10_000, 30_000, MINUTE_S),  # milliseconds of a core
    "compute": Limit(0, 90_000, MINUTE_S),  # the same of worker processes
}
"""A club behind one address never reaches these; `LUDOTHEQUE_LIMITS` changes them."""

EXPENSIVE = {
    ("POST", "new"): "table",
    ("POST", "play-on"): "record",  # every event of it is copied
    ("GET", "hint"): "hint",
    ("POST", "link"): "link",
    ("GET", "seat"): "seat",
    ("POST", "seat"): "seat",
    ("POST", "booklets"): "booklet",
    ("POST", "bring"): "record",
    ("GET", "table-preview"): "make",
    ("GET", "replay-preview"): "make",
    ("GET", "puzzle-preview"): "make",
}
"""Views with a limit of their own, beside that of all pages and commands; `logins` has that of log-ins."""


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
        return NO_ADDRESS
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ip_network((int(found), IPV6_PREFIX_BITS), strict=False).network_address)


@cache
def counts_in_memory() -> bool:
    """Whether counting never waits for the network."""
    return not settings.REDIS_URL


@cache
def _limits() -> dict[str, Limit]:
    """The keeper's limits, read once: Django's settings are slow, and every move asks."""
    return read(settings.LIMITS)


@receiver(setting_changed)
def _on_setting_changed(*, setting: str, **_more: object) -> None:
    """Only tests change settings."""
    if setting == "LIMITS":
        _limits.cache_clear()
        _work_bucket.cache_clear()
        _throttles.cache_clear()


@cache
def _local_store() -> BaseStore:
    """The counters of this process."""
    return MemoryStore(options={"MAX_SIZE": MAX_COUNTERS})


@cache
def _shared_store() -> BaseStore:
    """The counters that decide: in Redis if there is one."""
    if counts_in_memory():
        return _local_store()
    timeouts = {"SOCKET_TIMEOUT": REDIS_TIMEOUT_S, "SOCKET_CONNECT_TIMEOUT": REDIS_TIMEOUT_S}
    return RedisStore(settings.REDIS_URL, timeouts)


@cache
def _throttle(limit: int, seconds: int, store: BaseStore) -> Throttled:
    quota = per_duration(timedelta(seconds=seconds), limit)
    return Throttled(using=RateLimiterType.GCRA.value, quota=quota, store=store, key_prefix="ludotheque")


def reset() -> None:
    """Forget what was counted in this process."""
    _work_bucket.cache_clear()
    _local_store.cache_clear()
    _shared_store.cache_clear()
    _throttles.cache_clear()


def wait(entrance: str, visitor: str, address: str) -> int:
    """Count one more. Seconds to wait if that is too many, else 0."""
    try:
        seconds = _count(_throttles(entrance, visitor, address, _shared_store()))
    except Exception:
        log.warning("requests are not counted", exc_info=True)  # the site works without Redis
        return 0
    if seconds:
        metrics.LIMITED.labels(entrance).inc()
        usage.refused(entrance, network(address))
    elif entrance == "table":
        usage.count(network(address), tables=1)
    return seconds


def within_local_share(entrance: str, visitor: str, address: str) -> bool:
    """Count one more in this process alone: whether the other processes need not know."""
    limit = _limits()[entrance]
    if any(0 < most * LOCAL_SHARE < 1 for most in (limit.visitor, limit.address)):
        return False
    return not _count(_throttles(entrance, visitor, address, _local_store(), LOCAL_SHARE))


def _count(throttles: list[tuple[Throttled, str]]) -> int:
    """Count one more under each name, the visitor's first: whom it stops costs others at their address nothing."""
    for throttle, name in throttles:
        result = throttle.limit(name)
        seconds = max(1, math.ceil(result.state.retry_after))
        if result.limited and seconds <= MAX_WAIT_S:  # a longer one is due to Redis's clock, which was put back
            return seconds
    return 0


def overdrawn(visitor: str, address: str, what: str = "work") -> int:
    """Seconds to wait if so much was computed for them that others would feel it, else 0."""
    seconds = max((math.ceil(bucket.seconds_in_debt) for bucket in _buckets(what, visitor, address)), default=0)
    if seconds:
        metrics.LIMITED.labels(what).inc()
        usage.refused(what, network(address))
    return seconds


def charge(visitor: str, address: str, seconds: float, what: str = "work") -> None:
    """Count what was computed for somebody: in this process, or as `compute` in a worker process that told."""
    for bucket in _buckets(what, visitor, address):
        bucket.spend(seconds * 1000)
    usage.count(network(address), work_ms=seconds * 1000)


def timed(function: Callable[P, R]) -> Callable[P, tuple[R, float]]:
    """The function, which also returns how many seconds of a core its thread took, to be charged to somebody."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> tuple[R, float]:
        since = time.thread_time()
        result = function(*args, **kwargs)
        return result, time.thread_time() - since

    return run


def _buckets(what: str, visitor: str, address: str) -> list[TokenBucket]:
    limit = _limits()[what]
    return [_work_bucket(name, Rate(most, most / limit.seconds)) for most, name in _names(what, visitor, address)]


@lru_cache(MAX_COUNTERS)
def _work_bucket(_name: str, rate: Rate) -> TokenBucket:
    return TokenBucket(rate)


def _names(entrance: str, visitor: str, address: str) -> list[tuple[int, str]]:
    """What is counted under which names. All who come without a cookie from one address are one visitor."""
    limit, where = _limits()[entrance], network(address)
    names = [
        (limit.visitor, f"{entrance}.{hashed(visitor) if visitor else f'guest.{where}'}"),
        (limit.address, f"{entrance}.{where}"),
    ]
    return [(most, name) for most, name in names if most]


@lru_cache(10_000)  # the same visitors ask again and again
def _throttles(
    entrance: str, visitor: str, address: str, store: BaseStore, share: float = 1.0
) -> list[tuple[Throttled, str]]:
    seconds = _limits()[entrance].seconds
    names = _names(entrance, visitor, address)
    return [(_throttle(int(most * share), seconds, store), name) for most, name in names]


class RateLimitMiddleware:
    """Answers 429 to requests that are too many."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        who = visitors.known(request), request.META.get("REMOTE_ADDR", "")
        refused = _too_many(request, "deed" if request.method == "POST" else "page")
        if refused is None and (seconds := overdrawn(*who)):
            refused = refusal(request, seconds)
        if refused is not None:
            return refused
        since = time.thread_time()
        try:
            with visitors.asked_from(network(who[1]), visitors.hash_of(who[0])):
                return self.get_response(request)
        finally:
            charge(*who, time.thread_time() - since)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        match = request.resolver_match
        expensive = EXPENSIVE.get((request.method or "", match.view_name)) if match else None
        return _too_many(request, expensive) if expensive else None


def _too_many(request: HttpRequest, entrance: str) -> HttpResponse | None:
    seconds = wait(entrance, visitors.known(request), request.META.get("REMOTE_ADDR", ""))
    return refusal(request, seconds) if seconds else None


def refusal(request: HttpRequest, seconds: int) -> HttpResponse:
    """429, for a script or as a page."""
    told = too_often(seconds, language())
    response: HttpResponse
    if "application/json" in (request.content_type, request.headers.get("Accept")):
        response = JsonResponse(told, status=429)
    else:
        response = render(request, "web/wrong.html", {"head": say("too-often"), "line": told["refused"]}, status=429)
    response["Retry-After"] = str(seconds)
    return response


def too_often(seconds: int, lang: str) -> dict[str, Json]:
    """The refusal, for our script."""
    return {"refused": say("too-often-line", lang, seconds=seconds), "code": TOO_OFTEN, "wait": seconds}


# Before Django is asked


def address_of(scope: Scope) -> str:
    """The client's address; behind a trusted proxy, uvicorn has already put that of the proxy's client there."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def limit_files(app: App) -> App:
    """Static files, by address."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        seconds = await _wait(scope, "file")
        await (answer(send, 429, _PLAIN_TEXT, seconds) if seconds else app(scope, receive, send))

    return serve


def limit_connections(app: App) -> App:
    """WebSockets: so many new ones in a time, and so many at once."""

    async def connect(scope: Scope, receive: Receive, send: Send) -> None:
        who = visitors.of_headers(scope["headers"]), network(address_of(scope))
        budget = scope.get("state", {}).get("frame_budget")  # of our server's protocol
        if budget is not None:
            budget.join(who[1])
        seconds = await _wait(scope, "socket") or overdrawn(*who)
        with _at_once(who) as fits:
            if seconds or not fits:
                if not fits:
                    usage.refused("sockets", who[1])
                await receive()
                await refuse_websocket(scope, send, 429, _PLAIN_TEXT, seconds or MINUTE_S)
            else:
                with metrics.CONNECTIONS.track_inprogress(), visitors.asked_from(who[1], visitors.hash_of(who[0])):
                    await app(scope, receive, send)

    return connect


async def _wait(scope: Scope, entrance: str) -> int:
    who = visitors.of_headers(scope["headers"])
    return await sync_to_async(wait, thread_sensitive=False)(entrance, who, address_of(scope))


_open: Counter[tuple[str, str]] = Counter()  # the WebSockets of this process


@contextmanager
def _at_once(who: tuple[str, str]) -> Iterator[bool]:
    limit = _limits()["sockets"]
    names = [("visitor", who[0] or f"guest.{who[1]}"), ("address", who[1])]
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


_PLAIN_TEXT = in_every_language("web", "too-often")
