"""What monitoring asks: liveness, readiness, metrics."""

import time
from collections.abc import Callable
from functools import cache
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

import ludotheque
from ludotheque.search import cache_folder
from ludotheque.web.guard import disk_space
from ludotheque.web.jobs import pool
from ludotheque.web.monitor import metrics

CACHE_S = 2.0  # the checks cost a write
FORWARDING_HEADERS = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_VIA")


@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"alive": True})


@never_cache
@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Ready: the database can be written, is migrated, and has room to grow.

    Redis, workers and a folder for compiled code are named when they are missing, but do not make the site unready:
    people can play without them, and no other process would be better off.
    """
    missing = [name for name, good in checks().items() if not good]
    needed = not set(missing) & set(NEEDED)
    told = {"ready": needed, "missing": missing, "games": len(ludotheque.games())}
    return JsonResponse(told, status=200 if needed else 503)


def checks() -> dict[str, bool]:
    """The result of every check, cached for a moment."""
    when, found = _last.get("answer", (-CACHE_S, {}))
    if time.monotonic() - when > CACHE_S:
        found = {name: _holds(check) for name, check in CHECKS.items()}
        _last["answer"] = time.monotonic(), found
    return found


_last: dict[str, tuple[float, dict[str, bool]]] = {}


def _holds(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception:  # noqa: BLE001 - a check that fails in any way has failed
        return False


def _database() -> bool:
    """It can be written: reading alone would not store a move."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE web_table SET version = version WHERE id = ''")
    return True


@cache
def _complete() -> None:
    """Raise until all migrations are applied; then the result is cached."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise DatabaseError("there are migrations to apply")


def _migrations() -> bool:
    _complete()
    return True


def _room() -> bool:
    return disk_space.is_enough()


def _cache() -> bool:
    """Compiled code can be kept where it should be; workers have a folder of their own, and say so in their log."""
    return pool.scaled() or not settings.THINKER or cache_folder.is_writable(cache_folder.wanted())


def _redis() -> bool:
    if not pool.scaled():
        return True
    from ludotheque.web.jobs import queue  # noqa: PLC0415 - only whoever has Redis has this

    return bool(queue.client.ping())


def _workers() -> bool:
    if not pool.scaled() or not settings.THINKER:
        return True
    from ludotheque.web.jobs import queue  # noqa: PLC0415

    return queue.workers() > 0


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database,
    "migrations": _migrations,
    "room": _room,
    "cache": _cache,
    "redis": _redis,
    "workers": _workers,
}
NEEDED = ("database", "migrations", "room")


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Metrics for Prometheus; 404 for everybody else."""
    if not _may_watch(request):
        raise Http404
    return HttpResponse(metrics.page(), content_type=CONTENT_TYPE_LATEST)


def _may_watch(request: HttpRequest) -> bool:
    """Whether the request has the token, or comes from an allowed address and was not forwarded by a local proxy."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if settings.METRICS_TOKEN and kind == "Bearer":
        return constant_time_compare(token, settings.METRICS_TOKEN)
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    if address.is_loopback and any(name in request.META for name in FORWARDING_HEADERS):
        return False
    return any(address in ip_network(text) for text in settings.WATCHERS)
