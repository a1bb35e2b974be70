"""Where things are kept: in one file and one process, or shared by many processes under the addresses given."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.core.exceptions import ImproperlyConfigured

ME = f"ludotheque {uuid4()}"  # by which PostgreSQL knows this process
CONNECTIONS = 16  # to PostgreSQL from one process at most
KNOCK = 1  # seconds to wait for one of them before one looks whether there are any
SHORT = 2  # seconds to wait for Redis
POSTGRES = (
    "-c lock_timeout=10s "  # nobody waits for a table longer than that
    "-c idle_in_transaction_session_timeout=30s"  # whose process vanished lets go of his table
)


def database(url: str, data: Path, folder: str = "") -> dict[str, object]:
    """Django's description of the database: a file in `data`, or what the address says."""
    scheme = urlsplit(url).scheme
    if not url:
        engine = {"ENGINE": "ludotheque.web.server.sqlite"} if folder else {}
        return sqlite(data / "ludotheque.sqlite3") | engine
    if scheme in ("postgres", "postgresql"):
        return postgres(url)
    raise ImproperlyConfigured(f"DATABASE_URL must begin with postgresql://, not {scheme or 'nothing'}://")


def sqlite(file: Path) -> dict[str, object]:
    """Durable: what is committed survives a power cut. One writes at a time, the others wait for a while."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
                "PRAGMA temp_store=MEMORY; "  # what a statement may have to take back needs no file of its own
                "PRAGMA wal_autocheckpoint=8000;"  # 32 MB: pages that change with every batch go home less often
            ),
        },
    }


def postgres(url: str) -> dict[str, object]:
    """Connections come from a pool and are tried before they are used, so a restarted server is found again."""
    try:
        from psycopg import ProgrammingError  # noqa: PLC0415 - only whoever has PostgreSQL has this
        from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415
    except ImportError as error:
        raise _missing("DATABASE_URL") from error
    try:
        given = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except ProgrammingError as error:
        raise ImproperlyConfigured("DATABASE_URL is not an address of PostgreSQL") from error
    pool = {"min_size": 1, "max_size": CONNECTIONS, "timeout": KNOCK, "reconnect_timeout": 5}
    options: dict[str, object] = {
        "application_name": ME,
        "connect_timeout": "5",
        "keepalives_idle": "30",
        "tcp_user_timeout": "5000",  # milliseconds until a machine that says nothing is gone
    }
    return {
        "ENGINE": "ludotheque.web.server.postgres",
        "NAME": given.pop("dbname", "ludotheque"),
        "USER": given.pop("user", ""),
        "PASSWORD": given.pop("password", ""),
        "HOST": given.pop("host", ""),
        "PORT": given.pop("port", ""),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {**options, **given, "options": f"{POSTGRES} {given.get('options', '')}".strip(), "pool": pool},
    }


def layer(url: str, folder: str = "") -> dict[str, object]:
    """How processes tell each other that a table has changed: by Redis, or in the folder where they meet."""
    if url:
        return {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": url, **redis_options(in_loop=True)}], "prefix": "ludotheque"},
        }
    if folder:
        return {"BACKEND": "ludotheque.web.server.neighbours.Neighbours", "CONFIG": {"folder": folder}}
    return {"BACKEND": "channels.layers.InMemoryChannelLayer"}


def memory(url: str, folder: str = "") -> dict[str, object]:
    """What may be forgotten, shared by all processes."""
    if url:
        return {
            "BACKEND": "ludotheque.web.server.redis_cache.Shared",
            "LOCATION": url,
            "KEY_PREFIX": "ludotheque",
            "OPTIONS": {
                "serializer": "ludotheque.web.server.redis_cache.Plain",
                "socket_timeout": SHORT,
                **redis_options(),
            },
        }
    if folder:  # each writing counts the files
        files = "django.core.cache.backends.filebased.FileBasedCache"
        return {"BACKEND": files, "LOCATION": f"{folder}/memory", "OPTIONS": {"MAX_ENTRIES": 2_000}}
    return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}


def redis_options(*, in_loop: bool = False) -> dict[str, Any]:
    """How long Redis is waited for: short, since everything that matters works without it."""
    try:
        from redis.asyncio.retry import Retry as RetryInLoop  # noqa: PLC0415 - only whoever has Redis has this
        from redis.backoff import NoBackoff  # noqa: PLC0415
        from redis.retry import Retry  # noqa: PLC0415
    except ImportError as error:
        raise _missing("REDIS_URL") from error
    return {"socket_connect_timeout": SHORT, "retry": (RetryInLoop if in_loop else Retry)(NoBackoff(), 1)}


def _missing(variable: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{variable} is set, which needs: pip install 'ludotheque[scale]'")
