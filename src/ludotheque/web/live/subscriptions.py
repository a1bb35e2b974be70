"""Tell the connections that watch a table its new version. Never what happened: each connection reads that itself.

Connections of this process are told at once. Other processes are told by the Redis channel layer, all in one group:
a message names every table of a batch, and each process picks those that are watched there. Their new events are
read in one query before their connections are told. Pub/sub may lose a message, and Redis may be down; so each
process also polls every few seconds which tables have changed.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
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
from ludotheque.web.visitors import hashed

log = logging.getLogger("ludotheque.web.live.subscriptions")

POLL_INTERVAL_S = 3  # for messages that were lost
GROUP = "tables"  # of the channel layer: every process is in it
Message: TypeAlias = dict[str, Json]
Change: TypeAlias = tuple[str, int]
"""A table, and its new version."""

GONE = -1
Watcher = Callable[[int], None]
"""Called with the version, or `GONE` if the table was deleted, in the event loop of the connections."""

_watchers: dict[str, set[Watcher]] = {}
_loop: asyncio.AbstractEventLoop | None = None
_tasks: "list[asyncio.Task[None]]" = []
_channel = ""
_received: "asyncio.Queue[Change]" = asyncio.Queue()
_reader = ThreadPoolExecutor(1, "reader")  # one thread, and so one database connection, which stays open


def watch(table: str, watcher: Watcher) -> None:
    """Call the watcher whenever the table has changed."""
    _start()
    if table not in _watchers:
        cache.pin(table)
    _watchers.setdefault(table, set()).add(watcher)


def unwatch(table: str, watcher: Watcher) -> None:
    watchers = _watchers.get(table, set())
    watchers.discard(watcher)
    if table in _watchers and not watchers:
        del _watchers[table]
        cache.unpin(table)


def publish(tables: list[Table]) -> None:
    """Tell all who watch these tables, here and in other processes; from any thread."""
    changes = [(table.id, table.version) for table in tables]
    loop = _loop if _loop is not None and _loop.is_running() else None
    if loop is not None:
        loop.call_soon_threadsafe(_notify_all, changes)
    if _has_other_processes():
        _publish_to_others(changes, loop)


def _notify_all(changes: Iterable[Change]) -> None:
    for table, version in changes:
        notify(table, version)


def notify(table: str, version: int) -> None:
    """Tell the connections of this process."""
    for watcher in list(_watchers.get(table, ())):
        watcher(version)


def forget(names: set[str]) -> None:
    """Tell those who watch tables whose ids have these hashes that they were deleted."""
    tables = [table for table in list(_watchers) if hashed(table) in names]
    if tables and _loop is not None and _loop.is_running():
        left = set(Table.objects.filter(pk__in=tables).values_list("pk", flat=True))
        _loop.call_soon_threadsafe(_notify_all, [(table, GONE) for table in tables if table not in left])


def watched() -> list[str]:
    """The tables that pages of this process are connected to."""
    return list(_watchers)


# Other processes


def _has_other_processes() -> bool:
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


def _publish_to_others(changes: list[Change], loop: asyncio.AbstractEventLoop | None) -> None:
    message: Message = {"type": "tables.changed", "sender": _channel, "changes": [list(change) for change in changes]}
    if loop is not None:
        asyncio.run_coroutine_threadsafe(_send(message), loop)
    else:  # a worker of the job queue
        async_to_sync(_send)(message)


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


async def _send(message: Message) -> None:
    """No move fails because Redis is down."""
    try:
        await get_channel_layer().group_send(GROUP, message)
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
            await layer.group_add(GROUP, _channel)
            while not _is_cancelled():
                message = await layer.receive(_channel)
                if message["sender"] != _channel:
                    _queue_watched(message["changes"])
        except Exception as error:  # noqa: BLE001 - whatever the channel layer raises
            _log_failure("Redis is away", error)
            await asyncio.sleep(POLL_INTERVAL_S)


def _queue_watched(changes: Iterable[Change]) -> None:
    for table, version in changes:
        if table in _watchers:
            _received.put_nowait((table, version))


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


def _changed(since: int | None) -> tuple[list[Change], int]:
    """Tables with events after this one, with their versions; and the newest event. None: only the latter."""
    newest: int = Event.objects.aggregate(newest=Max("pk"))["newest"] or 0
    if since is None:
        return [], newest
    found = Event.objects.filter(pk__gt=since).order_by().values_list("table").annotate(Max("number"))
    return list(found), newest
