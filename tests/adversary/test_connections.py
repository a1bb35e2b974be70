"""Frames, headers and connections: whoever sends too much, too slowly or nothing at all makes nobody wait."""

import json
import re
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from attack.catalogue import CONNECTIONS
from attack.client import ATTACKER, connect, get, websocket
from attack.others import others
from attack.sockets import PING
from attacked import assert_nobody_waits
from crowd.site import Site as Visit
from scale.sites import Site
from waiting import TIMEOUT_S, until

FEW_FILES = 256
MAX_HEAD_BYTES, HEAD_TIMEOUT_S = 16_384, 10.0


@pytest.mark.parametrize("attack", CONNECTIONS)
def test_nobody_else_waits(new_site: Callable[..., Site], attack: str) -> None:
    assert_nobody_waits(new_site().port, attack)


def closes_within(line: socket.socket, seconds: float) -> bool:
    """Whether the other side ends the connection in time."""
    line.settimeout(seconds)
    try:
        while line.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def text(payload: bytes) -> bytes:
    """A message, masked with zeros."""
    return b"\x81" + bytes([0x80 | 126]) + len(payload).to_bytes(2) + b"\0\0\0\0" + payload


def in_parts(parts: int) -> bytes:
    """A message in so many parts of one byte."""
    return b"\x01\x81\0\0\0\0x" + b"\x00\x81\0\0\0\0x" * (parts - 2) + b"\x80\x81\0\0\0\0x"


@pytest.mark.parametrize(
    ("few", "many"),
    [
        (PING * 10, PING * 100),
        (text(b"") * 10, text(b"") * 1_000),
        (in_parts(10), in_parts(200)),
        (text(b"x" * 3_000) * 3, text(b"x" * 3_000) * 50),
    ],
    ids=["pings", "messages", "parts of a message", "bytes"],
)
def test_a_connection_that_sends_and_sends_ends(new_site: Callable[..., Site], few: bytes, many: bytes) -> None:
    site = new_site()
    table, _ = Visit(site.port, address=ATTACKER).open()
    with websocket(site.port, f"/live/{table}") as line:
        line.sendall(few)
        line.settimeout(TIMEOUT_S)
        assert line.recv(65_536), "it is answered"
        assert not refused(site)
        line.sendall(many)
        assert closes_within(line, TIMEOUT_S)
    assert refused(site) == 1


def refused(site: Site) -> float:
    """How many connections ended for what they sent."""
    found = re.search(r'^ludotheque_limited_total\{entrance="frames"\} (\S+)', site.read("/metrics")[1], re.MULTILINE)
    return float(found[1]) if found else 0


def test_few_file_descriptors_are_for_those_who_play_and_the_log_says_so(tmp_path: Path) -> None:
    site = Site(tmp_path, LUDOTHEQUE_LIMITS="", LUDOTHEQUE_LOG="WARNING")
    site.under = ("prlimit", f"--nofile={FEW_FILES}:{FEW_FILES}")
    site.log = tmp_path / "log"
    try:
        site.open()
        with others(site.port, tables=2, move_timeout_s=TIMEOUT_S) as felt, ExitStack() as crowd:
            for number in range(300):
                crowd.enter_context(connect(site.port, f"127.0.3.{number % 3}"))
            felt.forget()
            until(lambda: len(felt.moves_s) > 5 and felt.slowest_look_s < TIMEOUT_S, "nobody plays")
        told = [json.loads(line) for line in site.log.read_text(encoding="utf-8").splitlines()]
    finally:
        site.close()
    causes = [line for line in told if line.get("what") == "an idle connection was closed for a new one"]
    assert causes
    assert f"{FEW_FILES}" in str(causes[0])
    assert "file descriptors" in str(causes[0])


@pytest.mark.parametrize("many", [b"X: " + b"a" * 20_000, b"X: a\r\n" * 4_000])
def test_a_head_that_is_too_long_is_refused(new_site: Callable[..., Site], many: bytes) -> None:
    assert len(many) > MAX_HEAD_BYTES
    port = new_site().port
    with connect(port) as line:
        line.sendall(b"GET /about HTTP/1.1\r\nHost: 127.0.0.1\r\n" + many + b"\r\n\r\n")
        assert line.recv(20).startswith((b"HTTP/1.1 431", b"HTTP/1.1 400"))
        assert closes_within(line, TIMEOUT_S)
    assert get(port, "/about") == 200


def test_whoever_says_nothing_is_shown_out(new_site: Callable[..., Site]) -> None:
    port = new_site().port
    with connect(port) as silent, connect(port) as slow:
        slow.sendall(b"GET /about HTTP/1.1\r\nHost: ")
        since = time.monotonic()
        assert closes_within(silent, TIMEOUT_S)
        assert closes_within(slow, TIMEOUT_S)
        assert time.monotonic() - since > HEAD_TIMEOUT_S / 2
