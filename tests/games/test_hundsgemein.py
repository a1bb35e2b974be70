"""Hundsgemein, by its rules page."""

import json
from collections import Counter
from itertools import chain, pairwise
from random import Random
from typing import cast

import pytest
from rich.text import Text

import ludotheque
from ludotheque import BadOption, IllegalMove, Match, UndoRefused, words
from ludotheque.board.square import NAMES, NUMBERS
from ludotheque.game import LUCK, NOBODY, Json, moves
from ludotheque.games.hundsgemein import GAME
from ludotheque.games.hundsgemein.state import (
    DOG,
    EACH,
    FLIP,
    KENNEL,
    KINDS,
    OPEN,
    OVER,
    PILE,
    PLAY,
    STOCK,
    STREETS,
    State,
    open_fleas,
    pile,
)
from ludotheque.match import Actor
from ludotheque.pictures.hundsgemein.terminal import text as picture

DEALT = ["Rex", "Fifi", "Daisy", "Zorro"] * 3  # h1 Rex, h2 Fifi, …, v6 Zorro
BLOCKS = [cell for cell in NAMES if cell != "d4"]
# Eight fleas leave no room for a ninth of their type; without f6 there is room on f6, f7, g6 and g7.
LATTICE = ["b2", "b4", "b6", "d2", "d6", "f2", "f4", "f6"]


def fresh(opening: str = "AB AB", *, expert: bool = False, referee: str = "strict", owners: str = "hidden") -> Match:
    """A match by hand after its set-up; one word for the first two fleas of each seat."""
    seats = len(opening.split())
    match = ludotheque.game("hundsgemein").match(seats, luck=None, expert=expert, referee=referee, owners=owners)
    for dog in DEALT:
        match.play("luck", f"dog {dog}")
    for kind in opening.replace(" ", ""):
        match.play("luck", f"flip {kind}")
    return match


def played(match: Match, script: str) -> Match:
    """The match after moves like `0 A@c3; flip B; 1 drop A`."""
    for line in script.split(";"):
        word, text = line.strip().split(maxsplit=1)
        if word in ("flip", "dog"):
            match.play("luck", line.strip())
        else:
            match.play(int(word), text)
    return match


def position(match: Match, seat: int | None = None) -> dict[str, Json]:
    return cast("dict[str, Json]", match.view(seat)["position"])


def state_of(
    board: str,
    *,
    hands: str = "",
    stocks: str = "",
    seats: int = 2,
    turn: int = 0,
    over: bool = False,
    **options: object,
) -> State:
    """A state from fleas like `A0@c3` (type, owner, cell); hands and stocks a word a seat, `-` for none."""
    state: State = GAME.start(seats, **GAME.choices(options))
    fleas, owners = [0] * 4, [0] * 4
    for flea in board.split():
        bit = 1 << NUMBERS[flea[3:]]
        fleas[KINDS.index(flea[0])] |= bit
        owners[int(flea[1])] |= bit
    dogs = sum(("Rex", "Fifi", "Daisy", "Zorro").index(dog) + 1 << DOG * number for number, dog in enumerate(DEALT))
    return state._replace(
        fleas=cast("tuple[int, int, int, int]", tuple(fleas)),
        owners=cast("tuple[int, int, int, int]", tuple(owners)),
        open=sum(1 << OPEN * seat + 2 * KINDS.index(kind) for seat, kind in _fleas(hands)),
        stock=sum(1 << STOCK * seat + 3 * KINDS.index(kind) for seat, kind in _fleas(stocks)),
        piles=sum(1 << PILE * seat for seat, _ in _fleas(stocks)),
        dogs=dogs,
        phase=OVER if over else PLAY,
        turn=turn,
        due=0,
    )


def _fleas(rows: str) -> list[tuple[int, str]]:
    return [(seat, kind) for seat, row in enumerate(rows.split()) for kind in row if kind != "-"]


def after(state: State, script: str) -> State:
    for line in script.split(";"):
        word, text = line.strip().split(maxsplit=1)
        actor, text = (LUCK, line.strip()) if word == "flip" else (int(word), text)
        move = GAME.texts.index(text)
        assert move in moves(GAME, state, actor), line
        state = GAME.play(state, actor, move)
    return state


def acting(state: State) -> list[int]:
    return [actor for actor in range(LUCK + 1) if GAME.to_act(state) >> actor & 1]


def texts(state: State, actor: int) -> list[str]:
    return [GAME.texts[move] for move in moves(GAME, state, actor)]


def takers(state: State) -> dict[str, int | None]:
    return cast("dict[str, int | None]", GAME.describe(state)["takers"])


def refused(match: Match, actor: Actor, text: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        match.play(actor, text)
    return caught.value.code


def line_of(row: str, cells: list[str], kind: str = "A") -> str:
    """Fleas of the seats in the row, `.` for none, as `state_of` takes them."""
    return " ".join(f"{kind}{seat}@{cell}" for seat, cell in zip(row, cells, strict=True) if seat != ".")


def rank(number: int) -> list[str]:
    return [f"{file}{number}" for file in "abcdefg"]


def file(letter: str) -> list[str]:
    return [f"{letter}{number}" for number in range(1, 8)]


def worth(streets: str) -> int:
    """The points of the dogs in these streets."""
    return sum(
        {"Rex": 5, "Fifi": 4, "Daisy": 3, "Zorro": 2}[DEALT[STREETS.index(street)]] for street in streets.split()
    )


def random_match(seed: int, seats: int, referee: str = "strict") -> Match:
    return ludotheque.game("hundsgemein").match(seats, seed, referee=referee)


def to_act(match: Match) -> tuple[Actor, ...]:
    return match.to_act


# Material and set-up


def test_a_game_for_two_to_four_with_three_options() -> None:
    assert ludotheque.game("hundsgemein").seats == (2, 3, 4)
    assert ludotheque.game("hundsgemein").match().options == {
        "expert": False,
        "referee": "strict",
        "owners": "hidden",
    }
    with pytest.raises(BadOption):
        ludotheque.game("hundsgemein").match(5)
    with pytest.raises(BadOption):
        ludotheque.game("hundsgemein").match(referee="lenient")


def test_every_move_has_its_text() -> None:
    assert {f"{kind}@{cell}" for kind in "ABCD" for cell in NAMES} <= set(GAME.texts)
    drops = [text for text in GAME.texts if text.startswith("drop")]
    assert drops == [
        *("drop A", "drop B", "drop C", "drop D"),
        *("drop A A", "drop A B", "drop A C", "drop A D", "drop B B"),
        *("drop B C", "drop B D", "drop C C", "drop C D", "drop D D"),
    ]
    rest = {"object", "accept", *(f"flip {kind}" for kind in "ABCD")}
    assert len(GAME.texts) == 4 * 49 + 14 + len(rest) + 4


def test_a_first_flea_may_go_to_48_blocks() -> None:
    match = fresh()
    assert to_act(match) == (0,)
    drops = ["drop A", "drop B", "drop A B"]
    assert match.moves(0) == [f"A@{cell}" for cell in BLOCKS] + [f"B@{cell}" for cell in BLOCKS] + drops
    assert len(BLOCKS) == 48


def test_streets_border_fourteen_blocks_and_thirteen_at_the_centre() -> None:
    bordered: Counter[str] = Counter()
    for cell in BLOCKS:
        taken = takers(state_of(f"A0@{cell}", over=True))
        bordered.update(street for street, seat in taken.items() if seat == 0)
    middle = ("h3", "h4", "v3", "v4")
    assert bordered == {street: 13 if street in middle else 14 for street in STREETS}


@pytest.mark.parametrize(
    ("cell", "streets"),
    [
        ("a1", "h1 v1"),
        ("g7", "h6 v6"),
        ("a2", "h1 h2 v1"),
        ("c1", "h1 v2 v3"),
        ("c3", "h2 h3 v2 v3"),
        ("f5", "h4 h5 v5 v6"),
        ("d4", "h3 h4 v3 v4"),
    ],
)
def test_a_block_lies_on_these_streets(cell: str, streets: str) -> None:
    taken = takers(state_of(f"A1@{cell}", over=True, referee="table"))
    assert {street for street, seat in taken.items() if seat == 1} == set(streets.split())
    assert {seat for street, seat in taken.items() if street not in streets.split()} == {None}


def test_luck_deals_one_dog_a_street_across_first_three_of_each() -> None:
    match = ludotheque.game("hundsgemein").match(2, luck=None)
    for number, dog in enumerate(DEALT):
        assert to_act(match) == ("luck",)
        assert position(match)["dogs"] == dict(zip(STREETS, DEALT[:number] + [None] * 12, strict=False))
        match.play("luck", f"dog {dog}")
    assert STREETS == ("h1", "h2", "h3", "h4", "h5", "h6", "v1", "v2", "v3", "v4", "v5", "v6")
    assert match.moves("luck") == ["flip A", "flip B", "flip C", "flip D"]


def test_a_dog_is_as_likely_as_there_are_of_it() -> None:
    match = ludotheque.game("hundsgemein").match(2, luck=None)
    for dog in ("Rex", "Rex", "Zorro", "Rex"):
        assert f"dog {dog}" in match.moves("luck")
        match.play("luck", f"dog {dog}")
    assert match.moves("luck") == ["dog Fifi", "dog Daisy", "dog Zorro"]
    found = moves(GAME, cast("State", match.state), LUCK)
    assert [GAME.weight(cast("State", match.state), move) for move in found] == [3, 3, 2]
    assert refused(match, "luck", "dog Rex") == "none-left"
    assert refused(match, "luck", "flip A") == "not-now"


@pytest.mark.parametrize(("seats", "each"), [(2, 6), (3, 4), (4, 3)])
def test_fleas_are_48_in_all_and_two_of_each_seat_lie_open(seats: int, each: int) -> None:
    match = ludotheque.game("hundsgemein").match(seats, luck=None, owners="open")
    assert position(match)["stocks"] == [dict.fromkeys("ABCD", each)] * seats
    assert seats * 4 * each == 48
    for dog in DEALT:
        match.play("luck", f"dog {dog}")
    for seat in range(seats):
        for number in range(2):
            assert position(match)["turn"] == seat
            assert cast("list[list[str]]", position(match)["open"])[seat] == ["C"] * number
            match.play("luck", "flip C")
    assert position(match)["open"] == [["C", "C"]] * seats
    assert position(match)["piles"] == [4 * each - 2] * seats
    assert to_act(match) == (0,)


def test_a_flip_is_as_likely_as_there_are_of_its_type_in_that_stock() -> None:
    state = state_of("A0@a1", hands="AB AB", stocks="AAC BD", turn=0)
    flipping = after(state, "0 B@d1")
    assert acting(flipping) == [LUCK]
    assert {text: GAME.weight(flipping, GAME.texts.index(text)) for text in texts(flipping, LUCK)} == {
        "flip A": 2,
        "flip C": 1,
    }
    assert GAME.refusal(flipping, LUCK, GAME.texts.index("flip D")) == "none-left"
    assert GAME.refusal(flipping, LUCK, GAME.texts.index("dog Rex")) == "not-now"


# Turns


def test_no_flea_beside_one_of_its_type_whoever_owns_it_diagonals_included() -> None:
    match = played(fresh("AB AC"), "0 A@b2; flip A")
    near = ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"]
    for cell in near:
        assert refused(match, 1, f"A@{cell}") == "touches-type"
    assert refused(match, 1, "A@b2") == refused(match, 1, "C@b2") == "occupied"
    offered = match.moves(1)
    assert [text[2:] for text in offered if text[0] == "A"] == [cell for cell in BLOCKS if cell not in (*near, "b2")]
    assert [text[2:] for text in offered if text[0] == "C"] == [cell for cell in BLOCKS if cell != "b2"]
    played(match, "1 C@b3; flip C")
    assert refused(match, 0, "A@a1") == "touches-type"  # beside one's own, too


def test_what_may_not_be_played_is_refused_with_a_reason() -> None:
    match = fresh()
    assert refused(match, 0, "A@d4") == "centre"
    assert refused(match, 0, "C@a1") == "not-open"
    assert refused(match, 0, "drop C") == refused(match, 0, "drop A A") == refused(match, 0, "drop B C") == "not-open"
    assert refused(match, 0, "object") == refused(match, 0, "accept") == "strict-referee"
    assert refused(match, 0, "flip A") == refused(match, 0, "dog Rex") == "not-now"
    assert refused(match, 1, "A@a1") == "not-your-turn"
    assert refused(match, 0, "drop B A") == "not-a-move"
    match.play(0, "A@a1")
    assert refused(match, 0, "B@g7") == refused(match, 1, "A@g7") == "not-your-turn"  # luck first
    played(match, "flip A; 1 drop A")
    assert position(match)["fleas"] == {"A": ["a1"], "B": [], "C": [], "D": []}


def test_with_two_of_a_type_one_or_both_may_be_thrown_away() -> None:
    match = fresh("BB AC")
    assert [text for text in match.moves(0) if text.startswith("drop")] == ["drop B", "drop B B"]
    played(match, "0 drop B")
    assert position(match)["open"] == [["B"], ["A", "C"]]
    played(match, "flip D")
    assert position(match)["open"] == [["B", "D"], ["A", "C"]]
    assert to_act(match) == (1,)
    assert [text for text in match.moves(1) if text.startswith("drop")] == ["drop A", "drop C", "drop A C"]


def test_luck_turns_up_as_many_as_were_used() -> None:
    match = played(fresh("AB CD"), "0 A@a1")
    assert to_act(match) == ("luck",)
    played(match, "flip D; 1 drop C D")
    assert position(match)["open"] == [["B", "D"], []]
    played(match, "flip A")
    assert to_act(match) == ("luck",)
    played(match, "flip A")
    assert position(match)["open"] == [["B", "D"], ["A", "A"]]
    assert position(match)["piles"] == [21, 20]
    assert to_act(match) == (0,)


def test_fewer_come_up_if_the_stock_runs_out() -> None:
    state = state_of("", hands="AB CD", stocks="A -")
    once = after(state, "0 drop A B; flip A")
    assert open_fleas(once, 0) == "A"
    assert acting(once) == [1]
    assert acting(after(once, "1 C@a1")) == [0]  # nothing left to flip


def test_seats_without_fleas_are_skipped() -> None:
    state = state_of("", hands="AB - CD -", stocks="- - - -", seats=4)
    assert acting(after(state, "0 A@a1")) == [2]
    assert acting(after(state, "0 A@a1; 2 C@b1")) == [0]
    alone = after(state, "0 A@a1; 2 drop C D")
    assert acting(alone) == [0]
    assert acting(after(state_of("", hands="- AB -", stocks="- - -", seats=3, turn=1), "1 A@a1")) == [1]


def test_a_seat_that_cannot_place_must_throw_away() -> None:
    board = " ".join(f"A0@{cell}" for cell in LATTICE)
    state = state_of(board, hands="A B", stocks="- -")
    assert texts(state, 0) == ["drop A"]


# The end


def test_it_ends_when_no_flea_left_could_be_placed() -> None:
    board = " ".join(f"A0@{cell}" for cell in LATTICE[:-1])
    state = state_of(board, hands="A A", stocks="- -", owners="open")
    assert acting(after(state, "0 A@f7")) == []  # f7 closes f6, g6 and g7
    assert acting(after(state_of(board, hands="AA AB", stocks="A -"), "0 A@f7; flip A")) == [1]
    last = after(state_of(board, hands="A B", stocks="A -"), "0 A@f7; flip A; 1 B@a1")
    assert acting(last) == []


def test_fleas_in_stock_count_for_the_end() -> None:
    board = " ".join(f"A0@{cell}" for cell in LATTICE)
    going = state_of(board, hands="AA AA", stocks="A B")
    assert acting(after(going, "0 drop A; flip A")) == [1]
    assert acting(after(state_of(board, hands="AA AA", stocks="AB -"), "0 drop A; flip A")) == [1]


@pytest.mark.parametrize(("room", "taken", "far"), [("b1", "a1 a2 b2", "a7"), ("a7", "a6 b6 b7", "b1")])
def test_fleas_at_one_edge_close_nothing_at_the_other(room: str, taken: str, far: str) -> None:
    lattice = [cell for cell in LATTICE if cell not in taken.split()]
    board = " ".join([*(f"A0@{cell}" for cell in lattice), *(f"B0@{cell}" for cell in taken.split()), f"A0@{far}"])
    state = after(state_of(board, hands="AC A", stocks="- -"), "0 drop C")
    assert [text for text in texts(state, 1) if "@" in text] == [f"A@{room}"]
    assert acting(after(state, "1 drop A")) == [0]
    assert acting(after(state, f"1 A@{room}")) == []


def test_the_end_comes_after_the_flip() -> None:
    board = " ".join(f"A0@{cell}" for cell in LATTICE[:-1])
    placed = after(state_of(board, hands="A A", stocks="A -"), "0 A@g7")
    assert acting(placed) == [LUCK]
    assert acting(after(placed, "flip A")) == []


def test_a_throw_can_end_it() -> None:
    board = " ".join(f"A0@{cell}" for cell in LATTICE)
    for referee in ("strict", "table"):
        state = state_of(board, hands="A B", stocks="- -", turn=1, referee=referee)
        assert acting(after(state, "1 drop B")) == []
    assert acting(after(state_of("", hands="A -", stocks="- -"), "0 drop A")) == []


def test_a_full_game_by_hand_ends_with_all_open() -> None:
    match = fresh("AB AB")
    while not match.over:
        actor = match.to_act[0]
        match.play(actor, match.moves(actor)[-1])  # everyone throws everything away
    assert position(match)["piles"] == [0, 0]
    assert match.scores == (0, 0)
    assert match.winners == (0, 1)
    assert refused(match, 0, "drop A") == "over"


# The score


def test_the_dogs_are_worth_5_4_3_and_2() -> None:
    assert [GAME.scores(state_of(f"A1@{cell}", over=True)) for cell in ("a1", "g7")] == [
        (0, 5 + 3, 0, 0),  # h1 Rex, v1 Daisy
        (0, 4 + 2, 0, 0),  # h6 Fifi, v6 Zorro
    ]
    everything = line_of("1111111", rank(2)) + " " + line_of("1111111", rank(4)) + " " + line_of("1111111", rank(6))
    assert GAME.scores(state_of(everything, over=True)) == (0, 3 * (5 + 4 + 3 + 2), 0, 0)


def test_most_fleas_along_both_sides_take_the_dog_and_a_tie_frees_it() -> None:
    board = "A0@a1 A0@c2 A1@e1"
    assert takers(state_of(board, over=True))["h1"] == 0
    assert takers(state_of(board + " A1@g2", over=True))["h1"] is None
    assert takers(state_of(board + " A1@g2 A2@b1", over=True, seats=3))["h1"] is None
    assert takers(state_of(board + " A1@g2 A1@b1", over=True))["h1"] == 1
    assert takers(state_of("", over=True)) == dict.fromkeys(STREETS)


# The sheet's examples, seats 0 Red, 1 Green, 2 Yellow, 3 Blue; its figures are lost, these fit its numbers.
SHEET_RANKS = " ".join(
    line_of(row.translate(str.maketrans("RGYB", "0123")), rank(number))
    for number, row in ((7, "RGBBRGY"), (6, "YYYYBBR"), (5, "BRGBRGB"))
)
SHEET_FILES = " ".join(
    line_of(row.translate(str.maketrans("RGYB", "0123")), file(letter))
    for letter, row in (("a", "RRGBYBY"), ("b", "GGGRBRY"))
)


def test_the_examples_of_the_sheet() -> None:
    across = takers(state_of(SHEET_RANKS, seats=4, over=True))
    assert across["h6"] == 2  # Yellow 5, Blue 4, Red 3, Green 2
    assert across["h5"] == 3  # Blue 5, Yellow 4, Red 3, Green 2
    assert takers(state_of(SHEET_FILES, seats=4, over=True))["v1"] is None  # Red and Green 4 each


def test_the_expert_examples_of_the_sheet() -> None:
    across = takers(state_of(SHEET_RANKS, seats=4, over=True, expert=True))
    assert across["h6"] == 2  # Yellow 4 + 1, Blue 2 + 2, Red 1 + 1, Green 1 + 0
    assert across["h5"] == 2  # Yellow 4 + 0, Blue 2 + 1, Red 1 + 1, Green 1 + 0
    assert takers(state_of(SHEET_FILES, seats=4, over=True, expert=True))["v1"] == 1  # Green 3 + 1, Red 2 + 1


def test_an_experts_tie_goes_to_more_fleas_along_the_street_among_those_tied() -> None:
    # Rows of 2 for both seats; seat 1 has a third flea apart, seat 2 five fleas but no row.
    tied = line_of("00.11.1", rank(1)) + " " + line_of("2.2.2.2", rank(2))
    assert takers(state_of(tied, seats=3, over=True, expert=True))["h1"] == 1
    even = line_of("00.11..", rank(1)) + " " + line_of("2.2.2.2", rank(2))
    assert takers(state_of(even, seats=3, over=True, expert=True))["h1"] is None
    assert takers(state_of(even, seats=3, over=True))["h1"] == 2
    assert takers(state_of("", over=True, expert=True)) == dict.fromkeys(STREETS)


def test_an_empty_centre_breaks_a_row_and_a_flea_on_it_does_not() -> None:
    board = line_of(".00.00.", rank(4)) + " " + line_of("111....", rank(3)) + " " + line_of("1111...", rank(5))
    broken = takers(state_of(board, over=True, expert=True, referee="table"))
    assert (broken["h3"], broken["h4"]) == (1, 1)
    joined = takers(state_of(board + " B0@d4", over=True, expert=True, referee="table"))
    assert (joined["h3"], joined["h4"]) == (0, 0)  # 5 + 0 against 0 + 3 and 0 + 4
    upright = line_of(".00.00.", file("d")) + " " + line_of("1111...", file("e"))
    assert takers(state_of(upright, over=True, expert=True))["v4"] == 1
    assert takers(state_of(upright + " B0@d4", over=True, expert=True))["v4"] == 0


def test_rows_do_not_run_round_the_edge_of_the_board() -> None:
    # a7 and b1 follow each other in the order of the cells, but not on the board.
    board = line_of("......0", file("a")) + " " + line_of("0......", file("b")) + " " + line_of("11.....", file("c"))
    state = state_of(board, over=True, expert=True)
    assert takers(state)["v1"] == 0  # 1 + 1 against nothing
    assert takers(state)["v2"] == 1  # 2 against 1
    assert takers(state_of("A0@a7 A0@b1 A1@a3 A1@a4 A1@b4", over=True, expert=True))["v1"] == 1  # 3 against 2


def test_equal_points_go_to_more_dogs_and_then_are_shared() -> None:
    # a1 lies on h1 and v1, g6 on h5, h6 and v6, g7 on h6 and v6.
    uneven = settled("A0@a1 A1@g7", {"h1": "Rex", "v1": "Zorro", "h6": "Daisy", "v6": "Zorro"})
    assert GAME.scores(uneven) == (7, 5, 0, 0)
    assert GAME.winners(uneven) == 0b01
    dogs = settled("A0@a1 A1@g6", {"h1": "Rex", "v1": "Zorro", "h5": "Zorro", "h6": "Daisy", "v6": "Zorro"})
    assert GAME.scores(dogs) == (7, 7, 0, 0)
    assert GAME.winners(dogs) == 0b10  # three dogs against two
    shared = settled("A0@a1 A1@g7", {"h1": "Rex", "v1": "Zorro", "h6": "Zorro", "v6": "Rex"}, seats=3)
    assert GAME.scores(shared) == (7, 7, 0, 0)
    assert GAME.winners(shared) == 0b011


def settled(board: str, dogs: dict[str, str], seats: int = 2) -> State:
    """A game that is over, with no other dogs than these."""
    names = ("Rex", "Fifi", "Daisy", "Zorro")
    packed = sum(names.index(dog) + 1 << DOG * STREETS.index(street) for street, dog in dogs.items())
    return state_of(board, seats=seats, over=True)._replace(dogs=packed)


def test_a_win_shared_by_all_is_not_a_draw() -> None:
    match = fresh("AB AB AB")
    while not match.over:
        actor = match.to_act[0]
        match.play(actor, match.moves(actor)[-1])
    assert match.winners == (0, 1, 2)
    assert not match.draw


# The referee at the table


def at_table(opening: str = "AB AB", *, owners: str = "hidden") -> Match:
    return fresh(opening, referee="table", owners=owners)


def test_any_empty_cell_may_be_taken_even_the_centre_even_beside_its_type() -> None:
    match = at_table()
    assert "A@d4" in match.moves(0)
    played(match, "0 A@b2; flip A")
    assert {text for text in match.moves(1) if "@" in text} == {
        f"{kind}@{cell}" for kind in "AB" for cell in NAMES if cell != "b2"
    }
    assert refused(match, 1, "A@b2") == "occupied"
    assert refused(match, 1, "C@a1") == "not-open"


def test_luck_turns_up_the_new_flea_before_anyone_may_object() -> None:
    match = played(at_table(), "0 A@d4")
    assert to_act(match) == ("luck",)
    assert refused(match, 1, "object") == "not-your-turn"
    played(match, "flip C")
    assert position(match)["open"] == [["B", "C"], ["A", "B"]]
    assert "object" in match.moves(1)


def test_every_seat_but_the_placer_may_object_until_the_next_has_played() -> None:
    match = played(at_table("AB AB AB AB"), "0 A@a1; flip A")
    assert to_act(match) == (1, 2, 3)
    assert match.moves(2) == match.moves(3) == ["object"]
    assert match.moves(1)[-1] == "object"
    assert match.moves(0) == []
    played(match, "1 B@g7; flip A")
    assert to_act(match) == (0, 2, 3)  # to seat 1's flea
    assert match.moves(0) == match.moves(3) == ["object"]
    played(match, "2 drop A; flip A")
    assert to_act(match) == (3,)  # nothing to object to after a throw
    assert refused(match, 3, "object") == "no-objection"
    assert refused(match, 0, "object") == "not-your-turn"


def test_an_upheld_objection_takes_the_flea_out_of_the_game_and_closes_the_matter() -> None:
    match = played(at_table("AB AB AB"), "0 A@d4; flip C; 2 object")
    assert position(match)["fleas"] == {"A": [], "B": [], "C": [], "D": []}
    assert position(match)["last"] is None
    assert position(match)["open"] == [["B", "C"], ["A", "B"], ["A", "B"]]  # not made up for
    assert position(match)["piles"] == [13, 14, 14]
    assert to_act(match) == (1,)
    assert refused(match, 1, "object") == "no-objection"
    assert "A@d4" in match.moves(1)


def test_a_flea_beside_its_type_goes_when_objected_to() -> None:
    match = played(at_table("AB AB AB"), "0 A@b2; flip A; 1 A@c3; flip A; 0 object")
    assert position(match)["fleas"] == {"A": ["b2"], "B": [], "C": [], "D": []}
    assert to_act(match) == (2,)


def test_an_objection_to_a_legal_flea_does_nothing_and_is_used_up() -> None:
    match = played(at_table("AB AB AB"), "0 A@b2; flip A; 2 object")
    assert position(match)["fleas"] == {"A": ["b2"], "B": [], "C": [], "D": []}
    assert to_act(match) == (1,)
    assert refused(match, 2, "object") == "not-your-turn"
    played(match, "1 object")  # each seat has its own
    assert refused(match, 1, "object") == "no-objection"
    played(match, "1 A@e5; flip A")
    assert to_act(match) == (0, 2)  # and a new one for every placement


def test_objecting_is_not_playing() -> None:
    match = played(at_table("AB AB AB"), "0 A@b2; flip A; 1 object")
    assert to_act(match) == (1, 2)
    assert match.moves(1)[-1] == "drop A B"
    assert match.moves(2) == ["object"]


def test_objecting_is_possible_whether_or_not_the_placement_was_legal() -> None:
    honest, cheating = (played(at_table("AB CD CD"), f"0 A@{cell}; flip A") for cell in ("a1", "d4"))
    assert to_act(honest) == to_act(cheating) == (1, 2)
    assert honest.moves(2) == cheating.moves(2) == ["object"]
    assert honest.moves(1)[-1] == cheating.moves(1)[-1] == "object"
    for text in ("accept", "flip A", "A@b7", "drop C C"):
        assert refused(honest, 1, text) == refused(cheating, 1, text)


def test_a_flea_nobody_objects_to_stays_and_counts() -> None:
    match = played(at_table(owners="open"), "0 A@d4; flip A; 1 drop A; flip A")
    assert position(match)["fleas"] == {"A": ["d4"], "B": [], "C": [], "D": []}
    taken = cast("dict[str, int | None]", position(match)["takers"])
    assert {street for street, seat in taken.items() if seat == 0} == {"h3", "h4", "v3", "v4"}
    assert match.scores == (worth("h3 h4 v3 v4"), 0)


def test_the_next_seat_with_fleas_closes_the_matter_and_may_be_the_placer() -> None:
    state = state_of("", hands="AB - CD", stocks="- - -", seats=3, referee="table")
    placed = after(state, "0 A@d4")
    assert acting(placed) == [1, 2]
    assert texts(placed, 1) == ["object"]  # without fleas, and still awake
    assert GAME.phase(placed, 1) == "object"
    alone = after(state_of("", hands="AB - -", stocks="- - -", seats=3, referee="table"), "0 A@d4")
    assert acting(alone) == [0, 1, 2]
    assert "object" not in texts(alone, 0)
    assert GAME.refusal(alone, 0, GAME.texts.index("object")) == "no-objection"
    assert acting(after(alone, "1 object")) == [0]
    assert acting(after(alone, "0 drop B")) == []


def test_cheating_does_not_prolong_the_game() -> None:
    board = " ".join(f"A0@{cell}" for cell in LATTICE)
    state = state_of(board, hands="AB A", stocks="- -", referee="table")
    assert "A@d4" in texts(state, 0)
    assert acting(after(state, "0 drop B")) == []  # A could only be placed illegally


def test_a_placement_that_would_end_it_waits_for_the_next_clockwise_to_accept() -> None:
    board = " ".join(f"A0@{cell}" for cell in LATTICE[:-1])
    state = state_of(board, hands="- AA - AA", stocks="- - - -", seats=4, turn=1, referee="table")
    waiting = after(state, "1 A@g7")
    assert acting(waiting) == [0, 2, 3]
    assert texts(waiting, 2) == ["object", "accept"]  # next clockwise, though without fleas
    assert texts(waiting, 0) == texts(waiting, 3) == ["object"]
    assert [GAME.phase(waiting, seat) for seat in range(4)] == ["object", "wait", "accept-or-object", "object"]
    assert acting(after(waiting, "2 accept")) == []
    patient = after(waiting, "2 object; 0 object; 3 object")
    assert acting(patient) == [2]  # legal: nothing happened
    assert texts(patient, 2) == ["accept"]
    assert GAME.phase(patient, 2) == "accept"
    assert acting(after(patient, "2 accept")) == []


def test_the_last_seat_is_followed_by_the_first() -> None:
    state = state_of("", hands="- - A", stocks="- - -", seats=3, turn=2, referee="table")
    assert texts(after(state, "2 A@a1"), 0) == ["object", "accept"]


def test_while_it_waits_nobody_plays() -> None:
    board = " ".join(f"A0@{cell}" for cell in LATTICE[:-1])
    waiting = after(state_of(board, hands="A A A", stocks="- - -", seats=3, referee="table"), "0 A@g7")
    codes = {text: GAME.refusal(waiting, 1, GAME.texts.index(text)) for text in ("A@a7", "drop A", "flip A")}
    assert codes == {"A@a7": "accept-or-object", "drop A": "accept-or-object", "flip A": "not-now"}
    assert GAME.refusal(waiting, 2, GAME.texts.index("accept")) == "not-your-turn"
    assert GAME.refusal(waiting, 2, GAME.texts.index("A@a7")) == "not-your-turn"


def test_before_the_end_there_is_nothing_to_accept() -> None:
    match = at_table("AB AB AB")
    assert refused(match, 0, "accept") == "nothing-to-accept"
    played(match, "0 A@a1; flip A")
    assert refused(match, 1, "accept") == "nothing-to-accept"
    assert refused(match, 2, "accept") == "not-your-turn"
    assert refused(match, 2, "drop A") == "not-your-turn"


# With f6 free and f7, g7 taken, an A fits on f6 and g6 only; one put on f5, beside f4, closes both.
CORNERED = " ".join(f"A0@{cell}" for cell in LATTICE[:-1]) + " B0@f7 C0@g7"


def test_play_goes_on_if_an_upheld_objection_makes_room_again() -> None:
    state = state_of(CORNERED, hands="A - A A", stocks="- - - -", seats=4, referee="table")
    waiting = after(state, "0 A@f5")
    assert [texts(waiting, seat) for seat in (1, 2, 3)] == [["object", "accept"], ["object"], ["object"]]
    resumed = after(waiting, "3 object")
    assert acting(resumed) == [2]  # seat 1 has no fleas
    assert "A@f6" in texts(resumed, 2)
    assert "object" not in texts(resumed, 2)
    assert GAME.describe(resumed)["fleas"] == GAME.describe(state)["fleas"]
    with_next = after(state_of(CORNERED, hands="A A A", stocks="- - -", seats=3, referee="table"), "0 A@f5; 2 object")
    assert acting(with_next) == [1]
    with_own = after(state_of(CORNERED, hands="AA - -", stocks="- - -", seats=3, referee="table"), "0 A@f5; 1 object")
    assert acting(with_own) == [0]


def test_it_is_over_at_once_if_an_upheld_objection_makes_no_room() -> None:
    state = state_of(CORNERED, hands="A - -", stocks="- - -", seats=3, referee="table")
    waiting = after(state, "0 A@f5")  # the last flea of all
    assert acting(waiting) == [1, 2]
    over = after(waiting, "2 object")
    assert acting(over) == []
    assert GAME.describe(over)["may_object"] == GAME.describe(after(waiting, "1 accept"))["may_object"] == []
    assert GAME.describe(over)["fleas"] == GAME.describe(state)["fleas"]


def test_accepting_keeps_an_illegal_flea() -> None:
    state = state_of("", hands="A -", stocks="- -", referee="table")
    over = after(state, "0 A@d4; 1 accept")
    assert GAME.scores(over) == (worth("h3 h4 v3 v4"), 0, 0, 0)


# Secrets


def test_during_the_game_only_the_last_fleas_owner_shows() -> None:
    match = played(fresh("AB AB"), "0 A@a1; flip C; 1 B@c3; flip D")
    for seat in (None, 0, 1):
        seen = position(match, seat)
        assert seen["owners"] is seen["stocks"] is seen["takers"] is None
        assert seen["last"] == {"cell": "c3", "type": "B", "owner": 1}
        assert seen["fleas"] == {"A": ["a1"], "B": ["c3"], "C": [], "D": []}
        assert seen["open"] == [["B", "C"], ["A", "D"]]
        assert seen["piles"] == [21, 21]
        assert match.view(seat)["events"] == [[1, "B@c3"], ["luck", "flip D"]]
        assert match.view(seat)["scores"] == [0, 0]
        state = cast("State", match.seen(seat))
        assert state.owners == (0, 1 << NUMBERS["c3"], 0, 0)
        assert state.stock == 0
    played(match, "0 drop B; flip B")
    assert position(match)["last"] == {"cell": "c3", "type": "B", "owner": 1}
    assert [text for _, text in match.shown(0)] == ["B@c3", "flip D", "drop B", "flip B"]


def test_a_flea_taken_off_leaves_no_owner_to_show() -> None:
    match = played(at_table(), "0 A@a1; flip C; 1 A@b2; flip D; 0 object")
    assert position(match)["last"] is None
    assert cast("State", match.seen(0)).owners == (0, 0, 0, 0)  # and seat 0's older flea stays secret


def test_after_the_game_everything_is_open() -> None:
    match = random_match(5, 3)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.moves(seat)[0])
    view, seen = match.view(None), position(match)
    owners, fleas = cast("list[list[str]]", seen["owners"]), cast("dict[str, list[str]]", seen["fleas"])
    assert sorted(chain(*owners)) == sorted(chain(*fleas.values()))
    assert view["events"] == [list(event) for event in match.events]
    dogs, taken = cast("dict[str, str]", seen["dogs"]), cast("dict[str, int | None]", seen["takers"])
    values = {"Rex": 5, "Fifi": 4, "Daisy": 3, "Zorro": 2}
    for owner in range(3):
        assert match.scores[owner] == sum(values[dogs[street]] for street in STREETS if taken[street] == owner)
    assert match.winners
    assert cast("State", match.seen(0)) == match.state


def test_open_owners_show_everything_all_the_time() -> None:
    match = played(fresh("AB AB", owners="open"), "0 A@a1; flip C; 1 B@c3; flip D")
    seen = position(match)
    assert seen["owners"] == [["a1"], ["c3"]]
    assert seen["stocks"] == [{"A": 5, "B": 5, "C": 5, "D": 6}, {"A": 5, "B": 5, "C": 6, "D": 5}]
    assert match.view(1)["events"] == [list(event) for event in match.events]
    assert match.scores == (worth("h1 v1"), worth("h2 h3 v2 v3"))


def test_no_view_ever_lists_an_older_placement_or_an_owner() -> None:
    for seed, (seats, referee) in enumerate([(2, "strict"), (3, "table"), (4, "table")]):
        match, random = random_match(seed, seats, referee), Random(seed)
        while not match.over:
            view = match.view(random.choice((None, *range(seats))))
            listed = [text for _, text in cast("list[list[str]]", view["events"]) if "@" in text]
            placed = [text for _, text in match.events if "@" in text]
            assert listed == placed[-1:]
            assert cast("dict[str, Json]", view["position"])["owners"] is None
            assert view["scores"] == [0] * seats
            actor = random.choice(match.to_act)
            match.play(actor, random.choice(match.moves(actor)))


def twins(
    seats: int, *, expert: bool = False, referee: str = "strict", owners: str = "hidden"
) -> tuple[Match, Match]:
    """Two matches that look alike: who owns the fleas on a1 and c3 is swapped, and so is what is left in stock."""
    rest = " CD" * (seats - 2)
    others = "".join(
        f"; {seat} {'CD'[seat % 2]}@{'cf'[seat % 2]}7; flip {'CD'[seat % 2]}" for seat in range(2, seats)
    )
    last = "; 0 A@e5; flip A"
    one, other = (fresh("AB AB" + rest, expert=expert, referee=referee, owners=owners) for _ in range(2))
    return (
        played(one, "0 A@a1; flip A; 1 B@c3; flip B" + others + last),
        played(other, "0 B@c3; flip B; 1 A@a1; flip A" + others + last),
    )


def told(match: Match) -> object:
    """Everything anyone but the keeper can find out: views, moves, refusals, phases."""
    seats = (None, *range(match.seats))
    return (
        [json.dumps(match.view(seat)) for seat in seats],
        [match.seen(seat) for seat in seats],
        match.to_act,
        match.scores,
        [match.moves(seat) for seat in range(match.seats)],
        [_answers(match, seat) for seat in range(match.seats)],
        [GAME.phase(cast("State", match.state), seat) for seat in range(match.seats)],
        [picture(cast("State", match.seen(seat))) for seat in seats],
    )


def _answers(match: Match, seat: int) -> list[tuple[str, str]]:
    answers, offered = [], match.moves(seat)
    for text in (*GAME.texts, "nonsense"):
        if text not in offered:
            with pytest.raises(IllegalMove) as caught:
                match.play(seat, text)
            answers.append((caught.value.code, caught.value.reason))
    return [*answers, _undone(match, seat)]


def _undone(match: Match, seat: int) -> tuple[str, str]:
    copy = ludotheque.load(match.save())
    try:
        copy.undo(seat)
    except UndoRefused as refusal:
        return refusal.code, refusal.reason
    return "undone", json.dumps(copy.view(seat))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("referee", ["strict", "table"])
def test_who_owns_the_older_fleas_changes_nothing_for_anyone(seats: int, referee: str) -> None:
    random = Random(f"{seats}{referee}")
    for expert in (False, True):
        one, other = twins(seats, referee=referee, expert=expert)
        assert one.state != other.state
        for step in range(60):
            if one.to_act == ("luck",):
                common = [text for text in one.moves("luck") if text in other.moves("luck")]
                if not common:
                    break
                actor: Actor = "luck"
                text = random.choice(common)
            else:
                if step % 3 == 0:
                    assert told(one) == told(other)
                assert one.to_act == other.to_act
                actor = random.choice(one.to_act)
                text = random.choice(one.moves(actor))
            one.play(actor, text)
            other.play(actor, text)
            assert one.over or one.seen(None) == other.seen(None)
        assert step > 20


def test_with_open_owners_the_twins_do_differ() -> None:
    one, other = twins(2, owners="open")
    assert one.view(0) != other.view(0)


def test_a_flea_placed_may_be_taken_back_before_luck_speaks_only() -> None:
    match = played(fresh(), "0 A@a1; flip A")
    with pytest.raises(UndoRefused) as caught:
        match.undo(0)
    assert caught.value.code == "undo-luck"
    match.undo(0, agreed=True)
    assert position(match)["last"] is None
    assert to_act(match) == (0,)


def test_the_end_reveals_and_so_cannot_be_taken_back_alone() -> None:
    match = random_match(3, 2)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.moves(seat)[0])
    mover = max(number for number, (actor, _) in enumerate(match.events) if actor != "luck")
    with pytest.raises(UndoRefused):
        match.undo(cast("int", match.events[mover][0]))


# Guessing


def some_states(seed: int, games: int = 4) -> list[State]:
    """States of games in which few throw away, so that counts get tight, and of others."""
    random, found = Random(seed), []
    for number in range(games):
        state = GAME.start(2 + number % 3, **GAME.choices({"referee": ("strict", "table")[number % 2]}))
        while GAME.to_act(state):
            found.append(state)
            actor = random.choice(acting(state))
            texts_now = texts(state, actor)
            kept = [text for text in texts_now if not text.startswith(("drop", "object"))]
            text = random.choice(kept if kept and random.random() < 0.9 else texts_now)
            state = GAME.play(state, actor, GAME.texts.index(text))
    return found


def test_guesses_lie_behind_the_view_and_are_possible() -> None:
    random = Random(7)
    for state in some_states(1):
        view = GAME.view(state, NOBODY)
        guess = GAME.guess(view, NOBODY, random)
        assert all(GAME.view(guess, seat) == view for seat in range(NOBODY, state.seats))
        for seat in range(state.seats):
            stock = [guess.stock >> STOCK * seat + 3 * kind & 7 for kind in range(4)]
            assert sum(stock) == pile(state, seat)
            for kind in range(4):
                on_board = (guess.fleas[kind] & guess.owners[seat]).bit_count()
                assert on_board + open_fleas(guess, seat).count(KINDS[kind]) + stock[kind] <= EACH[state.seats]
        owners = list(guess.owners)
        assert all(not one & other for number, one in enumerate(owners) for other in owners[:number])
        assert sum(owners) == sum(guess.fleas)


def test_guessed_games_can_be_played_to_their_end() -> None:
    random = Random(11)
    for state in random.sample(some_states(2), 40):
        guess = GAME.guess(GAME.view(state, 0), 0, random)
        while GAME.to_act(guess):
            actor = random.choice(acting(guess))
            guess = GAME.play(guess, actor, random.choice(moves(GAME, guess, actor)))
        assert guess.phase == OVER


def test_guesses_differ() -> None:
    match = played(fresh("AB AB"), "0 A@a1; flip A; 1 B@c3; flip B; 0 drop A; flip C; 1 A@e5; flip D")
    view = cast("State", match.seen(None))
    assert len({GAME.guess(view, NOBODY, Random(seed)) for seed in range(30)}) > 5
    assert GAME.guess(view, NOBODY, Random(1)) == GAME.guess(view, NOBODY, Random(1))


def test_a_guess_keeps_the_game_waiting_for_its_end() -> None:
    waiting = after(state_of(CORNERED, hands="AA A", stocks="AA -", referee="table"), "0 A@g6; flip A")
    assert GAME.phase(waiting, 1) == "accept-or-object"
    for seed in range(20):
        assert GAME.guess(GAME.view(waiting, 0), 0, Random(seed)).stock == 1  # an A: any other would have room


def test_a_guess_keeps_the_game_going() -> None:
    # No room for A, B or C: what is face down is an A or a D, and if it were an A the game would be over.
    closed = {
        "A": LATTICE,
        "B": [file + rank for file in "aceg" for rank in "246"],
        "C": [file + rank for file in "bdf" for rank in "1357"],
    }
    board = [f"{kind}{number % 2}@{cell}" for kind, cells in closed.items() for number, cell in enumerate(cells)]
    state = state_of(" ".join(board), hands="A A", stocks="- D")
    for seed in range(60):
        assert GAME.guess(GAME.view(state, 0), 0, Random(seed)).stock == state.stock


def test_nothing_is_guessed_when_nothing_is_secret() -> None:
    match = played(fresh(owners="open"), "0 A@a1; flip A")
    state = cast("State", match.state)
    assert GAME.guess(GAME.view(state, 0), 0, Random(1)) == state


# Words and pictures


def test_phases_say_what_to_do() -> None:
    match = ludotheque.game("hundsgemein").match(2, luck=None, referee="table")
    state = cast("State", match.state)
    assert GAME.phase(state, LUCK) == "dogs"
    for dog in DEALT:
        match.play("luck", f"dog {dog}")
    assert GAME.phase(cast("State", match.state), LUCK) == "opening"
    for _ in range(4):
        match.play("luck", "flip A")
    assert GAME.phase(cast("State", match.state), 0) == "play"
    assert GAME.phase(cast("State", match.state), 1) == "wait"
    played(match, "0 A@a1")
    assert GAME.phase(cast("State", match.state), LUCK) == "flip"
    assert cast("State", match.state).phase == FLIP
    played(match, "flip B")
    assert GAME.phase(cast("State", match.state), 1) == "play-or-object"
    assert GAME.phase(state_of("", over=True), 0) == "over"


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_both_pages_are_complete(lang: str) -> None:
    for code in (
        *("not-open", "occupied", "centre", "touches-type", "strict-referee", "no-objection"),
        *("nothing-to-accept", "accept-or-object", "none-left", "not-your-turn", "not-now"),
    ):
        assert words.say("hundsgemein", lang, "refusals", code)
    for code in (
        *("dogs", "opening", "flip", "play", "play-or-object", "object", "accept", "accept-or-object"),
        *("wait", "over"),
    ):
        assert words.say("hundsgemein", lang, "phases", code)
    for option in GAME.options:
        assert words.say("hundsgemein", lang, "options", option.name)
        for value in getattr(option, "words", ()):
            assert words.say("hundsgemein", lang, "options", f"{option.name}.{value}")
    for seat in range(4):
        assert words.say("hundsgemein", lang, "seats", str(seat))


def test_the_text_picture_shows_one_owner_and_no_more() -> None:
    match = played(fresh("AB AB"), "0 A@a1; flip C; 1 B@c3; flip D")
    board, _, hands = Text.from_markup(picture(cast("State", match.seen(0)))).plain.partition("\n\n")
    assert board.count("●") == 0
    assert board.count("■") == 1
    assert "A " in board
    assert "B■" in board
    assert "▸ ●  B C  +21" in hands
    assert "■  A D  +21" in hands
    opened = played(fresh("AB AB", owners="open"), "0 A@a1; flip C; 1 B@c3; flip D")
    shown = Text.from_markup(picture(cast("State", opened.seen(0)))).plain
    assert "A●" in shown
    assert "= 8" in shown
    assert "h1 Rex   5 ●" in shown


def test_the_text_picture_fits_and_keeps_its_columns() -> None:
    for state in some_states(3, games=3)[::7]:
        lines = Text.from_markup(picture(GAME.view(state, NOBODY))).plain.splitlines()
        assert max(map(len, lines)) <= 80
        ranks = [line for line in lines[3:16] if "│" in line]
        assert [line[1] for line in ranks] == list("7654321")
        assert {tuple(place for place, mark in enumerate(line) if mark == "│") for line in ranks} == {
            tuple(range(8, 49, 7))
        }


def test_dogs_not_dealt_are_counted_above_the_streets() -> None:
    state = GAME.start(2, **GAME.choices({}))
    for number, dog in enumerate(DEALT, 1):
        state = GAME.play(state, LUCK, GAME.texts.index(f"dog {dog}"))
        assert sum(state.dogs >> KENNEL + 2 * which & 3 for which in range(4)) == 12 - number


def test_seats_are_told_apart_by_sign() -> None:
    signs = [picture(state_of(f"A{seat}@a1", seats=4, over=True)).splitlines()[15] for seat in range(4)]
    assert all(one != other for one, other in pairwise(signs))
