"""Telling those who watch: the table is at this version. Never what happened; each of them looks for itself."""

import asyncio

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from ludotheque.web.models import Table

_server: asyncio.AbstractEventLoop | None = None


def group(table: str) -> str:
    """The name under which the connections to a table listen."""
    return f"table.{table}"


def listen_here() -> None:
    """Remember the loop that the connections live in: other threads must hand their pushes to it."""
    global _server  # noqa: PLW0603 - there is one server in a process
    _server = asyncio.get_running_loop()


def tell(table: Table) -> None:
    layer, message = get_channel_layer(), {"type": "table.changed", "version": table.version}
    if _server is not None and _server.is_running():
        asyncio.run_coroutine_threadsafe(layer.group_send(group(table.id), message), _server)
    else:
        async_to_sync(layer.group_send)(group(table.id), message)
