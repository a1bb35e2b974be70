"""Backup and restore. A backup is one file, a SQLite database with everything in it, whatever the site keeps it in.

So it also carries a site from SQLite to PostgreSQL, and back. It is made while people play, from one moment of the
database, and it holds the secret key too, unless that is kept elsewhere: keep it as safe as the site itself.
"""

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from itertools import islice
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.models.sql import InsertQuery
from django.utils import timezone

from ludotheque.errors import LudothequeError
from ludotheque.web.backends import APPLICATION_NAME, sqlite
from ludotheque.web.models import Table

FORMAT = "ludotheque-backup 1"
COPY = "copy"  # the alias of the database in the file
ROWS = 500  # written at once


class BadBackup(LudothequeError):  # noqa: N818 - reads as what it is
    """A file that cannot be restored from; the sentence of the code is in `words/`, among those of keeping."""

    def __init__(self, code: str) -> None:
        super().__init__(code, code)


def write(file: Path) -> int:
    """Back everything up into a file, which appears when it is whole. How many tables are in it."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)  # for its owner alone
    os.close(handle)
    made = Path(name)
    try:
        if connection.vendor == "sqlite":
            _copy_pages(_file(), made)
        else:
            _copy_rows_out(made)
        number = _label(made)
        made.replace(file)
    finally:
        made.unlink(missing_ok=True)
    return number


def check(file: Path) -> int:
    """How many tables are in the file, if it is a backup, sound, and not of a later ludothèque."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source:
            if _facts(source).get("format") != FORMAT:
                raise BadBackup("no-backup")
            if source.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise BadBackup("broken-backup")
            known = MigrationLoader(None).disk_migrations
            if any(tuple(row) not in known for row in source.execute("SELECT app, name FROM django_migrations")):
                raise BadBackup("later-backup")
            found: int = source.execute("SELECT count(*) FROM web_table").fetchone()[0]
            return found
    except sqlite3.Error as error:
        raise BadBackup("no-backup") from error


def here() -> int:
    """How many tables a restore would replace."""
    return Table.objects.count() if Table._meta.db_table in connection.introspection.table_names() else 0


def others() -> int:
    """How many processes have this database open beside this one, as far as it knows."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(DISTINCT application_name) FROM pg_stat_activity WHERE datname = current_database() "
            "AND application_name LIKE 'ludotheque %%' AND application_name <> %s",
            [APPLICATION_NAME],
        )
        found: int = cursor.fetchone()[0]
        return found


def restore(file: Path) -> None:
    """Replace everything here by what is in the file: all of it or, if that fails, nothing."""
    if connection.vendor == "sqlite":
        connections.close_all()
        _copy_pages(file, _file())
        call_command("migrate", verbosity=0, interactive=False)
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE house")
    else:
        call_command("migrate", verbosity=0, interactive=False)
        _copy_rows_in(file)
    _restore_key(file)


# Within


def _file() -> Path:
    """Where our own SQLite database is."""
    return Path(connection.settings_dict["NAME"])


def _copy_pages(source: Path, target: Path) -> None:
    """SQLite's own way: one moment of the database, page by page, in one transaction, while others go on."""
    with closing(sqlite3.connect(source, timeout=20)) as one, closing(sqlite3.connect(target, timeout=20)) as other:
        one.backup(other)


def _label(file: Path) -> int:
    """Write into the file what it is, and the secret key; and make it one file, without a log beside it."""
    key = settings.SECRET_FILE.read_text().strip() if settings.SECRET_FILE.is_file() else ""
    if os.environ.get("LUDOTHEQUE_SECRET_KEY"):
        key = ""
    facts = {
        "format": FORMAT,
        "made": timezone.now().isoformat(timespec="seconds"),
        "version": version("ludotheque"),
        "secret-key": key,
    }
    with closing(sqlite3.connect(file)) as made:
        made.execute("PRAGMA journal_mode=DELETE")
        made.execute("CREATE TABLE house (facts TEXT NOT NULL)")
        made.execute("INSERT INTO house VALUES (?)", [json.dumps(facts)])
        made.commit()
        number: int = made.execute("SELECT count(*) FROM web_table").fetchone()[0]
    return number


def _facts(source: sqlite3.Connection) -> dict[str, str]:
    """What the file says it is."""
    row = source.execute("SELECT facts FROM house").fetchone()
    found: dict[str, str] = json.loads(row[0]) if row else {}
    return found


def _restore_key(file: Path) -> None:
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source:
        key = _facts(source)["secret-key"]
    if key:
        fresh = settings.SECRET_FILE.with_name(".secret-key")
        fresh.touch(mode=0o600)
        fresh.write_text(key)
        fresh.replace(settings.SECRET_FILE)


def _copy_rows_out(file: Path) -> None:
    with _beside(file):
        call_command("migrate", database=COPY, verbosity=0, interactive=False)
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            _copy_rows(DEFAULT_DB_ALIAS, COPY)


def _copy_rows_in(file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(shutil.copy(file, folder))
        with _beside(copied):
            call_command("migrate", database=COPY, verbosity=0, interactive=False)  # it may be older than we are
            _copy_rows(COPY, DEFAULT_DB_ALIAS)


@contextmanager
def _beside(file: Path) -> Iterator[None]:
    """Open the database in a file beside our own."""
    connections.databases[COPY] = connections.databases[DEFAULT_DB_ALIAS] | sqlite(file)
    try:
        yield
    finally:
        connections[COPY].close()
        del connections[COPY], connections.databases[COPY]


def _copy_rows(source: str, target: str) -> None:
    """Every row of every model as it is; the order is free, since foreign keys are checked at the end."""
    kinds = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    with transaction.atomic(using=target):
        with connections[target].cursor() as cursor:
            for model in kinds:
                cursor.execute(f"DELETE FROM {connections[target].ops.quote_name(model._meta.db_table)}")  # noqa: S608 - our tables
        for model in kinds:
            rows = model._base_manager.using(source).order_by("pk").iterator(chunk_size=ROWS)
            while some := list(islice(rows, _at_once(model, target))):
                _insert(model, some, target)
        with connections[target].cursor() as cursor:
            for statement in connections[target].ops.sequence_reset_sql(no_style(), kinds):
                cursor.execute(statement)


def _at_once(model: type[models.Model], target: str) -> int:
    fields = list(model._meta.concrete_fields)
    return min(ROWS, connections[target].ops.bulk_batch_size(fields, range(ROWS)))


def _insert(model: type[models.Model], rows: list[models.Model], target: str) -> None:
    """As `bulk_create` does, but the times stay what they were."""
    query = InsertQuery(model)
    query.insert_values(list(model._meta.concrete_fields), rows, raw=True)
    query.get_compiler(using=target).execute_sql()
