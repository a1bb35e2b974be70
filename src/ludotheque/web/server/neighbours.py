"""Words between the processes behind one address, without Redis: datagrams, in the folder where these processes meet.

It is a layer as Channels has them, as far as `push.py` needs one. Each process that listens has a socket in the
folder, its ear; whoever has something to say sends it to every ear but its own, and waits for nobody. Of what was
said to a group only the newest counts. So a neighbour who cannot listen just now, because his ear is full (Linux lets
as few as ten datagrams wait), is told the newest of everything a moment later; and one who is gone is forgotten.
"""

import asyncio
import errno
import json
import logging
import os
import socket
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Lock, Timer
from typing import TypeAlias
from uuid import uuid4

from ludotheque.game import Json

log = logging.getLogger("ludotheque.web.server.neighbours")

EAR = ".ear"
ROOM = 1 << 18  # bytes that may be on their way to one neighbour
LONGEST = 65_536  # bytes of a datagram
MOST = 100  # words in one
SOON = 0.02  # seconds until a neighbour whose ear was full is told again
FULL = (errno.EAGAIN, errno.EWOULDBLOCK, errno.ENOBUFS)

Message: TypeAlias = dict[str, Json]
Words: TypeAlias = dict[str, Message]
"""What is said, by the group it is said to."""


class Neighbours:
    """All processes, as one of them hears and tells them."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._ear: _Ear | None = None
        self._groups: set[str] = set()
        self._lines: dict[str, _Line] = {}
        self._lock = Lock()
        self._again: Timer | None = None

    # In

    async def new_channel(self, _prefix: str = "") -> str:
        """Begin to listen, in this loop. There is one channel a process, for all of its groups."""
        self.close()
        self._ear = _Ear(self._folder / f"{os.getpid()}-{uuid4().hex[:8]}{EAR}", self._groups)
        return self._ear.path.name

    async def group_add(self, group: str, _channel: str) -> None:
        self._groups.add(group)

    async def group_discard(self, group: str, _channel: str) -> None:
        self._groups.discard(group)

    async def receive(self, _channel: str) -> Message:
        assert self._ear is not None
        return await self._ear.heard.get()

    def close(self) -> None:
        """Hear nothing more. What is said afterwards is sent by new lines."""
        with self._lock:
            if self._ear is not None:
                self._ear.close()
                self._ear = None
            for name in list(self._lines):
                self._lines.pop(name).close()

    # Out

    async def group_send(self, group: str, message: Message) -> None:
        self.say({group: message})

    def say(self, words: Words) -> None:
        """Tell all neighbours, from any thread."""
        with self._lock:
            self._reach()
            self._tell(words)

    def _say_again(self) -> None:
        with self._lock:
            self._again = None
            self._tell({})

    def _tell(self, words: Words) -> None:
        """By the lines there are; once more if somebody's ear is full."""
        for name, line in list(self._lines.items()):
            try:
                line.tell(words)
            except OSError as error:
                self._give_up(name, error)
        if self._again is None and any(line.late for line in self._lines.values()):
            self._again = Timer(SOON, self._say_again)
            self._again.daemon = True
            self._again.start()

    def _reach(self) -> None:
        """Lines to all neighbours there are now, whoever has come or gone."""
        names = {name for name in _names(self._folder) if self._ear is None or name != self._ear.path.name}
        for name in self._lines.keys() - names:
            self._lines.pop(name).close()
        for name in names - self._lines.keys():
            try:
                self._lines[name] = _Line(self._folder / name)
            except OSError as error:
                self._give_up(name, error)

    def _give_up(self, name: str, error: OSError) -> None:
        """Whoever is gone leaves his ear behind, a name that no other will ever have. Other mistakes are our own."""
        if name in self._lines:
            self._lines.pop(name).close()
        if isinstance(error, ConnectionRefusedError):
            with suppress(OSError):
                (self._folder / name).unlink()


def _names(folder: Path) -> Iterable[str]:
    try:
        return [name for name in os.listdir(folder) if name.endswith(EAR)]  # noqa: PTH208 - for every word
    except OSError:  # the house is being closed
        return []


class _Ear:
    """Where a process hears its neighbours, as far as they say something to its groups."""

    def __init__(self, path: Path, groups: set[str]) -> None:
        self.path, self.groups = path, groups
        self.heard: asyncio.Queue[Message] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._socket = _datagrams(socket.SO_RCVBUF)
        try:
            self._socket.bind(str(path))
        except OSError as error:  # a folder with too long a name: pages hear of changes when one looks for them
            log.warning("no ear", extra={"facts": {"error": str(error)}})
        else:
            self._loop.add_reader(self._socket, self._listen)

    def _listen(self) -> None:
        with suppress(BlockingIOError):
            while True:
                self._hear(self._socket.recv(LONGEST))

    def _hear(self, said: bytes) -> None:
        try:
            for group, message in json.loads(said):
                if group in self.groups and isinstance(message, dict):
                    self.heard.put_nowait(message)
        except (ValueError, TypeError) as error:
            log.info("not understood", extra={"facts": {"error": type(error).__name__}})

    def close(self) -> None:
        if not self._loop.is_closed():
            self._loop.remove_reader(self._socket)
        self._socket.close()
        self.path.unlink(missing_ok=True)


class _Line:
    """The way to one neighbour's ear: each has one of his own, so that none who is full is in the way of another."""

    def __init__(self, ear: Path) -> None:
        self.late: Words = {}
        self._socket = _datagrams(socket.SO_SNDBUF)
        try:
            self._socket.connect(str(ear))
        except OSError:
            self._socket.close()
            raise

    def tell(self, words: Words) -> None:
        """What could not be told before, and this; raises OSError if nobody is there any more."""
        self.late |= words
        while self.late:
            some = list(islice(self.late.items(), MOST))
            try:
                self._socket.send(json.dumps(some).encode())
            except OSError as error:
                if error.errno in FULL:
                    return
                raise
            for group, _ in some:
                del self.late[group]

    def close(self) -> None:
        self._socket.close()


def _datagrams(room: int) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    made.setblocking(False)
    made.setsockopt(socket.SOL_SOCKET, room, ROOM)
    return made
