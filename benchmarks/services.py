"""Real PostgreSQL, Redis and nginx for tests and benchmarks: on the loopback, in temporary folders, for a while.

They are Debian's (`apt-get install postgresql redis-server nginx`), or any others on the PATH.
"""

import os
import re
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

MAX_LIFETIME_S = 7200  # after which a service ends by itself, whatever becomes of the process that started it
START_TIMEOUT_S = 300
REDIS_DATABASES = 256
POSTGRES_USER = "postgres"  # PostgreSQL refuses to run as root; Debian's package brings this user
NGINX_SITE = Path(__file__).parent.parent / "deploy/nginx.conf"
NGINX_CONNECTIONS = 32_768  # two for each page, and the bots have thousands of tables


def missing() -> list[str]:
    """Debian's packages that would have to be installed."""
    found = {
        "postgresql": program("initdb"),
        "redis-server": program("redis-server"),
        "nginx": program("nginx"),
    }
    return [name for name, path in found.items() if path is None]


def lacking() -> str:
    """Why nothing that needs them can be done here; empty if it can."""
    return f"needs Debian's {', '.join(missing())}" if missing() else ""


def program(name: str) -> str | None:
    """Where a program is. Debian keeps those of PostgreSQL off the PATH, by version, and nginx in /usr/sbin."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return shutil.which(name) or shutil.which(name, path="/usr/sbin") or (str(newest[-1]) if newest else None)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def as_user(command: Sequence[str]) -> list[str]:
    """The command, not as root."""
    if os.geteuid():
        return list(command)
    return ["setpriv", f"--reuid={POSTGRES_USER}", f"--regid={POSTGRES_USER}", "--clear-groups", *command]


def wait_for(port: int, seconds: float = START_TIMEOUT_S) -> None:
    """Until the port accepts connections."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
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
        bounded = ["timeout", "-k", "5", str(MAX_LIFETIME_S), *self.command]
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
        """SIGKILL to the whole process group."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """SIGTERM, as systemd sends it."""
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
            group.wait(START_TIMEOUT_S)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(group.pid, signal.SIGKILL)


class Postgres:
    """A database server. `durable` as it is by default; else faster, for tests that are not about that."""

    def __init__(self, *, durable: bool = True, port: int = 0) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ludotheque-postgres-"))
        self.port = port or free_port()
        self.url = f"postgresql://ludotheque@127.0.0.1:{self.port}/postgres"
        if not os.geteuid():
            shutil.chown(self.folder, POSTGRES_USER, POSTGRES_USER)
        self._create()
        options = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "on"}
        if not durable:
            options |= {"fsync": "off"}
        words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        self.running = Running(as_user([_found("postgres"), "-D", f"{self.folder}/data", *words]))

    def _create(self) -> None:
        self._run("initdb", "-U", "ludotheque", "-A", "trust", "-E", "UTF8")

    def _run(self, name: str, *words: str) -> None:
        """One of PostgreSQL's programs, on our folder."""
        command = as_user([_found(name), "-D", f"{self.folder}/data", *words])
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)  # noqa: S603 - our own command

    def start(self) -> None:
        """Also after it was killed: it recovers by its own log."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            self.running.start()
            while self.running.alive and time.monotonic() < deadline:
                if self._answers():
                    return
                time.sleep(0.05)
            self.running.kill()  # processes of the one before were not gone yet
        raise TimeoutError("PostgreSQL does not start")

    def _answers(self) -> bool:
        """Whether it accepts logins: its port is open before."""
        import psycopg  # noqa: PLC0415 - needs the extra `scale`

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


class Standby(Postgres):
    """Follows another server by streaming replication, until it is promoted."""

    def __init__(self, primary: Postgres, port: int) -> None:
        self.primary = primary
        super().__init__(port=port)

    def _create(self) -> None:
        self._run("pg_basebackup", "-d", self.primary.url, "--write-recovery-conf", "--checkpoint=fast")
        with (self.folder / "data/postgresql.auto.conf").open("a", encoding="utf-8") as settings:
            settings.write("synchronous_standby_names = ''\n")  # once promoted, it has no standby yet

    def promote(self) -> None:
        """It can be written from now on."""
        self._run("pg_ctl", "promote")


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
            "databases": str(REDIS_DATABASES),
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


@dataclass(frozen=True)
class Proxied:
    """A request in nginx's log."""

    upstream: int  # port of the process that answered last
    status: int
    path: str


class Nginx:
    """nginx before web processes at these ports, with the site that `deploy/nginx.conf` documents."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ludotheque-nginx-"))
        self.folder.chmod(0o755)  # started by root, its workers are another user
        self.port = free_port()
        (self.folder / "site.conf").write_text(self._site(ports), encoding="utf-8")
        (self.folder / "nginx.conf").write_text(self._main(), encoding="utf-8")
        command = [_found("nginx"), "-p", str(self.folder), "-c", "nginx.conf", "-e", "error.log"]
        self.running = Running(command, log=self.folder / "output.log")

    def _site(self, ports: Sequence[int]) -> str:
        """The documented site with our ports in it."""
        text = NGINX_SITE.read_text(encoding="utf-8")
        text, listens = re.subn(r"listen 80;", f"listen 127.0.0.1:{self.port};", text)
        text, names = re.subn("games.example.org", "127.0.0.1 localhost", text)
        servers = "".join(f"    server 127.0.0.1:{port} fail_timeout=2s;\n" for port in ports)
        text, upstreams = re.subn(r"(?:    server 127\.0\.0\.1:800\d fail_timeout=2s;.*\n)+", servers, text)
        assert (listens, names, upstreams) == (1, 1, 1), "deploy/nginx.conf is not as it was"
        return text

    def _main(self) -> str:
        temporary = "".join(
            f"    {kind}_temp_path {kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        return f"""daemon off;
pid nginx.pid;
worker_processes 1;
worker_rlimit_nofile {2 * NGINX_CONNECTIONS};
events {{ worker_connections {NGINX_CONNECTIONS}; }}
http {{
    log_format upstream '$upstream_addr $status $uri';
    access_log access.log upstream;
{temporary}    include site.conf;
}}
"""

    def start(self) -> None:
        self.running.start()
        wait_for(self.port)

    def requests(self) -> list[Proxied]:
        """What it has passed on; a WebSocket once it is closed."""
        lines = (self.folder / "access.log").read_text(encoding="utf-8").splitlines()
        return [_proxied(line) for line in lines if not line.startswith("-")]

    def kill(self) -> None:
        self.running.kill()

    def close(self) -> None:
        self.running.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def _proxied(line: str) -> Proxied:
    """From `127.0.0.1:8001, 127.0.0.1:8002 200 /t/abc`: the first process did not answer, the second did."""
    *upstreams, status, path = line.split(" ")
    return Proxied(int(upstreams[-1].rpartition(":")[2]), int(status), path)


def new_database(url: str) -> str:
    """Another database on the same PostgreSQL; its address."""
    import psycopg  # noqa: PLC0415 - needs the extra `scale`

    name = f"site{time.monotonic_ns()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{url.rpartition('/')[0]}/{name}"


def new_redis(url: str) -> str:
    """Another database of the same Redis, which this process has not given out before."""
    return f"{url.rpartition('/')[0]}/{next(_redis_databases)}"


_redis_databases = iter(range(1, REDIS_DATABASES))


def _found(name: str) -> str:
    path = program(name)
    if path is None:
        raise FileNotFoundError(f"There is no {name}; apt-get install {' '.join(missing())}")
    return path
