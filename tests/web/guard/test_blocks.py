"""Whoever the keeper has shut out can do nothing, and everybody else can do all they could before."""

import asyncio
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from ludotheque.web.asgi import application
from ludotheque.web.guard import access, blocks
from ludotheque.web.models import Block
from ludotheque.web.monitor import usage
from web.connections import PageConnection, run
from web.people import seated

HOUR = timedelta(hours=1)
BAD, GOOD = "192.0.2.66", "192.0.2.1"


@pytest.fixture(autouse=True)
def nobody_is_blocked() -> Iterator[None]:
    yield
    Block.objects.all().delete()
    blocks.read()


def block(who: str, lasts: timedelta = HOUR) -> None:
    blocks.add(who, lasts, "a test", ["127.0.0.1"])
    blocks.read()


def ask(address: str, path: str = "/about", method: str = "GET") -> tuple[int, dict[bytes, bytes]]:
    """The status and the headers that the whole application answers."""
    return asyncio.run(_ask(address, path, method))


async def _ask(address: str, path: str, method: str) -> tuple[int, dict[bytes, bytes]]:
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": (address, 50_000),
    }
    sent: list[Mapping[str, Any]] = []

    asked: list[Mapping[str, Any]] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Mapping[str, Any]:
        return asked.pop() if asked else await asyncio.get_running_loop().create_future()

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    await application(scope, receive, send)
    return sent[0]["status"], dict(sent[0]["headers"])


@pytest.mark.parametrize("path", ["/", "/health", "/metrics", "/admin/login/", "/static/web/site.css", "/t/none/do"])
def test_a_blocked_address_gets_nothing_and_others_get_all_they_got(path: str) -> None:
    before = ask(GOOD, path)[0]
    block(BAD)
    status, headers = ask(BAD, path)
    assert status == 403
    assert 0 < int(headers[b"retry-after"]) <= HOUR.total_seconds()
    assert ask(GOOD, path)[0] == before != 403


@pytest.mark.parametrize(
    ("who", "refused", "let_in"),
    [
        ("198.51.100.0/24", ["198.51.100.1", "198.51.100.255", "::ffff:198.51.100.7"], ["198.51.101.1"]),
        ("198.51.100.7", ["198.51.100.7"], ["198.51.100.8"]),
        ("2001:db8:1:2::7", ["2001:db8:1:2::9"], ["2001:db8:1:3::7"]),
        ("2001:db8::/32", ["2001:db8:ffff::1"], ["2001:db9::1"]),
    ],
)
def test_addresses_networks_and_households(who: str, refused: list[str], let_in: list[str]) -> None:
    block(who)
    assert [ask(address)[0] for address in refused] == [403] * len(refused)
    assert [ask(address)[0] for address in let_in] == [200] * len(let_in)


def test_a_label_from_the_list_blocks_whom_it_stands_for_and_stores_no_address() -> None:
    ask(BAD)
    block(usage.label(BAD))
    assert ask(BAD)[0] == 403
    assert ask(GOOD)[0] == 200
    assert BAD not in str(list(Block.objects.values()))


def test_a_label_goes_on_blocking_when_labels_change(monkeypatch: pytest.MonkeyPatch) -> None:
    block(usage.label(BAD))
    monkeypatch.setattr(usage, "key_of_day", lambda: "tomorrow's")
    blocks._list.found.clear()
    assert ask(BAD)[0] == 403


def test_a_block_ends_by_itself_and_can_be_lifted() -> None:
    block(BAD)
    Block.objects.update(until=timezone.now() + timedelta(seconds=30))
    blocks.read()
    assert ask(BAD)[0] == 403
    Block.objects.update(until=timezone.now())
    blocks.read()
    assert ask(BAD)[0] == 200
    block(BAD)
    assert blocks.lift(BAD) >= 1
    blocks.read()
    assert ask(BAD)[0] == 200


def test_a_block_that_is_over_lets_in_even_if_the_list_was_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    block(BAD)
    assert ask(BAD)[0] == 403
    later = timezone.now() + 2 * HOUR
    monkeypatch.setattr("ludotheque.web.guard.blocks.timezone.now", lambda: later)
    assert blocks.of(BAD) is None


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("0.0.0.0/0", "too-many-addresses"),
        ("::/0", "too-many-addresses"),
        ("127.0.0.1", "block-proxy"),
        ("127.0.0.0/8", "block-proxy"),
        ("somebody", "no-address"),
        ("198.51.100.0/33", "no-address"),
        ("", "no-address"),
    ],
)
def test_what_would_shut_out_everybody_or_is_nobody_is_refused(who: str, code: str) -> None:
    with pytest.raises(blocks.BadBlock, match=code):
        blocks.add(who, HOUR, "", ["127.0.0.1"])
    assert not Block.objects.exists()


@pytest.mark.parametrize("lasts", [timedelta(0), timedelta(days=-1), timedelta(days=9999)])
def test_a_block_has_an_end(lasts: timedelta) -> None:
    with pytest.raises(blocks.BadBlock, match="block-time"):
        blocks.add(BAD, lasts, "", [])


def test_connections_of_a_blocked_address_end_and_others_play_on() -> None:
    table = seated("hepta", 2)

    async def story() -> None:
        bad, good = PageConnection(table, "ada", address=BAD), PageConnection(table, "bob", address=GOOD)
        for line in (bad, good):
            assert await line.open()
            await line.hear()
        await sync_to_async(block)(BAD)
        assert await bad.event() == {"type": "websocket.close", "code": access.CLOSE_BLOCKED}
        await bad.send('{"id": "x", "do": "resign", "seat": 0}')
        await bad.close()
        assert bad.heard.empty()
        again = PageConnection(table, "ada", address=BAD)
        assert not await again.open()
        elsewhere = PageConnection(table, "ada", address=GOOD)
        assert await elsewhere.open()
        await elsewhere.hear()
        assert (await elsewhere.ask(do="move", seat=0, move="d4", version=3)).get("ok")
        assert (await good.hear())["version"] == 4
        for line in (good, elsewhere):
            await line.close()

    run(story)


def test_the_list_is_as_fast_with_thousands_of_blocks() -> None:
    """Every request asks: the answer for an address is remembered."""
    Block.objects.bulk_create(
        Block(network=f"10.{number // 250}.{number % 250}.0/24", until=timezone.now() + HOUR)
        for number in range(2000)
    )
    blocks.read()
    assert blocks.of("10.1.1.7") is not None
    assert blocks.of(GOOD) is None
    assert GOOD in blocks._list.found
