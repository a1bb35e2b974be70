"""The picture of T. for Two: groups with their points, the mushroom to be answered, the running score."""

import xml.etree.ElementTree as ET

import pytest

import ludotheque
from ludotheque import Match
from ludotheque.board.bits import union
from ludotheque.board.square import NUMBERS
from ludotheque.game import NOBODY
from ludotheque.games.tfortwo import GAME, TEXTS, State
from ludotheque.pictures.kit.picture import AnimationStep
from ludotheque.pictures.output.render import render_match
from ludotheque.pictures.tfortwo import PICTURE


def planted(cells: str, turn: int = 0) -> State:
    return State(union(NUMBERS[cell] for cell in cells.split()), 0, 0, 0, 0, NOBODY, turn)


def elements(svg: str) -> dict[str, ET.Element]:
    found = ET.fromstring(svg).iter()  # noqa: S314
    return {element.attrib["id"]: element for element in found if "id" in element.attrib}


def points(state: State) -> dict[str, str]:
    """What is written in each group, and in the score."""
    found = elements(f"<g>{PICTURE.draw(state, 0, ())}</g>")
    return {name: "".join(part.itertext()) for name, part in found.items() if name.startswith("group-")} | {
        "score": "".join(text.text or "" for text in found["score"].iter("text"))
    }


def steps(before: State, text: str) -> list[AnimationStep]:
    move = TEXTS.index(text)
    seat = 0 if ":" not in text else 1
    return PICTURE.steps(before, ((seat, move),), GAME.play(before, seat, move))


def played(*texts: str) -> Match:
    match = ludotheque.game("tfortwo").match(legs=1)
    for number, text in enumerate(texts):
        match.play(number % 2, text)
    return match


def test_groups_show_their_points_and_the_score_their_sum() -> None:
    example = planted("a1 a2 b1 b2 d1 e1 f1 a5 a6 c4 g7 e5")
    assert points(example) == {
        "group-a1": "10",
        "group-d1": "6",
        "group-a5": "3",
        "group-c4": "1",
        "group-e5": "1",
        "group-g7": "1",
        "score": "22",
    }
    assert points(planted("")) == {"score": "0"}


def test_a_lone_mushroom_comes_up_without_more_words() -> None:
    assert [(step.kind, step.element, step.sentence) for step in steps(planted("a1"), "c3")] == [
        ("appear", "mushroom-c3", "plant"),
        ("appear", "group-c3", ""),
    ]


def test_a_mushroom_between_groups_joins_them() -> None:
    told = steps(planted("a1 c1 c2"), "b1")
    assert [(step.kind, step.element, step.order) for step in told] == [
        ("appear", "mushroom-b1", 0),
        ("go", "group-c1", 1),
        ("show", "group-a1", 1),
    ]
    assert dict(told[-1].values) == {"size": "4", "points": "10"}


def test_a_mushroom_before_a_group_gives_it_its_name() -> None:
    told = steps(planted("c2"), "c1")
    assert [(step.kind, step.element) for step in told[1:]] == [("go", "group-c2"), ("appear", "group-c1")]


def test_the_end_of_a_leg_is_told() -> None:
    """Two empty cells, and one more mushroom: nothing fits."""
    full = (1 << 49) - 1 & ~union((NUMBERS["a1"], NUMBERS["a2"]))
    told = steps(State(0, full, 0, 0, 0, NOBODY, 0), "a1")
    assert [step.sentence for step in told] == ["plant", "", "end"]
    assert dict(told[-1].values) == {"points": "1"}


def test_a_tetrod_keeps_its_id_on_its_way_to_the_board() -> None:
    match = played("c3")
    assert isinstance(match.state, State)
    (step,) = steps(match.state, "L3:c3-c2-c4-d2")
    assert (step.kind, step.element, step.to) == ("move", "piece-L3", "piece-L3")


def test_there_is_no_single_square() -> None:
    found = elements(render_match(played(), 0))
    assert sum(name.startswith("tray-") for name in found) == 12
    assert "tray-M" not in found


@pytest.mark.parametrize(("texts", "lit"), [((), 0), (("c3",), 1), (("c3", "L3:c3-c2-c4-d2"), 0)])
def test_the_mushroom_to_be_answered_is_lit(texts: tuple[str, ...], lit: int) -> None:
    assert render_match(played(*texts), 0, style=False).count("tfortwo-awaiting") == lit


def test_a_tetrod_goes_from_the_tray_to_its_mushroom() -> None:
    match = played("c3")
    assert isinstance(match.state, State)
    assert PICTURE.picks(match.state, 1, TEXTS.index("L3:c3-c2-c4-d2"))[:2] == ("tray-L3", "cell-c3")
    assert "id=" not in PICTURE.ghost(match.state, 1, TEXTS.index("L3:c3-c2-c4-d2"))
    assert "id=" not in PICTURE.ghost(match.state, 0, TEXTS.index("d4"))
