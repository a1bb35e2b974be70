"""Backups are made while people play and restored with everything, into SQLite and into PostgreSQL."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from random import Random
from threading import Event, Thread

import psycopg
import pytest
from django.db import connection

from ludotheque.web.models import Seat, Table
from ludotheque.web.server import backup, serve
from ludotheque.web.visitors import read, sign
from web.people import seated

POSTGRES = os.environ.get("DATABASE_URL", "")
LOOK = """
import json, os, sys
from ludotheque.web.server import serve
serve.configure_django()
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.table.cache import state_of
from ludotheque.web.visitors import read
print(json.dumps({
    "tables": [[each.id, each.version, str(each.made), str(each.changed)] for each in Table.objects.order_by("id")],
    "seats": list(Seat.objects.order_by("table", "number").values_list("table", "number", "visitor", "entropy")),
    "records": {table.id: state_of(table).match.save() for table in Table.objects.all()},
    "visitor": read(sys.argv[1]),
}))
"""


class Site:
    """Another site, in a process of its own."""

    def __init__(self, folder: Path, database: str = "") -> None:
        shared = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        self.environment = shared | {"LUDOTHEQUE_DATA": str(folder)}
        if database:
            self.environment["DATABASE_URL"] = database

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, *words]
        return subprocess.run(  # noqa: S603 - our own command
            command, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )

    def keep(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return self.run("-m", "ludotheque.cli", "--lang", "en", *words)

    def look(self, cookie: str) -> dict[str, object]:
        shown = self.run("-c", LOOK, cookie)
        assert shown.returncode == 0, shown.stderr
        found: dict[str, object] = json.loads(shown.stdout)
        return found


@pytest.fixture
def key() -> Iterator[str]:
    """The key of this site in its file, as `serve` keeps it."""
    from django.conf import settings

    settings.SECRET_FILE.write_text(settings.SECRET_KEY)
    yield settings.SECRET_KEY
    settings.SECRET_FILE.unlink()


def test_a_backup_made_while_people_play_is_one_moment_of_every_table(tmp_path: Path) -> None:
    tables = [seated("pizza", 2) for _ in range(3)]
    stop = Event()

    def play() -> None:
        random = Random(1)
        try:
            while not stop.is_set():
                table = random.choice(tables)
                table.play_randomly(1, seed=random.getrandbits(30))
        finally:
            connection.close()

    player = Thread(target=play)
    player.start()
    files = [tmp_path / f"{number}.sqlite3" for number in range(4)]
    sizes = []
    for file in files:
        assert backup.write(file) == 3
        assert backup.check(file) == 3
        with closing(sqlite3.connect(file)) as copy:
            rows = copy.execute("SELECT table_id, number FROM web_event ORDER BY table_id, number").fetchall()
            versions = dict(copy.execute("SELECT id, version FROM web_table"))
        for table, events in groupby(rows, key=lambda row: row[0]):
            assert [number for _, number in events] == list(range(1, versions[table] + 1))
        sizes.append(len(rows))
    stop.set()
    player.join()
    assert sizes[0] < sizes[-1], "they did play"
    assert files[0].stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == [file.name for file in files], "nothing lies about"


@pytest.mark.usefixtures("key")
def test_everything_comes_back_cookies_too(tmp_path: Path) -> None:
    tables = [seated("pizza", 2), seated("hepta", 2)]
    for table in tables:
        table.play_randomly(12)
    file, cookie = tmp_path / "backup", sign("ada")
    backup.write(file)
    site = Site(tmp_path / "other")
    assert "2 tables" in site.keep("restore", str(file)).stdout
    shown = site.look(cookie)
    assert shown["visitor"] == "ada"
    assert shown["records"] == {table.id: table.match.save() for table in tables}
    assert shown["tables"] == [
        [table.id, table.version, str(table.made), str(table.changed)] for table in Table.objects.order_by("id")
    ]
    assert shown["seats"] == [
        list(row)
        for row in Seat.objects.order_by("table", "number").values_list("table", "number", "visitor", "entropy")
    ]
    if POSTGRES:
        _carried_on_to_postgres(site, tmp_path, cookie)


def _carried_on_to_postgres(site: Site, folder: Path, cookie: str) -> None:
    """From the SQLite of that site into an empty PostgreSQL, and new rows get new numbers there."""
    with psycopg.connect(POSTGRES, autocommit=True) as postgres:
        postgres.execute("DROP DATABASE IF EXISTS carried")
        postgres.execute("CREATE DATABASE carried")
    address = POSTGRES.rsplit("/", 1)[0] + "/carried"
    assert site.keep("backup", str(folder / "second")).returncode == 0
    large = Site(folder / "large", address)
    assert "2 tables" in large.keep("restore", str(folder / "second")).stdout
    assert large.look(cookie) == site.look(cookie)
    more = "from ludotheque.web.server import serve; serve.configure_django()\n"
    more += "from ludotheque.web.table import seating; "
    assert (
        large.run("-c", more + "seating.sit(seating.open_table('pizza', 2, {}).id, 'bob', 0, 'Bob')").returncode == 0
    )
    refused = large.keep("restore", str(folder / "second"))
    assert refused.returncode == 1
    assert "3 tables are here" in refused.stderr
    with psycopg.connect(address, application_name="ludotheque elsewhere"):
        open_still = large.keep("restore", "--yes", str(folder / "second"))
    assert "The house is open" in open_still.stderr
    assert large.keep("restore", "--yes", str(folder / "second")).returncode == 0
    assert large.look(cookie) == site.look(cookie)


def test_nothing_is_replaced_in_an_open_house_or_without_being_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated("hepta", 2)
    file = tmp_path / "backup"
    backup.write(file)
    site = Site(tmp_path / "other")
    assert site.keep("restore", str(file)).returncode == 0
    again = site.keep("restore", str(file))
    assert (again.returncode, "--yes" in again.stderr) == (1, True)
    monkeypatch.setenv("LUDOTHEQUE_DATA", str(tmp_path / "other"))
    with serve.data_lock() as may:
        assert may
        refused = site.keep("restore", "--yes", str(file))
        assert (refused.returncode, "The house is open" in refused.stderr) == (1, True)
    assert site.keep("restore", "--yes", str(file)).returncode == 0


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "backup"
    backup.write(file)
    with closing(sqlite3.connect(file)) as copy:
        copy.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('web', '9999_later', '2099-01-01')")
        copy.commit()
    with pytest.raises(backup.BadBackup, match="later-backup"):
        backup.check(file)
    (tmp_path / "text").write_text("not a database")
    with closing(sqlite3.connect(tmp_path / "empty")) as empty:
        empty.execute("CREATE TABLE house (facts TEXT)")
    for name in ("text", "empty"):
        with pytest.raises(backup.BadBackup, match="no-backup"):
            backup.check(tmp_path / name)
    site = Site(tmp_path / "other")
    assert "is not a backup" in site.keep("restore", str(tmp_path / "text")).stderr
    assert site.keep("restore", str(tmp_path / "nothing")).returncode == 1
    assert site.keep("backup", str(tmp_path / "no" / "folder")).returncode == 1


def test_a_key_that_is_kept_elsewhere_is_not_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    backup.write(tmp_path / "with")
    monkeypatch.setenv("LUDOTHEQUE_SECRET_KEY", key)
    backup.write(tmp_path / "without")
    assert key.encode() in (tmp_path / "with").read_bytes()
    assert key.encode() not in (tmp_path / "without").read_bytes()
    assert read(sign("ada")) == "ada"
