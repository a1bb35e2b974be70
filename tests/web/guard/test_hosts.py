"""The names the site answers to, and the pages from which WebSockets may come."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test.utils import override_settings

from ludotheque.web.guard.hosts import is_own_host, is_same_origin


def scope(host: str, origin: str = "", scheme: str = "ws", server: str = "192.168.1.7") -> dict[str, Any]:
    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    return {"type": "websocket", "scheme": scheme, "headers": headers, "server": (server, 8000)}


@pytest.mark.parametrize(
    ("host", "origin", "scheme", "same"),
    [
        ("localhost:8000", "http://localhost:8000", "ws", True),
        ("localhost:8000", "http://localhost:8001", "ws", False),
        ("localhost:8000", "http://localhost", "ws", False),
        ("localhost:8000", "https://localhost:8000", "ws", False),
        ("localhost:8000", "http://127.0.0.1:8000", "ws", False),
        ("games.example.org", "https://games.example.org", "wss", True),
        ("games.example.org", "https://games.example.org:443", "wss", True),
        ("games.example.org", "http://games.example.org", "wss", False),
        ("games.example.org", "https://evil.example.org", "wss", False),
        ("games.example.org", "https://play.example.net", "wss", True),
        ("games.example.org", "http://play.example.net", "wss", False),
        ("games.example.org", "https://a.clubs.example", "wss", True),
        ("games.example.org", "https://clubs.example.evil", "wss", False),
        ("games.example.org", "", "wss", False),
        ("games.example.org", "null", "wss", False),
        ("games.example.org", "https://games.example.org:x", "wss", False),
        ("[::1]:8000", "http://[::1]:8000", "ws", True),
    ],
)
@override_settings(CSRF_TRUSTED_ORIGINS=["https://play.example.net", "https://*.clubs.example"])
def test_the_whole_origin_counts(host: str, origin: str, scheme: str, same: bool) -> None:
    assert is_same_origin(scope(host, origin, scheme)) == same


def test_behind_https_only_https_is_here() -> None:
    with override_settings(HTTPS=True):
        assert is_same_origin(scope("games.example.org", "https://games.example.org", "ws"))
        assert not is_same_origin(scope("games.example.org", "http://games.example.org", "ws"))


@pytest.fixture
def home() -> Iterator[None]:
    """A site in a home network, which may answer to where connections arrive."""
    with override_settings(ALLOWED_HOSTS=["localhost", "shelf.local"], LEARNS_HOSTS=True):
        yield


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("host", "server", "own"),
    [
        ("localhost:8000", "192.168.1.7", True),
        ("shelf.local:8000", "192.168.1.7", True),
        ("192.168.1.7:8000", "192.168.1.7", True),
        ("192.168.1.8:8000", "192.168.1.7", False),
        ("[fe80::7]:8000", "fe80::7", True),
        ("evil.example.org:8000", "192.168.1.7", False),
        ("192.168.1.7.evil.example.org", "192.168.1.7", False),
        ("192.168.1.7@evil.example.org", "192.168.1.7", False),
    ],
)
def test_hosts_are_learnt_from_where_connections_arrive_and_from_nothing_else(
    host: str, server: str, own: bool
) -> None:
    assert is_own_host(scope(host, server=server)) == own


@pytest.mark.usefixtures("home")
def test_a_host_that_was_learnt_stays() -> None:
    assert is_own_host(scope("192.168.1.7:8000"))
    assert settings.ALLOWED_HOSTS == ["localhost", "shelf.local", "192.168.1.7"]


def test_elsewhere_nothing_is_learnt() -> None:
    with override_settings(ALLOWED_HOSTS=["localhost"], LEARNS_HOSTS=False):
        assert not is_own_host(scope("192.168.1.7:8000"))
