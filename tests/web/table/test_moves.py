"""Moves that are checked in memory and written together: nothing lost, nothing doubled, whatever memory believes."""

import asyncio
from collections.abc import Awaitable, Callable

from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from ludotheque.web.live import subscriptions
from ludotheque.web.models import Event
from ludotheque.web.table import actions, cache, moves, seating
from ludotheque.web.table.commands import Command
from ludotheque.web.table.moves import PendingMove
from ludotheque.web.table.state import Declined
from ludotheque.web.table.transaction import TableTransaction
from web.people import Round, seated

SEATED = 3  # events before the first move of two


def asked(text: str, version: int = SEATED, client: str = "a", seat: int = 0) -> Command:
    return Command("move", seat, text, version, client)


def in_batch(table: Round, command: Command) -> Awaitable[bool]:
    return moves.play_in_batch(
        table.id, "ada", command.seat, command.move, version=command.version, client=command.client
    )


def prepare(table: Round, visitor: str, command: Command) -> TableTransaction | None:
    return moves.prepare(
        table.id, visitor, command.seat, command.move, version=command.version, client=command.client
    )


def run(story: Callable[[], Awaitable[object]]) -> object:
    async def whole() -> object:
        return await story()

    try:
        return asyncio.run(whole())
    finally:
        connections.close_all()


def log(table: Round) -> list[tuple[int, str]]:
    return list(Event.objects.filter(table=table.table).order_by("number").values_list("number", "text"))


def test_a_move_is_in_the_database_when_it_counts() -> None:
    table = seated("hepta", 2)
    assert run(lambda: in_batch(table, asked("d4"))) is True
    assert log(table)[-1] == (SEATED + 1, "d4")
    assert table.state.version == SEATED + 1


def test_a_batch_writes_whose_turn_it_is() -> None:
    table = seated("tricolore", 2)
    assert run(lambda: in_batch(table, asked("g7-g6"))) is True
    assert table.state.to_act == (1,)
    assert table.table.to_act == 0b10


def test_a_move_in_a_batch_declines_an_offer_as_the_log_says() -> None:
    table = seated("tricolore", 2)
    actions.offer_draw(table.id, "bob", 1)
    assert run(lambda: in_batch(table, asked("g7-g6", SEATED + 1))) is True
    known = table.state
    cache.clear()
    assert (table.state.offer, table.state.declined) == (known.offer, known.declined) == (None, Declined("draw", 0))


def test_memory_that_is_behind_writes_nothing() -> None:
    table = seated("hepta", 2)
    before = cache.at_least(table.id, SEATED)
    assert before is not None
    table.play(0, "a1")
    cache.clear()
    cache.put(before)  # as in a process that has not heard of it
    assert run(lambda: in_batch(table, asked("d4"))) is False
    assert [text for _, text in log(table)].count("d4") == 0
    assert log(table)[-1] == (SEATED + 1, "a1")


def test_memory_catches_up_with_many_tables_in_one_question() -> None:
    tables = [seated("hepta", 2) for _ in range(3)]
    before = [cache.latest(table.id) for table in tables]
    tables[0].play(0, "a1")
    tables[0].play(next(seat for seat in (0, 1) if seat in tables[0].match.to_act), "d4")
    tables[1].play(0, "e5")
    logs = [table.match.events for table in tables]
    cache.clear()
    for kept in before:
        cache.put(kept)  # as in a process that has not heard of it
    with CaptureQueriesContext(connection) as asked_for:
        cache.catch_up([*(table.id for table in tables), "unknown"])
    assert len(asked_for) == 1
    for table, number, events in zip(tables, (2, 1, 0), logs, strict=True):
        found = cache.at_least(table.id, SEATED + number)
        assert found is not None
        assert found.state.match is not None
        assert found.state.match.events == events
    assert before[0].state.version == SEATED, "what is kept is never changed"


def test_memory_catches_up_with_who_has_sat_down() -> None:
    table = seating.open_table("hepta", 2, {})
    seating.sit(table.id, "ada", 0, "Ada")
    before = cache.latest(table.id)
    seating.sit(table.id, "bob", 1, "Bob")
    cache.clear()
    cache.put(before)
    cache.catch_up([table.id])
    kept = cache.at_least(table.id, SEATED)
    assert kept is not None
    assert [seat.name for seat in kept.seats] == ["Ada", "Bob"]
    assert kept.state.match is not None


def test_of_two_moves_at_once_one_counts() -> None:
    table = seated("hepta", 2)

    async def both() -> list[bool]:
        made = (in_batch(table, asked(text, client=text)) for text in ("d4", "e5"))
        return list(await asyncio.gather(*made))

    assert sorted(run(both)) == [False, True]  # type: ignore[call-overload]
    assert [number for number, _ in log(table)] == list(range(1, SEATED + 2))


def test_others_cannot_move_for_a_seat_and_what_is_illegal_is_not_written() -> None:
    table = seated("hepta", 2)
    assert prepare(table, "bob", asked("d4")) is None
    assert prepare(table, "ada", asked("z9")) is None
    assert prepare(table, "ada", asked("d4", client="computer 0 3")) is None
    assert len(log(table)) == SEATED


def test_one_that_cannot_be_stored_does_not_take_the_others_with_it() -> None:
    one, other = seated("hepta", 2), seated("hepta", 2)
    one.play(0, "a1", client="twice")

    async def together() -> list[bool]:
        loop = asyncio.get_running_loop()
        batch = []
        for table, question in (
            (one, asked("b2", SEATED + 1, client="twice")),
            (other, asked("d4")),
        ):
            change = prepare(table, "ada", question)
            assert change is not None
            batch.append(PendingMove(change, question.version, loop.create_future()))
        return await asyncio.to_thread(moves.write, batch)

    assert run(together) == [False, True]
    assert log(one)[-1] == (SEATED + 1, "a1")
    assert log(other)[-1] == (SEATED + 1, "d4")


def test_what_came_is_found_by_a_look_though_nobody_heard_of_it() -> None:
    tables = [seated("hepta", 2) for _ in range(3)]
    _, before = subscriptions._changed(None)
    tables[0].play(0, "a1")
    tables[0].play(0, "b1")
    tables[2].play(0, "c1")
    changed, newest = subscriptions._changed(before)
    assert dict(changed) == {tables[0].id: SEATED + 2, tables[2].id: SEATED + 1}
    assert subscriptions._changed(newest) == ([], newest)
