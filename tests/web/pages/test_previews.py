"""Links look like what they lead to, and tell nothing that is secret."""

import io
import re

import pytest
from django.test import Client
from PIL import Image

import ludotheque
from ludotheque import words
from ludotheque.web.models import Table
from ludotheque.web.replays import analysis
from ludotheque.web.table import actions
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
    table = actions.open_table("pizza", 3, {})
    actions.sit(table.id, "ada", 0, "Ada <b>")
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
