"""Limits of a running site: whoever keeps no cookie, or makes one up each time, gets no more than a visitor."""

import itertools
import json
import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from attack.client import get
from scale.sites import Site
from waiting import TIMEOUT_S, until

PAGES_A_MINUTE, SOCKETS, WORK_MS = 20, 5, 100
MANY = 60
CLIENT, OTHER = "127.0.4.1", "127.0.4.2"  # addresses
Cookie = Callable[[], str]


def visitor(site: Site) -> Cookie:
    """Of somebody who sits at a table, and is known."""
    _, cookie = site.set_table()
    return lambda: cookie


def nobody(_site: Site) -> Cookie:
    return lambda: "language=en"


def made_up(_site: Site) -> Cookie:
    """A new one each time, that the site has never signed."""
    numbers = itertools.count()
    return lambda: f"visitor=somebody-{next(numbers)}:forged"


every_client = pytest.mark.parametrize("client", [visitor, nobody, made_up])


@every_client
def test_pages(new_site: Callable[..., Site], client: Callable[[Site], Cookie]) -> None:
    site = new_site(LUDOTHEQUE_LIMITS=f"page={PAGES_A_MINUTE}/0")
    cookie = client(site)

    def ask(address: str = CLIENT) -> int:
        return get(site.port, "/about", address, f"Cookie: {cookie()}\r\n")

    since, passed = time.monotonic(), 0
    while passed < MANY and ask() == 200:
        passed += 1
    come_back = (time.monotonic() - since) * PAGES_A_MINUTE / 60
    assert PAGES_A_MINUTE <= passed <= PAGES_A_MINUTE + come_back + 1
    assert get(site.port, "/about", OTHER) == 200, "others"


def page(site: Site, table: str, cookie: str, address: str = CLIENT) -> ClientConnection:
    """The connection of a page to a table."""
    headers = site.page(cookie)
    return connect(
        site.live(table),
        additional_headers={"Cookie": headers["Cookie"]},
        origin=Origin(headers["Origin"]),
        source_address=(address, 0),
        max_size=None,
        open_timeout=TIMEOUT_S,
    )


@every_client
def test_connections_at_once(new_site: Callable[..., Site], client: Callable[[Site], Cookie]) -> None:
    site = new_site(LUDOTHEQUE_LIMITS=f"sockets={SOCKETS}/0")
    table, _ = site.set_table()
    cookie = client(site)
    with ExitStack() as opened:
        for _ in range(SOCKETS):
            opened.enter_context(page(site, table, cookie()))
        with pytest.raises(InvalidStatus) as refused:
            page(site, table, cookie())
        assert refused.value.response.status_code == 429
        opened.enter_context(page(site, table, "language=en", OTHER))


@every_client
def test_what_is_computed_for_a_connection(new_site: Callable[..., Site], client: Callable[[Site], Cookie]) -> None:
    site = new_site(LUDOTHEQUE_LIMITS=f"work={WORK_MS}/0 deed=0/0 socket=0/0")
    table, _ = site.set_table()
    cookie = client(site)
    until(lambda: is_kept_out(site, table, cookie), "the work is not charged")
    with page(site, table, "language=en", OTHER) as other:
        assert json.loads(other.recv(TIMEOUT_S))["version"] == 3


def is_kept_out(site: Site, table: str, cookie: Cookie) -> bool:
    """Have the page drawn again and again; whether one can connect no more once it is refused."""
    try:
        with page(site, table, cookie()) as line:
            for number in range(MANY):
                line.send(json.dumps({"id": f"{number}", "unfolded": number % 2 == 0}))
                told = json.loads(line.recv(TIMEOUT_S))
                if told.get("code") == "too-often":
                    break
        with page(site, table, cookie()):
            return False
    except InvalidStatus as refused:
        return refused.response.status_code == 429
