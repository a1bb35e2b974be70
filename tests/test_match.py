"""A match keeps order: who may move, why not, secrets, undo, series, saving."""

import copy
import hashlib
import json
import pickle
from dataclasses import replace

import pytest
from rich.text import Text

import ludotheque
from ludotheque import BadOption, BadRecord, IllegalMove, Match, UndoRefused, UnknownGame
from ludotheque.game import LUCK
from ludotheque.match import Actor
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.output.plain import sketch
from ludotheque.shelf import Box
from testing import secret_numbers
from testing.secret_numbers import GUESS_0, WRITE

BLOCKERS = ["a1", "a2", "a3", "a4", "a5", "a6", "a7"]


def hepta(legs: int = 1) -> Match:
    """A leg of Hepta with the blockers along the left edge."""
    match = ludotheque.game("hepta").match(legs=legs)
    for cell in BLOCKERS:
        match.play(0, cell)
    return match


def cutting() -> Match:
    """A match of Pizza Theory for three, all toppings added, the cuts to be chosen."""
    match = ludotheque.game("pizza").match(seats=3, seed=1)
    for seat in range(3):
        match.play(seat, match.moves(seat)[0])
    return match


def seat_and_first(match: Match) -> tuple[Actor, str]:
    """Somebody who may move, and the first of their moves."""
    return match.to_act[0], match.moves(match.to_act[0])[0]


def refused(match: Match, actor: Actor, text: str) -> str:
    """The code of the refusal; the match must not have changed."""
    before = match.save()
    with pytest.raises(IllegalMove) as error:
        match.play(actor, text)
    assert match.save() == before
    assert error.value.reason == str(error.value) == error.value.args[0]
    assert error.value.reason.endswith((".", "!")) or "like this" in error.value.reason
    return error.value.code


def test_the_public_interface() -> None:
    match = ludotheque.game("hepta").match(seats=2, seed=7)
    assert match.to_act == (0,)
    assert match.moves(1) == []
    assert len(match.moves(0)) == 49
    match.play(0, "d4")
    assert match.events == [(0, "d4")]
    assert (match.over, match.scores, match.winners, match.solved) == (False, (0, 0), (), False)
    assert json.loads(json.dumps(match.view(0)))["position"]["blockers"] == ["d4"]
    assert ludotheque.load(match.save()) == match
    assert match.picture(0).startswith("<svg")


def test_refusals_say_why() -> None:
    match = hepta()
    assert refused(match, 0, "I") == "not-your-turn"
    assert refused(match, 1, "a1") == "choose-shape"
    assert refused(match, 1, "z9") == "not-a-move"
    assert refused(match, 7, "I") == "unknown-seat"
    assert refused(match, "luck", "I") == "not-your-turn"
    match.play(1, "I")
    assert refused(match, 1, "b1-b2-c1") == "other-shape"
    assert refused(match, 1, "a1-b1-c1") == "no-room"


def test_a_finished_match_takes_no_move() -> None:
    match = ludotheque.game("pizza").match(seats=3, rounds=1)
    for seat in range(3):
        match.play(seat, match.moves(seat)[0])
    for seat in range(3):
        match.play(seat, "cut 1")
    assert match.over
    assert match.draw
    assert refused(match, 0, "cut 1") == "over"


def test_sealed_choices_stay_sealed_until_the_last_is_in() -> None:
    match = cutting()
    match.play(1, "cut 4")
    assert match.to_act == (0, 2)
    for seat in (0, 2, None):
        view = match.view(seat)
        assert view["chosen"] == [1]
        assert "cut 4" not in json.dumps(view)
        assert match.shown(seat) == match.events[:3]
        assert "knife" not in match.picture(seat)
    assert match.shown(1)[-1] == (1, "cut 4")
    assert refused(match, 1, "cut 5") == "already-chosen"
    match.play(0, "cut 2")
    match.play(2, "cut 6")
    assert match.view(None)["chosen"] == []
    assert match.shown(None)[-3:] == [(1, "cut 4"), (0, "cut 2"), (2, "cut 6")]


def test_events_are_sealed_for_all_but_the_seat_that_chose() -> None:
    match = cutting()
    assert match.sealed_events(None) == set()
    match.play(1, "cut 4")
    match.play(0, "cut 2")
    sealed = {seat: match.sealed_events(seat) for seat in (None, 0, 1, 2)}
    assert sealed == {None: {3, 4}, 0: {3}, 1: {4}, 2: {3, 4}}
    assert list(match.readable_events(0)) == [0, 1, 2, 4]
    assert [match.events[number] for number in match.readable_events(1)] == match.shown(1)
    match.play(2, "cut 6")
    assert [match.sealed_events(seat) for seat in sealed] == [set()] * 4
    assert list(match.readable_events(None)) == list(range(match.length))


def test_events_are_readable_from_where_the_log_begins_anew() -> None:
    match = ludotheque.game("hundsgemein").match(seats=3, seed=5)
    for _ in range(9):
        match.play(*seat_and_first(match))
    readable = match.readable_events(0)
    assert list(readable) == list(range(readable[0], match.length))
    assert readable[0] > 0
    assert [match.events[number] for number in readable] == match.shown(0)
    assert match.sealed_events(0) == set()


def test_two_matches_that_differ_in_a_sealed_choice_look_the_same() -> None:
    one, other = cutting(), cutting()
    one.play(2, "cut 1")
    other.play(2, "cut 6")
    for seat in (0, 1, None):
        assert one.view(seat) == other.view(seat)
        assert one.picture(seat) == other.picture(seat)
    for seat in (0, 1):
        assert one.moves(seat) == other.moves(seat)
    with pytest.raises(IllegalMove) as first:
        one.play(2, "cut 3")
    with pytest.raises(IllegalMove) as second:
        other.play(2, "cut 3")
    assert first.value.args == second.value.args
    assert one.view(2) != other.view(2)


def test_luck_acts_by_itself_and_by_hand() -> None:
    fair = ludotheque.game("pizza").match(seats=2, seed=1)
    hand = ludotheque.game("pizza").match(seats=2, luck=None)
    for match in (fair, hand):
        match.play(0, "d7")
        match.play(1, "d1")
    assert fair.events[-1][0] == "luck"
    assert fair.to_act == (0,)
    assert hand.to_act == ("luck",)
    assert hand.moves("luck") == [f"roll {number}" for number in range(1, 7)]
    assert hand.moves(0) == []
    hand.play("luck", "roll 4")
    assert "luck" not in hand.to_act


def test_one_may_take_back_ones_own_last_move() -> None:
    match = ludotheque.game("hepta").match()
    match.play(0, "d4")
    match.play(0, "d5")
    match.undo(0)
    assert match.events == [(0, "d4")]
    assert match.log == [(0, "d4"), (0, "d5"), ("undo", 1)]
    with pytest.raises(UndoRefused, match="nothing"):
        match.undo(1)


def test_not_past_another_players_move_unless_all_agree() -> None:
    match = hepta()
    match.play(1, "I")
    with pytest.raises(UndoRefused) as error:
        match.undo(0)
    assert error.value.code == "undo-others"
    match.undo(0, agreed=True)
    assert match.events == [(0, cell) for cell in BLOCKERS[:-1]]


def test_not_past_luck_unless_all_agree_and_then_luck_draws_anew() -> None:
    match = ludotheque.game("pizza").match(seats=2, seed=4)
    match.play(0, "d7")
    match.play(1, "d1")
    with pytest.raises(UndoRefused) as error:
        match.undo(1)
    assert error.value.code == "undo-luck"
    match.undo(1, agreed=True)
    assert match.to_act == (1,)
    assert sum(actor == "luck" for actor, _ in match.log) == 1
    match.play(1, "d1")
    assert sum(actor == "luck" for actor, _ in match.log) == 2
    assert ludotheque.load(match.save()) == match


def test_not_past_a_secret_unless_all_agree() -> None:
    match = cutting()
    match.play(0, "cut 1")
    with pytest.raises(UndoRefused) as sealed:
        match.undo(0)
    match.play(1, "cut 1")
    match.play(2, "cut 1")
    with pytest.raises(UndoRefused) as revealed:
        match.undo(2)
    assert (sealed.value.code, revealed.value.code) == ("undo-secret", "undo-secret")
    match.undo(2, agreed=True)
    assert match.to_act == (2,)


def test_a_series_swaps_roles_and_adds_points() -> None:
    match = ludotheque.game("hepta").match(legs=3)
    points = [0, 0]
    for leg in range(3):
        assert match.leg == leg
        assert match.view(0)["roles"] == ([0, 1], [1, 0])[leg % 2]
        blocker = leg % 2
        assert match.to_act == (blocker,)
        laid = [0, 0]
        while match.leg == leg and not match.over:
            (seat,) = match.to_act
            assert isinstance(seat, int)
            text = match.moves(seat)[0]
            laid[seat] += text.count("-") == 2
            match.play(seat, text)
        points = [before + here for before, here in zip(points, laid, strict=True)]
        assert list(match.scores) == points
    assert match.over
    best = max(points)
    assert match.winners == tuple(seat for seat in (0, 1) if points[seat] == best)
    assert ludotheque.load(match.save()) == match


def test_legs_that_were_played_to_their_end_are_told_apart() -> None:
    match = ludotheque.game("hepta").match(legs=2, seed=1)
    while match.leg == 0:
        match.play(*seat_and_first(match))
    match.play(*seat_and_first(match))
    ((last, story),) = match.ended_legs()
    assert last == match.length - 2
    assert [match.game.texts[move] for _, move in story] == [text for _, text in match.events[:-1]]
    while not match.over:
        match.play(*seat_and_first(match))
    assert [number for number, _ in match.ended_legs()] == [last, match.length - 1]
    assert sum(len(story) for _, story in match.ended_legs()) == match.length


def test_undo_reaches_back_into_the_leg_before() -> None:
    match = ludotheque.game("hepta").match(legs=2)
    while match.leg == 0:
        (seat,) = match.to_act
        match.play(seat, match.moves(seat)[0])
    last = match.events[-1][0]
    assert isinstance(last, int)
    match.undo(last)
    assert match.leg == 0


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        (5, {}, "2 seats"),
        (True, {}, "2 seats"),
        ("2", {}, "2 seats"),
        (2, {"legs": 0}, "whole number from 1"),
        (2, {"legs": True}, "whole number from 1"),
        (2, {"legs": 10**400}, "whole number from 1"),
        (2, {"colour": "red"}, "no option"),
        (2, {"seed": True}, "seed is"),
        (2, {"luck": "mine"}, "luck is"),
    ],
)
def test_wrong_options_are_refused_with_what_would_be_right(
    seats: int, options: dict[str, object], message: str
) -> None:
    with pytest.raises(BadOption, match=message):
        ludotheque.game("hepta").match(seats=seats, **options)  # type: ignore[arg-type]


def test_an_unknown_game_suggests_the_nearest() -> None:
    with pytest.raises(UnknownGame, match="Did you mean hepta"):
        ludotheque.game("heptaa")
    with pytest.raises(UnknownGame, match="There are"):
        ludotheque.game("\x00" * 10_000)


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    match = ludotheque.game("pizza").match(seats=2, seed="a secret", table="T", entropy=["mine", "yours"])
    assert match.luck is not None
    assert match.luck.commitment == hashlib.sha256(b"a secret").hexdigest()
    assert "a secret" not in repr(match.luck)
    assert "a secret" not in json.dumps(match.view(0))
    assert ludotheque.load(match.save()).luck == match.luck


def test_a_copy_goes_on_by_itself() -> None:
    match = hepta()
    other = match.copy()
    assert other == match
    other.play(1, "I")
    assert (len(match.events), len(other.events)) == (7, 8)
    match.undo(0, agreed=True)
    assert other.to_act == (1,)
    assert other.log[-1] == (1, "I")
    assert ludotheque.load(other.save()) == other


def test_errors_can_be_sent_to_other_processes() -> None:
    with pytest.raises(IllegalMove) as error:
        hepta().play(0, "I")
    copy = pickle.loads(pickle.dumps(error.value))  # noqa: S301
    assert (copy.reason, copy.code) == (error.value.reason, error.value.code)


def test_giving_up_and_agreeing_end_a_match_and_are_in_its_record() -> None:
    given_up, drawn = hepta(), hepta()
    given_up.resign(1)
    drawn.agree()
    assert (given_up.winners, given_up.draw, drawn.winners, drawn.draw) == ((0,), False, (0, 1), True)
    for match in (given_up, drawn):
        assert match.over
        assert (match.to_act, match.moves(1)) == ((), [])
        assert match.scores == hepta().scores
        with pytest.raises(IllegalMove, match="over"):
            match.play(1, "I")
        with pytest.raises(IllegalMove, match="over"):
            match.resign(0)
        with pytest.raises(UndoRefused, match="over"):
            match.undo(0, agreed=True)
        again = ludotheque.load(match.save())
        assert again == match
        assert again.ending == match.ending
        assert again != hepta()


@pytest.mark.parametrize(
    "ending",
    [
        None,
        {},
        "draw",
        {"how": "resign"},
        {"how": "resign", "seat": 2},
        {"how": "resign", "seat": True},
        {"how": "resign", "seat": 0, "why": "rain"},
        {"how": "draw", "seat": 0},
        {"how": "fled", "seat": 0},
    ],
)
def test_endings_that_cannot_be_are_refused(ending: object) -> None:
    match = hepta()
    match.resign(0)
    record = json.loads(match.save()) | {"ending": ending}
    with pytest.raises(BadRecord, match=r"[Ee]nding"):
        ludotheque.load(json.dumps(record))


def test_a_match_that_is_over_has_no_ending_of_another_kind() -> None:
    match = ludotheque.game("hepta").match(legs=1)
    while not match.over:
        (seat,) = match.to_act
        match.play(seat, match.moves(seat)[0])
    record = json.loads(match.save()) | {"ending": {"how": "draw"}}
    with pytest.raises(BadRecord, match="over"):
        ludotheque.load(json.dumps(record))


def test_what_was_sealed_is_open_once_somebody_gave_up() -> None:
    match = ludotheque.game("pizza").match(seats=3)
    for seat, text in ((0, "d4"), (1, "e6"), (2, "b1"), (1, "cut 2")):
        match.play(seat, text)
    assert (1, "cut 2") not in match.shown(0)
    match.resign(2)
    assert (1, "cut 2") in match.shown(0)
    assert match.winners == (0, 1)


def test_an_agreed_undo_shows_what_was_seen_then_and_no_more() -> None:
    match = ludotheque.game("hundsgemein").match(seats=3, seed=5)
    everyone = (None, 0, 1, 2)
    for _ in range(9):
        (seat,) = match.to_act
        match.play(seat, match.moves(seat)[0])
    (seat,) = match.to_act
    assert isinstance(seat, int)
    then = [match.view(viewer) for viewer in everyone]
    for _ in range(2):
        (other,) = match.to_act
        match.play(other, match.moves(other)[0])
    match.undo(seat, agreed=True)
    assert [match.view(viewer) for viewer in everyone] == then


# Private moves


def numbers(*moves: str, seats: int = 2, roll: str = "roll 2") -> Match:
    """A match in which everybody has written down a number, and these moves were made."""
    match = Box(secret_numbers.GAME).match(seats=seats, luck=None)
    for text in (roll, *moves):
        match.play(match.to_act[0], text)
    return match


def test_of_a_private_move_others_learn_that_it_was_made() -> None:
    match = numbers("write 2", "write 3", "guess 1")
    written = [(0, "write 2"), (1, "write"), (0, "guess 1")]
    assert match.shown(0) == written
    assert match.view(0)["events"] == [list(event) for event in written]
    assert match.shown(1) == [(0, "write"), (1, "write 3"), (0, "guess 1")]
    assert match.shown(None) == [(0, "write"), (1, "write"), (0, "guess 1")]
    assert match.story(0) == match.witnessed(0) == ((0, 1), (1, WRITE), (0, GUESS_0))
    assert [match.telling(1, seat).sentence for seat in (0, 1, None)] == ["write-2", "write", "write"]
    assert match.events == [("luck", "roll 2"), (0, "write 2"), (1, "write 3"), (0, "guess 1")]


def test_what_nothing_is_shown_of_is_in_no_log_of_anybody() -> None:
    match = numbers("write 2")
    for seat in (None, 0, 1):
        assert list(match.readable_events(seat)) == [1]
        assert match.sealed_events(seat) == {0}
        assert match.telling(0, seat).sentence == ""
    assert [frame.event for frame in frames(match, 1)] == [None, (0, "write")]


def test_a_private_move_comes_out_when_the_game_says_so() -> None:
    match = numbers("write 2", "write 3")
    before = match.copy()
    match.play(0, "guess 3")
    assert match.shown(None) == [(0, "write"), (1, "write 3"), (0, "guess 3")]
    assert match.news(before, None) == ((1, 2), (0, GUESS_0 + 2))
    assert match.news(before, 1) == ((0, GUESS_0 + 2),)
    assert before.news(before.before(1), 0) == ((1, WRITE),)


def test_what_is_private_comes_out_at_the_end_only_where_the_game_says_so() -> None:
    for reveals in (True, False):
        match = Box(replace(secret_numbers.GAME, reveals=reveals)).match(seats=2, luck=None)
        for text in ("roll 1", "write 2", "write 3"):
            match.play(match.to_act[0], text)
        match.resign(1)
        shown = [("luck", "roll 1"), (0, "write 2"), (1, "write 3")] if reveals else [(0, "write 2"), (1, "write")]
        assert match.shown(0) == shown
        assert match.opened().shown(None) == match.events
        assert match.reveals_all == reveals
    assert [frame.event for frame in frames(match)] == [None, (0, "write"), (1, "write")]


def test_who_is_about_to_move_for_themselves_is_known() -> None:
    match = numbers("write 2")
    assert [match.is_private(1, seat) for seat in (0, 1, None)] == [True, False, True]
    match.play(1, "write 1")
    assert not any(match.is_private(actor, seat) for actor in (0, 1) for seat in (0, 1, None))
    cuts = cutting()
    assert [cuts.is_private(0, seat) for seat in (None, 0, 1)] == [True, False, True]


def test_a_private_move_may_be_taken_back_and_what_came_out_may_not() -> None:
    told = Box(replace(secret_numbers.GAME, view=lambda state, _seat: state)).match(seats=2, luck=None)
    for text in ("roll 1", "write 1", None, "write 2", "write 3", "guess 1"):
        if text is None:
            told.undo(0)  # nobody has learnt but that it was made
        else:
            told.play(told.to_act[0], text)
    told.undo(0)  # a wrong guess told nobody anything that they did not see
    told.play(0, "guess 3")
    with pytest.raises(UndoRefused) as refused:
        told.undo(0)
    assert refused.value.code == "undo-secret"


def test_who_does_not_know_all_may_have_learnt_something() -> None:
    match = numbers("write 2", "write 3", "guess 1")
    with pytest.raises(UndoRefused) as refused:
        match.undo(0)
    assert refused.value.code == "undo-secret"
    match.undo(0, agreed=True)
    assert match.length == 3


def test_computer_players_get_covers() -> None:
    worlds = [
        numbers(first, "write 3", roll=roll) for first in ("write 1", "write 2") for roll in ("roll 1", "roll 2")
    ]
    assert len({(match.witnessed(1), match.seen(1)) for match in worlds}) == 1
    assert all(role != LUCK for role, _ in worlds[0].witnessed(1))


# Values


@pytest.mark.parametrize("key", [box.key for box in ludotheque.games()])
def test_copies_and_pickles_of_a_match_share_its_game(key: str) -> None:
    match = ludotheque.game(key).match(seed=3)
    match.play(*seat_and_first(match))
    for again in (pickle.loads(pickle.dumps(match)), copy.copy(match), copy.deepcopy(match)):  # noqa: S301 - our own
        assert again == match
        assert again.game is match.game
        before = match.save()
        again.resign(0)
        assert match.save() == before, "it is a match of its own"
    box = ludotheque.game(key)
    assert pickle.loads(pickle.dumps(box)) == copy.deepcopy(box) == box  # noqa: S301 - our own
    assert len(pickle.dumps(box)) < 200, "by its key"


def test_a_game_that_is_on_no_shelf_is_pickled_once() -> None:
    match = numbers("write 2")
    again = pickle.loads(pickle.dumps(match))  # noqa: S301 - our own
    assert again == match
    assert again.game is match.game is copy.deepcopy(match.game) is copy.copy(match.game)


def test_a_game_that_cannot_be_pickled_says_why() -> None:
    game = replace(secret_numbers.GAME, winners=lambda _state: 0)
    with pytest.raises(pickle.PicklingError, match=r"its winners is .*<lambda>: make that a function of a module"):
        pickle.dumps(game)


def test_everything_says_briefly_what_it_is() -> None:
    box = ludotheque.game("hepta")
    assert (repr(box), repr(box.rules)) == ("<Box hepta>", "<Game hepta>")
    assert repr(box.match()) == "<Match of hepta: 0 events, to act (0,)>"
    assert ludotheque.__version__.count(".") == 2


@pytest.mark.parametrize("key", [box.key for box in ludotheque.games()])
def test_a_match_as_text_is_the_board_of_the_terminal(key: str) -> None:
    match = ludotheque.game(key).match(seed=3)
    match.play(*seat_and_first(match))
    drawn = Text.from_markup(sketch(match.game)(match.seen(None))).plain
    assert str(match) == f"{drawn}\n{match!r}"


def test_a_match_that_nobody_has_drawn_is_told() -> None:
    assert str(numbers()).startswith("numbers [null, null, null]\npoints [0, 0, 0]\n<Match of secret-numbers")
