"""What a keeper can see: figures, whether the site is ready, and a page for people."""

import os
import re
import subprocess
import sys

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import Client
from django.test.utils import override_settings

import ludotheque
from ludotheque import words
from ludotheque.web.guard import rate_limits
from ludotheque.web.jobs import pool
from ludotheque.web.monitor import metrics
from ludotheque.web.pages import health
from web.connections import PageConnection, run
from web.people import browser, seated


def figure(name: str, **labels: str) -> float:
    """A figure as Prometheus would read it."""
    wanted = "".join(f'(?=[^}}]*{label}="{value}")' for label, value in labels.items())
    found = re.findall(rf"^{name}(?:\{{{wanted}[^}}]*\}})? (\S+)$", metrics.page().decode(), re.MULTILINE)
    return sum(float(number) for number in found)


def test_what_happens_is_counted() -> None:
    moves, deeds = figure("ludotheque_moves_total", who="person"), figure("ludotheque_deed_seconds_count")
    requests = figure("ludotheque_request_seconds_count", route="t/<str:table>/do")
    table = seated("hepta", 2)
    move = {"do": "move", "seat": 0, "move": "d4", "version": table.state.version}
    browser("ada").post(f"/t/{table.id}/do", move, "application/json")
    browser("bob").post(f"/t/{table.id}/do", move, "application/json")
    assert figure("ludotheque_moves_total", who="person") == moves + 1
    assert figure("ludotheque_deed_seconds_count") == deeds + 2
    assert figure("ludotheque_request_seconds_count", route="t/<str:table>/do") == requests + 2
    assert figure("ludotheque_tables", status="playing") == 1
    assert figure("ludotheque_tables", status="over") == 0
    assert 'ludotheque_queue_length{line="thinking"} 0.0' in metrics.page().decode()


def test_connections_and_pushes_are_counted() -> None:
    table = seated("hepta", 2)
    pushes = figure("ludotheque_push_seconds_count")

    async def story() -> None:
        ada, bob = PageConnection(table, "ada"), PageConnection(table, "bob")
        for line in (ada, bob):
            assert await line.open()
            await line.hear()
        assert metrics.CONNECTIONS._value.get() == 2
        await ada.ask(do="move", seat=0, move="d4", version=3)
        await bob.hear()
        await ada.close()
        await bob.close()

    run(story)
    assert metrics.CONNECTIONS._value.get() == 0
    assert figure("ludotheque_push_seconds_count") > pushes


def test_what_is_turned_away_and_what_goes_wrong_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    limited, errors = figure("ludotheque_limited_total", entrance="deed"), figure("ludotheque_errors_total")
    with override_settings(LIMITS="deed=1/1"):
        for _ in range(3):
            rate_limits.wait("deed", "somebody new", "203.0.113.9")
    assert figure("ludotheque_limited_total", entrance="deed") >= limited + 2
    client = Client(raise_request_exception=False)
    monkeypatch.setattr("ludotheque.web.pages.mine.front_lists", lambda _who: 1 // 0)
    assert client.get("/").status_code == 500
    assert figure("ludotheque_errors_total") == errors + 1


def test_figures_of_other_processes_are_added_and_what_they_had_open_is_forgotten() -> None:
    before = figure("ludotheque_moves_total", who="person")
    code = (
        "import django; django.setup(); from ludotheque.web.monitor import metrics;"
        "metrics.MOVES.labels('person').inc(5); metrics.CONNECTIONS.inc(7)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)  # noqa: S603 - ourselves
    assert figure("ludotheque_moves_total", who="person") == before + 5
    assert figure("ludotheque_connections") == 0


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("127.0.0.1", {"x-forwarded-for": "203.0.113.9"}, 404),
        ("203.0.113.9", {}, 404),
        ("198.51.100.7", {}, 200),
        ("", {}, 404),
        ("203.0.113.9", {"authorization": "Bearer right"}, 200),
        ("203.0.113.9", {"authorization": "Bearer wrong"}, 404),
        ("203.0.113.9", {"authorization": "Bearer "}, 404),
    ],
)
def test_figures_are_for_those_who_may(address: str, headers: dict[str, str], status: int) -> None:
    with override_settings(METRICS_TOKEN="right", WATCHERS=["127.0.0.0/8", "::1", "198.51.100.0/24"]):  # noqa: S106
        assert Client(REMOTE_ADDR=address, headers=headers).get("/metrics").status_code == status


def test_without_a_token_no_token_opens() -> None:
    assert Client(REMOTE_ADDR="203.0.113.9", headers={"authorization": "Bearer "}).get("/metrics").status_code == 404


# Readiness


@pytest.fixture(autouse=True)
def asked_anew() -> None:
    """Nothing is remembered, and whoever works in the tests has just said that they are there."""
    health._last.clear()
    if pool.scaled():
        from ludotheque.web.jobs import queue

        queue.register_worker("tests")


def test_ready_when_everything_is_there() -> None:
    assert Client().get("/health").json() == {"alive": True}
    answer = Client().get("/ready")
    assert answer.json() == {"ready": True, "missing": [], "games": len(ludotheque.games())}
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(
    ("what", "status"), [("database", 503), ("migrations", 503), ("room", 503), ("redis", 200), ("workers", 200)]
)
def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, what: str, status: int) -> None:
    def broken() -> bool:
        raise DatabaseError

    monkeypatch.setitem(health.CHECKS, what, broken)
    answer = Client().get("/ready")
    assert answer.status_code == status
    assert answer.json()["missing"] == [what]


def test_a_database_that_cannot_be_written_is_not_ready() -> None:
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("SQLite can be told not to write")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
    assert not health._holds(health._database)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 0")
    assert health._holds(health._database)


def test_a_database_without_its_tables_is_not_ready() -> None:
    from django.db.migrations.recorder import MigrationRecorder

    health._complete.cache_clear()
    last = MigrationRecorder.Migration.objects.filter(app="web").latest("name")
    name, last_pk = last.name, last.pk
    last.delete()
    assert not health._holds(health._migrations)
    MigrationRecorder.Migration.objects.create(pk=last_pk, app="web", name=name)
    assert health._holds(health._migrations)


# The keeper's page


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_the_keepers_page(lang: str) -> None:
    keeper = User.objects.create_superuser("keeper")
    client = Client(headers={"accept-language": lang})
    client.force_login(keeper)
    seated("hepta", 2)
    page = client.get("/status")
    assert page.status_code == 200
    assert page.text.count("✓") == len(health.CHECKS)
    assert words.say(None, lang, "web", "status", "head") in page.text
    assert re.search(r"\d ms", page.text)


def test_the_keepers_page_is_the_keepers() -> None:
    person = User.objects.create_user("somebody")
    client = Client()
    assert client.get("/status")["Location"].startswith("/admin/login/")
    client.force_login(person)
    assert client.get("/status").status_code == 302
