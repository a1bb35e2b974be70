"""One stylesheet a game: it has all that its picture needs, and a page may have those of all games at once."""

import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import ludotheque
from ludotheque import Box, pictures
from ludotheque.games.hepta import GAME as HEPTA
from ludotheque.pictures.output import curve, diagrams, film, raster
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.output.registry import (
    CURVE,
    SHARED,
    shared_stylesheet,
    styled_modules,
    stylesheet_beside,
    stylesheet_of,
    stylesheet_of_all,
)

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTORS = re.compile(r"([^{}]+)\{")
CLASS = re.compile(r"\.([a-zA-Z][\w-]*)")
OF_THE_PAGE = {"picture", "day", "night", "lit"}  # classes that every stylesheet may refer to

every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)


def styled(css: str) -> set[str]:
    """The classes that a stylesheet gives a look."""
    selectors = SELECTORS.findall(COMMENT.sub("", css))
    return {name for selector in selectors for name in CLASS.findall(selector)} - OF_THE_PAGE


def positions(box: Box) -> Iterator[str]:
    """The positions of the rules and the lesson, and those of a random match."""
    for name in diagrams.names(box.rules):
        yield diagrams.diagram(box.rules, name).picture()
    match, random = box.match(seed=5), Random(box.key)
    while not match.over and len(match.events) < 80:
        yield match.picture(None)
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))


def classes(svg: str) -> set[str]:
    return {name for element in ET.fromstring(svg).iter() for name in element.get("class", "").split()}  # noqa: S314


@every_game
def test_a_picture_by_itself_has_all_that_it_needs(box: Box) -> None:
    """Whatever any game's stylesheet would give a look is given it by the game's own."""
    everything = set[str]().union(*(styled(stylesheet_of(each.rules)) for each in ludotheque.games()))
    own = stylesheet_of(box.rules)
    for svg in positions(box):
        assert f"<style>{own}</style>" in svg
        assert classes(svg) & everything <= styled(own)


def test_what_only_pages_need_is_in_no_file() -> None:
    games = [box.rules for box in ludotheque.games()]
    assert "pegs-places" in styled(stylesheet_of_all(games))
    assert all("pegs-places" not in stylesheet_of(game) for game in games)


@every_game
def test_a_picture_by_itself_has_no_other_game_s_colours(box: Box) -> None:
    others = [each.rules.stem for each in ludotheque.games() if each.key != box.key]
    sheet = stylesheet_of(box.rules).removeprefix(shared_stylesheet())
    assert [stem for stem in others if f".{stem}-" in sheet and not box.rules.stem.startswith(stem)] == []


@every_game
def test_no_other_stylesheet_has_its_classes(box: Box) -> None:
    """So that they do not interfere with each other on one page."""
    modules = {module for each in ludotheque.games() for module in styled_modules(each.rules)} | {SHARED, CURVE}
    own = styled_modules(box.rules)[-1]
    for module in modules - {own}:
        assert styled(stylesheet_beside(own)).isdisjoint(styled(stylesheet_beside(module)))


def test_the_stylesheet_of_all_has_each_part_once() -> None:
    whole = stylesheet_of_all(box.rules for box in ludotheque.games())
    once = (".board {", ".curve-line {", ".drilled {", ".pegs-board {", ".blocker {", ".pizza-crust {")
    assert [whole.count(f"\n{rule}") for rule in once] == [1] * len(once)


def test_stylesheets_can_stand_in_svg_as_they_are() -> None:
    assert not {"<", "&"} & set(stylesheet_of_all(box.rules for box in ludotheque.games()))


def test_films_and_curves_bring_their_own() -> None:
    match = ludotheque.game("pizza").match(seed=1)
    assert stylesheet_of(match.game) in film.svg(frames(match), 1)
    drawn = curve.render([curve.Point(0, (0.5, 0.5))], [], ["a", "b"], 1, said="")
    assert classes(drawn) - {"picture", "curve"} <= styled(drawn)


def test_a_stylesheet_lies_beside_its_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ludotheque.pictures.raster", sys)  # so that the import below is undone as well
    del sys.modules["ludotheque.pictures.raster"]
    (tmp_path / "raster.py").write_text("from ludotheque.pictures.hepta import PICTURE\n", encoding="utf-8")
    (tmp_path / "raster.css").write_text(".raster-x { fill: red; }\n", encoding="utf-8")
    monkeypatch.setattr(pictures, "__path__", [*pictures.__path__, str(tmp_path)])
    assert stylesheet_of(replace(HEPTA, key="raster")) == shared_stylesheet() + ".raster-x { fill: red; }\n"


@every_game
def test_curves_have_the_colours_of_the_game_s_seats(box: Box) -> None:
    """By themselves, as files: the lines are drawn in what the stylesheet of the game says."""
    names = ["a", "b", "c", "d"][: max(box.seats)]
    drawn = curve.render([curve.Point(0, (0.5,) * len(names))], [], names, 1, said="", game=box.rules)
    flat, _ = raster.flattened(drawn)
    lines = [re.search(rf"\.curve-{seat}\{{stroke:(#\w+)\}}", flat) for seat in range(len(names))]
    assert len({line[1] for line in lines if line}) == len(names)
