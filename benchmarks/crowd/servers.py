"""Servers to be measured: ours in its set-ups, an older checkout of ours, and boardgame.io's."""

import http.client
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import psutil

import services
from crowd.pairs import Host
from crowd.rival import Rival
from crowd.site import Site
from services import Running

ROOT = Path(__file__).parent.parent.parent
RIVAL = ROOT / "benchmarks/rival"
HIGH_LIMITS = "page=0/9000000 deed=9000000/9000000 table=0/9000000 socket=0/9000000 sockets=0/9000000"
"""All bots have one address. Requests are counted as usual, but none is refused."""


@dataclass
class Server:
    """A server that runs: its web processes, and the services beside them (PostgreSQL, Redis, nginx)."""

    host: Host
    web: list[Running]
    beside: list[Running]

    def cpu(self) -> list[float]:
        """CPU seconds used so far, by the web processes together and by each service."""
        return [sum(map(self._cpu, self.web)), *map(self._cpu, self.beside)]

    def _cpu(self, running: Running) -> float:
        times = [process.cpu_times() for process in self._family(running)]
        return float(sum(time.user + time.system for time in times))

    def memory(self) -> int:
        """Bytes of the web processes (USS)."""
        return sum(process.memory_full_info().uss for running in self.web for process in self._family(running))

    def _family(self, running: Running) -> list[psutil.Process]:
        if running.process is None:
            return []
        head = psutil.Process(running.process.pid)
        return [head, *head.children(recursive=True)]


Start: TypeAlias = Callable[[], AbstractContextManager[Server]]


@dataclass(frozen=True)
class Checkout:
    """A version of ours, with the Python that has its dependencies."""

    folder: Path = ROOT
    python: str = sys.executable

    @classmethod
    def at(cls, folder: Path) -> "Checkout":
        """Another checkout; its own script makes its environment."""
        made = folder.resolve()
        set_up = ". scripts/environment; environment .venv-serve serve"
        subprocess.run(["bash", "-c", set_up], cwd=made, check=True)  # noqa: S603, S607 - its own script
        return cls(made, str(made / ".venv-serve/bin/python"))

    def serve(self, folder: Path, port: int, urls: dict[str, str], *words: str) -> Running:
        """A web process of this version, with its data in the folder, for figures about requests and moves alone: no
        request is refused, and no computer player thinks."""
        settings = {
            "LUDOTHEQUE_LOG": "ERROR",
            "LUDOTHEQUE_LIMITS": HIGH_LIMITS,
            "LUDOTHEQUE_WARM_UP": "0",
            "LUDOTHEQUE_THINKER": "",
        }
        return self._running(folder, port, {**os.environ, **settings, **urls}, *words, log=folder / f"log-{port}")

    def serve_by_default(self, data: Path, port: int, log: Path) -> Running:
        """A web process of this version with its default settings, whatever the environment says; only compiled code
        is kept where it says."""
        ours = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "PROMETHEUS_MULTIPROC_DIR"}
        plain = {
            name: value
            for name, value in os.environ.items()
            if name not in ours and (name == "LUDOTHEQUE_CACHE" or not name.startswith("LUDOTHEQUE_"))
        }
        return self._running(data, port, plain, log=log)

    def _running(self, data: Path, port: int, environment: Mapping[str, str], *words: str, log: Path) -> Running:
        command = [self.python, "-m", "ludotheque.cli", "serve", "--port", str(port), *words]
        own = {"LUDOTHEQUE_DATA": str(data), "PYTHONPATH": str(self.folder / "src")}
        return Running(command, {**environment, **own}, log=log)


HERE = Checkout()


@contextmanager
def one_process(checkout: Checkout = HERE) -> Iterator[Server]:
    """As one command starts it: SQLite and nothing else."""
    with _folder() as folder:
        port = services.free_port()
        server = checkout.serve(folder, port, {})
        with _started(server, port):
            yield Server(Site(port), [server], [])


@contextmanager
def behind_nginx(processes: int) -> Iterator[Server]:
    """Several processes with PostgreSQL and Redis, behind nginx as `deploy/nginx.conf` has it."""
    with _folder() as folder, _shared() as (urls, beside), ExitStack() as started:
        ports = [services.free_port() for _ in range(processes)]
        web = [HERE.serve(folder, port, urls) for port in ports]
        for server, port in zip(web, ports, strict=True):
            started.enter_context(_started(server, port))
        nginx = services.Nginx(ports)
        started.callback(nginx.close)
        nginx.start()
        yield Server(Site(nginx.port), web, [*beside, nginx.running])


@contextmanager
def behind_one_port(processes: int, checkout: Checkout) -> Iterator[Server]:
    """An older version that shared a port among processes by itself (`--workers`), with PostgreSQL and Redis."""
    with _folder() as folder, _shared() as (urls, beside):
        port = services.free_port()
        server = checkout.serve(folder, port, urls, "--workers", str(processes))
        with _started(server, port):
            yield Server(Site(port), [server], beside)


@contextmanager
def boardgame_io() -> Iterator[Server]:
    """The rival: its own server, in memory, as its makers publish it."""
    if not (RIVAL / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--silent"], cwd=RIVAL, check=True)  # noqa: S607
    port = services.free_port()
    server = Running(["node", str(RIVAL / "server.js"), str(port)], {**os.environ, "NODE_ENV": "production"})
    with _started(server, port):
        yield Server(Rival(port), [server], [])


@contextmanager
def _folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="ludotheque-load-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


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
def _started(server: Running, port: int) -> Iterator[None]:
    server.start()
    try:
        _wait_for_answer(port)
        yield
    finally:
        server.kill()


def _wait_for_answer(port: int) -> None:
    """Until it answers requests, whatever it answers: a port may be open before."""
    services.wait_for(port)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=services.START_TIMEOUT_S)
    connection.request("GET", "/health")
    connection.getresponse().read()
    connection.close()
