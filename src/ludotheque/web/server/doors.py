"""Processes behind one address: every table has one of them, and whoever knocks elsewhere is led there.

All is right wherever somebody ends up, but two processes with people at the same table both follow it and draw it.
The line of a page begins by naming its table; so the process where it arrives knows at once whose it is, and hands
the open connection over with what was read of it. They meet in a folder: each holds one of the house's numbers, and
has a socket under that. A table asks for the numbers in an order of its own, and belongs to the first that is held.
Nobody depends on this: who cannot be reached is passed over, and a line that nobody takes stays where it is.
"""

import asyncio
import fcntl
import hashlib
import logging
import os
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

log = logging.getLogger("ludotheque.web.server.doors")

LIVE = re.compile(rb"GET /live/([^/?# ]{1,100})[? ]")
LONGEST = 16_384  # bytes of a first message that is handed over
WAITING = 100  # lines that may wait before a door
ROOM = 1 << 20  # bytes of them
SOON = 0.05  # seconds until one looks again for a free number

Welcome = Callable[[socket.socket, bytes], None]
"""What becomes of a connection that was handed over, with the bytes that were read."""


class Doors:
    """Those of all processes, as one of them sees them. Nothing here waits: all of it is called within a loop."""

    def __init__(self, folder: Path, many: int, welcome: Welcome) -> None:
        self.folder, self.many, self.welcome = folder, many, welcome
        self.number: int | None = None
        self._lines: dict[int, socket.socket] = {}
        self._mine: list[socket.socket] = []
        self._held = -1
        self._again: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """As soon as there is a number to be had: whoever replaces a process starts before that one has left."""
        if not self._take_number():
            self._again = asyncio.get_running_loop().call_later(SOON, self.open)
            return
        try:
            self._listen()
        except OSError as error:  # a folder with too long a name, or a system without such sockets
            log.warning("no door", extra={"facts": {"error": str(error)}})

    def close(self) -> None:
        """Nobody is led here any more, and another may have the number."""
        loop = asyncio.get_running_loop()
        if self._again is not None:
            self._again.cancel()
        for door in self._mine:
            loop.remove_reader(door)
        for each in [*self._mine, *self._lines.values()]:
            each.close()
        self._mine, self._lines, self.number = [], {}, None
        if self._held >= 0:
            os.close(self._held)
            self._held = -1

    # Out

    def lead(self, said: bytes, connection: int) -> bool:
        """Whether somebody else has taken this connection, which began by saying this."""
        found = LIVE.match(said)
        if found is None or len(said) > LONGEST:
            return False
        for number in self.order(found[1]):
            if number == self.number:
                return False
            if self._hand_over(number, said, connection):
                return True
        return False

    def order(self, table: bytes) -> list[int]:
        """The numbers, as this table asks for them: the same in every process, and another one for every table."""
        return sorted(range(self.many), key=lambda number: hashlib.blake2b(b"%d %b" % (number, table)).digest())

    def _hand_over(self, number: int, said: bytes, connection: int) -> bool:
        """By the line that there is, or by a new one if whoever was there has been replaced."""
        return self._tell(number, said, connection) or (self._knock(number) and self._tell(number, said, connection))

    def _tell(self, number: int, said: bytes, connection: int) -> bool:
        if number not in self._lines:
            return False
        try:
            socket.send_fds(self._lines[number], [said], [connection])
        except OSError:
            self._lines.pop(number).close()
            return False
        return True

    def _knock(self, number: int) -> bool:
        try:
            line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError:  # a system without such sockets
            return False
        line.setblocking(False)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
        try:
            line.connect(self._door(number))
        except OSError:
            line.close()
            return False
        self._lines[number] = line
        return True

    # In

    def _take_number(self) -> bool:
        for number in range(self.many):
            held = os.open(self.folder / f"{number}.held", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(held)
            else:
                self._held, self.number = held, number
                return True
        return False

    def _listen(self) -> None:
        assert self.number is not None
        door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._mine.append(door)
        door.setblocking(False)
        Path(self._door(self.number)).unlink(missing_ok=True)
        door.bind(self._door(self.number))
        door.listen(WAITING)
        asyncio.get_running_loop().add_reader(door, self._enter, door)

    def _door(self, number: int) -> str:
        return str(self.folder / f"{number}.door")

    def _enter(self, door: socket.socket) -> None:
        with suppress(OSError):  # whoever knocked has gone
            line, _ = door.accept()
            self._mine.append(line)
            line.setblocking(False)
            asyncio.get_running_loop().add_reader(line, self._take, line)

    def _take(self, line: socket.socket) -> None:
        try:
            said, taken, _, _ = socket.recv_fds(line, LONGEST, 1)
        except BlockingIOError:
            return
        except OSError:
            taken = []
        if taken:
            connection = socket.socket(fileno=taken[0])
            connection.setblocking(False)
            self.welcome(connection, said)
        else:  # whoever was there has left
            asyncio.get_running_loop().remove_reader(line)
            self._mine.remove(line)
            line.close()
