"""Pages, as a browser without script gets them."""

import gzip
import json
import re
from html import unescape
from importlib.resources import files
from pathlib import Path

import pytest
from django.test import Client
from rjsmin import jsmin

import ludotheque
from ludotheque import words
from ludotheque.lessons import tasks
from ludotheque.pictures.output import diagrams
from ludotheque.puzzles.kinds import kind_keys
from ludotheque.web.models import Table
from ludotheque.web.table import seating
from ludotheque.web.visitors import COOKIE
from web.people import VISITORS, browser, seated

WEB = Path(str(files("ludotheque.web")))
every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)
at_tables = pytest.mark.parametrize(
    "box", [box for box in ludotheque.games() if box.key not in kind_keys()], ids=lambda box: box.key
)
both = pytest.mark.parametrize("lang", words.LANGUAGES)


@both
def test_the_shelf_has_every_game_in_both_languages(lang: str) -> None:
    page = Client(headers={"accept-language": lang}).get("/").text
    assert f'<html lang="{lang}"' in page
    for box in ludotheque.games():
        assert box.say("name", lang) in page


def test_the_shelf_can_be_filtered() -> None:
    page = Client().get("/?players=1").text
    for box in ludotheque.games():
        assert (f'href="/games/{box.key}"' in page) == (1 in box.seats)
    assert Client().get("/?players=%00x").status_code == 200


@every_game
@both
def test_every_game_has_its_page_and_picture(box: ludotheque.Box, lang: str) -> None:
    page = Client(headers={"accept-language": lang}).get(f"/games/{box.key}")
    assert page.status_code == 200
    assert box.say("credits", lang).split(";")[0].strip() in page.text
    for option in box.options if box.key not in kind_keys() else ():  # puzzles are composed on a page of their own
        assert f'name="option-{option.name}"' in page.text
    assert "style=" not in page.text
    picture = Client().get(f"/games/{box.key}/picture.svg?theme=night")
    assert picture["Content-Type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")


@at_tables
@both
def test_every_game_is_playable_by_plain_forms(box: ludotheque.Box, lang: str) -> None:
    person = Client(headers={"accept-language": lang})
    seats = max(box.seats)
    form = {"seats": seats, "way": "screen", "seat": "0", "name-0": "Ada <b>"}
    page = person.post(f"/games/{box.key}/new", form, follow=True)
    assert page.status_code == 200
    assert "Ada &lt;b&gt;" in page.text
    table = Table.objects.get()
    for _ in range(4):
        handover = re.search(r'href="(\?as=\d)"', page.text)
        if handover:
            page = person.get(f"/t/{table.id}{handover[1]}")
        move = unescape(re.findall(r'<button name="move" value="([^"]+)">', page.text)[0])
        fields = dict(re.findall(r'<input type="hidden" name="(seat|version|do)" value="([^"]+)"', page.text))
        page = person.post(f"/t/{table.id}/do", fields | {"do": "move", "move": move}, follow=True)
        assert page.status_code == 200, page.text
    assert table.events.filter(kind="move").exclude(actor="luck").count() == 4


@every_game
@both
def test_rules_have_their_diagrams(box: ludotheque.Box, lang: str) -> None:
    page = Client(headers={"accept-language": lang}).get(f"/games/{box.key}").text
    assert "position:" not in page
    for part in diagrams.parts(box.rules, lang):
        if not isinstance(part, str):
            assert f"/games/{box.key}/positions/{part.name}.svg" in page
            assert Client().get(f"/games/{box.key}/positions/{part.name}.svg").text.startswith("<svg")
    assert Client().get(f"/games/{box.key}/positions/lesson.svg").status_code == 404


@every_game
@both
def test_lessons_are_walked_through_by_plain_forms(box: ludotheque.Box, lang: str) -> None:
    person = Client(headers={"accept-language": lang})
    steps = tasks(box.rules)
    assert (f"/games/{box.key}/lesson/1" in person.get(f"/games/{box.key}").text) == bool(steps)
    for number, task in enumerate(steps, 1):
        address = f"/games/{box.key}/lesson/{number}"
        assert "<svg" in person.get(address).text
        answer = task.answer(task.solutions()[0], lang)
        page = person.post(address, {"move": task.solutions()[0]}).text
        assert ('id="next">' in page) == (answer.verdict == "right")
        reply = person.post(address, {"move": "nonsense"}, headers={"accept": "application/json"}).json()
        assert (reply["verdict"], bool(reply["say"])) == ("refused", True)
    assert person.get(f"/games/{box.key}/lesson/{len(steps) + 1}").status_code == 404


def test_a_refused_move_comes_back_with_its_reason() -> None:
    table = seated()
    page = browser("ada").post(f"/t/{table.id}/do", {"do": "move", "seat": 0, "version": 4, "move": "c3"})
    assert page.status_code == 409
    assert "touches one of your own toppings" in page.text


@pytest.mark.parametrize(
    "form",
    [
        {"seats": "9"},
        {"seats": "x"},
        {"way": "nowhere"},
        {"seat": "7"},
        {"option-rounds": "0"},
        {"option-rounds": "many"},
    ],
)
def test_tables_that_make_no_sense_are_not_set(form: dict[str, str]) -> None:
    assert Client().post("/games/pizza/new", form).status_code == 400
    assert not Table.objects.exists()


def test_ways_to_play() -> None:
    person = Client()
    person.post("/games/pizza/new", {"way": "open", "seat": "lot", "name-0": "Ada"})
    table = Table.objects.get()
    assert (table.listed, table.by_lot, table.status) == (True, True, "waiting")
    assert f"/t/{table.id}" in Client().get("/").text
    person.post("/games/pizza/new", {"way": "link", "seat": "1", "seats": "2", "option-rounds": "7"})
    private = Table.objects.exclude(pk=table.id).get()
    assert (private.listed, private.options) == (False, {"rounds": 7})
    assert [seat.kind for seat in private.seats.all()] == ["free", "person"]
    assert f"/t/{private.id}" not in Client().get("/").text
    assert f"/t/{private.id}" in person.get("/").text


def test_only_those_who_do_something_get_a_cookie() -> None:
    person = Client()
    person.get("/")
    person.get("/games/pizza")
    assert COOKIE not in person.cookies
    person.post("/games/hepta/new", {})
    assert person.cookies[COOKIE]["httponly"]
    assert person.cookies[COOKIE]["samesite"] == "Lax"


def test_a_forged_cookie_is_nobody() -> None:
    table = seated()
    person = Client()
    person.cookies[COOKIE] = "ada:forged"
    assert json.loads(person.get(f"/t/{table.id}/screen").text)["seat"] == -1


def test_forms_of_other_sites_do_nothing() -> None:
    table = seated()
    version = table.state.version
    person = browser("ada", checks=True)
    move = {"do": "move", "seat": 0, "version": version, "move": "a1"}
    assert person.post(f"/t/{table.id}/do", move).status_code == 403
    assert person.post(f"/t/{table.id}/do", move, content_type="application/json").status_code == 403
    assert person.post("/games/pizza/new", {}).status_code == 403
    assert table.state.version == version


@pytest.mark.parametrize("path", ["/", "/games/pizza", "/about", "/nothing", "/t/nothing", "/health", "/seat/x"])
def test_every_page_forbids_what_is_not_ours(path: str) -> None:
    page = Client().get(path)
    policy = page["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page["X-Content-Type-Options"] == "nosniff"
    assert page["Referrer-Policy"] == ("strict-origin" if path.startswith("/seat") else "same-origin")
    if page["Content-Type"].startswith("text/html"):
        assert not re.search(r"<style|<script(?![^>]* src=)(?![^>]*application/json)|style=|\son[a-z]+=", page.text)


def test_unknown_things_are_not_found() -> None:
    table = seated()
    for path in (
        "/games/chess",
        "/games/chess/picture.svg",
        "/t/x",
        "/t/x/screen",
        f"/t/{table.id}/at/99",
        "/seat/x",
    ):
        assert Client().get(path).status_code == 404
    assert Client().get(f"/t/{table.id}/record").status_code == 404, "luck's secret stays one until the end"


def test_the_record_of_a_finished_match_verifies() -> None:
    table = seated("pizza", 2, rounds=2)
    table.play_randomly()
    record = Client().get(f"/t/{table.id}/record")
    assert ludotheque.load(record.text) == table.match


def test_a_finished_match_can_be_stepped_through() -> None:
    table = seated("hepta", 2, legs=1)
    table.play_randomly()
    person = Client()
    pictures = [person.get(f"/t/{table.id}/at/{step}").text for step in range(len(table.match.events) + 1)]
    assert len(set(pictures)) >= len(pictures) - 1  # which shapes one takes shows on no board
    assert pictures[-1] in person.get(f"/t/{table.id}").text
    assert pictures[3] in person.get(f"/t/{table.id}?step=3").text


def test_polling_tells_only_news() -> None:
    table = seated()
    person = browser("bob")
    assert person.get(f"/t/{table.id}/screen?version=4").status_code == 204
    table.play(0, "a1")
    assert json.loads(person.get(f"/t/{table.id}/screen?version=4").text)["version"] == 5


def test_ghosts_are_for_those_who_may_move() -> None:
    table = seated()
    assert "tomato" in browser("ada").get(f"/t/{table.id}/ghost?move=a1").text
    assert browser("ada").get(f"/t/{table.id}/ghost?move=c3").status_code == 204
    assert browser("bob").get(f"/t/{table.id}/ghost?move=a1").status_code == 204
    assert Client().get(f"/t/{table.id}/ghost?move=a1").status_code == 204


def test_reasons_are_for_those_who_play() -> None:
    table = seated("hepta", 2)
    table.play(0, "d4")
    mover = table.match.to_act[0]
    assert isinstance(mover, int)
    mine, other = browser(VISITORS[mover]), browser(VISITORS[1 - mover])
    refused = mine.get(f"/t/{table.id}/why?touched=blocker-d4&touched=cell-d4")
    assert refused.json() == {"say": "There is a blocker on that cell already.", "id": "cell-d4"}
    assert mine.get(f"/t/{table.id}/why?touched=cell-a1").status_code == 204
    assert other.get(f"/t/{table.id}/why?touched=cell-d4").json() == {"say": "It is not your turn.", "id": ""}
    assert Client().get(f"/t/{table.id}/why?touched=cell-d4").status_code == 204
    assert mine.get(f"/t/{table.id}/why?" + "touched=cell-d4&" * 9).status_code == 200


def test_lessons_have_reasons_too() -> None:
    assert Client().get("/games/tetrods/lesson/1?why&touched=cell-a1").json()["id"] == "cell-a1"


def test_switches_keep_what_was_chosen_and_go_nowhere_else() -> None:
    person = Client()
    page = person.post(
        "/settings", {"language": "fr", "theme": "night", "motion": "off", "back": "/about"}, follow=True
    )
    assert '<html lang="fr" data-theme="night" data-motion="off"' in page.text
    assert person.post("/settings", {"back": "https://elsewhere.example/"})["Location"] == "/"
    assert person.post("/settings", {"back": "//elsewhere.example/", "theme": "x"})["Location"] == "/"


def test_the_keeper_sees_tables_without_secrets() -> None:
    from django.contrib.auth.models import User

    table = seated()
    keeper = User.objects.create_superuser("keeper")
    client = Client()
    client.force_login(keeper)
    page = client.get(f"/admin/web/table/{table.id}/change/")
    assert page.status_code == 200
    assert table.table.seed not in page.text
    assert table.id in client.get("/admin/web/table/").text


def test_every_sentence_exists_in_both_languages_and_is_used() -> None:
    said = {lang: _names(words.site(lang)["web"]) for lang in words.LANGUAGES}
    assert said["en"] == said["fr"]
    source = "\n".join(
        path.read_text() for path in [*WEB.rglob("*.html"), *WEB.rglob("*.py")] if "migrations" not in path.parts
    )
    plain = {name for name in said["en"] if "." not in name}
    assert set(re.findall(r"""(?<![.\w])say[ (]["']([a-z-]+)["']""", source)) <= plain
    assert {name for name in plain if f'"{name}"' not in source and f"'{name}'" not in source} == set()
    for code in set(re.findall(r"""(?:Refused\(|__init__\()["']([a-z-]+)["']""", source)):
        assert f"refusals.{code}" in said["en"] or code in words.site("en")["refusals"], code  # type: ignore[operator]


def _names(table: object, before: str = "") -> set[str]:
    assert isinstance(table, dict)
    names: set[str] = set()
    for name, value in table.items():
        names |= _names(value, f"{before}{name}.") if isinstance(value, dict) else {before + name}
    return names


def test_the_script_stays_small() -> None:
    scripts = [jsmin(path.read_text(encoding="utf-8")) for path in (WEB / "static" / "web").glob("*.js")]
    assert sum(len(gzip.compress(script.encode())) for script in scripts) < 35_000


def test_a_table_page_stays_light() -> None:
    table = seated()
    page = browser("ada").get(f"/t/{table.id}").content
    style = Client().get("/pictures.x.css").content
    static = b"".join(path.read_bytes() for path in (WEB / "static" / "web").iterdir())
    assert sum(len(gzip.compress(part)) for part in (page, style, static)) < 150_000


def test_leaving_names_no_one() -> None:
    table = seating.open_table("pizza", 3, {})
    seating.sit(table.id, "ada", 0, "Ada Secret")
    seating.leave(table.id, "ada", 0)
    assert "Ada Secret" not in Client().get(f"/t/{table.id}").text


@pytest.mark.parametrize(("lang", "role"), [("en", "2nd"), ("fr", "2e"), ("", "2nd")])
def test_pictures_speak_the_language_of_their_address(lang: str, role: str) -> None:
    french = Client(headers={"accept-language": "fr"})
    for path in ("/games/pizza/picture.svg", "/games/pizza/positions/start.svg"):
        assert f">{role}<" in french.get(path, {"lang": lang} if lang else {}).text
    if lang:
        assert f"?lang={lang}" in Client(headers={"accept-language": lang}).get("/games/pizza").text
