"""Opening the house: database, static files, secret key, server; and the workers who think for it."""

import fcntl
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

import django
import uvicorn
from django.core.management import call_command

from ludotheque.web.server import many

DEFAULT_PORT = 8000
WAITING = 60  # seconds for the database to start
IDLE = 65  # seconds: longer than proxies keep a line open, so that none is closed just as they use it again
GRACE = 5  # seconds that connections get to end
MIGRATING = 7_060_409  # our number among PostgreSQL's advisory locks


def data() -> Path:
    return Path(os.environ.get("LUDOTHEQUE_DATA", "data")).resolve()


def set_up(host: str = "127.0.0.1", *, static: bool = True) -> None:
    """Everything a start needs; doing it again changes nothing, and several may do it at once."""
    if host == "0.0.0.0":  # noqa: S104 - the keeper asked for it
        os.environ.setdefault("LUDOTHEQUE_HOSTS", "*")
    wake_up()
    _forget_figures()
    _wait_for_database()
    with _alone():
        call_command("migrate", verbosity=0, interactive=False)
        if static:
            call_command("collectstatic", verbosity=0, interactive=False)


def wake_up() -> None:
    """Django, with our settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ludotheque.web.settings")
    _keep_secret(data())
    django.setup()


def _forget_figures() -> None:
    """Those of processes that are gone."""
    from ludotheque.web.monitor import metrics  # noqa: PLC0415 - only now is Django set up

    metrics.forget_the_dead(everything=True)


def _keep_secret(folder: Path) -> None:
    """A secret key of this ludothèque's own, which only its keeper can read."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        file = os.open(folder / "secret-key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(file, "w") as key:
        key.write(secrets.token_urlsafe(50))


def _wait_for_database() -> None:
    """After a power cut everything starts at once, and the database may take longest."""
    from django.db import OperationalError, connection  # noqa: PLC0415

    end = time.monotonic() + WAITING
    while connection.vendor != "sqlite":
        try:
            connection.ensure_connection()
        except OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(1)
        else:
            return


@contextmanager
def _alone() -> Iterator[None]:
    """While the others who start wait: those of this folder, and those of this PostgreSQL."""
    from django.db import connection  # noqa: PLC0415 - only now is Django set up

    with (data() / "set-up").open("w") as mark:
        fcntl.flock(mark, fcntl.LOCK_EX)
        if connection.vendor != "postgresql":
            yield
            return
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 0")
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])
                cursor.execute("RESET lock_timeout")


@contextmanager
def open_house(*, alone: bool = False) -> Iterator[bool]:
    """Whether one may: any number have the house open together, but whoever restores a backup must be alone."""
    with (data() / "open").open("w") as mark:
        try:
            fcntl.flock(mark, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


# The server


def run(host: str, port: int, workers: int = 1) -> None:
    """Serve until told to stop; connections get a moment to end, and pages come back by themselves."""
    config = uvicorn.Config(
        "ludotheque.web.asgi:application",
        host=host,
        port=port,
        workers=workers,
        lifespan="off",
        access_log=False,  # our own log has routes, not addresses
        log_config=None,
        server_header=False,
        ws="ludotheque.web.server.framing:Framed",
        ws_max_size=16_384,
        ws_per_message_deflate=False,  # changes are small, and a compressor is larger than all else of a connection
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=True,
        forwarded_allow_ips=os.environ.get("LUDOTHEQUE_PROXIES", "127.0.0.1"),
    )
    with suppress(KeyboardInterrupt):
        _run_many(config) if workers > 1 else _run_one(config)


class _Announced(uvicorn.Server):
    """Prints the address once it can be opened."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            _announce(self.servers[0].sockets[0].getsockname())


def _announce(name: tuple[str, int]) -> None:
    host, port = name[:2]
    shown = f"[{host}]" if ":" in host else host
    sys.stdout.write(f"Ludothèque is open: http://{shown}:{port}/   (Ctrl+C closes it)\n")
    sys.stdout.flush()


def _run_many(config: uvicorn.Config) -> None:
    from ludotheque.web.jobs import pool  # noqa: PLC0415 - only now is Django set up

    many.run(config, _announce, None if pool.scaled() else start_thinking)


def _run_one(config: uvicorn.Config) -> None:
    from ludotheque.web.jobs import pool  # noqa: PLC0415 - only now is Django set up

    signal.signal(signal.SIGTERM, many.leave)
    if not pool.scaled():
        start_thinking()
    try:
        _Announced(config).run()
    finally:
        pool.close()


# Workers


def start_thinking() -> None:
    """Take turns that nobody took, and make ahead what will be asked for."""
    from django.conf import settings  # noqa: PLC0415

    from ludotheque.web.players import turns, warm_up  # noqa: PLC0415
    from ludotheque.web.puzzles import maker  # noqa: PLC0415

    Thread(target=turns.keep_sweeping, daemon=True).start()
    if settings.WARM_UP:
        Thread(target=warm_up.warm_all, daemon=True).start()
        Thread(target=maker.warm_up, daemon=True).start()


def think(metrics_port: int | None = None, metrics_host: str = "127.0.0.1") -> None:
    """Take work from the queue until told to stop; what has begun is finished."""
    from ludotheque.web.jobs import pool, queue  # noqa: PLC0415
    from ludotheque.web.monitor import metrics  # noqa: PLC0415

    told = Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda _signal, _frame: told.set())
    me = f"{socket.gethostname()}-{uuid4()}"
    worker = queue.listen()
    start_thinking()
    sys.stdout.write("Ludothèque thinks.   (Ctrl+C ends it)\n")
    if metrics_port is not None:
        port = metrics.publish(metrics_port, metrics_host)
        sys.stdout.write(f"Figures: http://{metrics_host}:{port}/metrics\n")
    sys.stdout.flush()
    queue.sign_in(me)
    while not told.wait(queue.LATELY / 3):
        queue.sign_in(me)
    worker.stop(timeout=queue.MINUTE // 4)
    queue.sign_out(me)
    pool.close()
