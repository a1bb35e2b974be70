"""Whether anything was written to the database, as the database itself tells it."""

import sqlite3
from typing import Protocol

from django.conf import settings
from django.db import connection

ROWS = "fuzz_written"
WATCH = f"""
    CREATE TABLE {ROWS} (id bigserial PRIMARY KEY);
    CREATE FUNCTION {ROWS}() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN INSERT INTO {ROWS} DEFAULT VALUES; RETURN NULL; END $$;
"""
WATCH_TABLE = f"""
    CREATE TRIGGER {ROWS} AFTER INSERT OR UPDATE OR DELETE ON "%s" FOR EACH ROW EXECUTE FUNCTION {ROWS}();
"""
FORGET = f"DROP FUNCTION IF EXISTS {ROWS}() CASCADE; DROP TABLE IF EXISTS {ROWS};"


class Watch(Protocol):
    """A connection that sees what others commit."""

    def version(self) -> int:
        """A number that changes with every row that others write."""
        ...

    def close(self) -> None: ...


class SqliteWatch:
    """SQLite counts commits of other connections."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(str(settings.DATABASES["default"]["NAME"]))

    def version(self) -> int:
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        self.connection.close()


class PostgresWatch:
    """Triggers of every table write a row of their own in the same transaction."""

    def __init__(self) -> None:
        import psycopg

        self.connection = psycopg.connect(**connection.get_connection_params(), autocommit=True)
        self.connection.execute(FORGET.encode())
        tables = self.connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        self.connection.execute(WATCH.encode())
        for (table,) in tables:
            self.connection.execute((WATCH_TABLE % table).encode())

    def version(self) -> int:
        found = self.connection.execute(f"SELECT coalesce(max(id), 0) FROM {ROWS}".encode()).fetchone()  # noqa: S608
        assert found is not None
        return int(found[0])

    def close(self) -> None:
        self.connection.execute(FORGET.encode())
        self.connection.close()


def watch() -> Watch:
    """For the database that the site uses."""
    return SqliteWatch() if connection.vendor == "sqlite" else PostgresWatch()
