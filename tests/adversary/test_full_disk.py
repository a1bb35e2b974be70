"""A disk that gets full under a running site: nothing acknowledged is lost, and all goes on when there is room."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

import disks
from crowd.site import Site as Visit
from scale.sites import CSRF, Site, moves
from waiting import TIMEOUT_S, until

DISK_MB, MIN_FREE_MB = 32, 8
SHORT_BYTES, TIGHT_BYTES = 4_000_000, 400_000
SET_TABLE = """
from ludotheque.web.server import serve
serve.configure_django()
from ludotheque.web.table import seating
from ludotheque.web.visitors import COOKIE, sign
table = seating.open_table("hepta", 2, {})
for seat, name in enumerate(("ada", "bob")):
    seating.sit(table.id, name, seat, name)
print(table.id, *(f"{COOKIE}={sign(name)}" for name in ("ada", "bob")))
"""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with disks.small_disk(tmp_path / "0", DISK_MB) as disk:
        yield disk


class Table:
    """A table at which this test plays both seats."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.id, *cookies = site.told_by(SET_TABLE)
        self.cookies = [f"{cookie}; csrftoken={CSRF}" for cookie in cookies]

    def version(self) -> object:
        return self.site.screen(self.id, self.cookies[0])["version"]

    def next_move(self, name: str) -> tuple[str, dict[str, object]]:
        """Who moves next, and the message."""
        for seat, cookie in enumerate(self.cookies):
            screen = self.site.screen(self.id, cookie)
            if screen["moves"]:
                message = {"id": name, "do": "move", "seat": seat, "move": moves(screen)[0]}
                return cookie, message | {"version": screen["version"]}
        pytest.fail("nobody is to move")

    def send(self, cookie: str, message: dict[str, object]) -> dict[str, object]:
        """What the page of that person is answered over its WebSocket."""

        async def ask() -> dict[str, object]:
            headers = self.site.page(cookie)
            async with connect(self.site.live(self.id), additional_headers=headers, max_size=None) as page:
                await page.send(json.dumps(message))
                while True:
                    told: dict[str, object] = json.loads(await asyncio.wait_for(page.recv(), TIMEOUT_S))
                    if told.get("answer") == message["id"]:
                        return told

        return asyncio.run(ask())

    def play(self, name: str) -> None:
        assert self.send(*self.next_move(name)).get("ok") is True


def missing(site: Site) -> object:
    return site.ask("/ready")[1]["missing"]


def refused_page(site: Site) -> str:
    """What somebody is told who wants a new table."""
    headers = {"Cookie": f"csrftoken={CSRF}", "X-CSRFToken": CSRF, "Accept-Language": "en"}
    reply, page = site.request("POST", "/games/hepta/new", "", headers, site.port)
    assert reply.status == 503
    return page


def can_begin(site: Site) -> bool:
    try:
        Visit(site.port).open()
    except ConnectionError:
        return False
    return True


def test_what_has_begun_goes_on_and_nothing_is_acknowledged_that_is_not_stored(
    disk: Path, new_site: Callable[..., Site]
) -> None:
    site = new_site(LUDOTHEQUE_MIN_FREE_MB=str(MIN_FREE_MB))
    table = Table(site)
    table.play("first")
    assert missing(site) == []
    # Room is short
    disks.fill(disk, leaving=SHORT_BYTES)
    until(lambda: missing(site) == ["room"], "it does not notice")
    with pytest.raises(ConnectionError, match="/new: 503"):
        Visit(site.port).open()
    assert "short of room" in refused_page(site)
    for number in range(5):
        table.play(f"short {number}")
    # There is none
    disks.fill(disk)
    cookie, message = table.next_move("refused")
    for _ in range(3):
        told = table.send(cookie, message)
        assert told["code"] == "not-stored"
        assert "its disk is full" in str(told["refused"])
    assert table.version() == message["version"]
    for path in ("/", "/about", f"/t/{table.id}", "/games/hepta", "/metrics", "/health"):
        reply, _ = site.read(path, cookie)
        assert reply.status == 200, path
    # There is room again
    disks.empty(disk)
    assert table.send(cookie, message)["ok"] is True
    until(lambda: can_begin(site), "it does not recover")
    until(lambda: missing(site) == [], "it is not ready")
    version = table.version()
    site.restart(site.port)
    assert table.version() == version


def test_a_site_that_was_killed_starts_on_a_full_disk(disk: Path, new_site: Callable[..., Site]) -> None:
    site = new_site(LUDOTHEQUE_MIN_FREE_MB=str(MIN_FREE_MB))
    table = Table(site)
    table.play("first")
    version = table.version()
    site.kill(site.port)
    disks.fill(disk)
    site.open()
    cookie, message = table.next_move("second")
    told = table.send(cookie, message)  # there may be room in the log that the killed process has left
    assert ("ok" in told) == (table.version() != version)
    assert "ok" in told or told["code"] == "not-stored"
    disks.empty(disk)
    assert table.send(cookie, message)["ok"] is True


def test_a_site_that_was_stopped_says_what_it_needs_and_then_starts(
    disk: Path, new_site: Callable[..., Site], tmp_path: Path
) -> None:
    figures = str(tmp_path / "figures")  # elsewhere: a start throws old ones away, which would make room
    site = new_site(LUDOTHEQUE_MIN_FREE_MB=str(MIN_FREE_MB), PROMETHEUS_MULTIPROC_DIR=figures)
    table = Table(site)
    table.play("first")
    version = table.version()
    stopped = site.servers.pop(site.port)
    stopped.terminate()
    stopped.wait(TIMEOUT_S)
    for ending in ("-wal", "-shm"):  # as after copying the database alone; with them it would start
        (disk / f"ludotheque.sqlite3{ending}").unlink(missing_ok=True)
    disks.fill(disk)
    refused = site.run("serve", "--set-up-only")
    assert refused.returncode == 1
    assert "There is no room left on the disk" in refused.stderr
    assert "Traceback" not in refused.stderr
    disks.empty(disk)
    disks.fill(disk, leaving=TIGHT_BYTES)
    site.open()
    assert table.version() == version
    table.play("second")
    assert not can_begin(site)
