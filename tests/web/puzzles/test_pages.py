"""Puzzles found by name, grade, day or composed, and what pages say."""

import re
import time
from datetime import timedelta
from html import unescape
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from ludotheque.board.square import NAMES
from ludotheque.puzzles.kinds import kind, kind_keys
from ludotheque.puzzles.making.names import PuzzleSpec, of_day, read
from ludotheque.web.guard import rate_limits
from ludotheque.web.jobs import pool
from ludotheque.web.models import Puzzle
from ludotheque.web.puzzles import progress
from ludotheque.web.puzzles.addresses import address, name_at
from web.people import browser
from web.puzzles.solver import AT, AT_TETRODS, COMPILE_TIMEOUT_S, HEPTA, PEGS, post, solution


def test_todays_puzzles_are_on_the_shelf_and_on_their_page() -> None:
    today = timezone.localdate()
    for path in ("/", "/puzzles"):
        page = Client().get(path).text
        for key in kind_keys():
            assert address(str(of_day(key, today))) in page


def test_the_shelf_can_show_puzzles_alone() -> None:
    page = Client().get("/?players=puzzle").text
    shown = set(re.findall(r'href="/games/([a-z-]+)"', page))
    assert shown == set(kind_keys())
    assert 'href="?players=puzzle" aria-current="true"' in page


@pytest.mark.parametrize("name", ["tetrods:4#20261115", HEPTA, PEGS, "pegs-solo:11", " tetrods:4#20261115 "])
def test_a_name_typed_leads_to_the_puzzle(name: str) -> None:
    reply = Client().get("/puzzles", {"name": name})
    assert reply["Location"] == address(name.strip())
    found = re.fullmatch(r"/puzzles/([a-z-]+)/(.*)", reply["Location"])
    assert found
    assert name_at(found[1], found[2]) == name.strip()
    assert Client().get(reply["Location"]).status_code == 200


@pytest.mark.parametrize(
    "name", ["chess", "tetrods:9#1", "tetrods:a1", "pegs-solo:99", "tetrods:4#" + "9" * 40, "<b>", "tetrods:٤#١"]
)
def test_a_wrong_name_is_answered_kindly(name: str) -> None:
    reply = Client().get("/puzzles", {"name": name})
    assert reply.status_code == 400
    assert "names no puzzle" in reply.text
    assert "<b>" not in reply.text
    assert (
        "ne désigne aucun casse-tête"
        in Client(headers={"Accept-Language": "fr"}).get("/puzzles", {"name": name}).text
    )


@pytest.mark.parametrize(
    "path",
    [
        "/puzzles/chess",
        "/puzzles/chess/1/1",
        "/puzzles/chess/next?grade=1",
        "/puzzles/tetrods/9/1",
        "/puzzles/tetrods/a1",
        "/puzzles/tetrods/a1/b2/c3",
        "/puzzles/tetrods/next?grade=9",
        "/puzzles/tetrods/next",
        "/puzzles/pegs-solo/99",
        "/puzzles/picture/chess/1.svg",
        "/puzzles/picture/tetrods/1/x.svg",
        "/puzzles/booklet/tetrods-7-a4-fr-1",
        "/puzzles/booklet/tetrods-12-a4-fr-1.pdf",
        "/puzzles/booklet/..%2f..%2fsecret-key.pdf",
    ],
)
def test_unknown_puzzles_are_not_found(path: str) -> None:
    assert Client().get(path).status_code == 404


OWN = [
    ("tetrods", {}, ["g7", "a2", "a5", "a6", "b1", "b3", "b6", "c5", "d6", "e1", "e5", "e7", "g2"]),
    ("hepta-solo", {}, ["a1", "b3", "c6", "d2", "e5", "f7", "g4"]),
    ("pegs-solo", {"cards": 35}, []),
    ("pegs-solo", {"cards": 10}, [cell for cell in NAMES if cell not in PEGS]),
    ("pegs-solo", {"cards": 12}, ["d4", "a1"]),
    ("pegs-solo", {"cards": 1}, list(NAMES[:30])),
]


@pytest.mark.parametrize(("key", "more", "cells"), OWN)
def test_whatever_the_options_allow_can_be_composed(key: str, more: dict[str, int], cells: list[str]) -> None:
    """Every option of the solitaires, with every value, is reached from their page."""
    page = Client().get(f"/puzzles/{key}").text
    assert set(re.findall(r'name="cell" value="(\w+)"', page)) == set(NAMES)
    assert ('name="cards"' in page) == (key == "pegs-solo")
    reply = Client().get(f"/puzzles/{key}/own?{urlencode({'cell': cells, **more}, doseq=True)}")
    rest = reply["Location"].removeprefix(f"/puzzles/{key}/")
    found = read(name_at(key, rest))
    assert isinstance(found, PuzzleSpec)
    assert len(found.description) <= 100, "as many as are kept"
    option = found.match().game.options[-1].name
    wanted = {option: tuple(sorted(cells, key=NAMES.index))} if cells else {}
    assert found.options == wanted | more
    assert Client().get(reply["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("key", "query"),
    [
        ("tetrods", {"cell": ["a1", "a2"]}),
        ("tetrods", {}),
        ("tetrods", {"cell": ["a1"] * 13}),
        ("hepta-solo", {"cell": ["<b>"] * 7}),
        ("pegs-solo", {"cell": list(NAMES[:42]), "cards": 11}),
        ("pegs-solo", {"cards": 36}),
        ("pegs-solo", {"cards": "x"}),
    ],
)
def test_what_is_no_puzzle_is_shown_again(key: str, query: dict[str, object]) -> None:
    reply = Client().get(f"/puzzles/{key}/own?{urlencode(query, doseq=True)}")
    assert reply.status_code == 400
    assert "no puzzle yet" in reply.text
    chosen = set(re.findall(r'value="(\w+)" checked', reply.text))
    assert chosen == {cell for cell in query.get("cell", []) if cell in NAMES}  # type: ignore[attr-defined]
    assert Client().get("/puzzles/chess/own").status_code == 404


def test_a_solved_puzzle_can_be_seen_again_move_by_move() -> None:
    ada = browser("ada", checks=True)
    assert 'name="text"' not in ada.get(AT).text
    for move in solution():
        post(browser("ada"), do="move", move=move)
    form = dict(
        re.findall(r'<input type="hidden" name="(text|csrfmiddlewaretoken)" value="([^"]*)"', ada.get(AT).text)
    )
    reply = ada.post("/replay", {name: unescape(value) for name, value in form.items()})
    assert "Solved" in ada.get(reply["Location"]).text


def test_a_description_has_one_address() -> None:
    assert Client().get("/puzzles/hepta-solo/f5-b5-a2-d1-d2-f1-f2")["Location"] == AT


def test_a_puzzle_is_made_once_for_all() -> None:
    path = "/puzzles/hepta-solo/2/77"
    end = time.monotonic() + COMPILE_TIMEOUT_S
    while (reply := Client().get(path)).status_code == 202:
        assert reply["Refresh"] == "2"
        assert "being made" in reply.text
        assert time.monotonic() < end
    kept = Puzzle.objects.get(pk="hepta-solo:2#77")
    assert kept.description in reply.text
    assert Client().get("/puzzles/picture/hepta-solo/2/77.svg").text.startswith("<svg")


def test_whoever_has_too_many_made_must_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "wait", lambda entrance, *_: 9 if entrance == "puzzle" else 0)
    assert Client().get("/puzzles/tetrods/1/123456").status_code == 503
    assert Client().get(AT_TETRODS).status_code == 200, "what is made is free"


def test_a_full_workshop_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MAX_WAITING_PER_VISITOR", 0)
    reply = Client().get("/puzzles/tetrods/1/123457")
    assert (reply.status_code, reply["Retry-After"]) == (503, "10")
    assert "at your address" in reply.text
    french = Client(headers={"accept-language": "fr"}).get("/puzzles/tetrods/1/123457")
    assert "votre adresse" in french.text
    waiting = Client().get("/puzzles/picture/tetrods/1/123457.svg?theme=night")
    assert waiting.status_code == 202, "so that a page knows to ask again"
    assert (waiting["Cache-Control"], waiting["Content-Type"]) == ("no-cache", "image/svg+xml")
    assert "toadstool" not in waiting.text.split("</style>")[1]


def test_the_calendar_links_every_day_that_has_come() -> None:
    page = Client().get("/puzzles/tetrods?month=2026-10").text
    assert page.count('href="/puzzles/tetrods/') >= 31
    assert "/puzzles/tetrods/4/20261031" in page
    tomorrow = timezone.localdate() + timedelta(days=1)
    assert address(str(of_day("tetrods", tomorrow))) not in Client().get("/puzzles/tetrods").text
    for month in ("2025-01", "9999-12", "x", "2026-13"):
        assert Client().get(f"/puzzles/tetrods?month={month}").status_code == 200


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_page_speaks_one_language(lang: str) -> None:
    client = browser("ada")
    client.cookies["language"] = lang
    for path in ("/puzzles", "/puzzles/tetrods", "/puzzles/pegs-solo", AT, AT_TETRODS, "/puzzles/booklet"):
        page = client.get(path)
        assert page.status_code == 200
        assert f'<html lang="{lang}"' in page.text
        assert ("Casse-tête" in page.text or "Vérifier" in page.text) == (lang == "fr")


def test_every_grade_has_a_name() -> None:
    for key in kind_keys():
        assert (
            len({progress.grade_name(key, grade, lang) for grade in kind(key).grades for lang in ("en", "fr")}) >= 5
        )
