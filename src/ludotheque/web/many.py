"""Several servers behind one address, as uvicorn looks after them; each table's people come to one of them."""

import asyncio
import fcntl
import logging
import os
import socket
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import Multiprocess, multiprocess

from ludotheque.web.doors import Doors

log = logging.getLogger("ludotheque.web.many")

STARTING = 60  # seconds
Address = tuple[str, int]


def run(config: uvicorn.Config, opened: Callable[[Address], None]) -> None:
    """Serve until told to stop; `opened` hears the address once all of them answer."""
    with tempfile.TemporaryDirectory(prefix="ludotheque-") as folder:
        fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_SH)  # else systemd may sweep it away when it is old
        multiprocess.Process = partial(_Process, Path(folder))  # type: ignore[assignment,misc]  # there is no other way
        _Together(config, [config.bind_socket()], opened).run()


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

    def __init__(self, folder: Path, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self.folder = folder

    @property
    def server(self) -> uvicorn.Server:
        if self._server is None:
            self._server = _OneOfMany(self.config, self.folder)
        return self._server


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

    def __init__(self, config: uvicorn.Config, folder: Path) -> None:
        super().__init__(config)
        self.doors = Doors(folder, config.workers, self.welcome)
        self.coming: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.config.http_protocol_class = partial(Usher, self.doors)  # type: ignore[assignment]  # makes one
        await super().startup(sockets)
        self.doors.open()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.doors.close()
        await super().shutdown(sockets)

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
