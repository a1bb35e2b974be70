"""Turning a piece on the page: whatever way a move names, the piece really lies so about the square that is held."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import permutations
from random import Random

import pytest

from ludotheque import Match
from ludotheque.board import punched
from ludotheque.board.bits import Bits, cells
from ludotheque.board.drilled import PLACEMENTS, Placement
from ludotheque.board.shapes import Point, flipped, turned
from ludotheque.board.square import CELLS, NAMES, SIDE
from ludotheque.game import moves
from ludotheque.games import hepta, pegs, tfortwo
from ludotheque.games.tricolore import BOARD, turned_by
from ludotheque.pictures.kit import punched as cards
from ludotheque.pictures.output.registry import picture_of
from ludotheque.puzzles import hepta_solo, pegs_solo
from variants import Variant, everything

TURNS = 4
every_variant = pytest.mark.parametrize("variant", everything(), ids=str)


def drilled(placement: Placement) -> tuple[Bits, Bits]:
    return placement.solid, 1 << placement.hole


def card(place: int, colour: int) -> tuple[Bits, Bits]:
    holes = punched.HOLES[colour * len(punched.PLACES) + place]
    return punched.RECTANGLES[place] & ~holes, holes


# What a move lays on the board, as two kinds of cells: solid ones and holes.
LAID: dict[str, Callable[[int, int], tuple[Bits, Bits]]] = {
    "hepta": lambda move, _: (hepta.MASKS[move], 0),
    "hepta-solo": lambda move, _: (hepta_solo.MASKS[move], 0),
    "tetrods": lambda move, _: drilled(PLACEMENTS[move]),
    "tfortwo": lambda move, _: drilled(tfortwo.LAYINGS[move - CELLS]),
    "pegs": lambda move, role: card(move - pegs.LAY_0, role),
    "pegs-solo": lambda move, _: card(move - pegs_solo.LAY_0, punched.BLUE),
}

Shape = tuple[frozenset[Point], frozenset[Point]]


def about(masks: tuple[Bits, Bits], held: int) -> Shape:
    """The cells as they lie about the one that was touched."""
    file, rank = divmod(held, SIDE)
    solid, holes = (frozenset((cell // SIDE - file, cell % SIDE - rank) for cell in cells(mask)) for mask in masks)
    return solid, holes


def seen_as(shape: Shape, way: int, other: int) -> Shape:
    """A shape that lies one way, laid the other way: turned clockwise, and flipped from left to right."""
    solid, holes = (_relaid(points, way, other) for points in shape)
    return solid, holes


def _relaid(points: frozenset[Point], way: int, other: int) -> frozenset[Point]:
    found = list(points)
    for _ in range(-way % TURNS):
        found = turned(found)
    if (way < TURNS) != (other < TURNS):
        found = flipped(found)
    for _ in range(other % TURNS):
        found = turned(found)
    return frozenset(found)


def positions(variant: Variant, events: int = 150) -> Iterator[tuple[Match, int]]:
    random, match = Random(str(variant)), variant.match(1)
    for _ in range(events):
        if match.over:
            return
        actor = random.choice(match.to_act)
        if isinstance(actor, int):
            yield match, actor
        match.play(actor, random.choice(match.moves(actor)))


@every_variant
def test_ways_are_turns_clockwise_about_the_square_that_is_held(variant: Variant) -> None:
    for match, seat in positions(variant):
        view, role, picture = match.seen(seat), match.role(seat), picture_of(match.game)
        together: dict[tuple[str, ...], dict[int, Shape]] = defaultdict(dict)
        for move in moves(match.game, match.state, role):
            *begin, last = picture.picks(view, role, move)
            if last.startswith("way-"):
                held = NAMES.index(begin[-1].removeprefix("cell-"))
                laid = about(LAID[match.game.key](move, role), held)
                together[tuple(begin)][int(last.removeprefix("way-"))] = laid
        for ways in together.values():
            for one, other in permutations(ways, 2):
                assert seen_as(ways[one], one, other) == ways[other]


@pytest.mark.parametrize("colour", [punched.BLUE, punched.WHITE])
def test_every_card_turns_about_the_square_that_is_held(colour: int) -> None:
    together: dict[tuple[int, str], dict[int, Shape]] = defaultdict(dict)
    for number, place in enumerate(punched.PLACES):
        _, spot, *_ = cards.picks(0, colour, number, "card")
        held = NAMES.index(spot.removeprefix("cell-"))
        together[place.card, spot][place.turn] = about(card(number, colour), held)
    assert max(len(turns) for turns in together.values()) == TURNS
    for turns in together.values():
        for one, other in permutations(turns, 2):
            assert seen_as(turns[one], one, other) == turns[other]


@pytest.mark.parametrize("variant", [each for each in everything() if each.box.key == "tricolore"], ids=str)
def test_the_turn_to_the_right_is_a_sixth_clockwise(variant: Variant) -> None:
    """Pictures are turned by as many sixths clockwise as the rules count."""
    for match, seat in positions(variant):
        view, role, picture = match.seen(seat), match.role(seat), picture_of(match.game)
        for move in moves(match.game, match.state, role):
            pawn, last = picture.picks(view, role, move)
            if last in {"turn-right", "turn-left"}:
                after = match.game.play(match.state, role, move)
                cell = list(BOARD.names).index(pawn.removeprefix("pawn-"))
                by = (turned_by(after, cell) - turned_by(match.state, cell)) % 6  # type: ignore[arg-type]
                assert by == (1 if last == "turn-right" else 5)


def test_every_game_whose_pieces_turn_is_looked_at() -> None:
    found = set()
    for variant in everything():
        for match, seat in positions(variant):
            role, picture = match.role(seat), picture_of(match.game)
            last = {picture.picks(match.seen(seat), role, move)[-1] for move in moves(match.game, match.state, role)}
            if any(pick.startswith("way-") for pick in last):
                found.add(match.game.key)
    assert found | {"pegs"} == set(LAID), "in random games of Pegs hardly a card fits in two ways"
