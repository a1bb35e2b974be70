"""A visitor acts for no seat but their own: tried at every address and with every kind of message.

Whoever adds an address or a deed adds a line here, or these tests fail.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, get_resolver

from ludotheque.web.models import Table
from ludotheque.web.table import actions, commitments, own_seats, seating
from ludotheque.web.table.commands import COMMANDS
from ludotheque.web.visitors import COOKIE, sign
from web.connections import PageConnection, run
from web.people import Round, browser, seated

THIEVES = ("bob", "stranger", "", "forged")


def digest() -> str:
    """Everything the database has of us, but the day on which somebody looked at a table."""
    rows = [
        sorted(str(sorted((name, value) for name, value in row.items() if name != "visited")) for row in found)
        for found in (model._base_manager.values() for model in apps.get_app_config("web").get_models())
    ]
    return hashlib.sha256(str(rows).encode()).hexdigest()


def thief(who: str) -> Client:
    if who == "forged":
        client = Client()
        client.cookies[COOKIE] = f"ada:{sign('bob').partition(':')[2]}"
        return client
    return browser(who) if who else Client()


# Deeds


def _waiting() -> Round:
    table = seating.open_table("hepta", 2, {})
    seating.sit(table.id, "ada", 0, "Ada")
    return Round(Table.objects.get(pk=table.id))


def _playing() -> Round:
    table = seated("hepta", 2)
    table.play(0, "d4")
    return table


def _offered() -> Round:
    """Bob offers a draw; Ada has to answer."""
    table = _playing()
    actions.offer_draw(table.id, "bob", 1)
    return table


def _over() -> Round:
    table = _playing()
    actions.resign(table.id, "ada", 0)
    browser("ada").get(f"/t/{table.id}")  # whoever looks first makes its replay
    return table


STAGES: dict[str, Callable[[], Round]] = {
    "sit": _playing,  # at seat 0, which is Ada's
    "computer": _playing,
    "leave": _waiting,
    "move": _playing,
    "resign": _playing,
    "undo": _playing,
    "draw": _playing,
    "agree": _offered,
    "decline": _offered,
    "rematch": _over,
    "entropy": _over,
    "put-away": _playing,
    "bring-back": _playing,
}
BY_ANY_PLAYER = {"rematch"}  # Bob may


def test_every_deed_is_tried() -> None:
    assert set(STAGES) == set(COMMANDS)


@pytest.mark.parametrize("who", THIEVES)
@pytest.mark.parametrize("what", sorted(STAGES))
def test_nobody_does_it_for_ada(what: str, who: str) -> None:
    if what in BY_ANY_PLAYER and who == "bob":
        return
    table = STAGES[what]()
    message = {"do": what, "seat": 0, "move": "a1", "version": table.state.version, "name": "Thief", "level": "1"}
    message |= _luck(table)
    before = digest()
    by_script = thief(who).post(f"/t/{table.id}/do", message, "application/json")
    assert "refused" in by_script.json()
    by_form = thief(who).post(f"/t/{table.id}/do", message)
    assert by_form.status_code == 409
    assert "refused" in _by_line(table, who, message)
    assert digest() == before


def _luck(table: Round) -> dict[str, str]:
    """What a page adds to a rematch."""
    return {"entropy": "a number", "commitment": commitments.of_rematch(table.id)[0].commitment}


_numbers = count()


def _by_line(table: Round, who: str, message: dict[str, object]) -> dict[str, object]:
    answers: list[dict[str, object]] = []

    async def story() -> None:
        line = PageConnection(table, "" if who == "forged" else who)
        line.next = next(_numbers)  # a page that sends an id twice sends the same command
        assert await line.open()
        await line.hear()
        answers.append(await line.ask(**message))
        await line.close()

    run(story)
    return answers[0]


def _among_three() -> Round:
    table = seated("pizza", 3)
    table.play(0, "a1")
    return table


@pytest.mark.parametrize("who", THIEVES)
def test_nobody_leaves_adas_seat_to_the_computer(who: str) -> None:
    table = _among_three()
    message = {"do": "resign", "seat": 0, "version": table.state.version}
    before = digest()
    assert "refused" in thief(who).post(f"/t/{table.id}/do", message, "application/json").json()
    assert thief(who).post(f"/t/{table.id}/do", message).status_code == 409
    assert "refused" in _by_line(table, who, message)
    assert digest() == before


def _by_script(table: Round, message: dict[str, object]) -> bool:
    return "ok" in browser("ada").post(f"/t/{table.id}/do", message, "application/json").json()


def _by_form(table: Round, message: dict[str, object]) -> bool:
    return browser("ada").post(f"/t/{table.id}/do", message).status_code == 302


def _by_socket(table: Round, message: dict[str, object]) -> bool:
    return "ok" in _by_line(table, "ada", message)


@pytest.mark.parametrize("way", [_by_script, _by_form, _by_socket])
def test_who_has_left_to_the_computer_is_a_stranger(way: Callable[[Round, dict[str, object]], bool]) -> None:
    table = _among_three()
    own_seats.make_link(table.id, "ada", 0)
    assert way(table, {"do": "resign", "seat": 0})
    assert (table.state.over, table.kinds()[-1]) == (False, "quit")
    before = digest()
    for what in COMMANDS:
        assert not way(table, {"do": what, "seat": 0, "move": "g4", "version": table.state.version, "level": "1"}), (
            what
        )
    assert browser("ada").post(f"/t/{table.id}/link", {"seat": "0"}).status_code == 403
    assert digest() == before


@pytest.mark.parametrize("way", [_by_script, _by_form, _by_socket])
def test_at_an_open_table_a_guest_takes_one_seat_and_decides_about_no_other(
    way: Callable[[Round, dict[str, object]], bool],
) -> None:
    opened = seating.open_table("hundsgemein", 4, {}, listed=True, creator="bob")
    seating.sit(opened.id, "bob", 0, "Bob")
    table = Round(opened)
    assert _by_script(table, {"do": "sit", "seat": 1, "name": "Ada"})
    before = digest()
    assert not way(table, {"do": "computer", "seat": 2, "level": "1"})
    assert not way(table, {"do": "sit", "seat": 2, "name": "Ada's friend"})
    assert digest() == before
    bob = browser("bob")
    for message in ({"do": "computer", "seat": 2, "level": "1"}, {"do": "sit", "seat": 3, "name": "Bob's friend"}):
        assert bob.post(f"/t/{table.id}/do", message, "application/json").json() == {"ok": True}


def test_ada_can_do_all_of_it_herself() -> None:
    """So the refusals above are not for other reasons."""
    for what, stage in STAGES.items():
        if what in ("sit", "computer"):
            continue
        table = stage()
        message = {"do": what, "seat": 0, "move": "a1", "version": table.state.version, **_luck(table)}
        assert browser("ada").post(f"/t/{table.id}/do", message, "application/json").json().get("ok"), what


# Addresses

LOOKED_AT = "only looked at"
PUBLIC = "for everybody, and nobody's seat"
TRIED = "tried below"
ADDRESSES = {
    "shelf": LOOKED_AT,
    "site-preview": LOOKED_AT,
    "game": LOOKED_AT,
    "new": PUBLIC,
    "luck": LOOKED_AT,
    "sample": LOOKED_AT,
    "game-preview": LOOKED_AT,
    "position": LOOKED_AT,
    "lesson": PUBLIC,
    "tips": LOOKED_AT,
    "puzzles": LOOKED_AT,
    "booklets": PUBLIC,
    "booklet-file": LOOKED_AT,
    "booklet": LOOKED_AT,
    "puzzle-picture": LOOKED_AT,
    "puzzle-preview": LOOKED_AT,
    "puzzle-kind": LOOKED_AT,
    "next-puzzle": LOOKED_AT,
    "own-puzzle": LOOKED_AT,
    "puzzle": PUBLIC,  # by the visitor's own cookie: there is nothing to name another's attempt by
    "mine": LOOKED_AT,
    "news": LOOKED_AT,
    "about": LOOKED_AT,
    "settings": PUBLIC,
    "table": LOOKED_AT,
    "do": TRIED,
    "screen": LOOKED_AT,
    "at": LOOKED_AT,
    "hint": LOOKED_AT,
    "ghost": LOOKED_AT,
    "why": LOOKED_AT,
    "record": LOOKED_AT,
    "qr-code": LOOKED_AT,
    "link": TRIED,
    "picture": LOOKED_AT,
    "my-picture": LOOKED_AT,
    "table-preview": LOOKED_AT,
    "replay-preview": LOOKED_AT,
    "bring": PUBLIC,
    "replay": LOOKED_AT,
    "replay-at": LOOKED_AT,
    "replay-turn": LOOKED_AT,
    "play-on": PUBLIC,
    "progress": LOOKED_AT,
    "seat": TRIED,
    "style": LOOKED_AT,
    "health": LOOKED_AT,
    "ready": LOOKED_AT,
    "metrics": LOOKED_AT,
    "status": LOOKED_AT,
}


def addresses() -> dict[str, str]:
    return {
        str(entry.name): str(entry.pattern) for entry in get_resolver().url_patterns if isinstance(entry, URLPattern)
    }


def test_every_address_is_judged() -> None:
    assert set(addresses()) == set(ADDRESSES)


@pytest.mark.parametrize("name", [name for name, how in ADDRESSES.items() if how == LOOKED_AT])
def test_looking_changes_nothing(name: str) -> None:
    table = _playing()
    path = "/" + addresses()[name].replace("<str:table>", table.id).replace("<str:key>", "hepta")
    for blank in ("<str:name>", "<str:mark>", "<path:rest>", "<int:step>", "<int:version>"):
        path = path.replace(blank, "1")
    before = digest()
    for method in ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"):
        for who in ("bob", ""):
            answer = thief(who).generic(method, f"{path}?seat=0&as=0&move=a1&do=resign", b"seat=0&do=resign")
            assert answer.status_code < 500
            assert digest() == before, method


@pytest.mark.parametrize("who", THIEVES)
def test_nobody_makes_or_takes_a_link_to_adas_seat(who: str) -> None:
    table = _playing()
    before = digest()
    for seat in ("0", "00", "-1", "", "0.0", "９"):
        assert thief(who).post(f"/t/{table.id}/link", {"seat": seat}).status_code == 403
    for guess in ("0", table.id, "x" * 32, "%", sign("ada")):
        assert thief(who).post(f"/seat/{guess}").status_code == 404
    assert digest() == before


@pytest.mark.parametrize("who", ["bob", "stranger", "forged"])
def test_through_the_eyes_of_another_seat_one_sees_ones_own(who: str) -> None:
    table = seated("pizza", 3)
    for seat, space in enumerate(("a1", "g4", "b1")):
        table.play(seat, space)
    table.play(0, "cut 3")
    for path in ("", "/screen"):
        for query in ("?as=0", "?seat=0", "?as=0&seat=0&version=-1"):
            got = thief(who).get(f"/t/{table.id}{path}{query}").text
            assert "</span> cut 3</code>" not in got
    assert json.loads(thief(who).get(f"/t/{table.id}/screen?seat=0").text)["seat"] == (1 if who == "bob" else -1)


# The keeper's rooms, and what all pages have in common


def test_the_keepers_rooms_are_closed() -> None:
    table = _playing()
    person, rows = User.objects.create_user("somebody"), f"/admin/web/table/{table.id}"
    for client in (Client(), browser("ada")):
        if COOKIE in client.cookies:
            client.force_login(person)
        for path in ("/admin/", f"{rows}/change/", f"{rows}/delete/", "/status"):
            assert client.get(path).status_code == 302
            assert client.post(path, {"post": "yes"}).status_code in (302, 405)
    assert Table.objects.filter(pk=table.id).exists()
    person.delete()


def test_the_keeper_can_read_and_delete_but_change_nothing() -> None:
    table = _playing()
    keeper = User.objects.create_superuser("keeper")
    client = Client()
    client.force_login(keeper)
    before = digest()
    client.post(f"/admin/web/table/{table.id}/change/", {"status": "over", "seats-0-name": "X"})
    assert client.get("/admin/web/table/add/").status_code == 403
    assert digest() == before
    client.post(f"/admin/web/table/{table.id}/delete/", {"post": "yes"})
    assert not Table.objects.filter(pk=table.id).exists()


def test_static_files_are_guarded_too() -> None:
    from ludotheque.web.server.static_files import StaticStorage
    from web.guard.test_rate_limits import ask

    headers = dict(ask("/static/" + StaticStorage().stored_name("web/site.js"))["headers"])
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert b"default-src 'none'" in headers[b"content-security-policy"]


def test_ready_to_be_deployed() -> None:
    """Django's own check, as strict as it gets, finds nothing."""
    environment = os.environ | {
        "LUDOTHEQUE_HTTPS": "1",
        "LUDOTHEQUE_HOSTS": "games.example.org",
        "LUDOTHEQUE_SECRET_KEY": "k3y-" + "aB7-" * 15,
    }
    command = [sys.executable, "-m", "django", "check", "--deploy", "--fail-level", "INFO"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr


def test_cookies_are_secure_behind_https() -> None:
    from django.test.utils import override_settings

    with override_settings(HTTPS=True, SESSION_COOKIE_SECURE=True, CSRF_COOKIE_SECURE=True):
        client = Client(headers={"x-forwarded-proto": "https"})
        client.post("/games/hepta/new", {"way": "link", "name-0": "Ada"})
        client.post("/settings", {"theme": "night", "language": "fr"})
        client.get("/")
        assert {COOKIE, "name", "theme", "language", "csrftoken"} <= set(client.cookies)
        for name, cookie in client.cookies.items():
            assert cookie["secure"], name
            assert cookie["samesite"] == "Lax", name
        assert client.cookies[COOKIE]["httponly"]
        assert client.cookies["csrftoken"]["httponly"]
