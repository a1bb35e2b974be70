"""The diagrams of the rules: every page has some, the same in both languages, and all of them can be drawn."""

import xml.etree.ElementTree as ET

import pytest

import ludotheque
from ludotheque import Box, words
from ludotheque.pictures.output import diagrams
from ludotheque.pictures.output.diagrams import Diagram

every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)


def shown(box: Box, lang: str) -> list[Diagram]:
    return [part for part in diagrams.parts(box.rules, lang) if isinstance(part, Diagram)]


@every_game
def test_every_page_has_diagrams_with_words(box: Box) -> None:
    english, french = (shown(box, lang) for lang in ("en", "fr"))
    assert [each.name for each in english] == [each.name for each in french]
    assert 1 <= len(english) <= 6
    for one, other in zip(english, french, strict=True):
        assert one.caption
        assert other.caption
        assert one.caption != other.caption


@every_game
def test_all_of_them_can_be_drawn(box: Box) -> None:
    for each in shown(box, "fr"):
        for night in (True, False):
            assert ET.fromstring(each.picture(night=night)).tag.endswith("svg")  # noqa: S314


@every_game
def test_nothing_that_looks_like_a_diagram_is_left_as_text(box: Box) -> None:
    for lang in words.LANGUAGES:
        text = "".join(part for part in diagrams.parts(box.rules, lang) if isinstance(part, str))
        assert "position:" not in text


def test_a_position_that_nobody_named() -> None:
    with pytest.raises(LookupError, match="no position lesson"):
        diagrams.position(ludotheque.game("hepta").rules, "lesson")


def test_sealed_choices_are_played_by_whom_they_name() -> None:
    match, seat = diagrams.position(ludotheque.game("pizza").rules, "chosen")
    assert (match.to_act, seat) == ((1, 2), 0)
    assert "knife-0" in diagrams.diagram(match.game, "chosen").picture()
    assert "knife-0" not in match.picture(None)
