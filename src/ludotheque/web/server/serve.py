"""Start the site: prepare database, static files and secret key, then run the web server or a worker."""

import fcntl
import logging
import os
import secrets
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TextIO
from uuid import uuid4

import django
import uvicorn
from django.core.management import call_command

from ludotheque.web.server import preflight

log = logging.getLogger("ludotheque.web.server.serve")

DATABASE_START_S = 60
KEEP_ALIVE_S = 65  # longer than proxies keep an idle connection, so that none is closed just as they use it again
GRACEFUL_SHUTDOWN_S = 5
MAX_FRAME_BYTES = 16_384
MIN_START_BYTES = 100_000  # that SQLite needs to open its log
MIN_STATIC_BYTES = 20_000_000  # what the static files need, twice
USUAL_PROXY = "127.0.0.1"
MIGRATION_LOCK = 7_060_409  # key of our PostgreSQL advisory lock


def data_folder() -> Path:
    return Path(os.environ.get("LUDOTHEQUE_DATA", "data")).resolve()


# Preparing


def set_up(host: str = "127.0.0.1", *, static: bool = True) -> None:
    """Prepare everything a start needs. Idempotent, and safe while other processes do the same."""
    if host in ("0.0.0.0", "::") and "LUDOTHEQUE_HOSTS" not in os.environ:  # noqa: S104 - the keeper asked for it
        os.environ.setdefault("LUDOTHEQUE_LEARN_HOSTS", "1")
    configure_django()
    _notice_old_settings()
    _drop_old_metrics()
    _wait_for_database()
    with _set_up_lock():
        preflight.check_not_newer()
        call_command("migrate", verbosity=0, interactive=False)
        if static:
            _collect_static()


def configure_django() -> None:
    """Load Django with our settings, and a secret key that is kept; the data is for nobody else."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ludotheque.web.settings")
    preflight.check_data(data_folder())
    with _folder_lock():
        _create_secret_key(data_folder())
        preflight.check_key(data_folder())
    django.setup()
    preflight.keep_private(data_folder())


def _collect_static() -> None:
    """Write the static files, unless there is no room: then those of the last start are served."""
    from django.conf import settings  # noqa: PLC0415 - Django must be set up first

    if (settings.STATIC_ROOT / "staticfiles.json").exists() and _free_bytes() < MIN_STATIC_BYTES:
        log.warning("no room for static files: those of the last start are served")
        return
    call_command("collectstatic", verbosity=0, interactive=False)


def is_full(error: Exception) -> bool:
    """Whether this went wrong since the disk of the data is full: SQLite has many names for that."""
    if isinstance(error, OSError):
        return error.errno in preflight.FULL
    return data_folder().exists() and _free_bytes() < MIN_START_BYTES


def _free_bytes() -> int:
    return shutil.disk_usage(data_folder()).free


def _notice_old_settings() -> None:
    if os.environ.get("LUDOTHEQUE_TOGETHER"):
        log.warning("LUDOTHEQUE_TOGETHER is ignored: several processes need REDIS_URL and a proxy")


def _drop_old_metrics() -> None:
    from ludotheque.web.monitor import metrics  # noqa: PLC0415 - Django must be set up first

    metrics.drop_dead_processes(everything=True)
    metrics.drop_old_folder()


def _create_secret_key(folder: Path) -> None:
    """Create the key file of this site, readable by its owner only, unless there is one; whole or not at all."""
    path = folder / preflight.SECRET_FILE
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, preflight.FILE_MODE)
    except FileExistsError:
        return
    try:
        with os.fdopen(file, "w") as key:
            key.write(secrets.token_urlsafe(50))
            key.flush()
            os.fsync(key.fileno())
    except OSError:
        path.unlink()
        raise


def _wait_for_database() -> None:
    """After a power cut all services start at once, and PostgreSQL may take longest."""
    from django.db import OperationalError, connection  # noqa: PLC0415

    deadline = time.monotonic() + DATABASE_START_S
    while connection.vendor != "sqlite":
        try:
            connection.ensure_connection()
        except OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(1)
        else:
            return


@contextmanager
def _set_up_lock() -> Iterator[None]:
    """One process at a time prepares: of those that share the data folder, and of those that share PostgreSQL."""
    from django.db import connection  # noqa: PLC0415 - Django must be set up first

    with _folder_lock():
        if connection.vendor != "postgresql":
            yield
            return
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 0")
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])
                cursor.execute("RESET lock_timeout")


@contextmanager
def _folder_lock() -> Iterator[None]:
    with (data_folder() / "set-up").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def data_lock(*, exclusive: bool = False) -> Iterator[bool]:
    """Whether the data folder could be locked. Servers with Redis share the lock; `restore` and a server by itself
    need it alone, and wait for one that is just closing."""
    with (data_folder() / "open").open("w") as file:
        deadline = time.monotonic() + GRACEFUL_SHUTDOWN_S
        while not (is_locked := _try_lock(file, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)):
            if time.monotonic() > deadline:
                break
            time.sleep(0.1)
        yield is_locked


def _try_lock(file: TextIO, how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


# The web server


def proxies() -> list[str]:
    """Addresses and networks whose word about the visitor's address is taken."""
    return os.environ.get("LUDOTHEQUE_PROXIES", USUAL_PROXY).replace(",", " ").split()


def run(host: str, port: int, uds: str | None = None) -> None:
    """Serve on a port, or on a Unix domain socket, until SIGTERM or SIGINT."""
    from ludotheque.web.jobs import pool  # noqa: PLC0415 - Django must be set up first
    from ludotheque.web.server import sqlite_file  # noqa: PLC0415

    sqlite_file.keep_open()
    signal.signal(signal.SIGTERM, _exit)
    _follow_orders()
    if not pool.scaled():
        start_background_threads()
    try:
        with suppress(KeyboardInterrupt):
            _AnnouncedServer(_config(host, port, uds)).run()
    finally:
        pool.close()


def _config(host: str, port: int, uds: str | None) -> uvicorn.Config:
    from ludotheque.web.server.connections import Connections, raise_file_limit  # noqa: PLC0415
    from ludotheque.web.server.protocols import BoundedConfig  # noqa: PLC0415

    trusted = os.environ.get("LUDOTHEQUE_PROXIES", USUAL_PROXY)
    return BoundedConfig(
        "ludotheque.web.asgi:application",
        Connections(raise_file_limit(), proxies()),
        host=host,
        port=port,
        uds=uds,
        lifespan="off",
        access_log=False,  # our own log has routes, not addresses
        log_config=None,
        server_header=False,
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,  # messages are small, and a compressor takes more memory than the connection
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACEFUL_SHUTDOWN_S,
        proxy_headers=True,
        forwarded_allow_ips="*" if uds else trusted,  # only a proxy on this machine can open the socket
    )


def _exit(_signal: int, _frame: object) -> None:
    """uvicorn raises the signal once more after its shutdown; then `run` still has to end its jobs."""
    raise SystemExit(0)


class _AnnouncedServer(uvicorn.Server):
    """Prints its address once it accepts connections."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            _announce(self.servers[0].sockets[0].getsockname())


def _announce(name: str | tuple[str, int]) -> None:
    sys.stdout.write(f"Ludothèque is open: {_address(name)}   (Ctrl+C closes it)\n")
    sys.stdout.flush()


def _address(name: str | tuple[str, int]) -> str:
    if isinstance(name, str):
        return f"unix:{name}"
    host, port = name[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


# Workers


def start_background_threads() -> None:
    """Sweep for computer players' turns that nobody took, compile and generate ahead, delete what has expired."""
    from django.conf import settings  # noqa: PLC0415

    from ludotheque.web.players import turns, warm_up  # noqa: PLC0415
    from ludotheque.web.puzzles import maker  # noqa: PLC0415
    from ludotheque.web.server import retention  # noqa: PLC0415

    if settings.THINKER:
        _tell_of_cache()
    Thread(target=retention.keep_tidying, daemon=True).start()
    Thread(target=turns.keep_sweeping, daemon=True).start()
    if settings.WARM_UP:
        Thread(target=warm_up.warm_all, daemon=True).start()
        Thread(target=maker.warm_up, daemon=True).start()


def _tell_of_cache() -> None:
    """One line in the log if compiled code cannot be kept where it should be."""
    from ludotheque.search import cache_folder  # noqa: PLC0415

    wanted, used = cache_folder.wanted(), cache_folder.root()
    if used is None or used != wanted:
        facts = {"folder": str(wanted), "instead": str(used or "memory")}
        log.warning("compiled code cannot be kept: set LUDOTHEQUE_CACHE to a folder", extra={"facts": facts})


def _follow_orders() -> None:
    """Know the keeper's orders before the first request, and learn the later ones."""
    from ludotheque.web.guard import blocks  # noqa: PLC0415
    from ludotheque.web.server import keeper_sync  # noqa: PLC0415

    blocks.read()
    Thread(target=keeper_sync.keep_looking, name="orders", daemon=True).start()


def run_worker(metrics_port: int | None = None, metrics_host: str = "127.0.0.1") -> None:
    """Take jobs from the queue until SIGTERM or SIGINT; jobs that have begun are finished."""
    from ludotheque.web.jobs import pool, queue  # noqa: PLC0415
    from ludotheque.web.monitor import metrics  # noqa: PLC0415
    from ludotheque.web.server import sqlite_file  # noqa: PLC0415

    sqlite_file.keep_open()
    stop = Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda _signal, _frame: stop.set())
    me = f"{socket.gethostname()}-{uuid4()}"
    consumers = queue.consume()
    _follow_orders()
    start_background_threads()
    sys.stdout.write("Ludothèque thinks.   (Ctrl+C ends it)\n")
    if metrics_port is not None:
        port = metrics.publish(metrics_port, metrics_host)
        sys.stdout.write(f"Figures: http://{metrics_host}:{port}/metrics\n")
    sys.stdout.flush()
    queue.register_worker(me)
    while not stop.wait(queue.WORKER_TTL_S / 3):
        queue.register_worker(me)
    consumers.stop(timeout_ms=queue.MINUTE_MS // 4)
    queue.unregister_worker(me)
    pool.close()
