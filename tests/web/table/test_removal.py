"""A deleted table is gone everywhere: every row, every cache, every page that shows it; all others stay."""

import pytest
from asgiref.sync import sync_to_async
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from ludotheque.web.jobs import drawings
from ludotheque.web.live.connection import NO_SUCH_TABLE
from ludotheque.web.models import Attempt, Puzzle, Removal, Replay, Table
from ludotheque.web.replays import finished
from ludotheque.web.server import deletion
from ludotheque.web.server.deletion import Found
from ludotheque.web.server.keeper_sync import KeeperSync
from ludotheque.web.table import actions, cache, rematch, removal
from ludotheque.web.table.cache import CachedTable
from web.connections import PageConnection, run
from web.people import Round, browser, seated


def rows_with(text: str) -> list[str]:
    """Where in the database this text is still to be found."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return [model._meta.label for model in models for row in model._base_manager.values() if text in str(row)]


def ended() -> Round:
    table = seated("hepta", 2)
    table.play(0, "d4")
    actions.resign(table.id, "ada", 0)
    browser("ada").get(f"/replay/{table.id}")
    for path in (f"/t/{table.id}/preview.png", f"/replay/{table.id}/preview.png", f"/t/{table.id}"):
        assert browser("ada").get(path).status_code == 200
    return table


def delete(name: str) -> None:
    found = deletion.find(name)
    assert found is not None
    deletion.delete(found)


def test_nothing_is_left_of_a_table() -> None:
    table, other = ended(), ended()
    assert set(rows_with(table.id)) == {"web.Table", "web.Seat", "web.Event", "web.Replay"}
    delete(table.id)
    assert rows_with(table.id) == []
    assert table.id not in cache.tables()
    assert not drawings._cached
    for path in ("", "/screen?version=-1", "/record", "/preview.png", "/picture.svg"):
        assert browser("ada").get(f"/t/{table.id}{path}").status_code == 404
    assert browser("ada").get(f"/replay/{table.id}").status_code == 404
    for command in ("rematch", "move", "sit"):
        answer = browser("ada").post(f"/t/{table.id}/do", {"do": command, "seat": 0}, "application/json")
        assert answer.status_code == 404
    assert browser("ada").get(f"/t/{other.id}").status_code == 200
    assert finished.find(other.id) is not None


def test_the_table_before_a_rematch_offers_it_again() -> None:
    first = ended()
    second = rematch.rematch(first.id, "ada")
    assert first.state.rematch == second.id
    delete(second.id)
    assert rows_with(second.id) == []
    assert first.state.rematch == ""
    third = rematch.rematch(first.id, "ada")
    delete(first.id)
    assert Table.objects.get(pk=third.id).previous is None


@pytest.mark.parametrize(
    "form", ["{}", "/t/{}", "https://games.example.org/t/{}", "https://games.example.org/replay/{}/at/3"]
)
def test_it_is_named_by_its_id_or_by_any_address_of_it(form: str) -> None:
    table = ended()
    assert deletion.find(form.format(table.id)) == Found("table", table.id, len(table.kinds()))
    assert deletion.find(form.format("elsewhere")) is None


def test_pages_are_told_plainly_and_others_hear_nothing() -> None:
    table, other = seated("hepta", 2), seated("hepta", 2)

    async def story() -> None:
        lines = [PageConnection(table, "ada"), PageConnection(table, "stranger"), PageConnection(other, "bob")]
        for line in lines:
            assert await line.open()
            await line.hear()
        await sync_to_async(delete)(table.id)
        for line in lines[:2]:
            assert "deleted" in str((await line.hear())["gone"])
            assert await line.event() == {"type": "websocket.close", "code": NO_SUCH_TABLE}
        assert await lines[2].silent()
        for line in lines:
            await line.close()

    run(story)


def test_a_move_at_a_table_that_was_just_deleted_is_refused_and_the_page_told() -> None:
    """Before this process has heard of it: another one, or the command, deleted it."""
    table = seated("hepta", 2)

    async def story() -> None:
        ada = PageConnection(table, "ada")
        assert await ada.open()
        await ada.hear()
        await sync_to_async(_delete_elsewhere)(table)
        assert (await ada.ask(do="move", seat=0, move="d4", version=3))["code"] == "no-such-table"
        await ada.hear()
        await sync_to_async(KeeperSync().look)()
        assert "gone" in await ada.hear()
        await ada.close()

    run(story)
    assert rows_with(table.id) == []


def _delete_elsewhere(table: Round) -> None:
    listeners, removal.listeners[:] = list(removal.listeners), []
    try:
        delete(table.id)
    finally:
        removal.listeners[:] = listeners


def test_other_processes_forget_it_when_they_look() -> None:
    table, other = seated("hepta", 2), seated("hepta", 2)
    orders = KeeperSync()
    for each in (table, other):
        cache.read(Table.objects.get(pk=each.id))
    _delete_elsewhere(table)
    assert table.id in cache.tables(), "this process has not heard of it"
    orders.look()
    assert table.id not in cache.tables()
    assert other.id in cache.tables()
    known = orders.forgotten
    orders.look()
    assert orders.forgotten <= known, "nothing new; what is long ago may go meanwhile"


def test_what_tells_the_processes_is_no_trace_of_it() -> None:
    table = seated("hepta", 2)
    Removal.objects.all().delete()
    delete(table.id)
    assert Removal.objects.count() == 1
    assert table.id not in str(list(Removal.objects.values()))


def test_the_admin_page_deletes_as_thoroughly() -> None:
    table = ended()
    cache.read(Table.objects.get(pk=table.id))
    keeper = Client()
    keeper.force_login(User.objects.create_superuser("keeper"))
    assert keeper.post(f"/admin/web/table/{table.id}/delete/", {"post": "yes"}).status_code == 302
    assert table.id not in cache.tables()
    assert set(rows_with(table.id)) <= {"admin.LogEntry"}, "the admin's own log says what was done"


def test_a_record_that_somebody_brought() -> None:
    record = ended().match.save()
    kept = finished.kept(record)
    assert browser("ada").get(f"/replay/{kept.id}").status_code == 200
    assert deletion.find(f"https://games.example.org/replay/{kept.id}") == Found("record", kept.id, 1)
    delete(kept.id)
    assert rows_with(kept.id) == []
    assert browser("ada").get(f"/replay/{kept.id}").status_code == 404


def test_all_attempts_at_a_puzzle() -> None:
    mine = Attempt.objects.create(visitor="x", puzzle="tetrods:a1-a2-a3", key="tetrods")
    other = Attempt.objects.create(visitor="x", puzzle="tetrods:b1-b2-b3", key="tetrods")
    Puzzle.objects.create(seed="tetrods:4#20261115", description=mine.puzzle)
    for name in ("tetrods:4#20261115", "https://games.example.org/puzzles/tetrods/4/20261115"):
        assert deletion.find(name) == Found("puzzle", mine.puzzle, 1)
    delete("tetrods:4#20261115")
    assert list(Attempt.objects.all()) == [other]
    assert not Puzzle.objects.filter(pk="tetrods:4#20261115").exists()
    assert deletion.find("tetrods:4#20261115") is None
    other.delete()


def test_a_stale_row_is_not_cached_again() -> None:
    table = seated("hepta", 2)
    cached = cache.read(Table.objects.get(pk=table.id))
    assert isinstance(cached, CachedTable)
    delete(table.id)
    with pytest.raises(Table.DoesNotExist):
        cache.latest(table.id)
    assert not Replay.objects.filter(pk=table.id).exists()
