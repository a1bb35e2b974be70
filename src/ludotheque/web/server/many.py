"""Several servers behind one address, as uvicorn looks after them; each table's people come to one of them."""

import asyncio
import fcntl
import logging
import os
import signal
import socket
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import Multiprocess, multiprocess

from ludotheque.web.server.doors import Doors

log = logging.getLogger("ludotheque.web.server.many")

STARTING = 60  # seconds
Address = tuple[str, int]
Think = Callable[[], None]
"""Begins what one process does for all of them where nobody else does: take turns nobody took, make things ahead."""


def run(config: uvicorn.Config, opened: Callable[[Address], None], think: Think | None) -> None:
    """Serve until told to stop; `opened` hears the address once all of them answer.

    With `think` they are a house by themselves. Without, there is Redis, and others think.
    """
    with tempfile.TemporaryDirectory(prefix="ludotheque-") as folder:
        fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_SH)  # else systemd may sweep it away when it is old
        if think is not None:
            os.environ |= _by_themselves(folder, config.workers)
        multiprocess.Process = partial(_Process, Path(folder), think)  # type: ignore[assignment,misc]  # there is no other way
        _Together(config, [config.bind_socket()], opened).run()


def _by_themselves(folder: str, many: int) -> dict[str, str]:
    """What processes need to know that are to be one house; each of them reads its settings anew."""
    from django.conf import settings  # noqa: PLC0415 - only now is Django set up

    return {"LUDOTHEQUE_TOGETHER": folder, "LUDOTHEQUE_THINKERS": str(max(1, settings.THINKERS // many))}


class _Together(Multiprocess):
    """`kill -HUP` replaces one after the other."""

    def __init__(
        self, config: uvicorn.Config, sockets: list[socket.socket], opened: Callable[[Address], None]
    ) -> None:
        super().__init__(config, sockets)
        self.opened = opened

    def init_processes(self) -> None:
        super().init_processes()
        if all(process.wait_until_ready(STARTING, self.should_exit) for process in self.processes):
            self.opened(self.sockets[0].getsockname())


class _Process(multiprocess.Process):
    """One of them."""

    def __init__(
        self, folder: Path, think: Think | None, config: uvicorn.Config, sockets: list[socket.socket]
    ) -> None:
        super().__init__(config, sockets)
        self.folder, self.think = folder, think

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        signal.signal(signal.SIGTERM, leave)
        super().target(sockets)

    @property
    def server(self) -> uvicorn.Server:
        if self._server is None:
            self._server = _OneOfMany(self.config, self.folder, self.think)
        return self._server


def leave(_signal: int, _frame: object) -> None:
    """Told to stop: uvicorn says it once more when its connections are closed, and then there is still work to do."""
    raise SystemExit(0)


class Usher(HttpToolsProtocol):
    """A connection of which the first words tell whose it is."""

    def __init__(self, doors: Doors, begun: bytes = b"", **rest: Any) -> None:
        super().__init__(**rest)
        self.doors, self.begun = doors, begun
        self.is_new = not begun

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as it has it
        super().connection_made(transport)
        if self.begun:
            self.data_received(self.begun)

    def data_received(self, data: bytes) -> None:
        is_new, self.is_new = self.is_new, False
        if is_new and self.doors.lead(data, self.transport.get_extra_info("socket").fileno()):
            self.transport.abort()
        else:
            super().data_received(data)


class _OneOfMany(uvicorn.Server):
    """Hands over to the others what is theirs, and takes what they hand over."""

    def __init__(self, config: uvicorn.Config, folder: Path, think: Think | None) -> None:
        super().__init__(config)
        self.folder, self.think = folder, think
        self.doors = Doors(folder, config.workers, self.welcome)
        self.coming: set[asyncio.Task[Any]] = set()
        self.parent = os.getppid()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.config.http_protocol_class = partial(Usher, self.doors)  # type: ignore[assignment]  # makes one
        await super().startup(sockets)
        self.doors.open()
        if self.think is not None:
            Thread(target=_think_in_turn, args=(self.folder, self.think), daemon=True).start()

    async def on_tick(self, counter: int) -> bool:
        """Whether to stop: also when whoever looks after the processes was killed. They would keep the port."""
        return await super().on_tick(counter) or os.getppid() != self.parent

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from ludotheque.web.jobs import pool  # noqa: PLC0415 - only the processes have Django set up

        self.doors.close()
        try:
            await super().shutdown(sockets)
        finally:
            pool.close()

    def welcome(self, connection: socket.socket, said: bytes) -> None:
        usher = partial(
            Usher,
            self.doors,
            said,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        loop = asyncio.get_running_loop()
        task = loop.create_task(loop.connect_accepted_socket(usher, connection))
        self.coming.add(task)
        task.add_done_callback(self.came)

    def came(self, task: "asyncio.Task[Any]") -> None:
        self.coming.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.info("did not come", extra={"facts": {"error": type(error).__name__}})  # they have hung up


def _think_in_turn(folder: Path, think: Think) -> None:
    """One of them at a time: whoever has the lock. The next one has it as soon as that is gone, however it ended."""
    from ludotheque.web.jobs import pool  # noqa: PLC0415

    held = os.open(folder / "thinking.held", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(held, fcntl.LOCK_EX)
    if not pool.closing.is_set():
        think()
