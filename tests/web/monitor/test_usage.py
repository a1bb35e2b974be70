"""Who uses most is known by labels: they add up, change every day, and lead back to no address."""

import json
import logging
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ludotheque.web.guard import rate_limits
from ludotheque.web.monitor import usage
from ludotheque.web.monitor.usage import Counters, Usage
from web.connections import PageConnection, run
from web.people import seated

HEAVY, LIGHT = "198.51.100.66", "198.51.100.1"


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    usage.counters.clear()
    usage._logged.clear()
    for file in usage.FOLDER.glob("*.json"):
        file.unlink()
    yield
    usage.counters.clear()


def test_what_is_done_for_an_address_adds_up_under_its_label() -> None:
    rate_limits.charge("", HEAVY, 0.5)
    rate_limits.charge("", HEAVY, 0.25)
    rate_limits.charge("", LIGHT, 0.1)
    rate_limits.wait("table", "", HEAVY)
    usage.count(HEAVY, requests=3, sent=1000)
    usage.refused("deed", HEAVY)
    usage.write({"web.somewhere": 7})
    report = usage.report()
    assert report.visitors[0] == (usage.label(HEAVY), Usage(3, 1, 750, 0, 1000, 1))
    assert [label for label, _ in report.visitors] == [usage.label(HEAVY), usage.label(LIGHT)]
    assert report.caches == {"web.somewhere": 7}


def test_processes_are_added_up_and_the_dead_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    usage.count(HEAVY, requests=2)
    usage.write({"web.a": 1})
    told = json.loads(next(usage.FOLDER.glob("*.json")).read_text())
    (usage.FOLDER / "1.json").write_text(json.dumps({**told, "process": 1}))
    report = usage.report()
    assert report.visitors[0][1].requests == 4
    assert report.caches == {"web.a": 2}
    monkeypatch.setattr(usage, "GONE_AFTER_S", -1)
    assert usage.report().visitors == []
    assert not list(usage.FOLDER.glob("*.json"))


def test_connections_count_as_long_as_they_are_open() -> None:
    table = seated("hepta", 2)

    async def story() -> None:
        line = PageConnection(table, "ada", address=HEAVY)
        assert await line.open()
        await line.hear()
        assert usage.counters.by_address()[HEAVY].connections == 1
        assert usage.counters.by_address()[HEAVY].bytes > 1000
        await line.close()

    run(story)
    assert usage.counters.by_address()[HEAVY].connections == 0


def test_counters_are_of_the_last_minutes_and_of_so_many_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("ludotheque.web.monitor.usage.time.monotonic", lambda: now[0])
    counters = Counters()
    counters.count(HEAVY, requests=5)
    now[0] += usage.WINDOW_S
    counters.count(HEAVY, requests=1)
    assert counters.by_address()[HEAVY].requests == 6
    now[0] += usage.WINDOW_S
    assert counters.by_address()[HEAVY].requests == 1
    now[0] += 2 * usage.WINDOW_S
    assert counters.by_address() == {}
    for number in range(2 * usage.MAX_ADDRESSES):
        counters.count(f"2001:db8:{number:x}::", requests=1)
    assert len(counters.by_address()) == usage.MAX_ADDRESSES


def test_no_address_is_written_anywhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    usage.count(HEAVY, requests=1)
    usage.refused("deed", HEAVY)
    usage.write({})
    keeper = Client()
    keeper.force_login(User.objects.create_superuser("keeper"))
    page = keeper.get("/status").text
    written = [file.read_text() for file in usage.FOLDER.iterdir()]
    logged = [f"{record.getMessage()} {getattr(record, 'facts', '')}" for record in caplog.records]
    assert usage.label(HEAVY) in page
    assert not [text for text in (page, *written, *logged) if HEAVY in text]
    assert any(usage.label(HEAVY) in text and "keeper block" in text for text in logged)


def test_labels_change_every_day_and_the_key_of_yesterday_is_gone() -> None:
    usage._key.cache_clear()
    first, again = usage.key_of_day("2030-01-01"), usage.key_of_day("2030-01-01")
    usage._key.cache_clear()
    assert usage.key_of_day("2030-01-01") == first == again, "another process of this machine"
    assert usage.labelled(HEAVY, first) != usage.labelled(HEAVY, usage.key_of_day("2030-01-02"))
    assert not (usage.FOLDER / "key-2030-01-01").exists()
    assert (usage.FOLDER / "key-2030-01-02").stat().st_mode & 0o777 == 0o600
    usage._key.cache_clear()
    (usage.FOLDER / "key-2030-01-02").unlink()


def test_a_flood_of_refusals_is_a_few_lines(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    usage._logged.clear()
    for _ in range(1000):
        usage.refused("deed", HEAVY)
    assert len(caplog.records) == 1
    for number in range(1000):
        usage.refused("deed", f"198.51.100.{number}")
    assert len(caplog.records) == usage.MAX_LINES
    usage._logged.clear()
