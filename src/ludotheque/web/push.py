"""Telling those who watch: the table is at this version. Never what happened; each of them looks for itself.

Connections of this process are told at once. Other processes hear of it through the channel layer, where each has one
channel and listens for the tables somebody here watches.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

from ludotheque.web.models import Table

log = logging.getLogger("ludotheque.web.push")

Watcher = Callable[[int], None]
"""Called with the version, in the loop of the connections."""

_watchers: dict[str, set[Watcher]] = {}
_server: asyncio.AbstractEventLoop | None = None
_relay: "asyncio.Task[None] | None" = None
_channel = ""


def group(table: str) -> str:
    """The name under which the processes that watch a table listen."""
    return f"table.{table}"


def _shared() -> bool:
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


async def watch(table: str, watcher: Watcher) -> None:
    global _server  # noqa: PLW0603 - there is one server in a process
    _server = asyncio.get_running_loop()
    first = table not in _watchers
    _watchers.setdefault(table, set()).add(watcher)
    if _shared() and first:
        await get_channel_layer().group_add(group(table), await _listen())


async def unwatch(table: str, watcher: Watcher) -> None:
    watchers = _watchers.get(table, set())
    watchers.discard(watcher)
    if table in _watchers and not watchers:
        del _watchers[table]
        if _shared() and _channel:
            await get_channel_layer().group_discard(group(table), _channel)


def tell(table: Table) -> None:
    """From any thread."""
    if _server is not None and _server.is_running():
        _server.call_soon_threadsafe(spread, table.id, table.version)
    if not _shared():
        return
    message = {"type": "table.changed", "table": table.id, "version": table.version}
    if _server is not None and _server.is_running():
        asyncio.run_coroutine_threadsafe(_send(table.id, message), _server)
    else:
        async_to_sync(_send)(table.id, message)


async def _send(table: str, message: dict[str, object]) -> None:
    try:
        await get_channel_layer().group_send(group(table), message)
    except Exception as error:  # noqa: BLE001 - whatever the layer is made of: who is not told asks by itself
        log.warning("others were not told", extra={"facts": {"error": type(error).__name__}})


def spread(table: str, version: int) -> None:
    """Tell the connections here."""
    for watcher in list(_watchers.get(table, ())):
        watcher(version)


async def _listen() -> str:
    """The channel of this process, with somebody who reads it."""
    global _relay, _channel  # noqa: PLW0603
    if _relay is None or _relay.done() or _relay.get_loop() is not asyncio.get_running_loop():
        _channel = await get_channel_layer().new_channel()
        _relay = asyncio.create_task(_read(_channel))
    return _channel


async def _read(channel: str) -> None:
    while True:
        with suppress(OSError):
            message = await get_channel_layer().receive(channel)
            spread(message["table"], message["version"])
