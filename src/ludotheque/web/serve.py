"""One command and the doors are open: database, static files, secret key, server."""

import argparse
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

import django
import uvicorn
from django.core.management import call_command

DEFAULT_PORT = 8000


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/serve", description="Open the ludothèque in the browser.")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen; 0.0.0.0 for everyone on the network")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 takes a free one")
    parser.add_argument("--set-up-only", action="store_true", help="make everything ready and stop")
    asked = parser.parse_args(words)
    set_up(asked.host)
    if not asked.set_up_only:
        with suppress(KeyboardInterrupt):
            run(asked.host, asked.port)
    return 0


def set_up(host: str = "127.0.0.1") -> None:
    """Everything a start needs; doing it again changes nothing."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ludotheque.web.settings")
    if host == "0.0.0.0":  # noqa: S104 - the keeper asked for it
        os.environ.setdefault("LUDOTHEQUE_HOSTS", "*")
    _keep_secret(Path(os.environ.get("LUDOTHEQUE_DATA", "data")).resolve())
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)


def _keep_secret(data: Path) -> None:
    """A secret key of this ludothèque's own, which only its keeper can read."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        file = os.open(data / "secret-key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(file, "w") as key:
        key.write(secrets.token_urlsafe(50))


class _Announced(uvicorn.Server):
    """Prints the address once it can be opened."""

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            sys.stdout.write(f"Ludothèque is open: http://{shown}:{port}/   (Ctrl+C closes it)\n")
            sys.stdout.flush()


def run(host: str, port: int) -> None:
    """Serve until told to stop; connections get a moment to end."""
    from django.conf import settings  # noqa: PLC0415 - only now is Django set up

    from ludotheque.web import thinking, work  # noqa: PLC0415

    config = uvicorn.Config(
        "ludotheque.web.asgi:application",
        host=host,
        port=port,
        lifespan="off",
        access_log=False,  # our own log has routes, not addresses
        log_config=None,
        server_header=False,
        ws_max_size=16_384,
        timeout_graceful_shutdown=5,
        proxy_headers=True,
        forwarded_allow_ips=os.environ.get("LUDOTHEQUE_PROXIES", "127.0.0.1"),
    )
    signal.signal(signal.SIGTERM, _leave)
    Thread(target=thinking.keep_sweeping, daemon=True).start()
    if settings.WARM_UP:
        Thread(target=thinking.warm_all, daemon=True).start()
    try:
        _Announced(config).run()
    finally:
        work.close()


def _leave(_signal: int, _frame: object) -> None:
    """Told to stop: uvicorn says it once more when its connections are closed, and then there is still work to do."""
    raise SystemExit(0)
