"""Pegs, the duel: its page of rules sentence by sentence."""

import pytest
from rich.text import Text

import ludotheque
from ludotheque import IllegalMove, Match, words
from ludotheque.board.punched import BLUE, PATTERNS, WHITE, rows
from ludotheque.board.square import FULL, NAMES, NUMBERS
from ludotheque.game import DRAW, LUCK, Json, moves
from ludotheque.games.pegs import DECK, GAME, LAY, OVER, PEG, State
from ludotheque.pictures.pegs import text as picture

SEVEN = "a1 a4 a7 d1 d7 g1 g7"


def fresh() -> Match:
    return ludotheque.game("pegs").match(luck=None)


def begun(blue: str = SEVEN, white: str = "") -> Match:
    """A match whose opening is over."""
    match = fresh()
    for cell in blue.split():
        match.play(0, cell)
    for cell in white.split():
        match.play(1, cell)
    if len(white.split()) < 7:
        match.play(1, "done")
    return match


def draw(match: Match, *cards: int) -> None:
    for card in cards:
        match.play("luck", f"draw {card}")


def draw_lowest(match: Match) -> None:
    while match.to_act == ("luck",):
        match.play("luck", match.moves("luck")[0])


def quiet_turns(match: Match, number: int) -> None:
    """Turns in which nothing is laid: a peg on the first bare cell, the lowest card thrown out."""
    for _ in range(number):
        draw_lowest(match)
        (seat,) = match.to_act
        match.play(seat, match.moves(seat)[0])
        match.play(seat, ends(match)[0])


def ends(match: Match) -> list[str]:
    """How the one to act may end the turn."""
    return [text for text in match.moves(match.to_act[0]) if text.startswith(("drop", "done"))]


def laid(match: Match) -> list[str]:
    """What the one to act may lay."""
    return [text for text in match.moves(match.to_act[0]) if "@" in text]


def refused(match: Match, seat: int, text: str) -> str:
    with pytest.raises(IllegalMove) as refusal:
        match.play(seat, text)
    return refusal.value.code


def position(match: Match) -> dict[str, Json]:
    found = match.view(None)["position"]
    assert isinstance(found, dict)
    return found


def phase(match: Match) -> str:
    actor = match.to_act[0]
    assert isinstance(match.state, State)
    return GAME.phase(match.state, LUCK if actor == "luck" else actor)


def bits(*cells: str) -> int:
    return sum(1 << NUMBERS[cell] for cell in cells)


def cards(*numbers: int) -> int:
    return sum(1 << (number - 1) for number in numbers)


def texts(state: State, actor: int) -> list[str]:
    return [GAME.texts[move] for move in moves(GAME, state, actor)]


def after(state: State, actor: int, text: str) -> State:
    assert text in texts(state, actor)
    return GAME.play(state, actor, GAME.texts.index(text))


# The opening


def test_blue_puts_seven_pegs_then_white_goes_on() -> None:
    match = fresh()
    for number, cell in enumerate(SEVEN.split()):
        assert match.to_act == (0,)
        assert phase(match) == "open"
        assert len(match.moves(0)) == 49 - number  # no `done` among them
        match.play(0, cell)
    assert match.to_act == (1,)
    assert phase(match) == "add"
    assert match.moves(1) == [cell for cell in NAMES if cell not in SEVEN.split()] + ["done"]


@pytest.mark.parametrize("number", range(8))
def test_white_adds_none_to_seven(number: int) -> None:
    match = begun(white=" ".join(f"b{rank}" for rank in range(1, number + 1)))
    assert match.to_act == ("luck",)
    assert position(match)["left"] == {"pegs": 34 - number, "cards": 35}


def test_refusals_in_the_opening() -> None:
    match = fresh()
    match.play(0, "d4")
    assert refused(match, 0, "d4") == "occupied"
    assert refused(match, 0, "done") == "opening"
    assert refused(match, 0, "17@b4/1") == "opening"
    assert refused(match, 0, "drop 17") == "opening"
    assert refused(match, 0, "draw 17") == "not-now"
    assert refused(match, 1, "a1") == "not-your-turn"


# The row


def test_luck_fills_the_row_to_three_before_the_peg() -> None:
    match = begun()
    assert phase(match) == "draw"
    assert match.moves("luck") == [f"draw {card}" for card in range(1, 36)]
    draw(match, 17, 3, 35)
    assert match.to_act == (0,)
    assert position(match)["open"] == [[3, 17, 35], []]


def test_each_draw_is_uniform_over_what_is_left_and_nothing_is_hidden() -> None:
    match = begun()
    draw(match, 17, 3)
    assert match.moves("luck") == [f"draw {card}" for card in range(1, 36) if card not in (3, 17)]
    assert isinstance(match.state, State)
    assert {GAME.weight(match.state, move) for move in moves(GAME, match.state, LUCK)} == {1}
    assert match.seen(0) == match.seen(1) == match.seen(None) == match.state
    with pytest.raises(IllegalMove) as refusal:
        match.play("luck", "draw 17")
    assert refusal.value.code == "not-in-deck"
    with pytest.raises(IllegalMove) as refusal:
        match.play("luck", "d4")
    assert refusal.value.code == "not-now"


def test_each_seat_has_a_row_of_its_own_and_later_draws_only_what_it_lacks() -> None:
    match = begun()
    draw(match, 1, 2, 3)
    match.play(0, "c3")
    match.play(0, "drop 2")
    draw(match, 4, 5, 6)
    match.play(1, "c4")
    match.play(1, "drop 6")
    assert "draw 2" not in match.moves("luck")  # thrown out of the game
    draw(match, 7)
    assert match.to_act == (0,)
    assert position(match)["open"] == [[1, 3, 7], [4, 5]]


# The peg


def test_the_peg_comes_before_the_cards_and_only_once() -> None:
    match = begun()
    draw(match, 1, 2, 3)
    assert phase(match) == "peg"
    assert match.moves(0) == [cell for cell in NAMES if cell not in SEVEN.split()]
    assert refused(match, 0, "1@a1/3") == "peg-first"
    assert refused(match, 0, "drop 1") == "peg-first"
    assert refused(match, 0, "done") == "peg-first"
    assert refused(match, 0, "a1") == "occupied"
    match.play(0, "e4")
    assert phase(match) == "lay"
    assert refused(match, 0, "e5") == "peg-put"


def test_no_peg_on_a_card() -> None:
    match = begun("c4 c5 a1 a7 g1 g7 f1")
    draw(match, 17, 1, 2)
    match.play(0, "d5")
    match.play(0, "17@b4/1")
    draw(match, 3)
    match.play(0, "drop 1")
    draw(match, 4, 5, 6)
    assert not {"b4", "b5", "d4"} & set(match.moves(1))
    assert refused(match, 1, "b4") == "occupied"
    assert refused(match, 1, "c4") == "occupied"
    assert "b3" in match.moves(1)


# The cards


def test_the_worked_example_for_blue() -> None:
    match = begun("c4 c5 a1 a7 g1 g7 f1")
    draw(match, 17, 13, 35)
    match.play(0, "d5")
    match.play(0, "17@b4/1")
    assert match.scores == (6, 0)


def test_the_worked_example_for_white() -> None:
    match = begun("c4 c5 a1 a7 g1 g7 f1")
    draw(match, 35, 34, 33)
    match.play(0, "g2")
    match.play(0, "drop 35")
    draw(match, 17, 13, 32)
    match.play(1, "d4")
    match.play(1, "17@b4/1")
    assert match.scores == (0, 6)


def test_the_pegs_inside_must_be_exactly_the_holes() -> None:
    match = begun("c4 c5 d5 a1 a7 g1 g7")
    draw(match, 17, 4, 35)  # 4 has two holes side by side at the top
    match.play(0, "g2")
    assert refused(match, 0, "17@b3/1") == "hole-without-peg"  # holes on c3 c4 d4
    assert refused(match, 0, "4@c3/0") == "peg-under-solid"  # holes on c5 d5, but a peg on c4, too
    assert refused(match, 0, "5@c4/0") == "not-open"
    assert {"17@b4/1", "4@c5/2"} < set(laid(match))


def test_laying_is_repeatable_optional_and_refilled_each_time() -> None:
    match = begun("a1 a2 d1 d2 a7 g7 g4")
    draw(match, 4, 10, 35)
    match.play(0, "g1")
    assert "10@a1/2" in match.moves(0)
    assert "drop 10" in match.moves(0)  # nobody must lay
    match.play(0, "10@a1/2")
    assert match.to_act == ("luck",)
    assert refused(match, 0, "drop 4") == "not-your-turn"
    draw(match, 8)
    assert position(match)["open"] == [[4, 8, 35], []]
    assert phase(match) == "lay"  # and no second peg
    match.play(0, "4@d1/3")
    draw(match, 9)
    assert match.scores == (12, 0)
    match.play(0, "drop 9")
    assert match.to_act == ("luck",)


def test_cards_cover_cards_and_only_the_topmost_counts() -> None:
    """White's card on d3 to e5 takes d4 and d5 from Blue's on b4 to d5; then Blue covers it wholly."""
    pegs = bits("c4", "c5", "d5")
    blue = bits("b4", "b5", "c4", "c5", "d4", "d5")
    state = State(pegs, blue, 0, (0, cards(1, 2, 3)), DECK ^ cards(1, 2, 3, 17), LAY, WHITE)
    assert "1@d3/0" not in texts(state, WHITE)  # White's card 1 has its hole top right
    assert "2@d3/0" in texts(state, WHITE)  # and card 2 top left
    covered = after(state, WHITE, "2@d3/0")
    assert GAME.scores(covered) == (4, 6)
    over_it = State(covered.pegs, covered.blue, covered.white, (cards(1, 34, 35), 0), covered.deck, LAY, BLUE)
    assert GAME.scores(after(over_it, BLUE, "1@d3/0")) == (10, 0)


def test_a_card_that_equals_its_half_turn_is_written_with_0_or_1() -> None:
    match = begun()
    draw(match, 1, 2, 35)
    assert refused(match, 0, "35@a1/2") == "not-a-move"
    assert refused(match, 0, "1@g7/0") == "not-a-move"  # off the board
    assert {"35@a1/1", "1@a1/3"} < set(GAME.texts)


def test_a_turn_ends_by_throwing_out_an_open_card() -> None:
    match = begun()
    draw(match, 1, 2, 3)
    match.play(0, "c3")
    assert ends(match) == ["drop 1", "drop 2", "drop 3"]
    assert refused(match, 0, "done") == "drop-to-end"
    assert refused(match, 0, "drop 4") == "not-open"
    match.play(0, "drop 3")
    draw(match, 4, 5, 6)
    assert match.to_act == (1,)


# The end


def test_the_last_turn_when_all_41_pegs_are_used() -> None:
    match = begun(white="b1 b2 b3 b4 b5 b6 b7")
    quiet_turns(match, 26)
    draw_lowest(match)
    assert phase(match) == "peg"
    match.play(0, match.moves(0)[0])
    assert position(match)["left"] == {"pegs": 0, "cards": 4}
    assert phase(match) == "lay-last"
    assert ends(match) == ["done"]
    assert [refused(match, 0, f"drop {card}") for card in range(1, 36)] == ["last-turn"] * 35
    match.play(0, "done")
    assert match.over
    assert (match.scores, match.winners, match.draw) == ((0, 0), (0, 1), True)


def test_the_last_turn_when_the_deck_runs_out_before_the_peg() -> None:
    """The seat still puts its peg and lays; the row is not refilled, nothing is thrown out."""
    match = begun()
    quiet_turns(match, 30)
    assert match.moves("luck") == ["draw 35"]
    draw(match, 35)
    assert phase(match) == "peg-last"
    assert refused(match, 0, "done") == "peg-first"
    match.play(0, match.moves(0)[0])
    assert phase(match) == "lay-last"
    assert refused(match, 0, "drop 35") == "last-turn"
    match.play(0, "35@a1/0")
    assert match.to_act == (0,)
    match.play(0, "done")
    assert match.over
    assert (match.scores, match.winners, match.draw) == ((6, 0), (0,), False)
    assert refused(match, 1, "c1") == "over"


def test_the_last_turn_when_a_refill_empties_the_deck() -> None:
    match = begun()
    quiet_turns(match, 29)
    draw(match, 35)
    match.play(1, match.moves(1)[0])
    assert "done" not in ends(match)
    match.play(1, "35@a1/1")
    assert match.moves("luck") == ["draw 34"]
    draw(match, 34)
    assert ends(match) == ["done"]
    match.play(1, "done")
    assert match.over
    assert (match.scores, match.winners) == ((0, 6), (1,))


def test_in_the_last_turn_every_card_of_the_row_may_be_laid() -> None:
    """Then the row is empty and only `done` is left."""
    pegs = bits("a1", "a2", "a3", "b1", "b2", "b3", "d1")
    state = State(pegs, 0, 0, (cards(1, 35), 0), 0, LAY, BLUE)
    state = after(after(state, BLUE, "35@a1/0"), BLUE, "1@d1/3")
    assert state.rows == (0, 0)
    assert texts(state, BLUE) == ["done"]
    assert GAME.to_act(after(state, BLUE, "done")) == 0


def test_the_last_turn_when_the_peg_takes_the_last_bare_cell() -> None:
    """A bare peg takes a cell, too: a2 has no card and b1 neither peg nor card."""
    blue = FULL & ~bits("a2", "b1")
    state = State(bits("a2", "g7"), blue, 0, (cards(4, 5, 6), 0), DECK ^ cards(4, 5, 6), PEG, BLUE)
    assert texts(state, BLUE) == ["b1"]
    assert GAME.phase(state, BLUE) == "peg"
    state = after(state, BLUE, "b1")
    assert GAME.phase(state, BLUE) == "lay-last"
    assert [text for text in texts(state, BLUE) if "@" not in text] == ["done"]


def test_the_last_turn_when_a_card_takes_the_last_bare_cells() -> None:
    """The row is refilled all the same, and more may be laid."""
    blue = FULL & ~bits("a1", "a2", "a3", "b1", "b2", "b3")
    state = State(bits("a1", "g7"), 0, blue, (cards(2, 33, 34), 0), DECK ^ cards(2, 33, 34), LAY, BLUE)
    assert [text for text in texts(state, BLUE) if "@" not in text] == ["drop 2", "drop 33", "drop 34"]
    state = after(state, BLUE, "2@a1/2")
    assert GAME.to_act(state) == 1 << LUCK
    state = after(state, LUCK, "draw 1")
    assert [text for text in texts(state, BLUE) if "@" not in text] == ["done"]
    assert "1@e6/1" in texts(state, BLUE)
    state = after(state, BLUE, "done")
    assert GAME.scores(state) == (6, 43)
    assert GAME.winners(state) == 0b10
    assert GAME.phase(state, BLUE) == "over"


def test_more_cells_win_and_equal_is_a_draw() -> None:
    def result(blue: int, white: int) -> int:
        return GAME.winners(State(0, blue, white, (0, 0), 0, OVER, BLUE))

    assert result(bits("a1", "a2"), bits("b1")) == 0b01
    assert result(bits("a1"), bits("b1", "b2")) == 0b10
    assert result(bits("a1"), bits("b1")) == 0b11 | DRAW


# What people see


def test_the_chart_of_cards_in_the_rules() -> None:
    def chart(holes: tuple[int, ...]) -> str:
        found = [card for card, pattern in enumerate(PATTERNS, 1) if pattern.count("1") in holes]
        lines = ["   ".join(f"{card:<3}" for card in found)]
        lines += ["   ".join(" ".join(rows(card, BLUE)[line]) for card in found) for line in range(3)]
        return "\n".join([lines[0].rstrip(), *(line.replace("1", "○").replace("0", "■") for line in lines[1:])])

    whole = "\n\n".join(chart(holes) for holes in ((1,), (2,), (3,), (4,), (5, 6)))
    for stem in ("pegs", "pegs_solo"):
        for lang in words.LANGUAGES:
            assert f"```text\n{whole}\n```" in words.rules(stem, lang)


def test_the_picture_tells_the_position() -> None:
    state = State(bits("a1", "c4", "d4"), bits("c4", "c5"), bits("d4"), (cards(17), cards(2, 17)), DECK, LAY, BLUE)
    lines = Text.from_markup(picture(state)).plain.splitlines()
    assert lines[4:8] == [
        "   │       ┌───┐               │",
        "5  │ ·   · │ B │ ·   ·   ·   · │",
        "   │       │   ├───┐           │",
        "4  │ ·   · │●B │●W │ ·   ·   · │",
    ]
    assert lines[13] == "1  │ ●   ·   ·   ·   ·   ·   · │"
    assert [line.split() for line in lines[17:]] == [
        ["B", "2", "W", "1", "●", "38", "▤", "35"],
        [],
        ["B", "17"],
        ["○", "■"],
        ["○", "○"],
        ["■", "■"],
        [],
        ["W", "2", "17"],
        ["○", "■", "■", "○"],  # White sees the mirror images
        ["■", "■", "○", "○"],
        ["■", "■", "■", "■"],
    ]


def test_the_position_in_words() -> None:
    match = begun("c4 c5 a1 a7 g1 g7 f1")
    draw(match, 17, 1, 2)
    match.play(0, "d5")
    match.play(0, "17@b4/1")
    assert position(match) == {
        "phase": "lay",
        "turn": 0,
        "last": False,
        "pegs": ["a1", "a7", "c4", "c5", "d5", "f1", "g1", "g7"],
        "blue": ["b4", "b5", "c4", "c5", "d4", "d5"],
        "white": [],
        "open": [[1, 2], []],
        "left": {"pegs": 33, "cards": 32},
    }
