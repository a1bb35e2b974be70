"""Real PostgreSQL and Redis for tests and benchmarks: on this machine alone, in folders of their own, for a while.

They are Debian's (`apt-get install postgresql redis-server`), or any others on the PATH.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

LONGEST = 3600  # seconds after which a service ends by itself, whatever becomes of whoever started it
REDIS_ROOMS = 256
USER = "postgres"  # PostgreSQL refuses to run as root; Debian's package brings this user


def missing() -> list[str]:
    """What would have to be installed."""
    found = {"postgresql": program("initdb"), "redis-server": program("redis-server")}
    return [name for name, path in found.items() if path is None]


def program(name: str) -> str | None:
    """Where a program is. Debian keeps those of PostgreSQL off the PATH, by version."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return shutil.which(name) or (str(newest[-1]) if newest else None)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def as_user(command: Sequence[str]) -> list[str]:
    """The command, not as root."""
    if os.geteuid():
        return list(command)
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command]


def wait_for(port: int, seconds: float = 30) -> None:
    """Until somebody listens."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise TimeoutError(f"nobody listens at port {port}")


@dataclass
class Running:
    """A program with all its processes, which can be killed and started again."""

    command: list[str]
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    log: Path | None = None
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        bounded = ["timeout", "-k", "5", str(LONGEST), *self.command]
        out = self.log.open("ab") if self.log else None
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            bounded,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=out or subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        if out:
            out.close()

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """At once and without warning, the whole family."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Asked kindly, as a keeper would."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        group, self.process = self.process, None
        with suppress(ProcessLookupError):
            if how == signal.SIGKILL:
                os.killpg(group.pid, how)
            else:
                group.send_signal(how)
        try:
            group.wait(30)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(group.pid, signal.SIGKILL)


class Postgres:
    """A database server. `durable` as it is by default; else faster, for tests that are not about that."""

    def __init__(self, *, durable: bool = True) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ludotheque-postgres-"))
        self.port = free_port()
        self.url = f"postgresql://ludotheque@127.0.0.1:{self.port}/postgres"
        if not os.geteuid():
            shutil.chown(self.folder, USER, USER)
        subprocess.run(  # noqa: S603 - our own command
            as_user([_found("initdb"), "-D", f"{self.folder}/data", "-U", "ludotheque", "-A", "trust", "-E", "UTF8"]),
            check=True,
            capture_output=True,
            cwd=self.folder,
        )
        options = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "on"}
        if not durable:
            options |= {"fsync": "off"}
        words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        self.running = Running(as_user([_found("postgres"), "-D", f"{self.folder}/data", *words]))

    def start(self) -> None:
        """Also after it was killed: it recovers by its own log."""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            self.running.start()
            while self.running.alive and time.monotonic() < end:
                if self._answers():
                    return
                time.sleep(0.05)
            self.running.kill()  # the family of the one before was not gone yet
        raise TimeoutError("PostgreSQL does not start")

    def _answers(self) -> bool:
        """Whether it lets somebody in: its port is open even if it is about to give up."""
        import psycopg  # noqa: PLC0415 - not everyone who starts a service talks to it

        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        self.running.kill()

    def close(self) -> None:
        self.running.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis:
    """A Redis that keeps nothing when it dies."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ludotheque-redis-"))
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "save": "",
            "appendonly": "no",
            "databases": str(REDIS_ROOMS),
            "dir": str(self.folder),
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.running = Running([_found("redis-server"), *words])

    def start(self) -> None:
        self.running.start()
        wait_for(self.port)

    def kill(self) -> None:
        self.running.kill()

    def close(self) -> None:
        self.running.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def new_database(url: str) -> str:
    """Another database on the same PostgreSQL; its address."""
    import psycopg  # noqa: PLC0415 - not everyone who starts a service talks to it

    name = f"house{time.monotonic_ns()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{url.rpartition('/')[0]}/{name}"


def new_redis(url: str) -> str:
    """Another of the rooms of the same Redis, not given to anyone by this process before."""
    return f"{url.rpartition('/')[0]}/{next(_rooms)}"


_rooms = iter(range(1, REDIS_ROOMS))


def _found(name: str) -> str:
    path = program(name)
    if path is None:
        raise FileNotFoundError(f"There is no {name}; apt-get install {' '.join(missing())}")
    return path
