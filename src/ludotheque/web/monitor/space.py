"""What uses disk and memory: the database by table, folders, processes, caches."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from cachetools import Cache
from django.apps import apps
from django.conf import settings
from django.db import connection

from ludotheque.web.monitor import metrics

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
PROC = Path("/proc")
FEW_ENTRIES = 20  # caches with no more are not worth a line


class Share(NamedTuple):
    """Something that takes space. `rows` is -1 where there are none to count."""

    name: str
    bytes: int
    rows: int = -1


# The database


def database() -> list[Share]:
    """The tables of the database, the largest first; on SQLite as far as it was built to tell."""
    sizes = _sqlite_sizes() if connection.vendor == "sqlite" else _postgres_sizes()
    names = [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
    found = [Share(name, sizes.get(name, 0), _rows(name)) for name in names]
    return sorted(found, key=lambda share: (-share.bytes, -share.rows))


def _rows(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - a name of ours
        number: int = cursor.fetchone()[0]
        return number


def _sqlite_sizes() -> dict[str, int]:
    """Bytes of each table with its indexes, from the virtual table `dbstat`; empty where that was left out."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'")
        if cursor.fetchone() is None:
            return {}
        cursor.execute(
            "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) "
            "WHERE aggregate GROUP BY tbl_name"
        )
        return dict(cursor.fetchall())


def _postgres_sizes() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables")
        return dict(cursor.fetchall())


# The disk


def folders() -> list[Share]:
    """What is in the data folder and beside it: the database, backups left there, the cache, metrics."""
    found = {path.name: path for path in settings.DATA.iterdir()} if settings.DATA.is_dir() else {}
    for path in (metrics.FOLDER, Path(os.environ.get("LUDOTHEQUE_CACHE", ""))):
        if str(path) != "." and path.is_dir() and path not in found.values():
            found[str(path)] = path
    return sorted((Share(name, _size(path)) for name, path in found.items()), key=lambda share: -share.bytes)


def _size(path: Path) -> int:
    """Bytes on the disk; what is deleted meanwhile counts for nothing."""
    total = 0
    for file in [path, *(path.rglob("*") if path.is_dir() and not path.is_symlink() else ())]:
        with suppress(FileNotFoundError):
            total += file.lstat().st_blocks * 512
    return total


def free_bytes() -> int:
    return shutil.disk_usage(settings.DATA).free


# Memory


def processes(roots: list[int]) -> list[Share]:
    """The memory of these processes and of those they have started, as far as the system tells."""
    return [Share(name, size) for pid in roots for name, size in _family(pid)]


def _family(pid: int, depth: int = 0) -> Iterator[tuple[str, int]]:
    with suppress(OSError, ValueError):  # it has ended, or there is no /proc
        resident = int((PROC / str(pid) / "statm").read_text().split()[1])
        yield f"{'· ' * depth}{pid}", resident * PAGE_BYTES
        for children in (PROC / str(pid) / "task").glob("*/children"):
            for child in children.read_text().split():
                yield from _family(int(child), depth + 1)


def caches() -> dict[str, int]:
    """How many entries our caches of this process hold, by name."""
    found: dict[str, int] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("ludotheque."):
            found |= {f"{name.removeprefix('ludotheque.')}.{key}": number for key, number in _cached_in(module)}
    return {name: number for name, number in found.items() if number > FEW_ENTRIES}


def _cached_in(module: ModuleType) -> Iterator[tuple[str, int]]:
    """The caches of a module, without those that it imports."""
    for key, value in list(vars(module).items()):
        if isinstance(value, _lru_cache_wrapper) and value.__module__ == module.__name__:
            yield key, value.cache_info().currsize
        elif isinstance(value, Cache):
            yield key, len(value)
