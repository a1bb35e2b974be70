"""Records that somebody brought: what is accepted, what is stored for how long, and what a look costs."""

import json
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone

import ludotheque
from attack.records import ACCEPTED_ENTRIES, LONGEST_ENTRIES, turning_record
from ludotheque import words
from ludotheque.match import Match
from ludotheque.pictures.output.frames import frames
from ludotheque.search.analysis import Judgement
from ludotheque.web.guard import rate_limits
from ludotheque.web.models import Replay
from ludotheque.web.replays import analysis, finished, uploads
from ludotheque.web.server import retention
from web.people import seated

DAY = timedelta(days=1)
MAX_FRAME_BYTES = 3_000_000
PEOPLE = 5


@pytest.fixture(autouse=True)
def _nobody_thinks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(analysis, "begin", lambda _found: None)
    finished._loaded.cache_clear()  # the same record has the same name
    yield
    Replay.objects.all().delete()


def bring(number: int = 0, entries: int = 20) -> str:
    """Bring one more record; its name."""
    address: str = Client().post("/replay", {"text": turning_record(entries, number)})["Location"]
    return address.removeprefix("/replay/")


def brought_ago(name: str, made: timedelta, looked: timedelta | None = None) -> None:
    now = timezone.now()
    Replay.objects.filter(pk=name).update(made=now - made, looked=looked and now - looked)


def names() -> set[str]:
    return set(Replay.objects.values_list("pk", flat=True))


# What is accepted


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_a_record_with_too_many_moves_is_refused_in_words(lang: str) -> None:
    page = Client(headers={"accept-language": lang}).post("/replay", {"text": turning_record(LONGEST_ENTRIES, 0)})
    assert page.status_code == 400
    assert words.say(None, lang, "web", "record-too-long", entries=ACCEPTED_ENTRIES) in page.text
    assert not names()


def test_takebacks_count() -> None:
    match = ludotheque.game("tricolore").match(seed=1)
    while len(match.log) <= ACCEPTED_ENTRIES:
        match.play(0, match.moves(0)[0])
        match.undo(0)
    assert match.length == 0
    assert Client().post("/replay", {"text": match.save()}).status_code == 400


def test_a_long_series_is_accepted() -> None:
    match = ludotheque.game("hepta").match(seed=1, legs=100)
    while not match.over:
        (seat,) = match.to_act
        match.play(seat, match.moves(seat)[0])
    assert Client().post("/replay", {"text": match.save()}).status_code == 302


# What is stored


def done() -> int:
    """How many records the job of the site deletes."""
    return (retention.run() or {}).get("records", 0)


def test_what_nobody_came_back_to_expires() -> None:
    fresh, old, seen = (bring(number) for number in range(3))
    brought_ago(fresh, 29 * DAY)
    brought_ago(old, 31 * DAY)
    brought_ago(seen, 90 * DAY, looked=29 * DAY)
    assert done() == 1
    assert names() == {fresh, seen}
    assert Client().get(f"/replay/{old}").status_code == 404
    with override_settings(RETENTION="records=0"):
        assert done() == 0, "for ever, if the keeper wants that"
    with override_settings(RETENTION="records=28"):
        assert done() == 2


def test_matches_of_tables_do_not_expire() -> None:
    table = seated("hepta", 2, legs=1)
    table.play_at_once()
    assert finished.find(table.id) is not None
    brought_ago(table.id, 400 * DAY)
    assert done() == 0
    assert names() == {table.id}


def test_a_look_on_a_later_day_is_remembered() -> None:
    name = bring()
    Client().get(f"/replay/{name}")
    assert Replay.objects.get().looked is None, "whoever brought it looks at once"
    brought_ago(name, 29 * DAY)
    Client().get(f"/replay/{name}")
    assert Replay.objects.get().looked is not None
    brought_ago(name, 60 * DAY, looked=DAY / 2)
    before = Replay.objects.get().looked
    Client().get(f"/replay/{name}")
    assert Replay.objects.get().looked == before, "written once a day"


def test_the_oldest_that_nobody_came_back_to_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    loved, old, newer = (bring(number) for number in range(3))
    brought_ago(loved, 20 * DAY, looked=19 * DAY)
    brought_ago(old, 3 * DAY)
    brought_ago(newer, 2 * DAY)
    size = Replay.objects.get(pk=old).size
    monkeypatch.setattr(uploads, "MAX_STORED_BYTES", 3 * size + 10)
    another = bring(3)
    assert names() == {loved, newer, another}
    monkeypatch.setattr(uploads, "MAX_STORED_BYTES", size + 10)
    last = bring(4)
    assert names() == {last}, "the one that was just brought never gives way"


def test_what_an_analysis_stores_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    first = bring(0)
    found = finished.find(first)
    assert found is not None
    before = found.replay.size
    judgement = Judgement(0.0, "b1>", ("b1>",), (0.5, 0.5), False)
    monkeypatch.setattr(analysis, "judgement", lambda *_: judgement)
    analysis.analyse(found)
    stored = Replay.objects.get(pk=first)
    assert stored.size == len(stored.record) + len(json.dumps(stored.steps))
    assert stored.size > 2 * before


def test_a_long_analysis_is_written_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    found = finished.find(bring(0, 1000))
    assert found is not None
    monkeypatch.setattr(analysis, "judgement", lambda *_: Judgement(0.0, "b1>", (), (0.5, 0.5), False))
    writes = []
    monkeypatch.setattr(analysis, "_keep", lambda *_, **__: writes.append(1))
    analysis.analyse(found)
    assert len(writes) <= analysis.MAX_WRITES + 1


def test_records_leave_room_for_the_analysis_of_matches_played_here() -> None:
    table = seated("hepta", 2, legs=1)
    table.play_at_once()
    here, others = finished.find(table.id), [finished.find(bring(number)) for number in range(2)]
    assert here is not None
    assert others[0] is not None
    assert others[1] is not None
    assert analysis._claimed(others[0].replay)
    assert not analysis._claimed(others[1].replay)
    assert analysis._claimed(here.replay)


def test_bringing_many_is_refused_for_a_while() -> None:
    rate_limits.reset()
    with override_settings(LIMITS="record=3/0"):
        for number in range(3):
            bring(number)
        refused = Client().post("/replay", {"text": turning_record(20, 3)})
        assert refused.status_code == 429
        assert int(refused["Retry-After"]) > 60
        assert Client().get("/replay").status_code == 200
    rate_limits.reset()
    assert len(names()) == 3


# What a look costs


def test_a_record_is_loaded_once_for_all_who_look(monkeypatch: pytest.MonkeyPatch) -> None:
    name, together = bring(), threading.Barrier(PEOPLE)
    load, loaded = ludotheque.load, list[str]()

    def counted(text: str) -> Match:
        loaded.append(text)
        return load(text)

    monkeypatch.setattr(ludotheque, "load", counted)

    def look(number: int) -> int:
        together.wait()
        try:
            return Client().get(f"/replay/{name}{'/at/3' if number % 2 else ''}").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(PEOPLE) as people:
        assert list(people.map(look, range(PEOPLE))) == [200] * PEOPLE
    assert len(loaded) == 1


def test_records_in_memory_are_bounded() -> None:
    bound = finished.MAX_CACHED_ENTRIES
    for number in range(bound // ACCEPTED_ENTRIES + 2):
        assert finished.find(bring(number, ACCEPTED_ENTRIES)) is not None
    cached = finished._loaded.cache
    assert cached is not None
    assert ACCEPTED_ENTRIES < sum(len(state.match.log) for state in cached.values()) <= bound


def test_one_position_of_many_is_made_alone() -> None:
    match = ludotheque.load(turning_record(LONGEST_ENTRIES, 0))
    tracemalloc.start()
    try:
        assert frames(match)[-1].picture().startswith("<svg")
        assert tracemalloc.get_traced_memory()[1] < MAX_FRAME_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("where", [lambda step: f"?step={step}", lambda step: f"/at/{step}"])
def test_any_step_of_a_long_record_can_be_shown(where: Callable[[int], str]) -> None:
    name = bring(0, ACCEPTED_ENTRIES)
    for step in (0, 1, ACCEPTED_ENTRIES // 2, ACCEPTED_ENTRIES):
        assert Client().get(f"/replay/{name}{where(step)}").status_code == 200
    page = Client().get(f"/replay/{name}?step=7").text
    assert page.count('aria-current="step"') == 1
    assert '<li id="log-7" aria-current="step">' in page
