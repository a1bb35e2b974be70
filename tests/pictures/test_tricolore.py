"""Tricolore's picture: sides where they are, threats by turning, captured pawns in front of their captors."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from random import Random

import pytest

import ludotheque
from ludotheque import Match, words
from ludotheque.board.bits import count
from ludotheque.games.tricolore import BEGINS, BOARD, GAME, SPINS, State, owner, turned_by
from ludotheque.pictures.output.registry import stylesheet_of
from ludotheque.pictures.tricolore import PICTURE
from ludotheque.pictures.tricolore.geometry import place

ONE_OF_EACH = (  # gold has captured a silver pawn, then a black one
    "c3-d4 i9< i3-i4 c2> i9> i4-h3 b2< h7-g6 h3< c2< i8> i2-i3 b2> g6-f5 h3-g3 c1> f5-e4 g1> d4-d3 i8< i1-i2 a1< "
    "i7< h1-i1 c2< i8-h7 i2< d3> i7-i6 g3-g4 d3> g7-g6 i3> d3-e4 g6-g5 g1-h1 a1< g5< h1-g1 e4-e3 g5-g6 i3-i4 c2> "
    "h7-g7 i4-h3 e3-f3"
)


def played(seats: int, texts: str) -> Match:
    match = ludotheque.game("tricolore").match(seats, luck=None)
    for text in texts.split():
        (seat,) = match.to_act
        match.play(seat, text)
    return match


def walk(seats: int, seed: int) -> Iterator[Match]:
    random, match = Random(seed), ludotheque.game("tricolore").match(seats, luck=None)
    while not match.over:
        yield match
        (seat,) = match.to_act
        match.play(seat, random.choice(match.moves(seat)))
    yield match


def tree(svg: str) -> ET.Element:
    return ET.fromstring(f"<g>{svg}</g>")  # noqa: S314


def named(svg: str) -> dict[str, ET.Element]:
    return {element.attrib["id"]: element for element in tree(svg).iter() if "id" in element.attrib}


def uses(element: ET.Element, href: str) -> list[ET.Element]:
    return [part for part in element.iter("use") if part.attrib["href"] == href]


def state_of(match: Match) -> State:
    assert isinstance(match.state, State)
    return match.state


def shown(match: Match) -> str:
    return PICTURE.draw(state_of(match), 0, match.story(0))


def within(element: ET.Element) -> list[str]:
    return [part.attrib["id"] for part in element.iter() if "id" in part.attrib]


def said(element: ET.Element) -> str:
    return element.findtext("title") or ""


def captured(svg: str) -> dict[str, str]:
    return {name: said(pawn) for name, pawn in named(svg).items() if name.startswith("captured-")}


@pytest.mark.parametrize("seats", [2, 3])
def test_every_pawn_shows_its_owner_and_how_far_it_is_turned(seats: int) -> None:
    bodies = ("silver", "black") if seats == 2 else ("gold", "silver", "black")
    for match in walk(seats, 1):
        state = state_of(match)
        drawn = named(shown(match))
        standing = {name for name in drawn if name.startswith("pawn-") and name[5:] in BOARD.numbers}
        assert len(standing) == sum(count(pawns) for pawns in state.pawns)
        for name in standing:
            cell = BOARD.numbers[name.removeprefix("pawn-")]
            if owner(state, cell) < seats:
                (sides,) = uses(drawn[name], "#tricolore-sides")
                assert sides.attrib["transform"] == f"rotate({60 * turned_by(state, cell)})"
                assert uses(drawn[name], f"#tricolore-{bodies[owner(state, cell)]}")
            else:
                assert uses(drawn[name], "#tricolore-neutral")
                assert not uses(drawn[name], "#tricolore-sides")


def test_a_screen_reader_hears_the_sides() -> None:
    drawn = named(shown(played(3, "c2>")))
    assert said(drawn["pawn-c2"]) == (
        "c2: gold pawn; sides from the right clockwise: gold, silver, silver, black, black, gold"
    )
    assert said(drawn["tray-1"][0]) == "silver: 0 of 3 captured"


@pytest.mark.parametrize("seats", [2, 3])
def test_arrowheads_are_the_captures_by_turning(seats: int) -> None:
    """As many as there are pairs of a pawn and an enemy beside it that one of its two turns would capture."""
    seen = 0
    for seed in range(3):
        for match in walk(seats, seed):
            state = state_of(match)
            threats = len(uses(tree(shown(match)), "#tricolore-threat"))
            assert threats == (0 if match.over else _captures_by_turning(state))
            seen += threats
    assert seen > 25


def _captures_by_turning(state: State) -> int:
    pairs = set()
    for seat in range(state.seats):
        turns = [move for move, spin in enumerate(SPINS) if spin and state.pawns[seat] >> BEGINS[move] & 1]
        for move in turns:
            after = GAME.play(state, seat, move)
            lost = sum(state.pawns[other] & ~after.pawns[other] for other in range(3) if other != seat)
            pairs |= {(BEGINS[move], cell) for cell in range(len(BOARD.names)) if lost >> cell & 1}
    return len(pairs)


def test_an_arrowhead_points_at_the_pawn_in_danger() -> None:
    """f3 shows silver to the right; f4, turned by a sixth, black to the left, and silver after another sixth."""
    state = State(3, 120, (BOARD.bits("f3"), BOARD.bits("f4"), 0), (BOARD.bits("f4"), 0, 0), (0, 0, 0), 0, 1)
    assert GAME.scores(GAME.play(state, 1, GAME.texts.index("f4>"))) == (0, 1, 0)
    (head,) = uses(tree(PICTURE.draw(state, 0, ())), "#tricolore-threat")
    assert head.attrib["transform"].endswith("rotate(180)")


def test_picks_are_a_pawn_and_where_it_goes_or_how_it_turns() -> None:
    state = GAME.start(3, quiet=120)
    picks = {text: PICTURE.picks(state, 0, GAME.texts.index(text)) for text in ("c2-d2", "c2>", "c2<")}
    assert picks == {
        "c2-d2": ("pawn-c2", "space-d2"),
        "c2>": ("pawn-c2", "turn-right"),
        "c2<": ("pawn-c2", "turn-left"),
    }


def test_a_ghost_crosses_out_what_would_be_captured() -> None:
    match = played(3, ONE_OF_EACH.rpartition(" ")[0])
    state = state_of(match)
    there = tree(PICTURE.ghost(state, 0, GAME.texts.index("e3-f3")))
    (cross,) = uses(there, "#tricolore-cross")
    x, y = place(BOARD.numbers["g4"])
    assert (float(cross.attrib["x"]), float(cross.attrib["y"])) == pytest.approx((x, y), abs=0.01)
    assert not uses(tree(PICTURE.ghost(state, 0, GAME.texts.index("a1>"))), "#tricolore-cross")


def test_a_pawn_arrives_before_what_it_captures_goes_to_the_tray() -> None:
    before, match = played(3, ONE_OF_EACH.rpartition(" ")[0]), played(3, ONE_OF_EACH)
    steps = PICTURE.steps(state_of(before), match.story(0)[-1:], state_of(match))
    assert [step[:4] for step in steps] == [
        ("move", "pawn-e3", 0, "pawn-f3"),
        ("move", "pawn-g4", 1, "captured-0-2"),
    ]
    assert steps[1].values == (("cell", "g4"), ("seat:owner", "2"))
    told = [
        words.say("tricolore", lang, "steps", "capture", seat="Ada", owner="Bob", cell="g4") for lang in ("en", "fr")
    ]
    assert told == ["Bob loses the pawn on g4 to Ada.", "Bob perd son pion en g4, pris par Ada."]


def test_turning_is_told_by_its_direction() -> None:
    state = GAME.start(3, quiet=120)
    for text, sentence in (("c2>", "turn-right"), ("c2<", "turn-left")):
        move = GAME.texts.index(text)
        (step,) = PICTURE.steps(state, ((0, move),), GAME.play(state, 0, move))
        assert step[:5] == ("turn", "pawn-c2", 0, "pawn-c2", sentence)


def test_captured_pawns_lie_in_front_of_their_captor_in_order() -> None:
    match = played(3, ONE_OF_EACH)
    silver, black = "captured silver pawn", "captured black pawn"
    assert captured(shown(match)) == {"captured-0-1": silver, "captured-0-2": black}
    assert "captured-0-2" in within(named(shown(match))["tray-0"])


@pytest.mark.parametrize("seats", [2, 3])
def test_a_pawn_keeps_its_name_wherever_it_goes(seats: int) -> None:
    """On the board and in the tray: the name is around the id of its place, and follows what the steps tell."""
    match, names = ludotheque.game("tricolore").match(seats, luck=None), None
    random = Random(4)
    while not match.over:
        before, places = state_of(match), _places(match)
        assert names in (None, set(places.values()))
        names = set(places.values())
        (seat,) = match.to_act
        match.play(seat, random.choice(match.moves(seat)))
        for step in PICTURE.steps(before, match.story(0)[-1:], state_of(match)):
            places[step.to] = places.pop(step.element)
        assert places == _places(match)
    assert len(names or ()) == (17 if seats == 2 else 18)
    assert any(place.startswith("captured") for place in _places(match))


def _places(match: Match) -> dict[str, str]:
    """The names of all pawns by the ids of their places."""
    drawn = named(shown(match))
    return {within(pawn)[1]: name for name, pawn in drawn.items() if re.fullmatch("pawn-[0-9]-[0-9]", name)}


def test_long_stories_are_followed_to_their_end() -> None:
    """A game without captures, in which one pawn of each has walked and all others have stayed."""
    match = played(2, "g7-g6 g1-g2 " + "g6> g2> " * 59)
    match.undo(1, agreed=True)
    assert _places(match)["pawn-g6"] == "pawn-0-1"
    assert _places(match)["pawn-g2"] == "pawn-1-1"
    assert _places(match)["pawn-i9"] == "pawn-0-6"


@pytest.mark.parametrize("told", [0, 3])
def test_without_its_whole_story_a_captured_pawn_is_anybodys(told: int) -> None:
    match = played(3, ONE_OF_EACH)
    svg = PICTURE.draw(state_of(match), 0, match.story(0)[-told:] if told else ())
    assert captured(svg) == {"captured-0-1": "captured pawn", "captured-0-2": "captured pawn"}


def test_with_two_players_the_loser_is_known_anyway() -> None:
    state = GAME.start(2, quiet=120)
    state = State(2, 120, state.pawns, state.turned, (2, 1, 0), 0, 0)
    silver, black = "captured silver pawn", "captured black pawn"
    found = {"captured-0-1": black, "captured-0-2": black, "captured-1-1": silver}
    assert captured(PICTURE.draw(state, 0, ())) == found


def test_as_many_as_can_be_captured_have_room() -> None:
    """Two, and then six at once."""
    state = State(3, 120, (BOARD.bits("f3"), 0, 0), (0, 0, 0), (8, 0, 0), 0, -1)
    svg = PICTURE.draw(state, 0, ())
    assert len(captured(svg)) == 8
    assert (
        len({pawn.attrib["transform"] for pawn in named(svg)["tray-0"].iter("g") if "scale" in str(pawn.attrib)}) == 8
    )


def test_the_board_for_two_ends_at_the_fence() -> None:
    svg = shown(played(2, ""))
    (coordinates,) = (part for part in tree(svg).iter("g") if part.attrib.get("class") == "coordinates")
    names = {label.text for label in coordinates}
    assert {"e3", "f1", "i9"} <= names
    assert names.isdisjoint({"a1", "b2", "c3", "d4"})
    assert said(named(svg)["space-d4"]) == "d4: out of play"
    assert [name for name in named(svg) if name.startswith("pawn-e")] == [f"pawn-e{number}" for number in range(1, 6)]
    assert "tray-2" not in named(svg)


def test_whose_turn_it_is_shows_at_the_tray() -> None:
    for match in walk(3, 2):
        drawn = named(shown(match))
        lit = tuple(seat for seat in range(3) if "tricolore-turn" in drawn[f"tray-{seat}"][0].attrib["class"])
        assert lit == match.to_act


@pytest.mark.parametrize("seats", [2, 3])
def test_every_class_and_every_shape_is_there(seats: int) -> None:
    css = stylesheet_of(GAME)
    for match in walk(seats, 3):
        parts = list(tree(shown(match)).iter())
        classes = {name for part in parts for name in part.attrib.get("class", "").split()}
        assert [name for name in classes if f".{name} {{" not in css and name != "coordinates"] == []
        shapes = {part.attrib["href"].removeprefix("#") for part in parts if part.tag == "use"}
        assert shapes <= {part.attrib.get("id") for part in parts}
