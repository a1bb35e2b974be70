"""Tables in memory: those that somebody watches stay, of the others as much as fits into some bytes."""

import tracemalloc
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import ludotheque
from ludotheque.match import Match
from ludotheque.web.models import Table
from ludotheque.web.screen import move_list, screen
from ludotheque.web.table import cache, seating
from ludotheque.web.table.cache import ByTable, CachedTable, size
from ludotheque.web.table.state import TableState
from ludotheque.web.visitors import hashed
from web.people import seated

GAMES = [box.key for box in ludotheque.games()]
MAX_ERROR = 2.5  # of what a table is said to take
MAX_MATCHES = 5


def remembered(*tables: str) -> list[bool]:
    return [cache.at_least(table, 0) is not None for table in tables]


@pytest.fixture
def room_for_two(monkeypatch: pytest.MonkeyPatch) -> ByTable[CachedTable]:
    """A cache of tables in which each takes one byte."""
    small: ByTable[CachedTable] = ByTable(2, lambda _: 1, cache._cache._replaces)
    monkeypatch.setattr(cache, "_cache", small)
    monkeypatch.setattr(cache, "_all", [small])
    return small


@pytest.mark.usefixtures("room_for_two")
def test_tables_that_are_watched_stay_in_memory() -> None:
    tables = [seated("hepta", 2).id for _ in range(5)]
    assert remembered(*tables) == [False, False, False, True, True]
    for table in tables[:4]:
        cache.pin(table)
        cache.latest(table)
    cache.latest(tables[4])
    assert remembered(*tables) == [True] * 5
    for table in tables[:4]:
        cache.unpin(table)
    assert remembered(*tables) == [False, False, True, True, False]


def test_who_sits_where_is_known_without_the_database_and_remembered_for_longer_than_the_table() -> None:
    table = seated("hepta", 2).id
    with CaptureQueriesContext(connection) as asked:
        assert cache.has_seat(table, "ada")
        assert not cache.has_seat(table, "")
        assert not cache.has_seat(table, "eve")
        assert not cache.has_seat("nowhere", "ada")
        for each in cache._all:
            each.clear()  # other tables have taken its place
        assert remembered(table) == [False]
        assert cache.has_seat(table, "ada")
        assert not cache.has_seat(table, "eve")
        cache.forget({hashed(table)})
        assert not cache.has_seat(table, "ada")
    assert not asked.captured_queries


def test_whoever_gets_up_has_no_seat_any_more() -> None:
    table = seating.open_table("hepta", 2, {})
    seating.sit(table.id, "ada", 0, "Ada")
    assert cache.has_seat(table.id, "ada")
    seating.leave(table.id, "ada", 0)
    assert not cache.has_seat(table.id, "ada")


def test_memory_of_who_sits_where_is_bounded() -> None:
    cache.clear()
    known = cache.latest(seated("hepta", 2).id)
    for number in range(6_000):
        cache.put(known._replace(table=Table(id=f"{number}")))
    assert cache._seated.currsize <= cache.MAX_SEATED_BYTES
    assert len(cache._seated) > 2_000
    assert not cache.has_seat("0", "ada")
    cache.clear()


def test_a_table_that_is_watched_before_it_was_looked_at_is_kept_once_it_is() -> None:
    table = seated("hepta", 2).id
    cache.clear()
    cache.pin(table)
    assert remembered(table) == [False]
    cache.latest(table)
    assert remembered(table) == [True]
    cache.clear()
    assert remembered(table) == [False]
    cache.latest(table)
    cache.unpin(table)
    assert remembered(table) == [True]


def test_an_older_state_never_replaces_a_newer_one(room_for_two: ByTable[CachedTable]) -> None:
    table = seated("hepta", 2)
    before = cache.latest(table.id)
    table.play(0, "d4")
    after = cache.latest(table.id)
    for watch in (cache.pin, cache.unpin):
        watch(table.id)
        room_for_two.put(table.id, before)
        assert cache.latest(table.id) is after


def test_what_is_larger_than_the_cache_is_computed_each_time() -> None:
    kept: ByTable[str] = ByTable(10, len)
    kept.put("a", "123")
    kept.put("b", "x" * 11)
    assert (kept.get("a"), kept.get("b"), kept.bytes_of_others) == ("123", None, 3)
    kept.put("a", "x" * 11)
    assert kept.get("a") is None, "nor is what was there before taken for it"


def played(game: str, seed: int) -> Match:
    match, random = ludotheque.game(game).match(seed=seed), Random(seed)
    while not match.over and match.length < 120:
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
    return match


@pytest.mark.parametrize("game", GAMES)
def test_a_table_takes_about_as_many_bytes_as_it_is_said_to(game: str) -> None:
    played(game, 0)  # what all matches share
    tracemalloc.start()
    matches = [played(game, seed) for seed in range(1, 1 + MAX_MATCHES)]
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    said = sum(cache.match_size(match) for match in matches)
    assert taken / MAX_ERROR < said < taken * MAX_ERROR


def test_a_row_with_its_seats_takes_about_as_many_bytes_as_it_is_said_to() -> None:
    ids = [seated("hundsgemein", 4).id for _ in range(MAX_MATCHES)]
    list(Table.objects.get(pk=ids[0]).seats.all())
    tracemalloc.start()
    rows = [(row := Table.objects.get(pk=table), list(row.seats.all())) for table in ids]
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    said = sum(size(CachedTable(row, seats, TableState())) for row, seats in rows)
    assert taken / MAX_ERROR < said < taken * MAX_ERROR


def test_tables_that_were_looked_at_take_no_more_than_is_allowed() -> None:
    """Each page is looked at once, and nobody stays: what is kept in the end is bounded, however many they were."""
    tables = [seated("tricolore", 2) for _ in range(4)]
    random = Random(1)
    for table in tables:
        while table.match.length < 60:
            seat = next(actor for actor in table.match.to_act if actor != "luck")
            table.play(seat, random.choice(table.match.moves(seat)))
    cache.clear()
    for table in tables:
        for lang in ("en", "fr"):
            screen.screen(table.id, "a stranger", lang)
    kept = [each for each in (cache._cache, screen._views, move_list._lists) if each.bytes_of_others]
    assert len(kept) == 3
    limits = (cache.MAX_UNWATCHED_BYTES, screen.MAX_UNWATCHED_BYTES, move_list.MAX_UNWATCHED_BYTES)
    assert [each._others.maxsize for each in kept] == list(limits)
    assert sum(limits) <= 600 * 0.1e6 / 4, "the others are texts that tables share"


def test_what_is_seen_is_the_same_whether_it_was_kept_or_not() -> None:
    table = seated("hepta", 2)
    table.play(0, "d4")
    first = screen.screen(table.id, "a stranger", "en")
    assert screen.screen(table.id, "a stranger", "en") == first
    cache.clear()
    assert screen.screen(table.id, "a stranger", "en") == first
    cache.pin(table.id)
    assert screen.screen(table.id, "a stranger", "en") == first
    table.play(0, "a1")
    assert screen.screen(table.id, "a stranger", "en") != first, "a new state is seen anew"
    cache.unpin(table.id)
