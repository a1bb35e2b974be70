"""A PostgreSQL that fails over: the primary dies, and its standby takes its place."""

import asyncio
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

import services
from faults.play import Fault, Size, Stage
from killing.sites import Site
from services import Postgres, Standby


class Pair:
    """A primary, and a standby that has every commit before it is acknowledged (synchronous replication)."""

    def __init__(self) -> None:
        self.primary: Postgres = Postgres()
        self.standby: Standby | None = None
        self.ports = [self.primary.port, services.free_port()]

    @property
    def url(self) -> str:
        """Both, of which libpq takes the one that can be written."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        return f"postgresql://ludotheque@{hosts}/postgres?target_session_attrs=read-write"

    def start(self) -> None:
        self.primary.start()
        self.add_standby()

    def add_standby(self) -> None:
        """Commits wait for it as soon as it is there."""
        port = next(port for port in self.ports if port != self.primary.port)
        self.standby = Standby(self.primary, port)
        self.standby.start()
        self._set_synchronous("*")
        deadline = time.monotonic() + services.START_TIMEOUT_S
        while not self._is_synchronous():
            assert time.monotonic() < deadline, "the standby does not follow"
            time.sleep(0.05)

    def _set_synchronous(self, names: str) -> None:
        with psycopg.connect(self.primary.url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'".encode())
            connection.execute("SELECT pg_reload_conf()")

    def _is_synchronous(self) -> bool:
        with psycopg.connect(self.primary.url) as connection:
            return bool(connection.execute("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'").fetchone())

    def kill(self) -> None:
        """The primary dies."""
        self.primary.kill()

    def promote(self) -> None:
        """The standby is the primary from now on."""
        assert self.standby is not None
        shutil.rmtree(self.primary.folder, ignore_errors=True)
        self.standby.promote()
        self.primary, self.standby = self.standby, None

    def close(self) -> None:
        for server in (self.primary, self.standby):
            if server is not None:
                server.close()


@contextmanager
def _replicated(folder: Path) -> Iterator[Site]:
    yield Site(folder, "two", database=Pair())


async def _fail_over(stage: Stage) -> None:
    """Two web processes and two workers behind nginx. The primary is killed (SIGKILL), after {hold} seconds the
    standby is promoted, then another standby is made for the next time. `DATABASE_URL` names both.
    Counted from the kill.
    """
    pair = next(each for each in stage.site.backends if isinstance(each, Pair))

    async def once() -> None:
        since = time.monotonic()
        await asyncio.to_thread(pair.kill)
        await asyncio.sleep(stage.size.hold_s)  # somebody, or something, has to notice
        await asyncio.to_thread(pair.promote)
        promoted = time.monotonic()
        stage.outcome.longest("seconds until the standby was promoted, at most", promoted - since)
        await stage.moves_are_back(since)
        stage.outcome.longest("seconds from then until a move was accepted, at most", time.monotonic() - promoted)
        await stage.computer_moves(since)
        await asyncio.to_thread(pair.add_standby)

    await stage.each_time(once)


FAILOVER = Fault(
    "PostgreSQL’s primary dies, and its synchronous standby is promoted",
    _replicated,
    _fail_over,
    Size(tables=6, pace_s=0.6, times=1, hold_s=1, to_end=False),
    Size(tables=40, pace_s=2, times=5, hold_s=3, spread_s=100),
    lacking=services.lacking,
)
