"""Every environment variable that earlier versions read is still accepted, with the meaning it had."""

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ludotheque.web import settings
from ludotheque.web.server import serve

ROOT = Path(__file__).parent.parent.parent
SETTINGS = str(settings.__file__)

# Variable, a value that somebody may have set, the setting it decides, and what that becomes.
OLD_SETTINGS = (
    ("LUDOTHEQUE_DATA", "/tmp/somewhere", "DATA", Path("/tmp/somewhere")),  # noqa: S108 - nothing is written there
    ("LUDOTHEQUE_DEBUG", "1", "DEBUG", True),
    ("LUDOTHEQUE_HOSTS", "games.example.org, example.org", "ALLOWED_HOSTS", ["games.example.org", "example.org"]),
    ("LUDOTHEQUE_HTTPS", "1", "SECURE_SSL_REDIRECT", True),
    ("LUDOTHEQUE_LIMITS", "deed=600/12000 table=30/0", "LIMITS", "deed=600/12000 table=30/0"),
    ("LUDOTHEQUE_METRICS_TOKEN", "token", "METRICS_TOKEN", "token"),
    ("LUDOTHEQUE_MIN_FREE_MB", "200", "MIN_FREE_MB", 200),
    ("LUDOTHEQUE_RETENTION", "waiting=3", "RETENTION", "waiting=3"),
    ("LUDOTHEQUE_ORIGINS", "https://games.example.org", "CSRF_TRUSTED_ORIGINS", ["https://games.example.org"]),
    ("LUDOTHEQUE_PACE", "0.1", "PACE", 0.1),
    ("LUDOTHEQUE_SECRET_KEY", "secret", "SECRET_KEY", "secret"),
    ("LUDOTHEQUE_SWEEP", "30", "SWEEP", 30.0),
    ("LUDOTHEQUE_THINKER", "", "THINKER", ""),
    ("LUDOTHEQUE_THINKER", "mover:anything", "THINKER", "mover:anything"),
    ("LUDOTHEQUE_THINKERS", "4", "THINKERS", 4),
    ("LUDOTHEQUE_WARM_UP", "0", "WARM_UP", False),
    ("LUDOTHEQUE_WATCHERS", "10.0.0.0/8", "WATCHERS", ["10.0.0.0/8"]),
)
# Tested below, and LUDOTHEQUE_CACHE in tests/test_compiled.py.
OTHERS = {
    "DATABASE_URL",
    "REDIS_URL",
    "LUDOTHEQUE_CACHE",
    "LUDOTHEQUE_LOG",
    "LUDOTHEQUE_OLD_SECRET_KEYS",
    "LUDOTHEQUE_PROXIES",
}


def fresh_settings(environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The settings of a process with this environment."""
    for name in [name for name in os.environ if name.startswith("LUDOTHEQUE_") or name.endswith("_URL")]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(SETTINGS)


@pytest.mark.parametrize(
    ("variable", "value", "setting", "meant"),
    OLD_SETTINGS,
    ids=[f"{name}={value}" for name, value, *_ in OLD_SETTINGS],
)
def test_old_variables_mean_what_they_meant(
    variable: str, value: str, setting: str, meant: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fresh_settings({}, monkeypatch)[setting] != meant
    assert fresh_settings({variable: value}, monkeypatch)[setting] == meant


def test_old_keys_are_accepted_beside_a_key_that_is_kept_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    found = fresh_settings({"LUDOTHEQUE_SECRET_KEY": "new", "LUDOTHEQUE_OLD_SECRET_KEYS": "old older"}, monkeypatch)
    assert (found["SECRET_KEY"], found["SECRET_KEY_FALLBACKS"]) == ("new", ["old", "older"])


def test_the_level_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fresh_settings({}, monkeypatch)["LOGGING"]["root"]["level"] == "INFO"
    assert fresh_settings({"LUDOTHEQUE_LOG": "WARNING"}, monkeypatch)["LOGGING"]["root"]["level"] == "WARNING"


def test_addresses_of_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = {"DATABASE_URL": "postgresql://ada:pass@db:5433/games", "REDIS_URL": "redis://cache:6379/0"}
    found = fresh_settings(addresses, monkeypatch)
    database = found["DATABASES"]["default"]
    assert [database[name] for name in ("HOST", "PORT", "NAME", "USER")] == ["db", "5433", "games", "ada"]
    assert found["CACHES"]["default"]["LOCATION"] == addresses["REDIS_URL"]
    assert found["CHANNEL_LAYERS"]["default"]["CONFIG"]["hosts"][0]["address"] == addresses["REDIS_URL"]


@pytest.mark.parametrize(
    ("address", "host", "port"),
    [
        ("postgresql://ada@db1:5433,db2:5434/games?target_session_attrs=read-write", "db1,db2", "5433,5434"),
        ("postgresql://ada@/games?host=/run/postgresql", "/run/postgresql", ""),
    ],
)
def test_a_database_may_have_several_hosts_or_a_socket(
    address: str, host: str, port: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = fresh_settings({"DATABASE_URL": address}, monkeypatch)["DATABASES"]["default"]
    assert (database["HOST"], database["PORT"], database["NAME"]) == (host, port, "games")
    assert database["OPTIONS"].get("target_session_attrs") == ("read-write" if "," in host else None)


def test_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTHEQUE_PROXIES", "10.0.0.7")
    assert serve._config("127.0.0.1", 0, None).forwarded_allow_ips == "10.0.0.7"


def test_the_earlier_name_of_our_computer_players_is_accepted_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = fresh_settings({}, monkeypatch)["THINKER"]
    with pytest.warns(FutureWarning, match="LUDOTHEQUE_THINKER"):
        found = fresh_settings({"LUDOTHEQUE_THINKER": "ludotheque.web.questions:think"}, monkeypatch)
    assert found["THINKER"] == ours


def test_the_notice_is_seen_by_whoever_starts_a_server(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import ludotheque.web.settings"],
        env=os.environ | {"LUDOTHEQUE_THINKER": "ludotheque.web.questions:think", "LUDOTHEQUE_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "FutureWarning: LUDOTHEQUE_THINKER" in done.stderr


def test_every_variable_of_the_guide_is_tested_here() -> None:
    guide = (ROOT / "docs/guides/keep.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", guide, flags=re.MULTILINE))
    assert documented == {variable for variable, *_ in OLD_SETTINGS} | OTHERS
