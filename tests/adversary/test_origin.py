"""A site in a home network: it answers to the address at which one arrives, and to nobody else's pages."""

import base64
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from crowd.site import Site as Visit
from scale.sites import Site
from waiting import TIMEOUT_S

ARRIVED = "127.0.0.2"  # an address of this machine that the site learns
FOREIGN = ("games.evil.example", "127.0.0.3", "192.0.2.1", f"{ARRIVED}.evil.example", "localhost.evil.example")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that is open to its network, with the settings it has by itself."""
    site = Site(tmp_path_factory.mktemp("home"))
    for name in ("LUDOTHEQUE_HOSTS", "LUDOTHEQUE_ORIGINS", "LUDOTHEQUE_LEARN_HOSTS"):
        site.environment.pop(name, None)
    try:
        site.port = site.serve(0, "--host", "0.0.0.0")  # noqa: S104 - what is tested; asked for at 127.0.0.0/8 alone
        yield site
    finally:
        site.close()


def ask(site: Site, path: str, to: str = ARRIVED, **headers: str) -> tuple[int, str]:
    connection = HTTPConnection(to, site.port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        reply = connection.getresponse()
        return reply.status, "" if reply.status == 101 else reply.read().decode()
    finally:
        connection.close()


def handshake(site: Site, table: str, origin: str) -> tuple[int, str]:
    key = base64.b64encode(bytes(16)).decode()
    return ask(
        site,
        f"/live/{table}",
        Origin=origin,
        Upgrade="websocket",
        Connection="Upgrade",
        Sec_WebSocket_Key=key,
        Sec_WebSocket_Version="13",
    )


def test_names_of_others_are_refused_and_where_one_arrives_is_a_name(home: Site) -> None:
    for path in ("/about", "/static/web/site.css", "/t/nothing"):
        for name in FOREIGN:
            status, told = ask(home, path, Host=f"{name}:{home.port}")
            assert (status, "LUDOTHEQUE_HOSTS" in told) == (421, True), (name, path)
    assert ask(home, "/about")[0] == 200
    assert ask(home, "/about", to="127.0.0.1", Host=f"localhost:{home.port}")[0] == 200


def test_websockets_come_from_pages_of_this_scheme_host_and_port(home: Site) -> None:
    table, _ = Visit(home.port).open()
    assert handshake(home, table, f"http://{ARRIVED}:{home.port}")[0] == 101
    for origin in (
        f"http://{ARRIVED}:{home.port + 1}",
        f"http://{ARRIVED}",
        f"https://{ARRIVED}:{home.port}",
        f"http://127.0.0.1:{home.port}",
        f"http://games.evil.example:{home.port}",
        "null",
        "",
    ):
        status, told = handshake(home, table, origin)
        assert (status, "That did not work" in told or "comes from somewhere else" in told) == (403, True), origin
