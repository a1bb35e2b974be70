"""Text that no database stores is refused everywhere, with 400 and a sentence, and changes nothing."""

import asyncio
import json
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, get_resolver

from ludotheque.web import inputs
from ludotheque.web.models import Seat
from ludotheque.web.table import seating
from web.connections import PageConnection, run
from web.fuzzer import Request, requested
from web.people import browser
from web.test_permissions import digest

SENTENCE = "We could not read that."
TOKEN = "a" * 32
USUAL = ((b"cookie", f"csrftoken={TOKEN}".encode()), (b"x-csrftoken", TOKEN.encode()))
FORM = ((b"content-type", b"application/x-www-form-urlencoded"),)
ADMIN = ("admin/login/", "admin/web/table/", "admin/web/table/<str:table>/delete/", "admin/auth/user/add/")
ROUTES = [str(entry.pattern) for entry in get_resolver().url_patterns if isinstance(entry, URLPattern)]


def filled(route: str, text: str) -> str:
    """The address of a route with this text in every blank for one."""
    for blank in ("<str:table>", "<str:key>", "<str:name>", "<str:secret>", "<str:mark>", "<path:rest>"):
        route = route.replace(blank, text)
    for blank in ("<int:step>", "<int:number>", "<int:version>"):
        route = route.replace(blank, "1")
    return f"/{route}"


@pytest.fixture
def keeper() -> Iterator[bytes]:
    """The cookie of somebody who may do anything."""
    client = Client()
    client.force_login(User.objects.create_superuser("keeper"))
    yield f"; sessionid={client.cookies['sessionid'].value}".encode()
    Session.objects.all().delete()


@pytest.mark.parametrize("route", [*ROUTES, *ADMIN])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_nul_in_every_address(route: str, method: str, keeper: bytes) -> None:
    before = digest()
    cookie = (USUAL[0][0], USUAL[0][1] + keeper), USUAL[1]
    places = [("\0", b""), ("a", b"q=%00"), ("a", b"%00=1")] if "<" in route else [("", b"q=%00"), ("", b"a=\0")]
    for text, query in places:
        answer = asyncio.run(requested(Request(method, filled(route, text), query, cookie, b"")))
        assert answer.status == 400, (text, query)
        assert SENTENCE in answer.body
    for text, body in (("a", b"name=%00"), ("a", b"%00=1"), ("a", b"x=a\0")):
        answer = asyncio.run(requested(Request("POST", filled(route, text), b"", (*cookie, *FORM), body)))
        assert answer.status == 400, body
        assert SENTENCE in answer.body
    assert digest() == before


@pytest.mark.parametrize("cookie", [b'sessionid="\\000"', b"name=a\0b", b'visitor="\\000"', b'"\\000"=1'])
def test_nul_in_cookies(cookie: bytes) -> None:
    for path in ("/", "/admin/", "/status", "/mine"):
        answer = asyncio.run(requested(Request("GET", path, b"", ((b"cookie", cookie),), b"")))
        assert answer.status == 400 or (answer.status < 400 and b'"=1' in cookie), path


def test_half_a_surrogate_pair_in_an_address() -> None:
    answer = asyncio.run(requested(Request("GET", "/t/\ud800", b"", (), b"")))
    assert answer.status == 400
    assert SENTENCE in answer.body


@pytest.mark.parametrize("text", ['{"name": "A\\u0000"}', '{"\\u0000": 1}', '{"a": {"b": ["\\\\\\u0000"]}}'])
def test_nul_in_json(text: str) -> None:
    table = seating.open_table("hepta", 2, {})
    before = digest()
    json_header = ((b"content-type", b"application/json"),)
    answer = asyncio.run(requested(Request("POST", f"/t/{table.id}/do", b"", (*USUAL, *json_header), text.encode())))
    assert answer.status == 400
    assert SENTENCE in answer.body
    assert inputs.message(text.encode()) == {}
    assert digest() == before


def test_what_only_looks_like_nul_is_text() -> None:
    assert inputs.message(rb'{"name": "\\u0000 %00"}') == {"name": r"\u0000 %00"}
    table = seating.open_table("hepta", 2, {})
    browser("ada").post(f"/t/{table.id}/do", {"do": "sit", "seat": 0, "name": "100%00"})
    assert Seat.objects.filter(name="100%00").exists()


@pytest.mark.parametrize("name", ["\0", "A\0da", "\ud800"])
def test_a_live_message_is_refused_and_seats_nobody(name: str) -> None:
    table = seating.open_table("hepta", 2, {})
    answers: list[dict[str, object]] = []

    async def story() -> None:
        line = PageConnection(table.id, "ada")
        assert await line.open()
        await line.hear()
        await line.send(json.dumps({"id": "1", "do": "sit", "seat": 0, "name": name}))
        answers.append(await line.hear())
        await line.close()

    run(story)
    assert answers[0]["code"] == "bad-message"
    assert not table.seats.exclude(kind=Seat.Kind.FREE).exists()


@pytest.mark.parametrize("table", ["\0", "a\0", "\ud800"])
def test_a_websocket_is_refused(table: str) -> None:
    statuses: list[object] = []

    async def story() -> None:
        line = PageConnection(table, "ada")
        await line.sent.put({"type": "websocket.connect"})
        statuses.append((await line.event())["status"])
        await line.talk

    run(story)
    assert statuses == [400]
