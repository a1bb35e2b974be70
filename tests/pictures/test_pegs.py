"""The picture of Pegs: holes on pegs, cards on cards, rows that keep still, and how the hand lays a card."""

import re
from math import cos, radians, sin
from random import Random

import pytest

import ludotheque
from ludotheque import Match
from ludotheque.board.bits import cells
from ludotheque.board.punched import BLUE, HOLES, PLACES, WHITE
from ludotheque.board.square import CELLS, NAMES
from ludotheque.games.pegs import GAME, LAY_0
from ludotheque.match import Actor
from ludotheque.pictures.kit import punched
from ludotheque.pictures.kit.picture import AnimationStep
from ludotheque.pictures.kit.square import centre
from ludotheque.pictures.output.registry import stylesheet_of
from ludotheque.pictures.output.render import render_match
from ludotheque.pictures.pegs import PICTURE

MIDDLES = {centre(cell): cell for cell in range(CELLS)}
SEVEN = "a1 a4 a7 d1 d7 g1 g7"
LARGEST = 60_000
STYLES = 25_000  # what the colours of all games may take of that one day

both_colours = pytest.mark.parametrize("colour", [BLUE, WHITE])


def begun(*cards: int) -> Match:
    """A match after the opening, Blue's first row and a peg on c4."""
    match = ludotheque.game("pegs").match(luck=None)
    for cell in SEVEN.split():
        match.play(0, cell)
    match.play(1, "done")
    drawn(match, *cards)
    match.play(0, "c4")
    return match


def drawn(match: Match, *cards: int) -> None:
    for card in cards:
        match.play("luck", f"draw {card}")


def lively(seed: int) -> Match:
    """A whole game in which everybody lays whatever fits."""
    random, match = Random(seed), ludotheque.game("pegs").match(seed=seed)
    while not match.over:
        (seat,) = match.to_act
        texts = match.moves(seat)
        match.play(seat, random.choice([text for text in texts if "@" in text] or texts))
    return match


def picks(match: Match, text: str) -> tuple[str, ...]:
    (seat,) = match.to_act
    assert isinstance(seat, int)
    found: tuple[str, ...] = PICTURE.picks(match.seen(seat), seat, GAME.texts.index(text))  # type: ignore[arg-type]
    return found


def steps(match: Match, actor: Actor, text: str) -> list[AnimationStep]:
    before = match.seen(None)
    match.play(actor, text)
    return PICTURE.steps(before, match.story(None)[-1:], match.seen(None))  # type: ignore[arg-type]


def inside(svg: str, name: str) -> str:
    """A group with all that is drawn in it."""
    begin, depth = svg.index(f'<g id="{name}"'), 0
    for tag in re.finditer(r"<(/?)g\b", svg[begin:]):
        depth += -1 if tag[1] else 1
        if not depth:
            return svg[begin : begin + tag.end()]
    raise AssertionError(name)


def lies(card: str) -> tuple[float, float, float]:
    """Where the middle of a card is, and how it is turned."""
    found = re.search(r"translate\(([\d.]+) ([\d.]+)\)(?: rotate\((\d+)\))?", card)
    assert found
    return float(found[1]), float(found[2]), float(found[3] or 0)


def printed(card: str) -> set[tuple[int, int]]:
    """The middles of a card's holes, unturned, from its own middle."""
    found = re.findall(rf"M(-?\d+) (-?\d+)a{punched.HOLE_RADIUS} ", card)
    return {(int(left) + punched.HOLE_RADIUS, int(row)) for left, row in found}


def pegs_needed(card: str) -> set[int]:
    """The cells under the holes of a card on the board."""
    x, y, turn = lies(card)
    along, aside = cos(radians(turn)), sin(radians(turn))
    return {MIDDLES[round(x + a * along - d * aside), round(y + a * aside + d * along)] for a, d in printed(card)}


@both_colours
def test_the_holes_of_every_card_are_drawn_on_the_pegs_it_needs(colour: int) -> None:
    for place in range(len(PLACES)):
        expected = set(cells(HOLES[colour * len(PLACES) + place]))
        assert pegs_needed(punched.card_on_board(colour, place, 0)) == expected
        assert pegs_needed(punched.ghost_card(colour, place)) == expected


def test_open_cards_show_the_face_their_owner_plays() -> None:
    match = begun(1, 3, 17)
    assert printed(inside(render_match(match, None), "card-17")) == {(-50, -100), (-50, 0), (50, 0)}
    match.play(0, "drop 17")
    drawn(match, 13, 18, 19)
    white = {(50, -100), (50, 0), (-50, -100)}
    for seat in (None, 0, 1):
        assert printed(inside(render_match(match, seat), "card-13")) == white


def test_a_card_is_held_by_one_of_its_own_cells_and_turns_about_it() -> None:
    match = begun(1, 3, 35)
    ways = [f"3@{place}" for place in ("c3/0", "b3/1", "b3/2", "b4/3")]
    assert [picks(match, way) for way in ways] == [("card-3", "cell-c4", f"way-{turn}") for turn in range(4)]


def test_the_turn_is_not_asked_for_where_a_card_fits_in_one_way() -> None:
    assert picks(begun(1, 3, 35), "3@a3/0") == ("card-3", "cell-a4")


def test_the_ghost_of_a_card_is_under_the_hand() -> None:
    match = begun(1, 3, 35)
    for text in match.moves(0):
        if "@" in text:
            cell = picks(match, text)[1].removeprefix("cell-")
            assert NAMES.index(cell) in punched.covers(GAME.texts.index(text) - LAY_0)


def test_a_card_is_thrown_out_by_putting_it_on_the_pile() -> None:
    match = begun(1, 3, 35)
    assert picks(match, "drop 35") == ("card-35", "drop")


def test_later_cards_lie_higher_on_earlier_ones_and_pegs_stand_through_all() -> None:
    match = begun(1, 3, 35)
    match.play(0, "3@c3/0")
    drawn(match, 2)
    match.play(0, "1@c2/0")
    svg = render_match(match, None)
    assert svg.index('id="card-3"') < svg.index('id="card-1"') < svg.index('id="peg-c4"')
    below, above = lies(inside(svg, "card-3")), lies(inside(svg, "card-1"))
    assert above[1] - below[1] == 100 - punched.PILE_LIFT


def test_an_open_card_keeps_its_place_while_others_come_and_go() -> None:
    match = begun(20, 3, 35)
    row = lies(inside(render_match(match, None), "card-20")), lies(inside(render_match(match, None), "card-35"))
    gone = lies(inside(render_match(match, None), "card-3"))
    match.play(0, "3@c3/0")
    drawn(match, 2)
    svg = render_match(match, None)
    assert (lies(inside(svg, "card-20")), lies(inside(svg, "card-35"))) == row
    assert lies(inside(svg, "card-2")) == gone


def test_steps_tell_whose_row_a_card_comes_to_and_what_it_takes() -> None:
    match = begun(1, 3, 35)
    laid, number = steps(match, 0, "3@c3/0")
    assert (number.kind, number.element, number.order) == ("go", "number-3", 0)
    assert (laid.kind, laid.element, laid.to, laid.values) == (
        "move",
        "card-3",
        "card-3",
        (("card", "3"), ("cells", "c3–d5")),
    )
    drawn(match, 34)
    match.play(0, "drop 35")
    come, number = steps(match, "luck", "draw 2")
    assert (come.kind, come.element, come.values) == ("appear", "card-2", (("card", "2"), ("seat:owner", "1")))
    assert (number.kind, number.element, number.order) == ("appear", "number-2", 0)
    drawn(match, 11, 9)
    match.play(1, "g4")
    lay, _, taken = steps(match, 1, "2@c2/0")
    assert (lay.order, lay.sentence, taken.order, taken.sentence) == (0, "lay", 1, "taken")
    assert (taken.kind, taken.element, taken.values) == ("show", "balance", (("seat:owner", "0"), ("count", "4")))


def test_the_end_is_told_with_both_surfaces() -> None:
    random, match, told = Random(5), ludotheque.game("pegs").match(luck=None), []
    while not match.over:
        (actor,) = match.to_act
        told += steps(match, actor, random.choice(match.moves(actor)))
    assert [step.sentence for step in told].count("last") == 1
    assert [step.sentence for step in told[-2:]] == ["done", "over"]
    blue, white = match.scores
    assert dict(told[-1].values) == {"seat:blue": "0", "seat:white": "1", "points": str(blue), "others": str(white)}


def test_whole_games_stay_small() -> None:
    sizes = [len(render_match(lively(seed), None)) - len(stylesheet_of(GAME)) for seed in range(6)]
    assert max(sizes) < LARGEST - STYLES
