"""Tricolore, by its rules page."""

import itertools
import re
from random import Random
from typing import cast

import pytest
from rich.text import Text

import ludotheque
from ludotheque import BadOption, IllegalMove, Match, words
from ludotheque.board.triangle import NOWHERE
from ludotheque.game import DRAW, NOBODY, Json, moves
from ludotheque.games.tricolore import BOARD, GAME, State, owner
from ludotheque.pictures.tricolore.terminal import text as picture

CAMPS = {
    "gold": ["a1", "b1", "b2", "c1", "c2", "c3"],
    "silver": ["g7", "h7", "h8", "i7", "i8", "i9"],
    "black": ["g1", "h1", "h2", "i1", "i2", "i3"],
}
UNTURNED = "ssbbgg"  # E, SE, SW, W, NW, NE
BESIDE_F3 = ("f4", "g4", "g3", "f2", "e2", "e3")  # around f3, E first, clockwise
WALL = "e1:2+0 e2:2+0 e3:2+0 e4:2+0 e5:2+0"

Pawns = dict[str, dict[str, str]]


def fresh(seats: int = 3, quiet: object = 120) -> Match:
    return ludotheque.game("tricolore").match(seats, luck=None, quiet=quiet)


def played(match: Match, texts: str) -> Match:
    for text in texts.split():
        (seat,) = match.to_act
        match.play(seat, text)
    return match


def pawns(match: Match) -> Pawns:
    position = cast("dict[str, Json]", match.view(None)["position"])
    return cast("Pawns", position["pawns"])


def position(
    board: str, seats: int = 3, taken: tuple[int, int, int] = (0, 0, 0), quiet: int = 0, turn: int = 0
) -> State:
    """A state from pawns like `f3:0+4`: on f3, of seat 0, turned by four sixths."""
    sets, digits = [0, 0, 0], [0, 0, 0]
    for pawn in board.split():
        name, seat, turned = re.split("[:+]", pawn)
        sets[int(seat)] |= BOARD.bits(name)
        for digit in range(3):
            digits[digit] |= BOARD.bits(name) if int(turned) >> digit & 1 else 0
    first, second, third = sets
    ones, twos, fours = digits
    return State(seats, 120, (first, second, third), (ones, twos, fours), taken, quiet, turn)


def after(state: State, text: str) -> State:
    move = GAME.texts.index(text)
    assert move in moves(GAME, state, state.turn), text
    return GAME.play(state, state.turn, move)


def state_of(state: State) -> dict[str, str]:
    """What each pawn on the board shows."""
    shown = cast("Pawns", GAME.describe(state)["pawns"])
    return {name: sides for those in shown.values() for name, sides in those.items()}


def texts(state: State) -> list[str]:
    return [GAME.texts[move] for move in moves(GAME, state, state.turn)]


# The start


def test_three_players_start_in_the_three_corners_pointing_gold_to_golds() -> None:
    match = fresh()
    assert pawns(match) == {colour: dict.fromkeys(camp, UNTURNED) for colour, camp in CAMPS.items()}
    assert match.to_act == (0,)
    assert match.scores == (0, 0, 0)


def test_two_players_are_silver_and_black_below_five_neutral_pawns() -> None:
    match = fresh(2)
    wall = ["e1", "e2", "e3", "e4", "e5"]
    camps = {"silver": CAMPS["silver"], "black": CAMPS["black"], "gold": wall}
    assert pawns(match) == {colour: dict.fromkeys(camp, UNTURNED) for colour, camp in camps.items()}
    assert cast("dict[str, Json]", match.view(None)["position"])["neutral"] == "gold"
    assert match.scores == (0, 0)
    assert {text[:2] for text in match.moves(0)} == set(CAMPS["silver"])


def test_gold_silver_black_take_turns() -> None:
    match = fresh()
    for turn in range(7):
        assert match.to_act == (turn % 3,)
        match.play(turn % 3, match.moves(turn % 3)[0])


def test_three_is_what_a_table_offers_first() -> None:
    assert ludotheque.game("tricolore").match().options == {"quiet": 120}
    assert ludotheque.game("tricolore").match().seats == 3
    assert GAME.seats == (3, 2)
    for seats in (1, 4):
        with pytest.raises(BadOption):
            fresh(seats)


# Moves


def test_every_step_and_every_turn_has_a_text() -> None:
    steps = [text for text in GAME.texts if "-" in text]
    assert len(steps) == 2 * 108  # each pair of neighbours, both ways
    assert len(GAME.texts) == len(set(GAME.texts)) == 216 + 2 * 45
    assert {"c2-d2", "d2-c2", "c2>", "c2<"} <= set(GAME.texts)
    assert "c2-d4" not in GAME.texts


def test_the_first_moves_in_their_order() -> None:
    assert " ".join(fresh().moves(0)) == (
        "a1> a1< b1> b1< b2> b2< c1-d2 c1-d1 c1> c1< c2-d3 c2-d2 c2> c2< c3-d4 c3-d3 c3> c3<"
    )
    assert fresh().moves(1) == []


@pytest.mark.parametrize(("seats", "counts"), [(3, [18, 324, 5832]), (2, [18, 324, 6318])])
def test_numbers_of_positions(seats: int, counts: list[int]) -> None:
    def leaves(state: State, depth: int) -> int:
        after = (GAME.play(state, state.turn, move) for move in moves(GAME, state, state.turn))
        return sum(leaves(child, depth - 1) for child in after) if depth else 1

    start = GAME.start(seats, quiet=120)
    assert [leaves(start, depth) for depth in (1, 2, 3)] == counts


def test_a_step_goes_to_any_empty_neighbour_and_keeps_the_turn() -> None:
    for turned in range(6):
        state = position(f"f3:0+{turned}")
        for place in BESIDE_F3:
            assert state_of(after(state, f"f3-{place}")) == {place: state_of(state)["f3"]}


def test_turning_goes_round_by_sixths_either_way() -> None:
    state = position("f3:0+0 i1:1+0 i9:2+0")
    seen = []
    for _ in range(6):
        state = after(after(after(state, "f3>"), "i1>"), "i9<")
        seen.append(state_of(state)["f3"])
    assert seen == ["gssbbg", "ggssbb", "bggssb", "bbggss", "sbbggs", "ssbbgg"]
    assert state_of(after(state, "f3<"))["f3"] == "sbbggs"


def test_a_pawn_walled_in_can_still_turn() -> None:
    state = position("a1:0+0 b1:0+0 b2:0+0 c1:0+0 c2:0+0 c3:0+0")
    assert [text for text in texts(state) if text.startswith("a1")] == ["a1>", "a1<"]


# Captures


def test_the_example_of_the_words_page() -> None:
    state = after(position("e3:0+0 f4:2+3"), "e3-f3")
    assert state_of(state) == {"f3": UNTURNED}
    assert GAME.scores(state) == (1, 0, 0)


@pytest.mark.parametrize("way", range(6))
@pytest.mark.parametrize("victim", [1, 2])
def test_touching_sides_of_any_equal_colour_capture_and_others_do_not(way: int, victim: int) -> None:
    """Every way two pawns can touch, each turned in every way: 216 contacts for each victim's colour."""
    colours = set()
    for mine, theirs in itertools.product(range(6), repeat=2):
        shown, facing = UNTURNED[(way - mine) % 6], UNTURNED[(way + 3 - theirs) % 6]
        place = BESIDE_F3[way]
        state = after(position(f"f3:0+{(mine - 1) % 6} {place}:{victim}+{theirs}"), "f3>")
        assert (place in state_of(state)) == (shown != facing)
        assert GAME.scores(state) == (int(shown == facing), 0, 0)
        colours |= {shown} if shown == facing else set()
    assert colours == {"s", "b", "g"}  # ruling: not only the victim's own


def test_a_step_captures_what_it_comes_to_touch() -> None:
    state = position("f2:0+3 f4:1+0")
    assert GAME.scores(after(state, "f2-f3")) == (1, 0, 0)
    assert GAME.scores(after(state, "f2-e2")) == (0, 0, 0)


def test_leaving_captures_nothing() -> None:
    """Only where it arrives does a pawn capture, not where it comes from."""
    state = position("f3:0+3 f4:1+0")
    assert GAME.scores(after(state, "f3-f2")) == (0, 0, 0)


def test_several_fall_at_once_of_both_enemies() -> None:
    state = after(position("f3:0+5 f4:1+3 g4:2+3"), "f3>")
    assert state_of(state) == {"f3": UNTURNED}
    assert GAME.scores(state) == (2, 0, 0)
    assert GAME.to_act(state) == 0b010


def test_own_pawns_never_matter() -> None:
    around = " ".join(f"{place}:0+3" for place in BESIDE_F3)
    state = after(position(f"f3:0+5 {around}"), "f3>")
    assert len(state_of(state)) == 7
    assert GAME.scores(state) == (0, 0, 0)


def test_only_the_pawn_just_played_captures() -> None:
    """A match between others (which never arises in play) is none of the mover's business."""
    state = after(position("f3:0+0 f4:1+3 b1:0+0"), "b1>")
    assert len(state_of(state)) == 3
    assert GAME.scores(state) == (0, 0, 0)
    other = after(position("f3:1+0 f4:2+3 b1:0+0"), "b1-a1")
    assert len(state_of(other)) == 3


def test_the_mover_is_never_captured() -> None:
    state = after(position("f3:0+0 g3:1+3", turn=1), "g3-f2")
    assert list(state_of(state)) == ["f2"]
    assert GAME.scores(state) == (0, 1, 0)


def test_a_captured_pawn_leaves_nothing_behind() -> None:
    state = after(position("f3:0+2 f4:1+0 f5:1+2 a1:2+0"), "f3>")
    state = after(after(state, "f5>"), "a1>")
    assert after(state, "f3-f4") == position("f4:0+3 f5:1+3 a1:2+1", taken=(1, 0, 0), quiet=3, turn=1)


def test_neutral_pawns_are_never_captured_and_capture_nothing() -> None:
    state = position(f"{WALL} f3:0+1 i1:1+0", seats=2)
    for text in ("f3>", "i1>", "f3>", "i1>", "f3>", "i1>", "f3>", "i1>", "f3>", "i1>", "f3>"):
        state = after(state, text)
        assert {"e2", "e3", "f3"} <= set(state_of(state))
    assert GAME.scores(state) == (0, 0, 0)


def test_the_wall_does_not_shield() -> None:
    state = after(position(f"{WALL} f3:0+2 f4:1+0", seats=2), "f3>")
    assert GAME.scores(state) == (1, 0, 0)
    assert len(state_of(state)) == 6


def test_touching_enemies_never_match_after_a_move() -> None:
    """Whoever makes a match captures at once, so none is ever left standing."""
    random = Random(7)
    pairs = [(cell, way, BOARD.beside[6 * cell + way]) for cell in range(45) for way in range(3)]
    touching = 0
    for _ in range(15):
        state = GAME.start(3, quiet=120)
        while GAME.to_act(state):
            state = GAME.play(state, state.turn, random.choice(moves(GAME, state, state.turn)))
            shown = state_of(state)
            for cell, way, other in pairs:
                if other != NOWHERE and NOBODY != owner(state, cell) != owner(state, other) != NOBODY:
                    assert shown[BOARD.names[cell]][way] != shown[BOARD.names[other]][way + 3]
                    touching += 1
    assert touching > 100


# What the first-game tips promise


@pytest.mark.parametrize(("apart", "matches"), [(0, 0), (1, 0), (2, 3), (3, 6), (4, 3), (5, 0)])
def test_how_far_two_pawns_are_turned_apart_decides(apart: int, matches: int) -> None:
    for turned in range(6):
        found = 0
        for place in BESIDE_F3:
            state = position(f"f3:0+{(turned - 1) % 6} {place}:1+{(turned + apart) % 6}")
            found += GAME.scores(after(state, "f3>"))[0]
        assert found == matches


def test_one_sixth_apart_and_touching_exactly_one_can_capture_by_turning() -> None:
    for place, turned, turn in itertools.product(BESIDE_F3, range(6), (1, 5)):
        found = []
        for seat, mine in ((0, "f3"), (1, place)):
            state = position(f"f3:0+{turned} {place}:1+{(turned + turn) % 6}", turn=seat)
            found.append(any(GAME.scores(after(state, mine + sign))[seat] for sign in "<>"))
        assert sorted(found) == [False, True]


# The end


def test_three_captures_win_a_game_of_two() -> None:
    match = played(fresh(2), "i7-i6 h1> i6-i5 i3-i4 i5> i2-i3 i5> h2-h3 i5-i4 h1<")
    assert (match.scores, match.over, match.winners) == ((2, 0), False, ())
    played(match, "i4-i3")
    assert (match.scores, match.over, match.winners, match.draw) == ((3, 0), True, (0,), False)
    assert match.to_act == ()
    assert sorted(pawns(match)["black"]) == ["g1", "h1", "i1"]
    with pytest.raises(IllegalMove) as refused:
        match.play(1, "g1>")
    assert refused.value.code == "over"


def test_three_captures_win_a_game_of_three() -> None:
    match = played(fresh(), "c3> g7-f6 h2-g2 c3-d4 h7-g7 g2-f2 d4> i7-h7 i2> d4-e5 h7< h1< e5-f6 h8> i2< f6-g7")
    assert (match.scores, match.winners, match.draw) == ((3, 0, 0), (0,), False)
    assert sorted(pawns(match)["silver"]) == ["h8", "i8", "i9"]


def test_more_than_three_win_too() -> None:
    around = " ".join(f"{place}:{1 + number % 2}+3" for number, place in enumerate(BESIDE_F3))
    state = after(position(f"f3:0+5 {around}", taken=(2, 2, 2)), "f3>")
    assert GAME.scores(state) == (8, 2, 2)
    assert GAME.to_act(state) == 0
    assert GAME.winners(state) == 0b001


def test_captures_from_both_enemies_add_up() -> None:
    state = after(position("f3:2+5 f4:1+3 b1:0+0", taken=(0, 0, 2), turn=2), "f3>")
    assert GAME.scores(state) == (0, 0, 3)
    assert GAME.winners(state) == 0b100


@pytest.mark.parametrize("seats", [2, 3])
def test_without_a_capture_for_120_moves_it_is_a_draw(seats: int) -> None:
    match = fresh(seats)
    homes = ("i9", "i1") if seats == 2 else ("a1", "i9", "i1")
    for number in range(120):
        assert not match.over
        match.play(number % seats, homes[number % seats] + ">")
    assert match.over
    assert match.draw
    assert match.winners == tuple(range(seats))


def test_a_capture_on_the_last_quiet_move_starts_the_count_anew() -> None:
    state = after(position("f3:0+2 f4:1+0 i9:1+0 a1:2+0", quiet=119), "f3>")
    assert GAME.to_act(state) == 0b010
    assert GAME.describe(state)["quiet"] == 0
    assert GAME.to_act(after(position("f3:0+2 f4:1+0", quiet=119), "f3<")) == 0


@pytest.mark.parametrize(
    ("seats", "taken", "winners"),
    [
        (3, (2, 1, 0), 0b001),
        (3, (1, 2, 2), 0b110),
        (3, (0, 1, 0), 0b010),
        (3, (1, 1, 1), 0b111 | DRAW),
        (2, (0, 1, 0), 0b10),
        (2, (2, 1, 0), 0b01),
        (2, (2, 2, 0), 0b11 | DRAW),
        (2, (0, 0, 0), 0b11 | DRAW),
    ],
)
def test_at_the_limit_the_most_captures_win_and_ties_share(
    seats: int, taken: tuple[int, int, int], winners: int
) -> None:
    state = after(position("f3:0+0 i9:1+0", seats, taken, quiet=119), "f3>")
    assert GAME.to_act(state) == 0
    assert GAME.winners(state) == winners


def test_the_limit_is_an_option() -> None:
    match = played(fresh(quiet=2), "a1> i9>")
    assert match.over
    assert played(fresh(quiet=1), "a1>").draw
    for wrong in (0, 10001, -1, True, "120"):
        with pytest.raises(BadOption):
            fresh(quiet=wrong)
    assert fresh(quiet=10000).options["quiet"] == 10000


# Refusals


@pytest.mark.parametrize(
    ("seats", "text", "code"),
    [
        (3, "b1-c1", "occupied"),
        (3, "d3-d4", "no-pawn"),
        (3, "d3>", "no-pawn"),
        (3, "g7-g6", "not-yours"),
        (3, "g1<", "not-yours"),
        (2, "g1>", "not-yours"),
        (2, "e5-f6", "neutral"),
        (2, "e1>", "neutral"),
        (2, "e1-d1", "neutral"),
        (2, "a1-b1", "out-of-play"),
        (2, "d2-e2", "out-of-play"),
        (2, "d4<", "out-of-play"),
        (2, "f1-f2", "no-pawn"),
        (3, "c1-c3", "not-a-move"),
        (3, "c3-c4", "not-a-move"),
        (3, "c1>>", "not-a-move"),
    ],
)
def test_refusals_say_why_and_change_nothing(seats: int, text: str, code: str) -> None:
    match = fresh(seats)
    before = match.save()
    with pytest.raises(IllegalMove) as refused:
        match.play(0, text)
    assert refused.value.code == code
    assert match.save() == before
    for lang in words.LANGUAGES:
        assert words.say("tricolore", lang, "refusals", code, move="", example="")


def test_an_enemy_or_the_wall_occupies_too() -> None:
    state = position(f"{WALL} f3:0+0 f4:1+0", seats=2)
    for text in ("f3-f4", "f3-e3", "f3-e2"):
        assert GAME.refusal(state, 0, GAME.texts.index(text)) == "occupied"
        assert text not in texts(state)


def test_not_out_of_turn() -> None:
    with pytest.raises(IllegalMove) as refused:
        fresh().play(1, "g7>")
    assert refused.value.code == "not-your-turn"


# What is seen and said


def test_everything_is_open() -> None:
    state = GAME.start(3, quiet=120)
    for seat in (NOBODY, 0, 1, 2):
        assert GAME.view(state, seat) == state
        assert GAME.guess(state, seat, Random(1)) == state


def test_the_position_in_words() -> None:
    match = played(fresh(), "c2> i9<")
    assert pawns(match)["gold"]["c2"] == "gssbbg"
    assert pawns(match)["silver"]["i9"] == "sbbggs"
    described = cast("dict[str, Json]", match.view(0)["position"])
    assert described["captured"] == [0, 0, 0]
    assert described["quiet"] == 2
    assert described["neutral"] is None


def test_there_is_one_phase() -> None:
    assert GAME.phase(GAME.start(3, quiet=120), 0) == "play"
    for lang in words.LANGUAGES:
        assert words.say("tricolore", lang, "phases", "play")


def test_records_replay() -> None:
    match = played(fresh(2), "i7-i6 h1> i6-i5 i3-i4 i5> i2-i3 i5>")
    assert ludotheque.load(match.save()).state == match.state


@pytest.mark.parametrize(("lang", "honest"), [("en", "reconstruction"), ("fr", "reconstitution")])
def test_players_are_told_that_it_is_a_reconstruction(lang: str, honest: str) -> None:
    opening = words.rules("tricolore", lang).split("##")[0]
    assert honest in opening.replace("\n", " ")
    assert honest in words.say("tricolore", lang, "credits")


def test_both_pages_have_the_same_parts() -> None:
    english, french = words.page("tricolore", "en"), words.page("tricolore", "fr")
    assert english.keys() == french.keys()
    for part in ("seats", "options", "phases", "refusals", "moves"):
        here, there = english[part], french[part]
        assert isinstance(here, dict)
        assert isinstance(there, dict)
        assert here.keys() == there.keys()
    assert words.rules("tricolore", "en").count("\n## ") == words.rules("tricolore", "fr").count("\n## ") == 8


# The picture


def lines(state: State) -> list[str]:
    return [line.rstrip() for line in Text.from_markup(picture(state)).plain.split("\n")]


def test_the_picture_of_the_start() -> None:
    shown = lines(GAME.start(3, quiet=120))
    assert [line.strip() for line in shown[:7]] == [
        "◆  ◆",
        "■<a1>○",
        "◆  ◆■  ○◆  ◆",
        "■<b1>○  ■<b2>○",
        "◆  ◆■  ○◆  ◆■  ○◆  ◆",
        "■<c1>○  ■<c2>○  ■<c3>○",
        "■  ○    ■  ○    ■  ○",
    ]
    assert shown[-3].strip() == "■  ○    ■  ○    ■  ○                            ■  ○    ■  ○    ■  ○"
    assert shown[-1].split() == ["▸", "<◆>", "0/3", "(○)", "0/3", "[■]", "0/3", "…", "0/120"]
    assert max(len(line) for line in shown) <= 80


def test_the_picture_shows_each_side_where_it_is() -> None:
    """Around a lone pawn: NW NE above, W E beside, SW SE below."""
    for turned in range(6):
        state = position(f"f3:0+{turned}")
        east, southeast, southwest, west, northwest, northeast = (
            {"g": "◆", "s": "○", "b": "■"}[side] for side in state_of(state)["f3"]
        )
        shown = lines(state)
        (middle,) = (number for number, line in enumerate(shown) if "<f3>" in line)
        assert f"{west}<f3>{east}" in shown[middle]
        assert shown[middle - 1].split() == [northwest, northeast]
        assert shown[middle + 1].split() == [southwest, southeast]


def test_sides_that_touch_stand_side_by_side_in_the_picture() -> None:
    shown = lines(position("f3:0+0 g4:1+2"))  # f3 shows silver to the south-east, g4 black to the north-west
    (middle,) = (number for number, line in enumerate(shown) if "<f3>" in line)
    assert shown[middle + 1].split() == ["■", "○■", "■"]


def test_the_picture_for_two_has_a_wall_without_sides_and_nothing_behind() -> None:
    shown = lines(GAME.start(2, quiet=7))
    assert shown[1].split() == ["<e1>", "<e2>", "<e3>", "<e4>", "<e5>"]
    assert not any(name in line for line in shown for name in ("a1", "b2", "c3", "d4"))
    assert shown[-1].split() == ["▸", "(○)", "0/3", "[■]", "0/3", "…", "0/7"]


def test_the_picture_points_at_nobody_when_it_is_over() -> None:
    state = after(position("f3:0+2 f4:1+0", taken=(2, 0, 0)), "f3>")
    assert "▸" not in picture(state)
    assert "<◆> 3/3" in lines(state)[-1]
