"""What nobody has touched is deleted, a few rows at a time, and nothing that anybody plays or looks at."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from asgiref.sync import sync_to_async
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from ludotheque.web.live import subscriptions
from ludotheque.web.models import Block, Event, Removal, Replay, Table
from ludotheque.web.replays import finished
from ludotheque.web.server import retention
from ludotheque.web.table import actions, seating, visits
from web.connections import PageConnection, run
from web.people import Round, browser, seated

YEARS = 10


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(retention, "PAUSE_S", 0.0)
    yield
    Replay.objects.all().delete()
    Removal.objects.all().delete()


def long_ago(*tables: Round, **age: float) -> datetime:
    when = timezone.now() - timedelta(**(age or {"days": YEARS * 365}))
    Table.objects.filter(pk__in=[table.id for table in tables]).update(changed=when)
    return when


def waiting() -> Round:
    return Round(seating.open_table("hepta", 2, {}))


def over() -> Round:
    table = seated("hepta", 2)
    actions.resign(table.id, "ada", 0)
    return table


def counted(**numbers: int) -> dict[str, int]:
    """How much of each kind that is deleted by default; the others are 0."""
    return dict.fromkeys(("waiting", "unfinished", "records", "analyses"), 0) | numbers


def left() -> set[str]:
    return set(Table.objects.values_list("pk", flat=True))


def test_unfinished_tables_go_and_finished_ones_stay_for_ever_by_default() -> None:
    old = [waiting(), seated("hepta", 2), over()]
    long_ago(*old)
    fresh = [waiting(), seated("hepta", 2), over()]
    assert retention.due() == counted(waiting=1, unfinished=1)
    assert retention.run() == counted(waiting=1, unfinished=1)
    assert left() == {old[2].id, *(table.id for table in fresh)}
    assert not Event.objects.filter(table=old[1].id).exists()
    assert retention.run() == counted()


def test_days_are_the_keepers() -> None:
    tables = [waiting(), seated("hepta", 2), over()]
    long_ago(*tables, days=3)
    with override_settings(RETENTION="waiting=4 unfinished=0 finished=2"):
        assert retention.run() == {"waiting": 0, "finished": 1, "records": 0, "analyses": 0}
    assert left() == {tables[0].id, tables[1].id}


@pytest.mark.parametrize(
    "wanted", ["tables=3", "waiting=soon", "waiting=-1", "waiting", "waiting=99999999", "finished=²"]
)
def test_settings_that_make_no_sense_are_refused_at_the_start(wanted: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="LUDOTHEQUE_RETENTION"):
        retention.read(wanted)


def test_a_table_that_somebody_is_connected_to_stays() -> None:
    table, other = seated("hepta", 2), seated("hepta", 2)

    async def story() -> None:
        line = PageConnection(table, "stranger")
        assert await line.open()
        await line.hear()
        await sync_to_async(long_ago)(table, other)
        assert await sync_to_async(retention.run)() == counted(unfinished=1)
        assert table.id in await sync_to_async(left)()
        await sync_to_async(Table.objects.update)(
            visited=None
        )  # of a page that is open since before there were visits
        assert await sync_to_async(retention.run)() == counted()
        assert await line.silent()
        await line.close()

    run(story)
    assert left() == {table.id}


def test_pages_of_other_processes_keep_a_table_too() -> None:
    """They say so in the table's row: when a page connects, and again every hour."""
    table, other = seated("hepta", 2), seated("hepta", 2)
    long_ago(table, other)
    assert visits.visit(table.id)
    assert not visits.visit("nothing")
    assert retention.due()["unfinished"] == 1
    Table.objects.update(visited=timezone.now().date() - timedelta(days=400))
    assert retention.due()["unfinished"] == 2
    visits.stay([table.id, "nothing"])
    assert retention.run() == counted(unfinished=1)
    assert left() == {table.id}
    assert subscriptions.watched() == []


def test_looking_on_costs_one_write_a_day() -> None:
    table = seated("hepta", 2)
    visits.visit(table.id)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert visits.visit(table.id)
    assert not [query for query in queries.captured_queries if "UPDATE" in query["sql"]]


def test_a_move_that_comes_just_before_its_batch_saves_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table, other = seated("hepta", 2), seated("hepta", 2)
    long_ago(table, other)
    find = retention.KINDS["unfinished"][0]
    looked: list[int] = []

    def found(before: datetime) -> object:
        looked.append(1)
        if len(looked) == 2:  # it was found, and is about to go
            Table.objects.filter(pk=table.id).update(changed=timezone.now())
        return find(before)

    monkeypatch.setitem(retention.KINDS, "unfinished", (found, retention.KINDS["unfinished"][1]))
    assert retention.run() == counted(unfinished=1)
    assert left() == {table.id}


def test_rows_go_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [waiting() for _ in range(2 * retention.BATCH_ROWS + 1)]
    long_ago(*tables)
    sizes: list[int] = []
    delete = retention.KINDS["waiting"][1]

    def measured(found: object) -> int:
        assert transaction.get_connection().in_atomic_block
        sizes.append(delete(found))  # type: ignore[arg-type]
        return sizes[-1]

    monkeypatch.setitem(retention.KINDS, "waiting", (retention.KINDS["waiting"][0], measured))
    assert retention.run() == counted(waiting=len(tables))
    assert sizes == [retention.BATCH_ROWS, retention.BATCH_ROWS, 1]


def analysed() -> Round:
    """A finished match with an analysis."""
    table = over()
    with override_settings(THINKER=""):  # an analysis that is under way would write, too
        browser("ada").get(f"/replay/{table.id}")
    Replay.objects.filter(pk=table.id).update(claimed=timezone.now(), steps=[{"number": 0}], whole=True)
    return table


def test_records_that_somebody_brought_and_analyses() -> None:
    table, fresh = analysed(), analysed()
    kept = finished.kept(table.match.save())
    when = long_ago(table)
    Replay.objects.filter(pk__in=[kept.pk, table.id]).update(made=when)
    Replay.objects.filter(pk=table.id).update(claimed=when)
    assert retention.run() == counted(records=1, analyses=1)
    replay = Replay.objects.get(pk=table.id)
    assert (replay.steps, replay.whole, replay.claimed) == ([], False, None), "it is made again for whoever looks"
    assert Replay.objects.get(pk=fresh.id).whole
    assert left() == {table.id, fresh.id}


def test_analyses_may_be_kept_for_ever() -> None:
    table = analysed()
    Replay.objects.filter(pk=table.id).update(claimed=timezone.now() - timedelta(days=YEARS * 365))
    with override_settings(RETENTION="analyses=0"):
        retention.run()
    assert Replay.objects.get().whole


def test_orders_that_everybody_has_heard_of_are_forgotten() -> None:
    now = timezone.now()
    Block.objects.create(network="198.51.100.7/32", until=now - timedelta(seconds=1))
    lasting = Block.objects.create(network="198.51.100.8/32", until=now + timedelta(hours=1))
    Removal.objects.create(name="old")
    Removal.objects.update(made=now - 2 * retention.NOTICES)
    Removal.objects.create(name="new")
    retention.run()
    assert list(Block.objects.all()) == [lasting]
    assert [removal.name for removal in Removal.objects.all()] == ["new"]
    lasting.delete()


def test_one_process_at_a_time() -> None:
    with retention._alone() as alone:
        assert alone
        assert retention.run() is None
    assert retention.run() is not None
