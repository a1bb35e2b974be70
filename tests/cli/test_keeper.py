"""`ludotheque keeper …`: what it says, in both languages, and what it refuses."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from cli.terminal import Run
from ludotheque import words

COMMANDS = ("space", "visitors", "block", "unblock", "blocked", "delete", "new-key", "retention")


class Keeper:
    """A site that is closed, in processes of their own: Django is set up once in each."""

    def __init__(self, folder: Path) -> None:
        shared = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        self.environment = shared | {
            "LUDOTHEQUE_DATA": str(folder),
            "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"),
            "COLUMNS": "160",
        }
        assert self.run("serve", "--set-up-only").returncode == 0

    def run(self, *given: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "ludotheque.cli", "--lang", "en", *given],
            env=self.environment | environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )

    def says(self, *given: str, code: int = 0, **environment: str) -> str:
        done = self.run("keeper", *given, **environment)
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return " ".join((done.stdout + done.stderr).split())


@pytest.fixture(scope="module")
def keeper(tmp_path_factory: pytest.TempPathFactory) -> Keeper:
    return Keeper(tmp_path_factory.mktemp("site"))


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_every_tool_is_explained_with_examples(run: Run, lang: str) -> None:
    whole = run("--lang", lang, "keeper").output
    assert whole == run("--lang", lang, "keeper", "--help").output
    for command in COMMANDS:
        assert command in whole
        helped = run("--lang", lang, "keeper", command, "--help", env={"COLUMNS": "200"}).output
        assert f"$ ludotheque keeper {command}" in helped or f"ludotheque keeper {command}" in helped


def test_a_tool_that_does_not_exist(run: Run) -> None:
    assert "Did you mean block" in run("keeper", "blok", code=2).stderr


@pytest.mark.parametrize("lasts", ["soon", "0d", "-1d", "1y", "d", ""])
def test_a_time_that_is_none(run: Run, lasts: str) -> None:
    assert "90m" in run("keeper", "block", "198.51.100.7", "--for", lasts, code=2).stderr


def test_block_list_and_let_in(keeper: Keeper) -> None:
    assert "198.51.100.0/24 is shut out until" in keeper.says("block", "198.51.100.7/24", "--reason", "a flood")
    listed = keeper.says("blocked")
    assert "198.51.100.0/24" in listed
    assert "a flood" in listed
    assert "may come in again" in keeper.says("unblock", "198.51.100.0/24")
    assert "198.51.100.0/24" not in keeper.says("blocked")
    assert "is not shut out" in keeper.says("unblock", "198.51.100.0/24", code=1)


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("0.0.0.0/0", "half the world"),
        ("127.0.0.1", "LUDOTHEQUE_PROXIES"),
        ("me", "no address"),
        ("10.0.0.0/8", "proxy"),
    ],
)
def test_whom_it_does_not_shut_out(keeper: Keeper, who: str, said: str) -> None:
    assert said in keeper.says("block", who, code=1, LUDOTHEQUE_PROXIES="127.0.0.1 10.1.0.0/16")


def test_space_and_visitors_of_a_closed_site(keeper: Keeper) -> None:
    assert "ludotheque.sqlite3" in keeper.says("space")
    assert "Free on the disk" in keeper.says("space")
    assert "Who uses most" in keeper.says("visitors")


def test_delete_what_is_not_there(keeper: Keeper) -> None:
    for name in ("nothing", "https://games.example.org/t/nothing", "tetrods:4#20261115", ""):
        assert "There is no table" in keeper.says("delete", name, code=1)


def test_a_new_key_is_refused_where_the_key_is_elsewhere(keeper: Keeper) -> None:
    file = Path(keeper.environment["LUDOTHEQUE_DATA"]) / "secret-key"
    before = file.read_text()
    assert "LUDOTHEQUE_SECRET_KEY" in keeper.says("new-key", code=1, LUDOTHEQUE_SECRET_KEY="theirs")  # noqa: S106 - no key
    assert file.read_text() == before
    said = keeper.says("new-key")
    assert before in file.read_text()
    assert before not in said, "no key on the screen"
    keeper.says("new-key", "--keep-days", "0")
    assert before not in file.read_text()


def test_retention_shows_and_does(keeper: Keeper) -> None:
    assert "due now" in keeper.says("retention")
    assert "deleted" in keeper.says("retention", "--now", LUDOTHEQUE_RETENTION="waiting=1")
    assert "LUDOTHEQUE_RETENTION" in keeper.says("retention", code=1, LUDOTHEQUE_RETENTION="tables=1")


@contextmanager
def used_by_a_later_version(keeper: Keeper) -> Iterator[Path]:
    """The data folder, meanwhile."""
    folder = Path(keeper.environment["LUDOTHEQUE_DATA"])
    with closing(sqlite3.connect(folder / "ludotheque.sqlite3")) as database:
        insert = "INSERT INTO django_migrations (app, name, applied) VALUES ('web', '9999_later', '2099-01-01')"
        database.execute(insert)
        database.commit()
        try:
            yield folder
        finally:
            database.execute("DELETE FROM django_migrations WHERE name = '9999_later'")
            database.commit()


@pytest.mark.parametrize("given", ["retention --now", "delete nothing", "block 198.51.100.7", "new-key", "space"])
def test_data_of_a_later_version_is_left_alone(keeper: Keeper, given: str) -> None:
    with used_by_a_later_version(keeper) as folder:
        key = (folder / "secret-key").read_text()
        said = keeper.says(*given.split(), code=1)
        assert "later ludothèque (web.9999_later)" in said
        assert "Nothing was changed" in said
        assert (folder / "secret-key").read_text() == key
    assert "198.51.100.7" not in keeper.says("blocked")
