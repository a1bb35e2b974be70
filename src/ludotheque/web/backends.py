"""DATABASE_URL and REDIS_URL as Django settings: SQLite and one process, or PostgreSQL, Redis and any number."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.core.exceptions import ImproperlyConfigured

APPLICATION_NAME = f"ludotheque {uuid4()}"  # of this process, in PostgreSQL's pg_stat_activity
MAX_POSTGRES_CONNECTIONS = 16  # of one process
POOL_TIMEOUT_S = 1  # until the postgres backend checks whether PostgreSQL is up at all
REDIS_TIMEOUT_S = 2
LOCAL_CACHE_ENTRIES = 100_000
POSTGRES_OPTIONS = (
    "-c lock_timeout=10s "
    "-c idle_in_transaction_session_timeout=30s"  # frees the row lock of a process that vanished
)


def database(url: str, data: Path) -> dict[str, object]:
    """The `DATABASES` entry: a SQLite file in `data`, or the PostgreSQL of the address."""
    scheme = urlsplit(url).scheme
    if not url:
        return sqlite(data / "ludotheque.sqlite3")
    if scheme in ("postgres", "postgresql"):
        return postgres(url)
    raise ImproperlyConfigured(f"DATABASE_URL must begin with postgresql://, not {scheme or 'nothing'}://")


def sqlite(file: Path) -> dict[str, object]:
    """Durable: what is committed survives a power cut. Writers wait up to 20 s for each other."""
    return {
        "ENGINE": "ludotheque.web.server.sqlite",
        "NAME": file,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
                "PRAGMA temp_store=MEMORY; "  # statement journals need no file
                "PRAGMA wal_autocheckpoint=8000;"  # 32 MB: pages that change often are copied back less often
            ),
        },
    }


def postgres(url: str) -> dict[str, object]:
    """Connections come from a pool and are checked before use, so a restarted server is found again."""
    try:
        from psycopg import ProgrammingError  # noqa: PLC0415 - needs the extra `scale`
        from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415
    except ImportError as error:
        raise _missing("DATABASE_URL") from error
    try:
        given = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except ProgrammingError as error:
        raise ImproperlyConfigured("DATABASE_URL is not an address of PostgreSQL") from error
    pool = {"min_size": 1, "max_size": MAX_POSTGRES_CONNECTIONS, "timeout": POOL_TIMEOUT_S, "reconnect_timeout": 5}
    options: dict[str, object] = {
        "application_name": APPLICATION_NAME,
        "connect_timeout": "5",
        "keepalives_idle": "30",
        "tcp_user_timeout": "5000",  # ms until an unreachable machine counts as gone
    }
    return {
        "ENGINE": "ludotheque.web.server.postgres",
        "NAME": given.pop("dbname", "ludotheque"),
        "USER": given.pop("user", ""),
        "PASSWORD": given.pop("password", ""),
        "HOST": given.pop("host", ""),
        "PORT": given.pop("port", ""),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            **options,
            **given,
            "options": f"{POSTGRES_OPTIONS} {given.get('options', '')}".strip(),
            "pool": pool,
        },
    }


def channel_layer(url: str) -> dict[str, object]:
    """The `CHANNEL_LAYERS` entry, by which processes tell each other that a table has changed."""
    if url:
        return {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": url, **redis_options(in_loop=True)}], "prefix": "ludotheque"},
        }
    return {"BACKEND": "channels.layers.InMemoryChannelLayer"}


def cache(url: str) -> dict[str, object]:
    """The `CACHES` entry, shared by all processes."""
    if url:
        return {
            "BACKEND": "ludotheque.web.server.redis_cache.FaultTolerantRedisCache",
            "LOCATION": url,
            "KEY_PREFIX": "ludotheque",
            "OPTIONS": {
                "serializer": "ludotheque.web.server.redis_cache.JsonSerializer",
                "socket_timeout": REDIS_TIMEOUT_S,
                **redis_options(),
            },
        }
    return {
        "BACKEND": "ludotheque.web.server.local_cache.MonotonicCache",
        "OPTIONS": {"MAX_ENTRIES": LOCAL_CACHE_ENTRIES},
    }


def redis_options(*, in_loop: bool = False) -> dict[str, Any]:
    """Timeouts: short, since nothing that must not be lost needs Redis."""
    try:
        from redis.asyncio.retry import Retry as RetryInLoop  # noqa: PLC0415 - needs the extra `scale`
        from redis.backoff import NoBackoff  # noqa: PLC0415
        from redis.retry import Retry  # noqa: PLC0415
    except ImportError as error:
        raise _missing("REDIS_URL") from error
    return {"socket_connect_timeout": REDIS_TIMEOUT_S, "retry": (RetryInLoop if in_loop else Retry)(NoBackoff(), 1)}


def _missing(variable: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{variable} is set, which needs: pip install 'ludotheque[scale]'")
