"""Bytes that are no text, sent as a program would send them: refused, and no traceback in the log."""

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from attack.client import connect, request, websocket
from crowd.site import Site as Visit
from scale.sites import Site

TEXT, BINARY, FIRST_OF_TEXT, LAST, CLOSE, NO_SUCH_FRAME = 0x81, 0x82, 0x01, 0x80, 0x88, 0x83
MAX_ANSWERS = 20
BAD_TARGETS = (
    "/t/%00",
    "/t/%ff%fe",
    "/t/%ED%A0%80",
    "/seat/%00",
    "/replay/%00",
    "/games/%00",
    "/puzzles/hepta_solo/%00",
    "/mine?page=%00",
    "/t/x/at/99999999999999999999999999999999999999",
    "/admin/login/?next=%00",
    "/static/%00",
    "/%2500",
)
BAD_HEADERS = (
    b"Cookie: visitor=\xff\xfe",
    b"Cookie: sessionid=\xff; name=%FF%FE%00",
    b'Cookie: sessionid="\\000"',
    b"Accept-Language: \xff",
    b"Host: \xff",
    b"X-Forwarded-For: \xff",
    b"Content-Type: multipart/form-data; boundary=\xff",
)


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with its usual settings whose log is read."""
    folder = tmp_path_factory.mktemp("site")
    site = Site(folder, LUDOTHEQUE_LIMITS="off", LUDOTHEQUE_LOG="INFO")
    site.log = folder / "log"
    site.open()
    yield site
    site.close()


def tracebacks(site: Site) -> list[str]:
    assert site.log is not None
    return [line for line in Path(site.log).read_text(encoding="utf-8").splitlines() if "Traceback" in line]


def frame(kind: int, payload: bytes) -> bytes:
    """A frame of a client, masked."""
    mask = os.urandom(4)
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack("!H", len(payload))
    return bytes([kind]) + size + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


@pytest.mark.parametrize("target", BAD_TARGETS)
def test_addresses(logged: Site, target: str) -> None:
    for method in ("GET", "POST"):
        status, _ = request(logged.port, f"{method} {target}")
        assert 300 <= status < 500
    assert not tracebacks(logged)


def test_raw_bytes_in_an_address(logged: Site) -> None:
    for target in (b"/t/\xff", b"/live/\xff", b"/t/\xc3\xa9?x=\xff"):
        for upgrade in (b"", b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"):
            with connect(logged.port) as line:
                head = b"GET " + target + b" HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % logged.port + upgrade
                line.sendall(head + b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
                answer = line.recv(65_536)
                assert not answer or answer.startswith(b"HTTP/1.1 4")
    assert not tracebacks(logged)


@pytest.mark.parametrize("header", BAD_HEADERS)
def test_headers(logged: Site, header: bytes) -> None:
    for path in (b"/", b"/mine", b"/admin/", b"/live/nothing"):
        with connect(logged.port) as line:
            host = b"" if header.startswith(b"Host") else b"Host: 127.0.0.1:%d\r\n" % logged.port
            line.sendall(b"GET " + path + b" HTTP/1.1\r\n" + host + header + b"\r\nConnection: close\r\n\r\n")
            answer = line.recv(65_536)
            assert answer.startswith(b"HTTP/1.1 "), path
            assert answer[9:10] != b"5", path
    assert not tracebacks(logged)


PART = b'--x\r\nContent-Disposition: form-data; name="name-0"\r\n%s\r\n%s\r\n--x--\r\n'
BASE64 = b"Content-Transfer-Encoding: base64\r\n"
FORMS = (
    ("application/x-www-form-urlencoded", b"name-0=%00"),
    ("application/x-www-form-urlencoded", b"%00=a"),
    ("multipart/form-data; boundary=x", PART % (b"", b"\xff\0")),
    ("multipart/form-data; boundary=x", PART % (BASE64, b"AEE=")),
    ("multipart/form-data; boundary=x; charset=unicode_escape", PART % (b"", b"\\ud800")),
    ("multipart/form-data; boundary=x; charset=utf-7", PART % (b"", b"+AAA-")),
)
TOKEN = "a" * 32
FORM_HEADERS = f"Cookie: csrftoken={TOKEN}\r\nX-CSRFToken: {TOKEN}\r\n"


@pytest.mark.parametrize(("kind", "body"), FORMS)
def test_forms(logged: Site, kind: str, body: bytes) -> None:
    for path in ("/games/hepta/new", "/admin/login/", "/replay", "/settings"):
        status, answer = request(logged.port, f"POST {path}", body, headers=f"{FORM_HEADERS}Content-Type: {kind}\r\n")
        assert status == 400, path
        assert "We could not read that. / Nous n’avons pas pu lire cela.".encode() in answer
    assert not tracebacks(logged)


def test_bytes_that_are_no_utf8_in_a_form_are_no_name(logged: Site) -> None:
    form = f"{FORM_HEADERS}Content-Type: application/x-www-form-urlencoded\r\n"
    status, answer = request(logged.port, "POST /games/hepta/new", b"name-0=%FF%FE", headers=form)
    assert status == 400
    assert b"characters that most devices cannot show" in answer
    assert not tracebacks(logged)


def test_websockets_at_addresses_that_are_none(logged: Site) -> None:
    for path in ("/", "/nothing", "/live/%00", "/live/%ff", "/live/a?version=%00", "/live/a/b", "/t/x"):
        with websocket(logged.port, path):
            pass
    assert not tracebacks(logged)


MESSAGES: tuple[tuple[tuple[int, bytes], ...], ...] = (
    ((TEXT, b"\xff\xfe"),),
    ((TEXT, b'{"do": "\xed\xa0\x80"}'),),
    ((TEXT, b'{"do": "sit", "name": "\\ud800"}'),),
    ((TEXT, b'{"do": "sit", "name": "A\\u0000"}'),),
    ((TEXT, b"\0"),),
    ((TEXT, b'{"do": "move", "seat": ' + b"9" * 500 + b"}"),),
    ((BINARY, b"\xff"),),
    ((FIRST_OF_TEXT, b"\xc3"), (LAST, b"\xff")),
    ((CLOSE, b"\x03\xe8\xff\xff"),),
    ((NO_SUCH_FRAME, b"x"),),
)


@pytest.mark.parametrize("frames", MESSAGES)
def test_messages(logged: Site, frames: tuple[tuple[int, bytes], ...]) -> None:
    table, _ = Visit(logged.port).open()
    with websocket(logged.port, f"/live/{table}") as line:
        line.sendall(b"".join(frame(*each) for each in (*frames, (CLOSE, b"\x03\xe8"))))
        for _ in range(MAX_ANSWERS):
            try:
                if not line.recv(65_536):
                    break
            except ConnectionError:
                break
        else:
            pytest.fail("it goes on")
    assert not tracebacks(logged)


def test_too_many_fields(logged: Site) -> None:
    form = f"{FORM_HEADERS}Content-Type: application/x-www-form-urlencoded\r\n"
    body = b"&".join(b"field-%d=" % number for number in range(1000))
    assert request(logged.port, "POST /games/hepta/new", body, headers=form)[0] == 400
    assert not tracebacks(logged)
