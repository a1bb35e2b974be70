"""Waiting for people, and what becomes of offers: pages without script."""

import re
import xml.etree.ElementTree as ET
from html import unescape

import pytest

from ludotheque import words
from ludotheque.web.pages import qr
from ludotheque.web.table import actions, cache, own_seats, seating
from web.people import browser, seated

both = pytest.mark.parametrize("lang", words.LANGUAGES)


def page(who: str, address: str, lang: str = "en") -> str:
    reader = browser(who)
    reader.cookies["language"] = lang
    return unescape(reader.get(address).text)


def say(lang: str, name: str, /, **values: object) -> str:
    return words.say(None, lang, "web", name, **values)


def waiting(seats: int = 2, *, is_open: bool = False) -> str:
    table = seating.open_table("pizza", seats, {}, listed=is_open)
    seating.sit(table.id, "ada", 0, "Ada")
    return table.id


# The link


@both
def test_the_host_sees_the_link_before_everything_else(lang: str) -> None:
    table = waiting(3, is_open=True)
    shown = page("ada", f"/t/{table}", lang)
    places = [shown.index(part) for part in ('id="address"', f"/t/{table}/qr.svg", 'id="board"', 'id="places"')]
    assert places == sorted(places)
    assert f'value="http://testserver/t/{table}"' in shown, "whole, to be copied by hand"
    assert say(lang, "missing", number=2) in shown
    assert say(lang, "stands-open") in shown
    assert say(lang, "stands-open") not in page("ada", f"/t/{waiting(3)}", lang)
    seating.sit(table, "bob", 1, "Bob")
    assert say(lang, "one-missing") in page("ada", f"/t/{table}", lang)


def test_the_code_is_that_of_the_address() -> None:
    table = waiting()
    answer = browser("eve").get(f"/t/{table}/qr.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    ET.fromstring(answer.text)  # noqa: S314 - ours
    assert answer.text == qr.file(f"http://testserver/t/{table}")
    assert answer.text != qr.file(f"http://testserver/t/{waiting()}")
    assert browser("eve").get("/t/nowhere/qr.svg").status_code == 404


def test_the_page_of_a_waiting_host_reloads_without_script_and_nobody_elses_does() -> None:
    table = waiting()
    reload = '<noscript><meta http-equiv="refresh"'
    assert reload in page("ada", f"/t/{table}")
    assert reload not in page("eve", f"/t/{table}"), "she may be typing her name"
    seating.sit(table, "bob", 1, "Bob")
    assert reload not in page("ada", f"/t/{table}")


# Seats


def offered(shown: str) -> list[str]:
    """The seats one is asked to sit down at, unfolded."""
    unfolded = re.sub(r"<details.*?</details>", "", shown, flags=re.DOTALL)
    return re.findall(r'name="seat" value="(\d)">\s*<input name="name"', unfolded)


def test_nobody_is_offered_a_seat_who_has_one() -> None:
    table = waiting(3)
    assert offered(page("ada", f"/t/{table}")) == []
    assert offered(page("eve", f"/t/{table}")) == ["1", "2"]
    shown = page("ada", f"/t/{table}")
    assert shown.count('class="beside"') == 2, "somebody may play beside her"
    assert shown.count('value="computer"') == 2
    browser("ada").post(f"/t/{table}/do", {"do": "sit", "seat": 1, "name": "Eve"})
    assert page("ada", f"/t/{table}").count('class="beside"') == 1


def test_a_link_to_a_seat_offers_it_to_nobody_who_has_it() -> None:
    table = seated("tricolore", 2)
    secret = own_seats.make_link(table.id, "ada", 0)
    mine = page("ada", f"/seat/{secret}")
    assert 'name="csrfmiddlewaretoken"' not in mine[mine.index("<main") :]
    assert browser("ada").post(f"/seat/{secret}")["Location"] == f"/t/{table.id}"
    assert 'name="csrfmiddlewaretoken"' in page("phone", f"/seat/{secret}").split("<main")[1], "it is still good"
    assert browser("phone").post(f"/seat/{secret}").status_code == 302
    assert table.screen("phone")["seat"] == 0


# Offers


@both
def test_who_offered_hears_that_it_was_declined(lang: str) -> None:
    table = seated("pizza", 3)
    told = say(lang, "draw-declined", name="Bob")
    actions.offer_draw(table.id, "ada", 0)
    actions.answer_offer(table.id, "bob", 1, agrees=False)
    for who, hears in (("ada", True), ("cleo", True), ("stranger", True), ("bob", False)):
        assert (told in unescape(table.screen(who, lang)["html"])) is hears, who
    cache.clear()  # as a process that reads the log anew
    assert told in unescape(table.screen("ada", lang)["html"])
    table.play_randomly(1)
    assert told not in unescape(table.screen("ada", lang)["html"]), "until the game goes on"


def test_who_plays_on_has_declined() -> None:
    table = seated("tricolore", 2)
    actions.offer_draw(table.id, "bob", 1)
    table.play(0, "g7-g6")
    assert say("en", "draw-declined", name="Ada") in unescape(table.screen("bob")["html"])
    table.play(1, "g1-g2")
    actions.offer_draw(table.id, "ada", 0)
    table.play(0, "g6-g7")
    assert "declines" not in table.screen("bob")["html"], "she who offered may play on"
    assert "declines" not in table.screen("ada")["html"]


def test_a_declined_undo_is_told_and_a_new_offer_takes_its_place() -> None:
    table = seated("tricolore", 2)
    table.play(0, "g7-g6")
    table.play(1, "g1-g2")
    actions.ask_undo(table.id, "ada", 0)
    actions.answer_offer(table.id, "bob", 1, agrees=False)
    assert say("en", "undo-declined", name="Bob") in unescape(table.screen("ada")["html"])
    actions.offer_draw(table.id, "ada", 0)
    assert say("en", "undo-declined", name="Bob") not in unescape(table.screen("ada")["html"])
