"""Links look like what they lead to, and tell nothing that is secret."""

import io
import re

import pytest
from django.test import Client
from PIL import Image

import ludotheque
from ludotheque import words
from ludotheque.web.guard import rate_limits
from ludotheque.web.jobs import drawings, pool
from ludotheque.web.models import Table
from ludotheque.web.refusals import WorkerUnavailable
from ludotheque.web.replays import analysis
from ludotheque.web.table import seating
from web.people import Round, seated


@pytest.fixture(autouse=True)
def nobody_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "begin", lambda _found: None)


def told(path: str, lang: str = "en") -> dict[str, str]:
    """What the page says of itself to those who show its link."""
    page = Client(headers={"accept-language": lang}).get(path).text
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', page))


def pixels(address: str) -> bytes:
    path = address.removeprefix("http://testserver").replace("&amp;", "&")
    picture = Client().get(path)
    assert picture["Content-Type"] == "image/png"
    assert picture["Cross-Origin-Resource-Policy"] == "cross-origin"
    with Image.open(io.BytesIO(picture.content)) as image:
        assert image.size == (1200, 630)
        return image.convert("RGB").tobytes()


@pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)
def test_every_game_has_a_preview_in_both_languages(box: ludotheque.Box) -> None:
    seen = set()
    for lang in words.LANGUAGES:
        meta = told(f"/games/{box.key}", lang)
        assert meta["og:title"] == box.say("name", lang)
        assert meta["og:url"] == f"http://testserver/games/{box.key}"
        assert meta["twitter:card"] == "summary_large_image"
        seen.add(pixels(meta["og:image"]))
    assert len(seen) == 2


def test_the_house_an_open_table_and_a_finished_match_have_one() -> None:
    assert pixels(told("/")["og:image"])
    table = seating.open_table("pizza", 3, {})
    seating.sit(table.id, "ada", 0, "Ada <b>")
    meta = told(f"/t/{table.id}", "fr")
    assert meta["og:description"].startswith("Ada &lt;b&gt;")
    assert pixels(meta["og:image"])
    over = seated("hepta", 2, legs=1)
    over.play_at_once()
    assert pixels(told(f"/replay/{over.id}")["og:image"]) == pixels(told(f"/t/{over.id}")["og:image"])
    for path in ("/t/nothing/preview.png", "/replay/nothing/preview.png", "/games/chess/preview.png"):
        assert Client().get(path).status_code == 404


def test_a_puzzle_has_one() -> None:
    meta = told("/puzzles/hepta-solo/a2-b5-d1-d2-f1-f2-f5", "fr")
    assert meta["og:title"] == ludotheque.game("hepta-solo").say("name", "fr")
    assert pixels(meta["og:image"])
    assert Client().get("/puzzles/preview/chess/1/1.png").status_code == 404


def test_a_sealed_choice_changes_no_preview() -> None:
    seen = set()
    for cut in ("cut 2", "cut 5"):
        Table.objects.all().delete()
        table: Round = seated()
        for seat, space in enumerate(("a1", "g4", "b1")):
            table.play(seat, space)
        table.play(1, cut)
        assert Client().get(f"/replay/{table.id}/preview.png").status_code == 404
        seen.add(pixels(told(f"/t/{table.id}")["og:image"]))
    assert len(seen) == 1


def test_whoever_has_it_already_is_told_so_without_anything_being_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    over = seated("hepta", 2, legs=1)
    over.play_at_once()
    table = seating.open_table("pizza", 3, {})
    paths = [f"/replay/{over.id}/preview.png", f"/t/{table.id}/preview.png", "/preview.png"]
    tags = [Client().get(path)["ETag"] for path in paths]
    assert len(set(tags)) == len(tags)
    drawings.clear()
    monkeypatch.setattr(pool.drawing, "ask", nobody_draws)
    for path, tag in zip(paths, tags, strict=True):
        again = Client(headers={"if-none-match": tag}).get(path)
        assert again.status_code == 304
        assert "max-age" in again["Cache-Control"]
    seating.sit(table.id, "ada", 0, "Ada")
    assert Client(headers={"if-none-match": tags[1]}).get(paths[1]).status_code == 503, "it looks different now"


def nobody_draws(*_: object) -> None:
    raise WorkerUnavailable


def test_there_is_no_picture_while_too_many_wait_but_the_page_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawings, "MAX_WAITING", 0)
    drawings.clear()
    table = seating.open_table("pizza", 3, {})
    for path in (f"/t/{table.id}/preview.png", "/puzzles/preview/hepta-solo/a2-b5-d1-d2-f1-f2-f5.png"):
        refused = Client().get(path)
        assert refused.status_code == 503
        assert int(refused["Retry-After"]) > 0
        assert refused["Cache-Control"] == "no-store"
        assert not refused.content
    assert told(f"/t/{table.id}")["og:image"]


def test_drawing_is_charged_to_whoever_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    charged: list[float] = []
    monkeypatch.setattr(rate_limits, "charge", lambda _visitor, _address, seconds: charged.append(seconds))
    table = seating.open_table("pizza", 3, {})
    monkeypatch.setattr(pool.drawing, "ask", lambda *_: ("QUJD", 7.0))
    for _ in range(2):
        assert Client().get(f"/t/{table.id}/preview.png").content == b"ABC"
    assert charged.count(7.0) == 1
