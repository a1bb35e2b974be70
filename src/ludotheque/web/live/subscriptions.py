"""Telling those who watch: the table is at this version. Never what happened; each of them looks for itself.

Connections of this process are told at once. Between processes the word goes by the channel layer, where each process
has one channel and listens for the tables that somebody here watches; what came to the tables named meanwhile is read
together, before their pages look. That layer is Redis, or without it `neighbours.py`. It may lose a word or be
away; so each process also looks every few seconds which tables have changed, in one question for all who watch.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import DatabaseError, connection
from django.db.models import Max

from ludotheque.web.models import Event, Table
from ludotheque.web.server.neighbours import Message, Neighbours
from ludotheque.web.table import cache

log = logging.getLogger("ludotheque.web.live.subscriptions")

LOOK = 3  # seconds between looks for words that were lost
Watcher = Callable[[int], None]
"""Called with the version, in the loop of the connections."""

_watchers: dict[str, set[Watcher]] = {}
_server: asyncio.AbstractEventLoop | None = None
_tasks: "list[asyncio.Task[None]]" = []
_channel = ""
_heard: "asyncio.Queue[tuple[str, int]]" = asyncio.Queue()
_reader = ThreadPoolExecutor(1, "reader")  # one thread, and so one connection to the database, kept open


def group(table: str) -> str:
    """The name under which the processes that watch a table listen."""
    return f"table.{table}"


async def watch(table: str, watcher: Watcher) -> None:
    """Somebody watches from now on."""
    _begin()
    first = table not in _watchers
    _watchers.setdefault(table, set()).add(watcher)
    if first:
        cache.pin(table)
    if _channel and first:
        await _or_not(get_channel_layer().group_add(group(table), _channel))


async def unwatch(table: str, watcher: Watcher) -> None:
    watchers = _watchers.get(table, set())
    watchers.discard(watcher)
    if table in _watchers and not watchers:
        del _watchers[table]
        cache.unpin(table)
        if _channel:
            await _or_not(get_channel_layer().group_discard(group(table), _channel))


def publish(tables: list[Table]) -> None:
    """From any thread."""
    here = _server if _server is not None and _server.is_running() else None
    if here is not None:
        here.call_soon_threadsafe(_spread_all, [(table.id, table.version) for table in tables])
    if _shared():
        _tell_others({group(table.id): _changed_to(table) for table in tables}, here)


def _changed_to(table: Table) -> Message:
    return {"type": "table.changed", "table": table.id, "version": table.version}


def _spread_all(changed: Iterable[tuple[str, int]]) -> None:
    for table, version in changed:
        spread(table, version)


def spread(table: str, version: int) -> None:
    """Tell the connections here."""
    for watcher in list(_watchers.get(table, ())):
        watcher(version)


# Other processes


def _shared() -> bool:
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


def _tell_others(words: dict[str, Message], here: asyncio.AbstractEventLoop | None) -> None:
    layer = get_channel_layer()
    if isinstance(layer, Neighbours):  # which takes all of it together, and no time
        layer.say(words)
        return
    for name, message in words.items():
        if here is not None:
            asyncio.run_coroutine_threadsafe(_send(name, message), here)
        else:
            async_to_sync(_send)(name, message)


def _begin() -> None:
    """Remember the loop that the connections live in, and let it hear what other processes say."""
    global _server, _channel, _heard
    loop = asyncio.get_running_loop()
    if _server is loop:
        return
    _server, _channel, _heard = loop, "", asyncio.Queue()
    _tasks.clear()
    if _shared():
        _tasks.extend(loop.create_task(task) for task in (_listen(), _catch_up(), _look()))


async def _send(name: str, message: Message) -> None:
    await _or_not(get_channel_layer().group_send(name, message))


async def _or_not(said: Awaitable[None]) -> None:
    """Nobody is shown the door because Redis is away."""
    try:
        await said
    except Exception as error:  # noqa: BLE001 - whatever the layer is made of
        _overlook("Redis is away", error)


def _overlook(what: str, error: Exception) -> None:
    """Say so and go on; but whoever is to stop stops, even if the layer made another error of that."""
    if _stopping():
        raise asyncio.CancelledError from error
    log.warning(what, extra={"facts": {"error": type(error).__name__}})


def _stopping() -> bool:
    """Whether this task was cancelled, even if whatever it was waiting for hid that from it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _listen() -> None:
    """Hear what other processes say, whenever Redis is there."""
    global _channel  # noqa: PLW0603 - as above
    layer = get_channel_layer()
    while not _stopping():
        try:
            _channel = _channel or await layer.new_channel()
            for table in list(_watchers):
                await layer.group_add(group(table), _channel)
            while not _stopping():
                message = await layer.receive(_channel)
                _heard.put_nowait((message["table"], message["version"]))
        except Exception as error:  # noqa: BLE001 - whatever the layer is made of
            _overlook("Redis is away", error)
            await asyncio.sleep(LOOK)


async def _catch_up() -> None:
    """Read what other processes wrote, for all tables that were named meanwhile, and then tell the connections."""
    while not _stopping():
        named = [await _heard.get()]
        while not _heard.empty():
            named.append(_heard.get_nowait())
        if behind := {table for table, version in named if cache.at_least(table, version) is None}:
            await asyncio.get_running_loop().run_in_executor(_reader, _read, behind)
        _spread_all(named)


def _read(tables: set[str]) -> None:
    """If that fails, each page looks for itself, and tells whoever sits before it."""
    try:
        cache.catch_up(tables)
    except DatabaseError as error:
        connection.close()
        log.info("could not catch up", extra={"facts": {"error": type(error).__name__}})
    except Exception:
        log.exception("could not catch up")


async def _look() -> None:
    """What came since the look before the last: an event may have its number a moment before others can see it."""
    earlier: int | None = None
    last: int | None = None
    while not _stopping():
        try:
            changed, newest = await database_sync_to_async(_changed)(earlier)
            _spread_all(changed)
            earlier, last = newest if last is None else last, newest
        except (DatabaseError, OSError) as error:
            _overlook("could not look for changes", error)
        await asyncio.sleep(LOOK)


def _changed(since: int | None) -> tuple[list[tuple[str, int]], int]:
    """Tables to which something came after this event, if one is named, with their versions; and the newest event."""
    newest: int = Event.objects.aggregate(newest=Max("pk"))["newest"] or 0
    if since is None:
        return [], newest
    found = Event.objects.filter(pk__gt=since).order_by().values_list("table").annotate(Max("number"))
    return list(found), newest
