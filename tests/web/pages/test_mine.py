"""My tables: every one is found, with whose turn it is, in one query, and as the visitor may see it."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ludotheque import words
from ludotheque.pictures.output.render import render_match
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.pages.mine import UNSEEN
from ludotheque.web.screen import table_list
from ludotheque.web.screen.table_list import Shelf, my_tables
from ludotheque.web.table import actions, moves, own_seats, seating
from ludotheque.web.visitors import hashed
from web.people import Round, browser, seated

both = pytest.mark.parametrize("lang", words.LANGUAGES)
MANY = 1000


def listed(who: str = "ada", shelf: Shelf = Shelf.RUNNING) -> list[str]:
    return [table.table for table in my_tables(who, shelf, "en").tables]


def do(who: str, table: Round, what: str, seat: int = 0) -> dict[str, object]:
    answer: dict[str, object] = (
        browser(who).post(f"/t/{table.id}/do", {"do": what, "seat": seat}, "application/json").json()
    )
    return answer


def aged(table: str, **ago: float) -> None:
    Table.objects.filter(pk=table).update(changed=timezone.now() - timedelta(**ago))


# What is listed


def test_running_and_finished_tables_are_apart() -> None:
    running, finished = seated("tricolore", 2), seated("tricolore", 2)
    actions.resign(finished.id, "bob", 1)
    page = my_tables("ada", Shelf.RUNNING, "en")
    assert [table.table for table in page.running] == [running.id]
    assert [table.table for table in page.finished] == [finished.id]
    assert listed(shelf=Shelf.FINISHED) == [finished.id]
    assert listed("stranger") == []


def test_finished_tables_leave_the_list_by_themselves_and_running_ones_never_do() -> None:
    running, finished = seated("tricolore", 2), seated("tricolore", 2)
    actions.resign(finished.id, "bob", 1)
    for table in (running, finished):
        aged(table.id, days=table_list.FINISHED_STAYS.days + 400)
    assert listed() == [running.id]
    assert listed(shelf=Shelf.FINISHED) == [finished.id]
    assert f"/t/{finished.id}" in browser("ada").get("/mine?show=finished").text


def test_those_that_wait_for_me_come_first() -> None:
    mine, others = seated("tricolore", 2), seated("tricolore", 2)
    others.play(0, "g7-g6")
    assert listed("ada") == [mine.id, others.id]
    assert listed("bob") == [others.id, mine.id]


def test_a_table_says_with_whom_and_whose_turn() -> None:
    table = seated("tricolore", 2)
    one, other = (my_tables(who, Shelf.RUNNING, "en").tables[0] for who in ("ada", "bob"))
    assert (one.people, one.my_turn, other.people, other.my_turn, other.turn) == ("Bob", True, "Ada", False, "Ada")
    pages = [unescape(browser(who).get("/").text) for who in ("ada", "bob")]
    assert "Your turn" in pages[0]
    assert "Ada to move" in pages[1]
    table.play(0, "g7-g6")
    assert "Your turn" in browser("bob").get("/").text


def test_whose_turn_is_written_with_every_kind_of_change() -> None:
    """The row says what the fold of the log says: two ways to know the same."""
    table = seated("pizza", 3)
    for _ in range(20):
        table.play_randomly(1, seed=table.state.version)
        folded = sum(1 << seat for seat in table.state.to_act)
        assert table.table.to_act == folded
    assert table.table.to_act
    table.give_up()
    assert table.state.over
    assert table.table.to_act == 0


def test_round_one_screen_the_table_is_listed_once() -> None:
    table = seating.open_table("tricolore", 2, {})
    for seat, name in enumerate(("Ada", "Eve")):
        seating.sit(table.id, "ada", seat, name)
    (found,) = my_tables("ada", Shelf.RUNNING, "en").tables
    assert (found.people, found.my_turn) == ("Ada · Eve", True)


@pytest.mark.parametrize(
    ("ago", "lang", "said"),
    [
        ({"seconds": 20}, "en", "just now"),
        ({"minutes": 5.5}, "en", "for 5 min"),
        ({"hours": 23.9}, "fr", "depuis 23\N{NO-BREAK SPACE}h"),
        ({"hours": 25}, "fr", "depuis 1\N{NO-BREAK SPACE}jour"),
        ({"days": 400}, "en", "for 400 days"),
    ],
)
def test_since_when(ago: dict[str, float], lang: str, said: str) -> None:
    table = seated("tricolore", 2)
    aged(table.id, **ago)
    assert my_tables("ada", Shelf.RUNNING, lang).tables[0].since == said


def test_a_table_of_a_game_that_is_gone_does_not_break_the_page() -> None:
    table = seated("tricolore", 2)
    Table.objects.filter(pk=table.id).update(game="no-longer-installed")
    assert browser("ada").get("/").status_code == 200
    assert listed() == []


# A thousand tables


@pytest.fixture
def thousand() -> list[str]:
    """Tables of Ada and Bob, as rows: nobody has read them before."""
    ids = [f"t{number:04}" for number in range(MANY)]
    Table.objects.bulk_create(
        Table(id=name, game="hepta", status="playing", to_act=1 + number % 2) for number, name in enumerate(ids)
    )
    Seat.objects.bulk_create(
        Seat(table_id=name, number=seat, kind="person", name=who.title(), visitor=hashed(who))
        for name in ids
        for seat, who in enumerate(("ada", "bob"))
    )
    return ids


@pytest.mark.parametrize("address", ["/mine", "/mine?page=21", "/mine/news", "/mine/news?show=front"])
@pytest.mark.usefixtures("thousand")
def test_a_thousand_tables_cost_one_query(address: str) -> None:
    ada = browser("ada")
    with CaptureQueriesContext(connection) as queries:
        page = ada.get(address)
    assert page.status_code == 200
    assert len(queries) == (2 if "front" in address else 1), "the second is that of open tables"
    assert len(page.content) < 200_000
    assert 'id="table-t0' in page.text


def test_all_of_a_thousand_tables_are_found_page_by_page(thousand: list[str]) -> None:
    found: list[str] = []
    address = "/mine"
    ada = browser("ada")
    while address:
        page = unescape(ada.get(address).text)
        found += re.findall(r'<li id="table-(t\d+)"', page)
        later = re.search(r'rel="next" href="([^"]+)"', page)
        address = f"/mine{later[1]}" if later else ""
    assert sorted(found) == thousand
    turns = [int(name[1:]) % 2 for name in found]
    assert turns == sorted(turns), "those that wait for me come first, over all pages"


@pytest.mark.usefixtures("thousand")
def test_the_list_is_found_by_the_index_of_visitors() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("how PostgreSQL plans depends on its statistics")
    with CaptureQueriesContext(connection) as queries:
        my_tables("ada", Shelf.RUNNING, "en")
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}")
        plan = "\n".join(str(row[3]) for row in cursor.fetchall())
    assert not re.search(r"SCAN (web_table|web_seat|U\d|V\d)\b", plan), plan


# Putting away


def test_put_away_and_undone() -> None:
    table = seated("tricolore", 2)
    assert do("ada", table, "put-away") == {"ok": True, "go": f"/mine?undo={table.id}"}
    assert (listed(), listed(shelf=Shelf.AWAY), listed("bob")) == ([], [table.id], [table.id])
    page = browser("ada").get(f"/mine?undo={table.id}").text
    assert 'value="bring-back"' in page
    assert do("ada", table, "bring-back") == {"ok": True, "go": "/mine"}
    assert (listed(), listed(shelf=Shelf.AWAY)) == ([table.id], [])
    assert 'value="bring-back"' not in browser("ada").get(f"/mine?undo={table.id}").text


def test_what_was_put_away_comes_back_when_something_happens() -> None:
    table = seated("tricolore", 2)
    do("bob", table, "put-away", seat=1)
    assert listed("bob") == []
    table.play(0, "g7-g6")
    assert listed("bob") == [table.id]
    assert listed("bob", Shelf.AWAY) == []


def test_a_waiting_table_that_was_put_away_comes_back_when_it_starts_by_lot() -> None:
    table = seating.open_table("tricolore", 2, {}, by_lot=True)
    seating.sit(table.id, "ada", 0, "Ada")
    own_seats.put_away(table.id, "ada", 0)
    assert listed() == []
    seating.sit(table.id, "bob", 1, "Bob")
    assert listed() == listed("bob") == [table.id]


def test_putting_away_is_nobody_elses_news() -> None:
    table = seated("tricolore", 2)
    before = (table.state.version, Event.objects.count(), table.table.changed)
    do("ada", table, "put-away")
    table.table.refresh_from_db()
    assert (table.state.version, Event.objects.count(), table.table.changed) == before


@both
def test_putting_away_by_plain_form(lang: str) -> None:
    table = seated("tricolore", 2)
    ada = browser("ada")
    ada.cookies["language"] = lang
    away = ada.post(f"/t/{table.id}/do", {"do": "put-away", "seat": 0}, follow=True)
    assert unescape(words.say(None, lang, "web", "undo-put-away")) in unescape(away.text)
    assert f'<li id="table-{table.id}"' not in away.text
    back = ada.post(f"/t/{table.id}/do", {"do": "bring-back", "seat": 0}, follow=True)
    assert f'<li id="table-{table.id}"' in back.text


# Pages that refresh themselves


@pytest.mark.parametrize("show", ["front", "running", "finished", "away"])
def test_lists_are_sent_only_when_they_have_changed(show: str) -> None:
    table, ada = seated("tricolore", 2), browser("ada")
    if show == "finished":
        actions.resign(table.id, "bob", 1)
    if show == "away":
        own_seats.put_away(table.id, "ada", 0)
    address = f"/mine/news?show={show}"
    first = ada.get(address)
    assert f"/t/{table.id}" in first.text
    again = ada.get(address, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert ada.get(address, headers={"if-none-match": f"W/{first['ETag']}"}).status_code == 304, "compressed"
    aged(table.id, hours=3)
    later = ada.get(address, headers={"if-none-match": first["ETag"]})
    assert later.status_code == 200, "how long ago is part of it"
    assert "no-store" in later["Cache-Control"]


def test_an_open_table_appears_and_goes() -> None:
    eve = browser("eve")
    before = eve.get("/mine/news?show=front")
    table = seating.open_table("tricolore", 2, {}, listed=True)
    seating.sit(table.id, "ada", 0, "Ada")
    after = eve.get("/mine/news?show=front", headers={"if-none-match": before["ETag"]})
    assert f"/t/{table.id}" in after.text
    seating.sit(table.id, "bob", 1, "Bob")
    assert f"/t/{table.id}" not in eve.get("/mine/news?show=front").text


def test_who_has_no_cookie_has_no_tables_and_gets_none() -> None:
    for address in ("/mine", "/mine?show=away", "/mine/news?show=front", "/mine?page=0", "/mine?page=x&show=%00"):
        page = Client().get(address)
        assert page.status_code == 200
        assert "visitor" not in page.cookies


# Small pictures


def small(who: str, table: Round) -> str:
    answer = browser(who).get(f"/t/{table.id}/mine/{table.state.version}.svg?theme=day")
    assert answer["Cache-Control"] == "private, no-store"
    return answer.text


def drawn(table: Round, seat: int | None) -> str:
    """What is seen of the position, without the names to point at and the comments."""
    return UNSEEN.sub("", render_match(table.match, seat, night=False))


def test_a_small_picture_shows_what_my_seat_sees() -> None:
    table = seated("pizza", 3)
    for seat, space in enumerate(("a1", "g4", "b1")):
        table.play(seat, space)
    table.play(0, "cut 4")
    for seat, who in enumerate(("ada", "bob", "cleo")):
        assert small(who, table) == drawn(table, seat)
        assert "<title>" not in small(who, table)
    assert small("stranger", table) == drawn(table, None)
    assert small("ada", table) != small("bob", table), "only Ada sees her own cut"


def test_seats_of_one_visitor_with_secrets_show_what_everybody_may_see() -> None:
    opened = seating.open_table("pizza", 3, {})
    for seat in range(3):
        seating.sit(opened.id, "ada", seat, f"Ada {seat}")
    table = Round(Table.objects.get(pk=opened.id))
    for seat, text in ((0, "a1"), (1, "g4"), (2, "b1"), (0, "cut 4")):
        moves.play(table.id, "ada", seat, text, version=table.state.version)
    assert small("ada", table) == drawn(table, None)
    assert small("ada", table) != drawn(table, 0)
