"""The solitaire of Pegs: its page of rules, solved boards, and the facts about all of them."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.text import Text

import ludotheque
from ludotheque import BadOption, IllegalMove, Match
from ludotheque.board.bits import count, lowest, union
from ludotheque.board.punched import HOLES, PLACES, RECTANGLES
from ludotheque.board.square import CELLS, FULL, NAMES, NUMBERS, SIDE, at
from ludotheque.game import Json
from ludotheque.pictures.pegs_solo import text as picture
from ludotheque.puzzles.pegs_solo import GAME, State
from ludotheque.search.compiled import machine
from solitaire import fresh, play, refused

Table = NDArray[np.int64]

# Boards with all 41 pegs: the eight cells without one, and the fewest cards that cover the board.
SOLUTIONS = [
    (
        "a6 b2 b6 c3 d5 d7 e2 e3",
        "34@a1/0 24@a6/1 33@e1/1 35@f5/0 29@d5/2 32@e3/1 23@a4/2 25@b1/2 30@c3/0 27@d1/2",
    ),
    (
        "a4 a6 b2 c6 c7 d4 e2 e3",
        "34@a1/3 21@a6/3 31@a2/0 33@e1/1 35@f5/0 23@c6/1 32@e3/1 25@c3/3 27@d1/2 26@d3/0 29@a5/3",
    ),
    (
        "a6 b2 b4 c6 c7 d4 e2 e3",
        "34@a1/3 29@a2/0 31@a4/0 21@a6/3 33@e1/1 25@c3/3 35@f5/0 23@c6/1 32@e3/1 27@d1/2 26@d3/0 24@c5/2",
    ),
    (
        "a2 a5 a6 b3 c2 d6 e1 e4",
        "29@a1/3 27@a5/0 32@e1/1 35@f5/0 33@e3/1 26@b2/0 34@c6/1 23@a5/1 30@c1/1 25@b2/1 31@d4/0 20@a2/1 24@a4/2",
    ),
    (
        "b2 b3 b6 c3 d6 e1 e2 e5",
        (
            "27@a1/2 34@a5/0 29@b6/1 23@e1/1 35@e6/1 32@e2/1 33@e4/1 "
            "24@a2/0 13@b1/2 16@b2/0 25@c5/3 28@d1/1 26@d4/2 14@b2/1"
        ),
    ),
]
every_solution = pytest.mark.parametrize(("bare", "solution"), SOLUTIONS, ids=range(10, 15))
BARE, TEN = SOLUTIONS[0]
FORTY = "26@a1/2 24@a6/1 33@e1/1 35@f5/0 32@e3/1 23@a4/2 25@b1/2 27@d1/2 29@d5/2 30@c3/0"  # the same without a3


def puzzle(cards: int = 11, pegs: Sequence[str] = ()) -> Match:
    return fresh("pegs-solo", cards=cards, pegs=list(pegs))


def pegged(*cells: str, cards: int = 11) -> Match:
    """A match in which these pegs have been put."""
    return play(puzzle(cards), *(f"peg {cell}" for cell in cells))


def position(match: Match) -> dict[str, Json]:
    found = match.view(0)["position"]
    assert isinstance(found, dict)
    return found


def all_but(cells: str) -> list[str]:
    return [name for name in NAMES if name not in cells.split()]


def fewest(pegs: int) -> int:
    """The least number of different cards that cover the board over these pegs; 0 if none do."""
    fitting = [place for place in range(len(PLACES)) if pegs & RECTANGLES[place] == HOLES[place]]

    def coverable(open_cells: int, places: list[int], cards: int) -> bool:
        if not open_cells or not cards:
            return not open_cells
        cells = [1 << cell for cell in range(CELLS) if open_cells >> cell & 1]
        narrowest = min(([place for place in places if RECTANGLES[place] & cell] for cell in cells), key=len)
        return any(
            coverable(
                open_cells & ~RECTANGLES[place],
                [other for other in places if PLACES[other].card != PLACES[place].card],
                cards - 1,
            )
            for place in narrowest
        )

    return next((cards for cards in range(9, 16) if coverable(FULL, fitting, cards)), 0)


# Solving


@every_solution
def test_solved_boards_are_solved_by_the_last_card(bare: str, solution: str) -> None:
    *before, last = solution.split()
    match = pegged(*all_but(bare), cards=len(before) + 1)
    play(match, *before)
    assert not match.over
    assert match.scores == (0,)
    play(match, last)
    assert match.over
    assert match.solved
    assert (match.scores, match.winners, match.to_act, match.moves(0)) == ((1,), (0,), (), [])
    with pytest.raises(IllegalMove) as refusal:
        match.play(0, "lift a1")
    assert refusal.value.code == "over"
    assert ludotheque.load(match.save()) == match


def test_ten_cards_solve_the_given_layout() -> None:
    match = puzzle(10, all_but(BARE))
    assert position(match)["left"] == {"pegs": 0, "cards": 10}
    play(match, *TEN.split())
    assert match.solved


def test_pegs_and_cards_may_come_in_any_order() -> None:
    """Each card as soon as its pegs are there."""
    match, pegs = puzzle(10), set(all_but(BARE))
    for text in reversed(TEN.split()):
        place = [str(place) for place in PLACES].index(text)
        under = [name for name in NAMES if RECTANGLES[place] >> NUMBERS[name] & 1]
        play(match, *(f"peg {cell}" for cell in under if cell in pegs))
        pegs -= set(under)
        assert not match.over
        play(match, text)
    assert match.solved


def test_a_covered_board_without_all_the_pegs_is_not_solved() -> None:
    match = pegged(*all_but(f"{BARE} a3"))
    play(match, *FORTY.split())
    assert position(match)["covered"] == list(NAMES)
    assert position(match)["left"] == {"pegs": 1, "cards": 1}
    assert not match.over


# Pegs


def test_a_peg_needs_a_cell_without_peg_or_card() -> None:
    match = pegged("c4", "c5", "d5")
    assert refused(match, "peg c4") == "occupied"
    play(match, "17@b4/1")
    assert refused(match, "peg c4") == "under-card"
    assert refused(match, "peg b4") == "under-card"
    play(match, "peg b3")


def test_there_are_41_pegs() -> None:
    match = pegged(*all_but(BARE))
    assert refused(match, f"peg {BARE.split()[0]}") == "no-pegs-left"
    play(match, "lift a1", f"peg {BARE.split()[0]}")


# Cards


def test_cards_lie_with_the_blue_face_up_and_match_exactly() -> None:
    match = pegged("c4", "c5", "d5")
    assert refused(match, "17@b3/1") == "hole-without-peg"
    assert refused(match, "4@c3/0") == "peg-under-solid"
    play(match, "17@b4/1")
    assert position(match)["covered"] == ["b4", "b5", "c4", "c5", "d4", "d5"]
    assert refused(pegged("c4", "c5", "d4"), "17@b4/1") == "hole-without-peg"  # White's way to lay it


def test_a_card_must_lie_on_the_board() -> None:
    assert refused(pegged("g7"), "1@g7/0") == "not-a-move"


def test_each_card_lies_only_once() -> None:
    match = pegged("a3", "d3")
    play(match, "1@a1/0")
    assert refused(match, "1@d1/0") == "card-used"
    play(match, "lift a1", "1@d1/0")


def test_no_more_cards_than_allowed() -> None:
    match = pegged("a3", "e3", cards=1)
    play(match, "1@a1/0")
    assert refused(match, "2@d1/0") == "too-many-cards"
    play(match, "lift b2", "2@d1/0")
    assert refused(puzzle(1), "2@d1/0") == "hole-without-peg"


def test_cards_may_cover_cards() -> None:
    match = pegged("a3")
    play(match, "1@a1/0", "3@a2/0", "lift b3")
    assert position(match)["laid"] == ["1@a1/0"]


# Lifting


def test_lift_takes_the_topmost_card_over_the_cell_even_under_another() -> None:
    match = pegged("a3", "c3")
    play(match, "1@a1/0", "2@b1/0")  # a1 lies under card 1 alone, b1 under both
    play(match, "lift a1")
    assert position(match)["laid"] == ["2@b1/0"]
    play(match, "1@a1/0", "lift b1")
    assert position(match)["laid"] == ["2@b1/0"]


def test_lift_takes_a_peg_only_where_no_card_lies() -> None:
    match = pegged("a3")
    play(match, "1@a1/0", "lift a3")
    assert position(match)["laid"] == []
    assert position(match)["pegs"] == ["a3"]
    play(match, "lift a3")
    assert position(match)["pegs"] == []
    assert refused(match, "lift a3") == "nothing-to-lift"


def test_given_pegs_stay() -> None:
    match = puzzle(pegs=("d4", "a3"))
    assert position(match)["given"] == position(match)["pegs"] == ["a3", "d4"]
    assert refused(match, "lift a3") == "given-stays"
    assert refused(match, "peg a3") == "occupied"
    play(match, "1@a1/0", "lift a3")  # the card, not the peg
    assert position(match)["pegs"] == ["a3", "d4"]
    play(match, "peg b1", "lift b1")


# Options and what people see


def test_options() -> None:
    assert {option.name: option.default for option in ludotheque.game("pegs-solo").options} == {
        "cards": 11,
        "pegs": (),
    }
    for wrong in ({"cards": 0}, {"cards": 36}, {"pegs": ["h1"]}, {"pegs": ["a1", "a1"]}, {"pegs": list(NAMES[:42])}):
        with pytest.raises(BadOption):
            ludotheque.game("pegs-solo").match(**wrong)


def test_the_position_in_words() -> None:
    match = puzzle(pegs=("c4",))
    play(match, "peg c5", "peg d5", "17@b4/1", "peg g7")
    assert position(match) == {
        "pegs": ["c4", "c5", "d5", "g7"],
        "given": ["c4"],
        "laid": ["17@b4/1"],
        "covered": ["b4", "b5", "c4", "c5", "d4", "d5"],
        "left": {"pegs": 37, "cards": 10},
    }


def test_the_picture_tells_the_position() -> None:
    match = puzzle(pegs=("c4", "a1"))
    play(match, "peg c5", "peg d5", "17@b4/1", "peg g7")
    assert isinstance(match.state, State)
    lines = Text.from_markup(picture(match.state)).plain.splitlines()
    assert lines[1] == "7  │ ·   ·   ·   ·   ·   ·   ● │"
    assert lines[4:9] == [
        "   │   ┌───────────┐           │",
        "5  │ · │ 17  ●   ● │ ·   ·   · │",
        "   │   │           │           │",
        "4  │ · │ 17  ●   17│ ·   ·   · │",
        "   │   └───────────┘           │",
    ]
    assert lines[13] == "1  │ ◉   ·   ·   ·   ·   ·   · │"
    assert [line.split() for line in lines[17:]] == [["●", "36", "▤", "10"], [], ["17@b4/1"]]


# The facts


@every_solution
def test_fewest_cards(bare: str, solution: str) -> None:
    assert fewest(union(NUMBERS[cell] for cell in all_but(bare))) == len(solution.split())


def test_most_layouts_cannot_be_covered() -> None:
    assert fewest(FULL & ~union(range(8))) == 0


def test_a_board_full_of_pegs_cannot_be_covered() -> None:
    assert fewest(FULL) == 0


@pytest.mark.slow
@pytest.mark.parametrize("bare", range(1, 8))
def test_no_board_with_more_than_41_pegs_can_be_covered(bare: int) -> None:
    assert not census(bare)


@pytest.mark.slow
def test_every_layout_of_41_pegs() -> None:
    layouts = census(8)
    assert layouts == {10: 12_680, 11: 94_516, 12: 50_832, 13: 4_352, 14: 272}
    assert sum(layouts.values()) == 162_652


@pytest.mark.slow
def test_without_quarter_turns_twelve_cards_are_needed() -> None:
    assert min(census(8, quarter_turns=False)) == 12


class Board(NamedTuple):
    """What the census looks up: rectangles are numbered, sets of them are bits."""

    rectangles: Table
    cells: Table  # of each rectangle
    cards: Table  # that fit a rectangle, by which of its cells have pegs; 0 for none
    over: Table  # the rectangles over each cell
    images: Table  # where each cell goes under the symmetries; mirrored cards are again all the cards
    same: Table  # the rectangles that need the same card as this one, of the layout looked at


def census(bare: int, *, quarter_turns: bool = True) -> dict[int, int]:
    """How many layouts with so many cells without a peg can be covered, by the fewest cards needed."""
    found = machine(GAME).build(_census)(bare, _board(quarter_turns))
    return {number: int(layouts) for number, layouts in enumerate(found) if layouts}


def _board(quarter_turns: bool) -> Board:
    allowed = [number for number, place in enumerate(PLACES) if quarter_turns or place.turn % 2 == 0]
    rectangles = sorted({RECTANGLES[number] for number in allowed})
    cells = [[cell for cell in range(CELLS) if rectangle >> cell & 1] for rectangle in rectangles]
    cards = np.zeros((len(rectangles), 64), np.int64)
    for number in allowed:
        row = rectangles.index(RECTANGLES[number])
        cards[row, _key(HOLES[number], np.array(cells[row]))] = PLACES[number].card
    over = [union(row for row, mask in enumerate(rectangles) if mask >> cell & 1) for cell in range(CELLS)]
    ways = product((False, True), (False, True), (False, True) if quarter_turns else (False,))
    images = [[_image(cell, *way) for cell in range(CELLS)] for way in ways]
    same = np.zeros(len(rectangles), np.int64)
    return Board(np.array(rectangles), np.array(cells), cards, np.array(over), np.array(images), same)


def _image(cell: int, left: bool, down: bool, across: bool) -> int:
    file, rank = divmod(cell, SIDE)
    x, y = (SIDE - 1 - file if left else file), (SIDE - 1 - rank if down else rank)
    return at(y, x) if across else at(x, y)


def _census(bare: int, board: Board) -> Table:
    found = np.zeros(36, np.int64)
    layout = (1 << bare) - 1
    while layout <= FULL:
        alike = _alike(layout, board)
        if alike:
            fitting = _fit(FULL & ~layout, board)
            if _coverable(FULL, fitting, 35, board):
                cards = 9
                while not _coverable(FULL, fitting, cards, board):
                    cards += 1
                found[cards] += alike
        step = layout & -layout  # on to the next larger number with as many bits
        ripple = layout + step
        layout = ((ripple ^ layout) >> 2) // step | ripple
    return found


def _alike(layout: int, board: Board) -> int:
    """How many layouts are images of this one, itself included; 0 if one of them is smaller."""
    itself = 0
    for way in range(len(board.images)):
        image, rest = 0, layout
        while rest:
            image |= 1 << board.images[way, lowest(rest)]
            rest &= rest - 1
        if image < layout:
            return 0
        itself += image == layout
    return len(board.images) // itself


def _fit(pegs: int, board: Board) -> int:
    """The rectangles that some card fits, and `same` filled in."""
    by_card, fitting = np.zeros(36, np.int64), 0
    for row in range(len(board.cells)):
        by_card[board.cards[row, _key(pegs, board.cells[row])]] |= 1 << row
    for row in range(len(board.cells)):
        card = board.cards[row, _key(pegs, board.cells[row])]
        board.same[row] = by_card[card]
        fitting |= (card > 0) << row
    return fitting


def _key(pegs: int, cells: Table) -> int:
    key = 0
    for bit in range(6):
        key |= (pegs >> cells[bit] & 1) << bit
    return key


def _coverable(bare: int, fitting: int, cards: int, board: Board) -> bool:
    """Whether so many cards of those that fit, all different, can cover these cells."""
    if bare == 0:
        return True
    if 6 * cards < count(bare):
        return False
    choice, rest = fitting, bare
    while rest:
        found = board.over[lowest(rest)] & fitting
        choice = found if count(found) < count(choice) else choice
        rest &= rest - 1
    while choice:
        row = lowest(choice)
        if _coverable(bare & ~board.rectangles[row], fitting & ~board.same[row], cards - 1, board):
            return True
        fitting &= ~(1 << row)
        choice &= choice - 1
    return False
