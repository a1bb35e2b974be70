"""Sites to be killed: one process with SQLite, or web processes behind nginx with workers, PostgreSQL and Redis."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from services import Nginx, Postgres, Redis, Running, free_port

WEB_PROCESSES = 2  # behind nginx
SITES = {
    "one": "one process, SQLite",
    "two": f"{WEB_PROCESSES} web processes, 2 workers, nginx, PostgreSQL, Redis",
}


class Victim(Protocol):
    """What can be killed and started again."""

    def start(self) -> None: ...
    def kill(self) -> None: ...


class Service(Victim, Protocol):
    """What is there for the site alone."""

    def close(self) -> None: ...


class Database(Service, Protocol):
    """A PostgreSQL, or several of them."""

    @property
    def url(self) -> str: ...


class Site:
    """All processes of a site, and the environment they run in; `own` is for them alone. Bots use `port`."""

    def __init__(
        self, folder: Path, kind: str, own: Mapping[str, str] | None = None, database: Database | None = None
    ) -> None:
        shared = kind == "two"
        self.own = dict(own or {})
        database, redis = (database or Postgres(), Redis()) if shared else (None, None)
        self.backends: list[Service] = [each for each in (database, redis) if each is not None]
        for backend in self.backends:
            backend.start()
        database_url, redis_url = (database.url, redis.url) if database and redis else ("", "")
        self.environment = {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "LUDOTHEQUE_DATA": str(folder / "data"),
            "LUDOTHEQUE_LOG": "WARNING",
            "LUDOTHEQUE_LIMITS": "off",
            "LUDOTHEQUE_PACE": "0",
            "LUDOTHEQUE_SWEEP": "3",
            "LUDOTHEQUE_THINKER": "mover:anything",
            "LUDOTHEQUE_THINKERS": "1",
            "LUDOTHEQUE_WARM_UP": "0",
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]),
        }
        self.log = folder / "log"
        ports = [free_port() for _ in range(WEB_PROCESSES if shared else 1)]
        self.nginx = Nginx(ports) if shared else None
        self.port = self.nginx.port if self.nginx else ports[0]
        self.victims: dict[str, Victim] = {
            f"server {number}": self._running("serve", "--port", str(port)) for number, port in enumerate(ports, 1)
        }
        if self.nginx:
            self.victims |= {
                "worker 1": self._running("work"),
                "worker 2": self._running("work"),
                "nginx": self.nginx,
            }

    def _running(self, *words: str) -> Running:
        command = [sys.executable, "-m", "ludotheque.cli", *words]
        return Running(command, os.environ | self.environment | self.own, self.log)

    def open(self) -> None:
        for victim in self.victims.values():
            victim.start()
        self.victims |= {type(backend).__name__.lower(): backend for backend in self.backends}

    def close(self) -> None:
        for victim in self.victims.values():
            victim.kill()
        services: list[Service] = [*self.backends, *([self.nginx] if self.nginx else [])]
        for service in services:
            service.close()
