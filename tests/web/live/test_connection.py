"""Live tables: pushes say a version, each connection sees with its own eyes."""

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from ludotheque.match import Match
from ludotheque.web.live import subscriptions
from ludotheque.web.screen import screen
from ludotheque.web.table import cache
from web.connections import PageConnection, run
from web.people import Round, seated


def test_a_move_is_answered_and_others_see_it_at_once() -> None:
    table = seated()

    async def story() -> None:
        ada, bob = PageConnection(table, "ada"), PageConnection(table, "bob")
        assert await ada.open()
        assert await bob.open()
        first = await bob.hear()
        assert first["moves"] == []
        version = (await ada.hear())["version"]
        assert (await ada.ask(do="move", seat=0, move="a1", version=version)).get("ok")
        assert (await ada.hear())["version"] == 5
        seen = await bob.hear()
        assert seen["version"] == 5
        assert seen["seat"] == 1
        assert seen["last"] == ["space-a1"]
        assert len(seen["moves"]) > 10  # type: ignore[arg-type]
        await ada.close()
        await bob.close()

    run(story)


def test_the_position_in_words_is_sent_to_those_who_have_unfolded_it() -> None:
    table = seated()

    async def story() -> None:
        ada, bob = PageConnection(table, "ada"), PageConnection(table, "bob")
        for line in (ada, bob):
            assert await line.open()
            await line.hear()
        assert (await ada.ask(do="move", seat=0, move="a1", version=4)).get("ok")
        assert (await bob.hear())["html"] != await _drawn(table, "bob")
        await bob.send('{"unfolded": true}')
        assert (await bob.hear())["html"] == await _drawn(table, "bob")
        move = (await _match(table)).moves(1)[0]
        assert (await bob.ask(do="move", seat=1, move=move, version=5)).get("ok")
        assert (await bob.hear())["html"] == await _drawn(table, "bob")
        await bob.send('{"unfolded": false}')
        await bob.hear()
        await ada.close()
        await bob.close()

    run(story)


@sync_to_async
def _drawn(table: Round, visitor: str) -> str:
    return screen.screen(table.id, visitor, "en")["html"]


@sync_to_async
def _match(table: Round) -> Match:
    return table.match


def test_a_page_that_is_up_to_date_is_told_nothing_again() -> None:
    table = seated()

    async def story() -> None:
        line = PageConnection(table, "ada", query="&version=4")
        assert await line.open()
        assert await line.silent()
        await line.close()

    run(story)


def test_refusals_come_with_the_reason_and_the_table_as_it_is() -> None:
    table = seated()

    async def story() -> None:
        ada = PageConnection(table, "ada")
        assert await ada.open()
        await ada.hear()
        answer = await ada.ask(do="move", seat=0, move="c3", version=4)
        assert answer["refused"] == "That space touches one of your own toppings."
        assert (await ada.hear())["version"] == 4
        assert (await ada.ask(do="move", seat=1, move="a1", version=4))["code"] == "not-your-seat"
        assert (await ada.ask(do="move", seat=0, move="a1", version=2))["code"] == "stale"
        await ada.close()

    run(story)


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        "7",
        '{"do": 5}',
        '{"do": "move", "seat": true}',
        '{"look": []}',
        '{"unfolded": 3}',
        "[" * 3000,
    ],
)
def test_garbage_hurts_nobody(garbage: str) -> None:
    table = seated()

    async def story() -> None:
        ada = PageConnection(table, "ada")
        assert await ada.open()
        await ada.hear()
        await ada.send(garbage)
        assert (await ada.ask(do="move", seat=0, move="a1", version=4)).get("ok")
        await ada.close()

    run(story)
    assert len(table.match.events) == 1


def test_messages_that_are_too_long_end_the_conversation() -> None:
    table = seated()

    async def story() -> None:
        ada = PageConnection(table, "ada")
        assert await ada.open()
        await ada.hear()
        await ada.send("x" * 5000)
        assert (await ada.event())["type"] == "websocket.close"
        await ada.close()

    run(story)


def test_other_sites_may_not_connect() -> None:
    table = seated()

    async def story() -> None:
        assert not await PageConnection(table, "ada", origin=b"https://elsewhere.example").open()
        assert not await PageConnection("nowhere", "ada").open()

    run(story)


def test_looking_through_the_eyes_of_a_seat_that_is_not_mine_shows_nothing_more() -> None:
    table = seated()
    for seat, space in enumerate(("a1", "g4", "b1")):
        table.play(seat, space)
    table.play(1, "cut 2")

    async def story() -> None:
        ada = PageConnection(table, "ada", query="&seat=1")
        assert await ada.open()
        first = await ada.hear()
        await ada.send('{"look": 1}')
        again = await ada.hear()
        for heard in (first, again):
            assert heard["seat"] == 0
            assert "</span> cut 2</code>" not in str(heard["html"])
        await ada.close()

    run(story)


def test_who_could_not_be_told_is_asked_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is away just when a page is to be told of a move: it must not stay as it is."""
    table = seated()

    def away(*_args: object) -> None:
        raise OperationalError

    async def story() -> None:
        bob = PageConnection(table, "bob")
        assert await bob.open()
        await bob.hear()
        monkeypatch.setattr(cache, "latest", away)
        monkeypatch.setattr(cache, "at_least", lambda *_args: None)
        subscriptions.notify(table.id, 5)
        assert (await bob.event()) == {"type": "websocket.close", "code": 1013}
        await bob.close()

    run(story)
