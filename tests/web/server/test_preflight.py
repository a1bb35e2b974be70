"""What cannot be opened is said in one sentence at the start, and nothing is lost; others cannot read the data."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

import disks
from ludotheque import words
from ludotheque.web.server import preflight, serve
from ludotheque.web.server.preflight import DATABASE_FILES, SECRET_FILE
from scale.sites import Site

DATABASE = DATABASE_FILES[0]


@pytest.fixture
def own_site(tmp_path: Path) -> Site:
    made = Site(tmp_path / "data", LUDOTHEQUE_LOG="WARNING")
    assert made.run("serve", "--set-up-only").returncode == 0
    return made


def folder(own_site: Site) -> Path:
    return Path(own_site.environment["LUDOTHEQUE_DATA"])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refused(own_site: Site, *told: str) -> None:
    """The start is refused in one sentence, and all files are as they were."""
    before = {file.name: file.read_bytes() for file in folder(own_site).iterdir() if file.is_file()}
    done = own_site.run("serve", "--port", "0")
    sentence = " ".join(done.stderr.split())
    assert done.returncode == 1
    assert all(part in sentence for part in told), sentence
    assert "Traceback" not in sentence
    assert sentence.startswith("✗")
    assert {file.name: file.read_bytes() for file in folder(own_site).iterdir() if file.is_file()} == before


def write(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute(statement)
        database.commit()


def test_a_read_only_folder(own_site: Site) -> None:
    with disks.read_only(folder(own_site)):
        refused(own_site, str(folder(own_site)), "Read-only", "LUDOTHEQUE_DATA")
    assert own_site.run("serve", "--set-up-only").returncode == 0


def test_a_folder_that_cannot_be_made(own_site: Site, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    own_site.environment["LUDOTHEQUE_DATA"] = str(tmp_path / "file" / "data")
    done = own_site.run("serve", "--port", "0")
    assert done.returncode == 1
    assert "Not a directory" in done.stderr
    assert "Traceback" not in done.stderr


def test_files_that_another_user_owns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write to anything, so that the system's answer is put in here."""
    (tmp_path / DATABASE).touch()
    writable = os.access
    monkeypatch.setattr(os, "access", lambda path, how: Path(path).name != DATABASE and writable(path, how))
    with pytest.raises(preflight.CannotStart) as caught:
        preflight.check_data(tmp_path)
    assert (caught.value.code, caught.value.values["why"]) == ("unwritable", "Permission denied")


def test_an_empty_key_in_the_environment(own_site: Site) -> None:
    own_site.environment["LUDOTHEQUE_SECRET_KEY"] = " "  # noqa: S105
    refused(own_site, "LUDOTHEQUE_SECRET_KEY is set, but empty", "unset it")


def test_an_empty_key_file(own_site: Site) -> None:
    key = folder(own_site) / SECRET_FILE
    known = key.read_text()
    key.write_text("\n")
    refused(own_site, str(key), "is empty", "delete it")
    key.write_text(known)
    assert own_site.run("serve", "--set-up-only").returncode == 0
    assert key.read_text() == known


def test_a_key_that_cannot_be_written_is_not_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: int) -> None:
        raise OSError(preflight.FULL[0], "full")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="full"):
            serve._create_secret_key(tmp_path)
    assert list(tmp_path.iterdir()) == []
    serve._create_secret_key(tmp_path)
    assert len((tmp_path / SECRET_FILE).read_text()) > 50


def test_data_of_a_later_version(own_site: Site) -> None:
    file = folder(own_site) / DATABASE
    write(file, "INSERT INTO django_migrations (app, name, applied) VALUES ('web', '9999_later', '2099-01-01')")
    refused(own_site, "later ludothèque (web.9999_later)", "update this one")
    write(file, "DELETE FROM django_migrations WHERE name = '9999_later'")
    assert own_site.run("serve", "--set-up-only").returncode == 0


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_every_sentence_is_there_in_every_language(lang: str) -> None:
    for code in ("unwritable", "empty-key", "empty-key-file", "newer", "full"):
        values = {"file": "F", "why": "W", "name": "N", "folder": "D"}
        assert words.say(None, lang, "cli", "keep", code, **values)


def test_new_data_is_for_its_owner_alone(tmp_path: Path) -> None:
    made = Site(tmp_path / "data")
    umask = os.umask(0)
    try:
        made.run("serve", "--set-up-only")
    finally:
        os.umask(umask)
    assert mode(folder(made)) == 0o700
    for name in (DATABASE, SECRET_FILE):
        assert mode(folder(made) / name) == 0o600


def test_data_that_others_could_read_is_taken_from_them_with_a_notice(own_site: Site) -> None:
    folder(own_site).chmod(0o755)
    for name in (*DATABASE_FILES, SECRET_FILE):
        (folder(own_site) / name).touch()
        (folder(own_site) / name).chmod(0o664)
    own_site.open()
    own_site.set_table()
    assert mode(folder(own_site)) == 0o700
    for name in (*DATABASE_FILES, SECRET_FILE):
        assert mode(folder(own_site) / name) == 0o600, name
    own_site.close()
    folder(own_site).chmod(0o750)
    assert "others could read this" in own_site.run("serve", "--set-up-only").stderr


def test_a_folder_for_everybody_stays_as_it_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("WARNING", "ludotheque")
    tmp_path.chmod(0o1777)
    preflight.keep_private(tmp_path)
    assert mode(tmp_path) == 0o1777
    assert "give it a folder of its own" in caplog.text
