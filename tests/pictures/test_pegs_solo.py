"""The picture of Pegs alone: the tray, given pegs, stars, and how things are put and lifted."""

import re
import xml.etree.ElementTree as ET

import ludotheque
from ludotheque import Match
from ludotheque.board.punched import CARDS
from ludotheque.board.square import NAMES
from ludotheque.pictures.kit.picture import AnimationStep
from ludotheque.pictures.output.registry import stylesheet_of
from ludotheque.pictures.output.render import render_match
from ludotheque.pictures.pegs_solo import PICTURE
from ludotheque.puzzles.pegs_solo import GAME

BARE = "a6 b2 b6 c3 d5 d7 e2 e3"
TEN = "34@a1/0 24@a6/1 33@e1/1 35@f5/0 29@d5/2 32@e3/1 23@a4/2 25@b1/2 30@c3/0 27@d1/2"
BARE_OF_ELEVEN = "a4 a6 b2 c6 c7 d4 e2 e3"
ELEVEN = "34@a1/3 21@a6/3 31@a2/0 33@e1/1 35@f5/0 23@c6/1 32@e3/1 25@c3/3 27@d1/2 26@d3/0 29@a5/3"
SOLVED_SIZE = 35_000  # without the colours, which all games share


def pegged(bare: str, *, given: bool = False) -> Match:
    """A match with pegs on all cells but these."""
    pegs = [name for name in NAMES if name not in bare.split()]
    match = ludotheque.game("pegs-solo").match(pegs=pegs if given else [])
    for name in () if given else pegs:
        match.play(0, f"peg {name}")
    return match


def steps(match: Match, text: str) -> list[AnimationStep]:
    before = match.seen(0)
    match.play(0, text)
    return PICTURE.steps(before, match.story(0)[-1:], match.seen(0))  # type: ignore[arg-type]


def told(found: list[AnimationStep]) -> list[tuple[str, str, str]]:
    return [(step.kind, step.element, step.sentence) for step in found]


def picks(match: Match, text: str) -> tuple[str, ...]:
    return PICTURE.picks(match.seen(0), 0, GAME.texts.index(text))  # type: ignore[arg-type]


def ghost(match: Match, text: str) -> str:
    return PICTURE.ghost(match.seen(0), 0, GAME.texts.index(text))  # type: ignore[arg-type]


def titles(svg: str) -> dict[str, str]:
    """What is said of each cell."""
    root = ET.fromstring(svg)  # noqa: S314
    cells = [element for element in root.iter() if element.attrib.get("id", "").startswith("cell-")]
    return {cell.attrib["id"].removeprefix("cell-"): cell[0].text or "" for cell in cells}


def test_all_cards_are_there_once_in_the_tray_or_on_the_board() -> None:
    match = pegged(BARE)
    for text in ("", *TEN.split()):
        if text:
            match.play(0, text)
        svg = render_match(match, 0)
        assert sorted(map(int, re.findall(r'id="card-(\d+)"', svg))) == list(range(1, CARDS + 1))
        assert sorted(map(int, re.findall(r'id="tray-(\d+)"', svg))) == list(range(1, CARDS + 1))


def test_what_was_given_looks_different_from_what_was_put() -> None:
    given, put = render_match(pegged(BARE, given=True), 0), render_match(pegged(BARE), 0)
    assert re.search(r'href="#pegs-given"[^/]*id="peg-a1"', given)
    assert re.search(r'href="#pegs-peg"[^/]*id="peg-a1"', put)


def test_cells_tell_what_lies_on_them() -> None:
    match = pegged(BARE)
    match.play(0, "34@a1/0")
    said = titles(render_match(match, 0))
    assert (said["a1"], said["b2"], said["c1"], said["c3"]) == ("a1: card 34, peg", "b2: card 34", "c1: peg", "c3")


def test_a_cell_takes_a_peg_or_gives_back_what_is_on_it() -> None:
    match = ludotheque.game("pegs-solo").match()
    assert picks(match, "peg b2") == ("cell-b2",)
    match.play(0, "peg b2")
    assert picks(match, "lift b2") == ("cell-b2",)
    assert picks(match, "3@b1/0") == ("tray-3", "cell-b2", "way-0")
    peg = ghost(match, "lift b2")
    match.play(0, "3@b1/0")
    assert ghost(match, "lift b2") != peg
    assert ghost(match, "lift b2") == ghost(match, "lift c3")


def test_cards_slide_from_the_tray_and_back_and_pegs_come_and_go() -> None:
    match = ludotheque.game("pegs-solo").match()
    assert told(steps(match, "peg b2")) == [("appear", "peg-b2", "peg")]
    assert told(steps(match, "3@b1/0")) == [("move", "card-3", "lay")]
    (back,) = steps(match, "lift c3")
    assert (back.kind, back.element, back.to, back.sentence) == ("move", "card-3", "card-3", "lift-card")
    assert told(steps(match, "lift b2")) == [("go", "peg-b2", "lift-peg")]


def test_a_solution_earns_a_star_and_the_fewest_cards_another() -> None:
    for bare, solution, stars in ((BARE_OF_ELEVEN, ELEVEN, 1), (BARE, TEN, 2)):
        match = pegged(bare)
        *cards, last = solution.split()
        for text in cards:
            assert len(steps(match, text)) == 1
        assert 'id="star-' not in render_match(match, 0)
        words = [step.sentence for step in steps(match, last)]
        assert words == ["lay", "solved", "fewest"][: stars + 1]
        assert render_match(match, 0).count('id="star-') == stars


def test_a_solved_board_stays_small() -> None:
    match = pegged(BARE_OF_ELEVEN)
    for text in ELEVEN.split():
        match.play(0, text)
    assert len(render_match(match, 0)) - len(stylesheet_of(GAME)) < SOLVED_SIZE
