"""Tell the connections that watch a table its new version. Never what happened: each connection reads that itself.

Connections of this process are told at once. Other processes are told by the Redis channel layer: each process
has one channel and joins the groups of the tables watched there; the new events of all tables named meanwhile
are read in one query before their connections are told. Pub/sub may lose a message, and Redis may be down; so each
process also polls every few seconds which tables have changed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import DatabaseError, connection
from django.db.models import Max

from ludotheque.game import Json
from ludotheque.web.models import Event, Table
from ludotheque.web.table import cache

log = logging.getLogger("ludotheque.web.live.subscriptions")

POLL_INTERVAL_S = 3  # for messages that were lost
Message: TypeAlias = dict[str, Json]
Watcher = Callable[[int], None]
"""Called with the version, in the event loop of the connections."""

_watchers: dict[str, set[Watcher]] = {}
_loop: asyncio.AbstractEventLoop | None = None
_tasks: "list[asyncio.Task[None]]" = []
_channel = ""
_received: "asyncio.Queue[tuple[str, int]]" = asyncio.Queue()
_reader = ThreadPoolExecutor(1, "reader")  # one thread, and so one database connection, which stays open


def group(table: str) -> str:
    """The channel layer's group of a table."""
    return f"table.{table}"


async def watch(table: str, watcher: Watcher) -> None:
    """Call the watcher whenever the table has changed."""
    _start()
    first = table not in _watchers
    _watchers.setdefault(table, set()).add(watcher)
    if first:
        cache.pin(table)
    if _channel and first:
        await _try(get_channel_layer().group_add(group(table), _channel))


async def unwatch(table: str, watcher: Watcher) -> None:
    watchers = _watchers.get(table, set())
    watchers.discard(watcher)
    if table in _watchers and not watchers:
        del _watchers[table]
        cache.unpin(table)
        if _channel:
            await _try(get_channel_layer().group_discard(group(table), _channel))


def publish(tables: list[Table]) -> None:
    """Tell all who watch these tables, here and in other processes; from any thread."""
    loop = _loop if _loop is not None and _loop.is_running() else None
    if loop is not None:
        loop.call_soon_threadsafe(_notify_all, [(table.id, table.version) for table in tables])
    if _has_other_processes():
        _publish_to_others(tables, loop)


def _notify_all(changed: Iterable[tuple[str, int]]) -> None:
    for table, version in changed:
        notify(table, version)


def notify(table: str, version: int) -> None:
    """Tell the connections of this process."""
    for watcher in list(_watchers.get(table, ())):
        watcher(version)


# Other processes


def _has_other_processes() -> bool:
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


def _publish_to_others(tables: list[Table], loop: asyncio.AbstractEventLoop | None) -> None:
    for table in tables:
        message: Message = {"type": "table.changed", "table": table.id, "version": table.version}
        if loop is not None:
            asyncio.run_coroutine_threadsafe(_send(group(table.id), message), loop)
        else:
            async_to_sync(_send)(group(table.id), message)


def _start() -> None:
    """Remember the event loop of the connections, and receive there what other processes publish."""
    global _loop, _channel, _received
    loop = asyncio.get_running_loop()
    if _loop is loop:
        return
    _loop, _channel, _received = loop, "", asyncio.Queue()
    _tasks.clear()
    if _has_other_processes():
        _tasks.extend(loop.create_task(task) for task in (_receive(), _catch_up(), _poll()))


async def _send(name: str, message: Message) -> None:
    await _try(get_channel_layer().group_send(name, message))


async def _try(call: Awaitable[None]) -> None:
    """No connection fails because Redis is down."""
    try:
        await call
    except Exception as error:  # noqa: BLE001 - whatever the channel layer raises
        _log_failure("Redis is away", error)


def _log_failure(what: str, error: Exception) -> None:
    """Log it and go on; but a cancelled task ends, even if the channel layer raised another error instead."""
    if _is_cancelled():
        raise asyncio.CancelledError from error
    log.warning(what, extra={"facts": {"error": type(error).__name__}})


def _is_cancelled() -> bool:
    """Whether this task was cancelled, even if what it awaited swallowed the error."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _receive() -> None:
    """Receive what other processes publish, whenever Redis is up."""
    global _channel  # noqa: PLW0603 - as above
    layer = get_channel_layer()
    while not _is_cancelled():
        try:
            _channel = _channel or await layer.new_channel()
            for table in list(_watchers):
                await layer.group_add(group(table), _channel)
            while not _is_cancelled():
                message = await layer.receive(_channel)
                _received.put_nowait((message["table"], message["version"]))
        except Exception as error:  # noqa: BLE001 - whatever the channel layer raises
            _log_failure("Redis is away", error)
            await asyncio.sleep(POLL_INTERVAL_S)


async def _catch_up() -> None:
    """Read the events of all tables that were named meanwhile, and then tell the connections."""
    while not _is_cancelled():
        named = [await _received.get()]
        while not _received.empty():
            named.append(_received.get_nowait())
        if behind := {table for table, version in named if cache.at_least(table, version) is None}:
            await asyncio.get_running_loop().run_in_executor(_reader, _read, behind)
        _notify_all(named)


def _read(tables: set[str]) -> None:
    """If that fails, each connection reads by itself, and tells its page."""
    try:
        cache.catch_up(tables)
    except DatabaseError as error:
        connection.close()
        log.info("could not catch up", extra={"facts": {"error": type(error).__name__}})
    except Exception:
        log.exception("could not catch up")


async def _poll() -> None:
    """What was stored since the poll before the last: an event gets its number a moment before others can see it."""
    earlier: int | None = None
    last: int | None = None
    while not _is_cancelled():
        try:
            changed, newest = await database_sync_to_async(_changed)(earlier)
            _notify_all(changed)
            earlier, last = newest if last is None else last, newest
        except (DatabaseError, OSError) as error:
            _log_failure("could not poll for changes", error)
        await asyncio.sleep(POLL_INTERVAL_S)


def _changed(since: int | None) -> tuple[list[tuple[str, int]], int]:
    """Tables with events after this one, with their versions; and the newest event. None: only the latter."""
    newest: int = Event.objects.aggregate(newest=Max("pk"))["newest"] or 0
    if since is None:
        return [], newest
    found = Event.objects.filter(pk__gt=since).order_by().values_list("table").annotate(Max("number"))
    return list(found), newest
