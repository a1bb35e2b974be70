"""Servers to be measured, each for a while: our own in its set-ups, and boardgame.io's."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import psutil

import services
from crowd.house import House
from crowd.pairs import Host
from crowd.rival import Rival
from services import Running

RIVAL = Path(__file__).parent.parent / "rival"
MANY = "page=0/9000000 deed=9000000/9000000 table=0/9000000 socket=0/9000000 sockets=0/9000000"
"""Everybody comes from one address here. They are counted as usual, but nobody is stopped."""


@dataclass
class Server:
    """A server that runs, with whatever runs for it."""

    host: Host
    web: list[Running]
    beside: list[Running]

    def cpu(self) -> list[float]:
        """Seconds of processors used so far, by the server itself and by each that runs for it."""
        return [sum(map(self._cpu, self.web)), *map(self._cpu, self.beside)]

    def _cpu(self, running: Running) -> float:
        times = [process.cpu_times() for process in self._family(running)]
        return float(sum(time.user + time.system for time in times))

    def memory(self) -> int:
        """Bytes of its own."""
        return sum(process.memory_full_info().uss for running in self.web for process in self._family(running))

    def _family(self, running: Running) -> list[psutil.Process]:
        if running.process is None:
            return []
        head = psutil.Process(running.process.pid)
        return [head, *head.children(recursive=True)]


Start: TypeAlias = Callable[[], AbstractContextManager[Server]]


@contextmanager
def embedded(workers: int = 1) -> Iterator[Server]:
    """Ours as one command starts it: SQLite and nothing else, with one process or so many."""
    with _house({}, ["--workers", str(workers)], []) as server:
        yield server


@contextmanager
def scaled(workers: int) -> Iterator[Server]:
    """Ours with PostgreSQL, Redis and so many processes behind one address, who share the tables among them."""
    with _shared() as (urls, beside), _house(urls, ["--workers", str(workers)], beside) as server:
        yield server


@contextmanager
def apart(addresses: int, *, by_table: bool) -> Iterator[Server]:
    """The same with an address for each, as on several machines: all of a table come to one, or anyone anywhere."""
    with _shared() as (urls, beside), _house(urls, [], beside, addresses, by_table=by_table) as server:
        yield server


@contextmanager
def _shared() -> Iterator[tuple[dict[str, str], list[Running]]]:
    """A PostgreSQL and a Redis."""
    postgres, redis = services.Postgres(), services.Redis()
    try:
        postgres.start()
        redis.start()
        yield {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}, [postgres.running, redis.running]
    finally:
        postgres.close()
        redis.close()


@contextmanager
def _house(
    urls: dict[str, str], words: list[str], beside: list[Running], addresses: int = 1, *, by_table: bool = True
) -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="ludotheque-load-"))
    ports = [services.free_port() for _ in range(addresses)]
    settings = {
        "LUDOTHEQUE_DATA": str(folder),
        "LUDOTHEQUE_LOG": "ERROR",
        "LUDOTHEQUE_LIMITS": MANY,
        "LUDOTHEQUE_WARM_UP": "0",
        "LUDOTHEQUE_THINKER": "",
        **urls,
    }
    command = [sys.executable, "-m", "ludotheque.cli", "serve", *words, "--port"]
    web = [Running([*command, str(port)], {**os.environ, **settings}, log=folder / f"log-{port}") for port in ports]
    try:
        with ExitStack() as open_ones:
            for running, port in zip(web, ports, strict=True):
                open_ones.enter_context(_started(running, port))
            yield Server(House(ports, by_table), web, beside)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def boardgame_io() -> Iterator[Server]:
    """The rival: its own server, in memory, as its makers publish it."""
    if not (RIVAL / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--silent"], cwd=RIVAL, check=True)  # noqa: S607
    port = services.free_port()
    running = Running(["node", str(RIVAL / "server.js"), str(port)], {**os.environ, "NODE_ENV": "production"})
    with _started(running, port):
        yield Server(Rival(port), [running], [])


@contextmanager
def _started(running: Running, port: int) -> Iterator[None]:
    running.start()
    try:
        services.wait_for(port, 90)
        time.sleep(1)
        yield
    finally:
        running.kill()
