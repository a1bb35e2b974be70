"""A full disk: what has begun goes on, all else is refused, nothing is acknowledged that was not stored."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count
from typing import NamedTuple

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils import timezone

import ludotheque
from ludotheque import words
from ludotheque.puzzles.making.names import of_day
from ludotheque.web.guard import disk_space
from ludotheque.web.jobs import pool
from ludotheque.web.models import Attempt, Event, Replay, Table
from ludotheque.web.pages import health
from ludotheque.web.puzzles import maker
from ludotheque.web.refusals import Refused
from ludotheque.web.replays import analysis
from ludotheque.web.replays.finished import find, kept
from ludotheque.web.table import commands, seating
from web.people import VISITORS, Round, browser, seated

both = pytest.mark.parametrize("lang", words.LANGUAGES)
PASSWORD = "a long enough password"  # noqa: S105 - of a keeper who is made here
BEGUN_BY_NOBODY = "/puzzles/pegs-solo/10/a5-b4-b6-c1-c2-d6-e4-f7"


class Disk(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture(autouse=True)
def sqlite() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL looks after its own disk")


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(disk_space, "CACHE_S", 0.0)
    monkeypatch.setattr(health, "CACHE_S", 0.0)
    yield
    disk_space.forget()
    Replay.objects.all().delete()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    leave(monkeypatch, 49)


def leave(monkeypatch: pytest.MonkeyPatch, megabytes: int) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: Disk(0, 0, megabytes * disk_space.MB))


def sentence(code: str, lang: str = "en") -> str:
    return words.say(None, lang, "web", "refusals", code)


NEW_TABLE = {"way": "link", "seats": "2", "seat": "0", "name-0": "Ada"}


@both
@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/games/hepta/new", NEW_TABLE),
        ("/replay", {"text": "{}"}),
        ("/puzzles/booklet", {"puzzle": "tetrods", "count": "12", "paper": "a4", "lang": "en", "volume": "1"}),
    ],
)
@pytest.mark.usefixtures("short")
def test_nothing_new_begins(path: str, form: dict[str, str], lang: str) -> None:
    reader = browser("ada")
    reader.cookies["language"] = lang
    page = reader.post(path, form)
    assert page.status_code == 503
    assert sentence("no-room", lang) in page.text
    assert page["Retry-After"] == str(disk_space.RETRY_AFTER_S)
    script = reader.post(path, form, headers={"accept": "application/json"})
    assert script.json() == {"refused": sentence("no-room", lang), "code": "no-room", "wait": 60}
    assert not Table.objects.exists()


def test_no_table_goes_on_in_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table, waiting = seated("hepta", 2), seating.open_table("hepta", 2, {})
    seating.sit(waiting.id, "ada", 0, "Ada")
    table.play_randomly()
    leave(monkeypatch, 49)
    for name, at in (("rematch", table.id), ("sit", waiting.id), ("computer", waiting.id)):
        command = {"do": name, "seat": 1, "name": "Bob", "level": "1"}
        told = browser("ada").post(f"/t/{at}/do", command, "application/json").json()
        assert told == {"refused": sentence("no-room"), "code": "no-room"}, name
    page = browser("ada").post(f"/t/{waiting.id}/do", {"do": "sit", "seat": "1"})
    assert page.status_code == 409
    assert sentence("no-room") in page.text
    played_on = browser("ada").post(f"/replay/{table.id}/play-on", {"step": "1", "seat": "0", "level": "1"})
    assert played_on.status_code == 503


@pytest.mark.usefixtures("short")
def test_no_puzzle_is_made_and_none_is_begun() -> None:
    name = of_day("tetrods", timezone.localdate())
    with pytest.raises(Refused, match="no-room"):
        maker.made(name)
    page = Client().get(f"/puzzles/tetrods/{name.grade}/{name.number}")
    assert page.status_code == 503
    assert sentence("no-room") in page.text
    command = {"do": "move", "move": "a1", "version": 0}
    told = browser("ada").post(BEGUN_BY_NOBODY, command, "application/json").json()
    assert told["code"] == "no-room"
    assert not Attempt.objects.exists()


def test_moves_and_reading_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    table, over = seated("hepta", 2), seated("hepta", 2)
    over.play_randomly()
    leave(monkeypatch, 0)
    command = {"do": "move", "seat": 0, "move": "d4", "version": table.state.version}
    assert browser("ada").post(f"/t/{table.id}/do", command, "application/json").json() == {"ok": True}
    undo = {"do": "undo", "seat": 0, "version": table.state.version}
    assert browser("ada").post(f"/t/{table.id}/do", undo, "application/json").json() == {"ok": True}
    for path in ("/", "/about", "/mine", f"/t/{table.id}", f"/replay/{over.id}", "/games/hepta", "/puzzles"):
        assert browser("ada").get(path).status_code == 200, path
    assert not Replay.objects.exists(), "read, and not stored"
    asked: list[str] = []
    monkeypatch.setattr(pool.thinking, "post", lambda _function, name: asked.append(name))
    found = find(over.id)
    assert found is not None
    analysis.begin(found)
    assert asked == []


def test_every_address_that_may_write_is_known_to_go_on_or_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated("hepta", 2)
    leave(monkeypatch, 49)
    for pattern, name in addresses():
        path = "/" + re.sub(r"<\w+:(\w+)>", lambda part: table.id if part[1] == "table" else "1", pattern)
        refused = browser("ada").post(path, headers={"accept": "application/json"})
        assert (refused.status_code == 503) == (name not in disk_space.GOING_ON), path
        if name not in disk_space.GOING_ON:
            assert refused.json()["code"] == "no-room", path


def addresses() -> Iterator[tuple[str, str]]:
    """The patterns of our own addresses, and their names."""
    for found in get_resolver().url_patterns:
        if isinstance(found, URLPattern):
            yield str(found.pattern), str(found.name)


@pytest.mark.usefixtures("short")
def test_every_command_is_known_to_go_on_or_is_refused() -> None:
    table = seated("hepta", 2)
    for name in commands.COMMANDS:
        told = browser("ada").post(f"/t/{table.id}/do", {"do": name, "seat": 0}, "application/json").json()
        assert (told.get("code") == "no-room") == (name not in disk_space.GOING_ON_COMMANDS), name
    assert set(commands.COMMANDS) >= disk_space.GOING_ON_COMMANDS


def test_the_keeper_logs_in_and_makes_room_and_does_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = User.objects.create_superuser("keeper", password=PASSWORD)
    table, other = seated("hepta", 2), seated("hepta", 2)
    leave(monkeypatch, 49)
    client = Client()
    client.post("/admin/login/", {"username": "keeper", "password": PASSWORD})
    assert client.get("/admin/web/table/").status_code == 200
    assert client.post(f"/admin/web/table/{table.id}/delete/", {"post": "yes"}).status_code == 302
    chosen = {"action": "delete_selected", "_selected_action": other.id, "post": "yes"}
    assert client.post("/admin/web/table/", chosen).status_code == 302
    assert not Table.objects.exists()
    assert client.post(f"/admin/auth/user/{keeper.pk}/change/", {"username": "other"}).status_code == 503
    assert client.post("/admin/logout/").status_code == 200
    names = {
        f"admin:{name}" for name in get_resolver().namespace_dict["admin"][1].reverse_dict if isinstance(name, str)
    }
    assert {name for name in disk_space.GOING_ON if name.startswith("admin:")} <= names


@pytest.fixture
def nothing_is_stored() -> Iterator[Callable[[], object]]:
    """From the call on, SQLite refuses whatever would write."""

    def begin() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = ON")

    yield begin
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = OFF")


def test_a_full_disk_keeps_nobody_from_looking_back(nothing_is_stored: Callable[[], object]) -> None:
    over = seated("hepta", 2)
    over.play_randomly()
    brought = kept(over.match.save())
    Replay.objects.update(made=timezone.now() - timedelta(days=3))
    before = list(Replay.objects.values_list("pk", "looked", "claimed"))
    nothing_is_stored()
    for name in (brought.pk, over.id):
        assert browser("bob").get(f"/replay/{name}").status_code == 200
    assert list(Replay.objects.values_list("pk", "looked", "claimed")) == before == [(brought.pk, None, None)]


def test_it_goes_on_by_itself_when_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    leave(monkeypatch, 49)
    assert Client().get("/ready").json()["missing"] == ["room"]
    assert browser("ada").post("/games/hepta/new", NEW_TABLE).status_code == 503
    leave(monkeypatch, 51)
    assert Client().get("/ready").json() == {"ready": True, "missing": [], "games": len(ludotheque.games())}
    assert browser("ada").post("/games/hepta/new", NEW_TABLE).status_code == 302


# A database that can take nothing more

MAX_PAGES = 1_073_741_823  # SQLite's own limit


def pragma(text: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {text}")
        found: int = cursor.fetchone()[0]
        return found


def write_events(table: Table) -> None:
    """Until nothing more goes in."""
    for number in count(1):
        Event.objects.create(table=table, number=number, kind=Event.Kind.MOVE, text="x" * 100, client=f"{number}")


@pytest.fixture
def full() -> Iterator[Round]:
    """A table in a database that has no room for one more event."""
    table, other = seated("pizza", 2), seating.open_table("pizza", 2, {})
    pragma(f"max_page_count = {pragma('page_count')}")
    with pytest.raises(OperationalError, match="full"):
        write_events(other)
    yield table
    pragma(f"max_page_count = {MAX_PAGES}")


def command(table: Round, number: int) -> tuple[str, dict[str, object]]:
    """Who is to move, and the message of some move."""
    match = table.match
    seat = next(actor for actor in match.to_act if isinstance(actor, int))
    move = {"do": "move", "seat": seat, "move": match.moves(seat)[0], "version": table.state.version}
    return VISITORS[seat], {**move, "id": f"{number}-{'x' * 30}"}


def test_a_move_that_finds_no_room_is_refused_and_can_be_played_later(full: Round) -> None:
    for number in count(1):
        who, message = command(full, number)
        before = full.kinds()
        told = browser(who).post(f"/t/{full.id}/do", message, "application/json").json()
        if "ok" not in told:
            break
        assert not full.match.over
    assert told == {"refused": sentence("not-stored"), "code": "not-stored"}
    assert full.kinds() == before
    assert full.state.version == len(before)
    form = browser(who).post(f"/t/{full.id}/do", message)
    assert (form.status_code, sentence("not-stored") in form.text) == (409, True)
    pragma(f"max_page_count = {MAX_PAGES}")
    assert browser(who).post(f"/t/{full.id}/do", message, "application/json").json() == {"ok": True}
    assert len(full.kinds()) > len(before)


@pytest.mark.usefixtures("full")
def test_other_pages_say_so_too() -> None:
    for number in range(100):
        page = browser(f"visitor {number}").post("/games/hepta/new", NEW_TABLE)
        if page.status_code != 302:
            break
    assert page.status_code == 503
    assert sentence("not-stored") in page.text


def test_what_else_goes_wrong_with_a_database_is_something_else() -> None:
    with pytest.raises(OperationalError) as caught, connection.cursor() as cursor:
        cursor.execute("SELECT nonsense")
    assert not disk_space.is_unstored(caught.value)
    assert not disk_space.is_unstored(None)
