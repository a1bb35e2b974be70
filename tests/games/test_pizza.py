"""Pizza Theory: the facts and rulings of its rules, for three and for two."""

from collections import Counter
from itertools import product
from random import Random

import pytest

import ludotheque
from ludotheque import IllegalMove, Match
from ludotheque.board.bits import count, union
from ludotheque.board.hexagon import NAMES, NEIGHBOURS, NUMBERS, SPACES
from ludotheque.games.pizza import CUT, GAME, SEALED, State, role, settle, slices

EXAMPLE = (5, 6, 4)  # the cuts of the sheet's example: 1st, 2nd, 3rd
TURNS = 3


def put(*names: str) -> int:
    return union(NUMBERS[name] for name in names)


def three(rounds: int = 60) -> Match:
    return ludotheque.game("pizza").match(seats=3, rounds=rounds)


def two() -> Match:
    return ludotheque.game("pizza").match(seats=2, luck=None)


def add(match: Match, *texts: str) -> None:
    for text in texts:
        (seat,) = match.to_act
        match.play(seat, text)


def refusal(match: Match, seat: int, text: str) -> str:
    with pytest.raises(IllegalMove) as error:
        match.play(seat, text)
    return error.value.code


def part(size: int) -> int:
    """The slice of the example that has so many spaces."""
    (found,) = (piece for piece in slices(EXAMPLE, 0) if count(piece) == size)
    return found


def spaces(bits: int) -> list[int]:
    return [space for space in range(len(SPACES)) if bits >> space & 1]


def test_the_board_has_37_spaces_in_seven_columns() -> None:
    assert Counter(name[0] for name in NAMES) == dict(zip("abcdefg", (4, 5, 6, 7, 6, 5, 4), strict=True))
    assert SPACES[NUMBERS["d4"]] == (0, 0, 0)
    assert NEIGHBOURS[NUMBERS["d4"]] == put("d3", "d5", "c3", "c4", "e3", "e4")
    assert count(NEIGHBOURS[NUMBERS["a1"]]) == TURNS


def test_the_start_spaces_form_a_regular_hexagon_round_the_centre() -> None:
    view = three().view(None)["position"]
    assert isinstance(view, dict)
    assert view["toppings"] == [["c2", "e2"], ["b3", "c5"], ["e5", "f3"]]
    marked = [SPACES[NUMBERS[name]] for name in ("c2", "e2", "b3", "c5", "e5", "f3")]
    assert {tuple(sorted(map(abs, place))) for place in marked} == {(1, 1, 2)}


def test_over_all_216_cuts_the_pizza_falls_into_four_to_seven_slices() -> None:
    cuts = product(range(1, 7), repeat=3)
    found = Counter(sum(1 for piece in slices((one, other, last), 0) if piece) for one, other, last in cuts)
    assert found == {4: 22, 5: 36, 6: 132, 7: 26}


def test_the_sheets_example_gives_five_slices() -> None:
    assert sorted(count(piece) for piece in slices(EXAMPLE, 0) if piece) == [1, 4, 8, 10, 14]


def test_slices_part_the_pizza_without_rest() -> None:
    for cuts in ((1, 1, 1), EXAMPLE, (3, 3, 3), (6, 1, 4)):
        for number in range(3):
            pieces = slices(cuts, number)
            assert sum(count(piece) for piece in pieces) == len(SPACES)
            assert count(pieces[0] | pieces[1] | pieces[2] | pieces[3]) <= len(SPACES)


def test_the_sheets_example_of_settling() -> None:
    """A: red and green tie, white goes. B and E: nothing. C: white replaces green. D: red replaces both."""
    a, b, c, d, e = (spaces(part(size)) for size in (14, 10, 8, 4, 1))
    red = union([a[0], a[1], d[0], d[1]])
    green = union([a[2], a[3], c[0], d[2]])
    white = union([a[4], c[1], c[2], d[3]])
    assert e
    assert b
    new_red, new_green, new_white = settle((red, green, white), slices(EXAMPLE, 0))
    assert new_red == union([a[0], a[1], *d])
    assert new_green == union([a[2], a[3]])
    assert new_white == union([c[0], c[1], c[2]])


def test_a_slice_where_all_three_are_level_does_not_change() -> None:
    a, d = spaces(part(14)), spaces(part(4))
    toppings = (union([a[0], a[1], d[0]]), union([a[2], a[3], d[1]]), union([a[4], a[5], d[2]]))
    assert settle(toppings, slices(EXAMPLE, 0)) == toppings


def test_a_colour_with_at_most_one_in_every_slice_is_safe_but_counts() -> None:
    a, c, d = spaces(part(14)), spaces(part(8)), spaces(part(4))
    red, green = union([a[0], a[1], c[0], c[1]]), union([d[0], d[1]])
    white = union([a[2], c[2], d[2]])
    _, _, safe = settle((red, green, white), slices(EXAMPLE, 0))
    assert safe == white
    crowded = white | 1 << a[3]
    red_now, _, lost = settle((red | 1 << a[4], green, crowded), slices(EXAMPLE, 0))
    assert lost & part(14) == 0
    assert count(red_now & part(14)) == 5
    # Safe toppings still count: they can hold a tie.
    tied = settle((1 << a[0] | 1 << d[0], 1 << a[1] | 1 << c[0] | 1 << c[1], white), slices(EXAMPLE, 0))
    assert tied[2] == white


def test_replacements_come_from_the_stock_in_the_order_of_the_spaces() -> None:
    a, b = spaces(part(14)), spaces(part(10))
    red = union([*a[:9], *b[:5]])
    green = union([*a[9:12], b[5], b[6]])
    new_red, new_green, _ = settle((red, green, 0), slices(EXAMPLE, 0))
    assert count(new_red) == 16
    freed = sorted(spaces(green))
    assert new_red == red | union(freed[:2])
    assert new_green == 0


def test_toppings_taken_off_go_back_before_replacements_are_made() -> None:
    a, b = spaces(part(14)), spaces(part(10))
    red = union([*a[:8], *a[8:14][:6], b[0], b[1]])
    green = union([*b[2:6]])
    assert count(red) == 16
    new_red, new_green, _ = settle((red, green, 0), slices(EXAMPLE, 0))
    assert new_green == union(b[:6])
    assert count(new_red) == 14


def test_roles_move_on_clockwise() -> None:
    assert [[role(seat, number) for seat in range(3)] for number in range(4)] == [
        [0, 1, 2],
        [2, 0, 1],
        [1, 2, 0],
        [0, 1, 2],
    ]
    match = three()
    add(match, "d7", "d1", "a1")
    for seat in range(3):
        match.play(seat, "cut 1")
    assert match.to_act == (1,)
    position = match.view(None)["position"]
    assert isinstance(position, dict)
    assert position["roles"] == [3, 1, 2]


def test_a_topping_touches_none_of_ones_own_but_may_touch_others() -> None:
    match = three()
    assert refusal(match, 0, "c3") == "touches-own"
    assert refusal(match, 0, "c2") == "occupied"
    assert refusal(match, 0, "cut 1") == "add-first"
    match.play(0, "b4")  # beside 2nd's b3
    assert match.to_act == (1,)


def test_cuts_are_sealed_and_stand() -> None:
    match = three()
    add(match, "d7", "d1", "a1")
    assert refusal(match, 0, "d4") == "cut-now"
    match.play(0, "cut 3")
    assert refusal(match, 0, "cut 4") == "already-chosen"
    state = match.seen(1)
    assert isinstance(state, State)
    assert state.cuts == (SEALED, 0, 0)
    assert match.state == State(*state[:3], (3, 0, 0), *state[4:])


def test_a_guess_fills_in_any_cut() -> None:
    match = three()
    add(match, "d7", "d1", "a1")
    match.play(0, "cut 3")
    seen = match.seen(1)
    assert isinstance(seen, State)
    guessed = {GAME.guess(seen, 1, Random(seed)).cuts for seed in range(60)}
    assert guessed == {(cut, 0, 0) for cut in range(1, 7)}


def test_one_who_cannot_add_is_skipped() -> None:
    """White's toppings touch every free space: in its place the cuts come at once."""
    white = put("b2", "b4", "d1", "d4", "d6", "f2", "f4", "a1")
    covered = white | union(
        space for space in range(len(SPACES)) if not NEIGHBOURS[space] & white and not white >> space & 1
    )
    rest = covered & ~white
    state = State(3, 60, (rest & -rest, rest & (rest - 1), white), (0, 0, 0), 0, 0, 1)
    (move,) = [number for number, text in enumerate(GAME.texts) if text == _any_addition(state, 1)]
    after = GAME.play(state, 1, move)
    assert after.phase == CUT


def _any_addition(state: State, seat: int) -> str:
    first, stop = GAME.spans(state, seat)[0]
    return next(GAME.texts[move] for move in range(first, stop) if GAME.legal(state, seat, move))


def test_the_game_is_a_draw_after_its_last_round() -> None:
    match = three(rounds=1)
    add(match, "d7", "d1", "a1")
    for seat in range(3):
        match.play(seat, "cut 1")
    assert match.over
    assert match.draw
    assert match.winners == (0, 1, 2)


def test_sixteen_at_the_end_of_a_round_win_together_or_alone() -> None:
    many = spaces((1 << 37) - 1)
    both = (union(many[:16]), union(many[16:32]), 0)
    over = State(3, 60, both, (1, 1, 1), 0, 4, 0)
    assert GAME.winners(over) == 0b011
    assert GAME.winners(over._replace(toppings=(both[0], 0, 0))) == 0b001


def test_two_players_lose_together_when_the_third_colour_has_its_sixteen() -> None:
    many = spaces((1 << 37) - 1)
    over = State(2, 60, (union(many[:16]), 0, union(many[16:32])), (1, 1, 1), 0, 4, 0)
    assert GAME.winners(over) == 0
    assert GAME.winners(over._replace(toppings=(union(many[:16]), 0, 0))) == 0b01


def test_two_players_alternate_and_place_the_third_colour_beside_its_knife() -> None:
    match = two()
    assert match.to_act == (0,)
    add(match, "d7", "d1")
    match.play("luck", "roll 4")
    assert match.to_act == (0,)
    # Seat 2 has role 3rd, which cuts along y: cut 4 runs between y = 0 and y = 1.
    beside = {name for name in NAMES if SPACES[NUMBERS[name]][1] in (0, 1)}
    taken = {"c2", "e2", "b3", "c5", "e5", "f3", "d7", "d1"}
    assert set(match.moves(0)) == {f"third {name}" for name in beside - taken}
    assert refusal(match, 0, "third d7") == "occupied"
    assert refusal(match, 0, "third a4") == "not-beside-knife"
    match.play(0, "third d4")
    assert set(match.to_act) == {0, 1}
    assert match.view(0)["position"]["cuts"] == [None, None, 4]  # type: ignore[index,call-overload]
    match.play(0, "cut 1")
    match.play(1, "cut 1")
    assert match.to_act == (1,)


def test_the_third_colour_may_touch_its_own() -> None:
    match = two()
    add(match, "d7", "d1")
    match.play("luck", "roll 5")
    assert "third e6" in match.moves(0)  # beside the third colour's e5
