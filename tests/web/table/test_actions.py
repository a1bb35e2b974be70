"""Everything that changes a table."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Barrier, Thread

import pytest
from django.db import connection

import ludotheque
from ludotheque import IllegalMove, UndoRefused
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.refusals import Refused, VersionConflict
from ludotheque.web.table import actions, cache, commands, moves, own_seats, rematch, seating, transaction
from ludotheque.web.visitors import hashed
from web.people import VISITORS, Round, seated


def refused(code: str, deed: Callable[[], object]) -> None:
    before = Event.objects.count(), list(Seat.objects.values()), list(Table.objects.values_list("version", "status"))
    with pytest.raises(ludotheque.LudothequeError) as caught:
        deed()
    assert caught.value.code == code
    assert before == (
        Event.objects.count(),
        list(Seat.objects.values()),
        list(Table.objects.values_list("version", "status")),
    )


def test_the_match_starts_with_the_last_one_to_sit_down() -> None:
    table = seating.open_table("pizza", 2, {})
    seating.sit(table.id, "ada", 1, "Ada")
    table.refresh_from_db()
    assert (table.status, cache.state_of(table).match) == ("waiting", None)
    seating.sit(table.id, "bob", 0, "Bob")
    table.refresh_from_db()
    match = cache.state_of(table).match
    assert table.status == "playing"
    assert match is not None
    assert match.to_act == (0,)


def test_seats_are_taken_once() -> None:
    table = seating.open_table("pizza", 3, {})
    seating.sit(table.id, "ada", 0, "Ada")
    refused("seat-taken", lambda: seating.sit(table.id, "bob", 0, "Bob"))
    refused("no-such-seat", lambda: seating.sit(table.id, "bob", 3, "Bob"))
    refused("no-such-table", lambda: seating.sit("nowhere", "bob", 0, "Bob"))
    refused("not-your-seat", lambda: seating.sit(table.id, "", 1, "Nobody"))


def test_one_can_stand_up_before_the_match_but_not_after() -> None:
    table = seating.open_table("pizza", 2, {})
    seating.sit(table.id, "ada", 0, "Ada")
    refused("not-your-seat", lambda: seating.leave(table.id, "bob", 0))
    seating.leave(table.id, "ada", 0)
    seating.sit(table.id, "bob", 0, "Bob")
    seating.sit(table.id, "ada", 1, "Ada")
    refused("already-started", lambda: seating.leave(table.id, "ada", 1))


def test_seats_by_lot_keep_everybody_and_everything_that_is_theirs() -> None:
    first = set()
    for _ in range(20):
        table = seating.open_table("pizza", 3, {}, by_lot=True)
        for seat, visitor in enumerate(VISITORS[:3]):
            seating.sit(table.id, visitor, seat, visitor.title(), entropy=visitor)
        seats = list(table.seats.all())
        assert {seat.visitor: (seat.name, seat.entropy) for seat in seats} == {
            hashed(visitor): (visitor.title(), visitor) for visitor in VISITORS[:3]
        }
        first.add(seats[0].name)
    assert len(first) > 1


def test_a_move_is_an_event_and_luck_follows_it() -> None:
    table = seated("pizza", 2)
    table.play(0, "a1")
    table.play(1, "g4")
    events = [(event.number, event.kind, event.actor, event.text) for event in table.table.events.all()]
    assert [number for number, *_ in events] == list(range(1, len(events) + 1))
    assert [event[1:] for event in events[:5]] == [
        ("sit", "0", ""),
        ("sit", "1", ""),
        ("start", "", ""),
        ("move", "0", "a1"),
        ("move", "1", "g4"),
    ]
    assert events[5][1:3] == ("move", "luck")
    assert table.state.version == table.table.version == len(events)


def test_the_same_client_id_counts_once() -> None:
    table = seated()
    table.play(0, "a1", client="click-1")
    version = table.state.version
    table.play(0, "a1", version=version - 1, client="click-1")
    assert table.state.version == version
    refused("bad-message", lambda: table.play(1, "g4", client="x" * 41))
    refused("bad-message", lambda: table.play(1, "g4", client="click-1"))


def test_whatever_is_sent_twice_is_done_once() -> None:
    """A page sends again what was not answered, and cannot know whether it was done."""
    table = seating.open_table("hepta", 2, {"legs": 1})
    here = Round(table)

    def send(visitor: str, what: str, **message: object) -> None:
        asked = commands.Command.read(
            {"do": what, "id": f"{visitor}-{what}", "version": here.state.version, **message}
        )
        once, twice = (dict(commands.execute(table.id, visitor, asked, "en")) for _ in range(2))
        assert once == twice == {"ok": True}

    send("ada", "sit", seat=0, name="Ada")
    send("bob", "sit", seat=1, name="Bob")
    send("ada", "move", seat=0, move="d4")
    moves.play(here.id, "ada", 0, "a1", version=here.state.version)
    send("ada", "undo", seat=0)
    assert here.match.events == [(0, "d4")], "taken back once"
    send("ada", "draw", seat=0)
    send("bob", "decline", seat=1)
    send("bob", "resign", seat=1)
    assert here.kinds().count("resign") == 1


def test_refusals_change_nothing() -> None:
    table = seated()
    refused("not-a-move", lambda: table.play(0, "zz"))
    refused("occupied", lambda: table.play(0, "c5"))
    refused("touches-own", lambda: table.play(0, "c3"))
    refused("not-your-turn", lambda: table.play(1, "a1"))
    refused("not-your-seat", lambda: moves.play(table.id, "bob", 0, "a1", version=table.state.version))
    refused("not-your-seat", lambda: moves.play(table.id, "", 0, "a1", version=table.state.version))
    waiting = seating.open_table("pizza", 2, {})
    seating.sit(waiting.id, "ada", 0, "Ada")
    refused("not-started", lambda: moves.play(waiting.id, "ada", 0, "a1", version=1))


def test_stale_moves_are_refused_but_sealed_choices_of_others_do_not_make_one_stale() -> None:
    table = seated()
    version = table.state.version
    table.play(0, "a1")
    with pytest.raises(VersionConflict):
        table.play(1, "g4", version=version)
    table.play(1, "g4")
    table.play(2, "b1")
    sealed = table.state.version
    table.play(1, "cut 2", version=sealed)
    table.play(0, "cut 3", version=sealed)
    refused("already-chosen", lambda: table.play(0, "cut 4", version=sealed))
    table.play(2, "cut 1", version=sealed)
    assert table.match.state[4] == 1  # the next round
    with pytest.raises(VersionConflict):
        table.play(1, "d1", version=sealed)


@pytest.mark.parametrize("version", [-1, 10_000])
def test_versions_that_never_were_are_stale(version: int) -> None:
    with pytest.raises(VersionConflict):
        seated().play(0, "a1", version=version)


def test_undo_at_once_where_it_is_fair_else_by_agreement() -> None:
    table = seated("hepta", 2)
    table.play(0, "d4")
    actions.ask_undo(table.id, "ada", 0)
    assert table.match.events == []
    refused("nothing-to-undo", lambda: actions.ask_undo(table.id, "bob", 1))
    for cell in ("a1", "b2", "c3", "d4", "e5", "f6", "g7"):
        table.play(0, cell)
    table.play(1, "I")
    actions.ask_undo(table.id, "ada", 0)
    offer = table.state.offer
    assert offer is not None
    assert (offer.what, offer.seat, table.match.events[-1]) == ("undo", 0, (1, "I"))
    refused("offer-pending", lambda: actions.ask_undo(table.id, "ada", 0))
    refused("no-offer", lambda: actions.answer_offer(table.id, "ada", 0, agrees=True))
    actions.answer_offer(table.id, "bob", 1, agrees=True)
    assert table.match.events[-1] == (0, "f6")
    assert table.state.offer is None


def test_an_offer_is_off_the_table_when_declined_or_played_over() -> None:
    table = seated("hepta", 2)
    actions.offer_draw(table.id, "bob", 1)
    actions.answer_offer(table.id, "ada", 0, agrees=False)
    assert table.state.offer is None
    actions.offer_draw(table.id, "bob", 1)
    table.play(0, "d4")
    refused("no-offer", lambda: actions.answer_offer(table.id, "ada", 0, agrees=True))
    assert not table.state.over


def test_a_draw_needs_everybody() -> None:
    table = seated("pizza", 3)
    actions.offer_draw(table.id, "ada", 0)
    actions.answer_offer(table.id, "bob", 1, agrees=True)
    assert not table.state.over
    actions.answer_offer(table.id, "cleo", 2, agrees=True)
    assert table.state.over
    refused("over", lambda: table.play(0, "a1"))
    table.table.refresh_from_db()
    assert table.table.status == "over"


def test_who_holds_all_seats_agrees_with_himself() -> None:
    table = seating.open_table("hepta", 2, {})
    seating.sit(table.id, "ada", 0, "One")
    seating.sit(table.id, "ada", 1, "Two")
    actions.offer_draw(table.id, "ada", 0)
    table.refresh_from_db()
    assert table.status == "over"


def test_resigning_ends_the_match_and_nobody_else_can_resign_for_me() -> None:
    table = seated("hepta", 2)
    refused("not-your-seat", lambda: actions.resign(table.id, "bob", 0))
    actions.resign(table.id, "ada", 0)
    assert table.state.over
    refused("over", lambda: actions.resign(table.id, "bob", 1))


def test_the_rematch_is_one_table_with_the_seats_moved_on() -> None:
    table = seated("hepta", 2, legs=1)
    refused("not-over", lambda: rematch.rematch(table.id, "ada"))
    actions.resign(table.id, "ada", 0)
    refused("not-your-seat", lambda: rematch.rematch(table.id, "dan"))
    again = rematch.rematch(table.id, "ada")
    assert rematch.rematch(table.id, "bob") == again
    assert [seat.name for seat in again.seats.all()] == ["Bob", "Ada"]
    assert (again.options, again.status) == ({"legs": 1}, "playing")
    assert again.seed != table.table.seed


def test_a_seat_moves_to_another_device_once() -> None:
    table = seated("hepta", 2)
    refused("not-your-seat", lambda: own_seats.make_link(table.id, "bob", 0))
    old = own_seats.make_link(table.id, "ada", 0)
    secret = own_seats.make_link(table.id, "ada", 0)
    assert secret not in str(list(Seat.objects.values()))
    refused("dead-link", lambda: own_seats.take_link(old, "phone"))
    own_seats.take_link(secret, "phone")
    refused("dead-link", lambda: own_seats.take_link(secret, "thief"))
    refused("not-your-seat", lambda: table.play(0, "d4"))
    moves.play(table.id, "phone", 0, "d4", version=table.state.version)


def test_luck_can_be_checked_afterwards() -> None:
    table = seated("pizza", 2)
    fingerprint = table.table.commitment
    table.play_randomly(30)
    record = table.match.save()
    match = ludotheque.load(record)
    assert match.luck is not None
    assert (match.luck.commitment, match.luck.table) == (fingerprint, table.id)
    assert match.luck.entropy == ("0", "1")


def together(deeds: Sequence[Callable[[], None]]) -> list[str]:
    """Do all this at the same moment; how each one ended."""
    barrier, outcomes = Barrier(len(deeds)), []

    def run(deed: Callable[[], None]) -> None:
        barrier.wait()
        try:
            deed()
            outcomes.append("done")
        except Refused as refusal:
            outcomes.append(refusal.code)
        except (IllegalMove, UndoRefused) as refusal:
            outcomes.append(refusal.code)
        finally:
            connection.close()

    threads = [Thread(target=run, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_many_join_for_the_last_seat_and_one_gets_it() -> None:
    table = seating.open_table("pizza", 2, {})
    seating.sit(table.id, "ada", 0, "Ada")
    outcomes = together([partial(seating.sit, table.id, f"v{number}", 1, "V") for number in range(12)])
    assert sorted(outcomes) == ["done"] + ["seat-taken"] * 11


def test_two_tabs_move_at_once_and_one_move_counts() -> None:
    table = seated("hepta", 2)
    version = table.state.version
    deeds = [partial(table.play, 0, cell, version) for cell in ("a1", "b1", "c1", "d1")]
    assert sorted(together(deeds)) == ["done"] + ["stale"] * 3
    assert len(table.match.events) == 1
    again = table.state.version
    twice = [lambda: table.play(0, "g7", again, client="same")] * 4
    assert together(twice) == ["done"] * 4
    assert len(table.match.events) == 2


def test_a_listener_who_fails_harms_neither_the_move_nor_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []

    def deaf(_tables: list[Table]) -> None:
        raise ConnectionError

    monkeypatch.setattr(
        transaction, "listeners", [deaf, lambda tables: heard.extend(table.version for table in tables)]
    )
    table = seated()
    table.play(0, "a1")
    assert heard[-1] == table.state.version == 5


def test_whoever_looked_before_the_start_has_the_luck_of_all_seats() -> None:
    """A table read while the last seat was still free, folded after it was taken."""
    table = seating.open_table("pizza", 2, {})
    seating.sit(table.id, "ada", 0, "Ada", entropy="ada's")
    early = Table.objects.prefetch_related("seats").get(pk=table.id)
    seating.sit(table.id, "bob", 1, "Bob", entropy="bob's")
    cache.clear()
    match = cache.state_of(early).match
    assert match is not None
    assert match.luck is not None
    assert match.luck.entropy == ("ada's", "bob's")


def test_a_whole_game_is_the_fold_of_its_events() -> None:
    table = seated("pizza", 2, rounds=4)
    table.play_randomly()
    match = table.match
    cache.clear()
    assert Round(Table.objects.get(pk=table.id)).match == match
    assert ludotheque.load(match.save()) == match
    numbers = list(table.table.events.values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
