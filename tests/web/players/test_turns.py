"""Computer players are asked in other processes and their moves are events like all others."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest
from django.test.utils import override_settings
from django.utils import timezone

import ludotheque
from ludotheque.web.jobs import pool
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.players import turns, warm_up
from ludotheque.web.players.questions import Question, answer, think
from ludotheque.web.table import actions, cache, moves, seating
from ludotheque.web.visitors import asked_from, hashed
from waiting import until
from web.people import Round, browser, seated
from web.table.test_actions import refused

DUELS = [box.key for box in ludotheque.games() if max(box.seats) > 1]
SHORT = {"legs": 1, "rounds": 3, "limit": 30, "quiet": 10}
FIRST = "web.computer_players:first"
DEFAULT_THINKER = "ludotheque.web.players.questions:think"


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    """Computer players at once, and none of them left when the test is over."""
    with override_settings(PACE=0.0, THINKER=""):
        yield
        until(turns.idle)


def table_with_computer(game: str = "hepta", **options: object) -> Round:
    table = seating.open_table(game, 2, options or {"legs": 1})
    seating.sit(table.id, "bob", 1, "Bob")
    seating.seat_computer(table.id, "bob", 0, "1")
    return Round(Table.objects.get(pk=table.id))


def texts(table: Round) -> list[str]:
    return list(Event.objects.filter(table=table.table, kind="move").values_list("text", flat=True))


def test_a_question_holds_what_the_seat_knows_and_no_more() -> None:
    match = ludotheque.game("hundsgemein").match(2, seed=1)
    match.play(0, next(text for text in match.moves(0) if "@" in text))
    question = Question.of(match, 1, 3)
    assert question.seen == match.seen(1) != match.state
    assert question.witnessed == match.witnessed(1)
    pizza = ludotheque.game("pizza").match(3, seed=1)
    for seat, text in ((0, "a1"), (1, "g4"), (2, "b1")):
        pizza.play(seat, text)
    before = Question.of(pizza, 1, 3)
    pizza.play(0, "cut 2")
    assert Question.of(pizza, 1, 3).witnessed == before.witnessed


def test_a_question_of_a_series_has_the_points_of_the_roles() -> None:
    match = ludotheque.game("hepta").match(legs=2)
    random = Random(1)
    while match.leg == 0:
        match.play(match.to_act[0], random.choice(match.moves(match.to_act[0])))
    question = Question.of(match, 0, 1)
    assert (question.role, question.left) == (1, 0)
    assert question.banked == (match.scores[1], match.scores[0])


def test_a_question_is_answered_like_in_the_other_process() -> None:
    match = ludotheque.game("hepta").match(luck=None)
    match.play(0, "a1")
    assert answer(Question.of(match, 0, 3), FIRST) == "a2"
    assert answer(Question.of(match, 0, 1), DEFAULT_THINKER) in match.moves(0)


def short(key: str, **options: object) -> dict[str, object]:
    return {
        option.name: SHORT[option.name] for option in ludotheque.game(key).options if option.name in SHORT
    } | options


@pytest.mark.parametrize(
    ("key", "options"), [(key, {}) for key in DUELS] + [("hundsgemein", {"referee": "table"})], ids=str
)
def test_every_duel_is_played_to_its_end_against_the_computer(key: str, options: dict[str, object]) -> None:
    """By level 1 on all other seats, with a person who does anything; both by their actions."""
    seats, random = max(ludotheque.game(key).seats), Random(7)
    table = seating.open_table(key, seats, short(key, **options))
    seating.sit(table.id, "ada", 0, "Ada")
    for number in range(1, seats):
        seating.seat_computer(table.id, "ada", number, "1")
    played = Round(Table.objects.get(pk=table.id))
    for _ in range(1000):
        if played.match.over:
            return
        assert any(one_moves(played, seat, random) for seat in turns._order(played.match)), "all wait for all"
    raise AssertionError("the match does not end")


def one_moves(table: Round, seat: int, random: Random) -> bool:
    match, version = table.match, table.state.version
    if seat:
        text = think(Question.of(match, seat, 1))
        if text is not None:
            moves.play_for_computer(table.id, seat, text, version)
        return text is not None
    options = [text for text in match.moves(0) if text != "object"]
    if options:
        moves.play(table.id, "ada", 0, random.choice(options), version=version)
    return bool(options)


def test_computer_players_move_until_it_is_my_turn() -> None:
    with override_settings(THINKER=FIRST):
        table = table_with_computer()
        until(lambda: table.match.to_act == (1,))
        assert texts(table) == ["a1", "a2", "a3", "a4", "a5", "a6", "a7"]
        table.play(1, "I")
        until(lambda: table.match.to_act == (1,))


def test_after_a_restart_they_go_on_once() -> None:
    table = table_with_computer()  # nobody thinks yet
    with override_settings(THINKER=FIRST):
        turns.wake_all()
        turns.wake_all()
        until(lambda: table.match.to_act == (1,))
    assert texts(table) == ["a1", "a2", "a3", "a4", "a5", "a6", "a7"]
    version = table.state.version
    moves.play_for_computer(table.id, 0, "a1", table.table.events.get(text="a1").number - 1)
    assert table.state.version == version


def test_a_turn_that_nobody_took_is_taken_later_and_those_who_wait_are_left_alone() -> None:
    table = table_with_computer()  # whoever was asked is gone
    with override_settings(THINKER="web.computer_players:shy", SWEEP=0):
        turns.sweep()
        until(turns.idle)
    version = table.state.version
    with override_settings(THINKER=FIRST, SWEEP=0):
        turns.sweep()
        until(turns.idle)
        assert table.state.version == version, "it said that it would rather wait"
        table.table.events.create(number=version + 1, kind="offer", actor="1", text="draw")
        Table.objects.filter(pk=table.id).update(version=version + 1)
        turns.sweep()
        until(lambda: table.match.to_act == (1,))
    assert not Table.objects.get(pk=table.id).due


def test_a_lost_turn_is_taken_although_the_clock_was_put_back() -> None:
    table = table_with_computer()  # whoever was asked is gone
    Table.objects.filter(pk=table.id).update(changed=timezone.now() + timedelta(hours=1))
    with override_settings(THINKER=FIRST, SWEEP=10):
        turns.sweep()
        until(lambda: table.match.to_act == (1,))


def test_a_sweep_forgets_tables_where_no_computer_is_to_move() -> None:
    table = seated("hepta", 2)
    Table.objects.update(due=True)
    with override_settings(THINKER=FIRST, SWEEP=0):
        turns.sweep()
    assert not Table.objects.get(pk=table.id).due


def test_without_a_thinker_nothing_happens() -> None:
    table = table_with_computer()
    turns.wake_all()
    assert table.match.events == []
    assert warm_up.levels(ludotheque.game("hepta")) == ()


def test_a_process_that_dies_costs_a_moment() -> None:
    with override_settings(THINKER="web.computer_players:dies_once"):
        table = table_with_computer()
        until(lambda: table.match.to_act == (1,))
    assert len(texts(table)) == 7


@pytest.mark.parametrize("thinker", ["web.computer_players:shy", "web.computer_players:broken"])
def test_one_who_waits_or_fails_is_asked_again_only_when_something_happens(
    thinker: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("CRITICAL")
    with override_settings(THINKER=thinker):
        table = table_with_computer()
        until(turns.idle)
        assert table.match.events == []
    with override_settings(THINKER=FIRST):
        turns.wake_all()
        until(lambda: table.match.to_act == (1,))


def test_a_sealed_choice_of_computers_and_people_together() -> None:
    with override_settings(THINKER=FIRST):
        table = seating.open_table("pizza", 3, {})
        seating.sit(table.id, "ada", 0, "Ada")
        seating.seat_computer(table.id, "ada", 1, "1")
        seating.seat_computer(table.id, "ada", 2, "1")
        played = Round(Table.objects.get(pk=table.id))
        moves.play(table.id, "ada", 0, "a1", version=played.state.version)
        until(lambda: played.match.to_act == (0,))
        assert played.match.view(0)["chosen"] == [1, 2]
        assert "cut" not in " ".join(text for _, text in played.match.shown(0))
        moves.play(table.id, "ada", 0, "cut 2", version=played.state.version)
        assert sum("cut" in text for _, text in played.match.events) == 3


def test_the_next_player_is_asked_last() -> None:
    match = ludotheque.game("hundsgemein").match(3, seed=1, referee="table")
    match.play(0, next(text for text in match.moves(0) if "@" in text))
    assert match.to_act == (1, 2)
    assert turns._order(match) == [2, 1]
    seats = [Seat(number=0, kind="person"), Seat(number=1, kind="computer"), Seat(number=2, kind="person")]
    with override_settings(PACE=1.0):
        assert turns._pause(match, seats, 1) > 3, "time to object"
        assert turns._pause(match, [seats[0], seats[1], seats[1]], 1) == 1


def test_they_agree_to_undo_but_not_to_draws() -> None:
    with override_settings(THINKER=FIRST):
        table = table_with_computer()
        until(lambda: table.match.to_act == (1,))
        refused("plays-on", lambda: actions.offer_draw(table.id, "bob", 1))
        table.play(1, "I")
        until(lambda: table.match.to_act == (1,))
        before = len(table.match.events)
        actions.ask_undo(table.id, "bob", 1)
        assert len(table.match.events) < before
        assert table.match.to_act == (1,)


def test_who_may_seat_a_computer_and_at_which_levels() -> None:
    table = seating.open_table("hepta", 2, {})
    refused("not-your-seat", lambda: seating.seat_computer(table.id, "bob", 0, "1"))
    seating.sit(table.id, "bob", 1, "Bob")
    refused("not-your-seat", lambda: seating.seat_computer(table.id, "ada", 0, "1"))
    refused("no-such-level", lambda: seating.seat_computer(table.id, "bob", 0, "6"))
    refused("seat-taken", lambda: seating.seat_computer(table.id, "bob", 1, "1"))
    solo = seating.open_table("tetrods", 1, {})
    refused("not-your-seat", lambda: seating.seat_computer(solo.id, "bob", 0, "1"))


def test_nobody_can_take_a_computers_move_by_its_name() -> None:
    table = table_with_computer()
    version = table.state.version
    refused("bad-message", lambda: table.play(1, "I", client=f"computer 0 {version}"))


def test_the_form_seats_computers_at_any_seats_and_levels() -> None:
    ada = browser("ada")
    wish = {
        "way": "link",
        "seats": "4",
        "seat": "2",
        "player-1": "5",
        "player-2": "",
        "player-3": "1",
        "name-0": "Ada",
    }
    with override_settings(THINKER="web.computer_players:shy"):
        reply = ada.post("/games/hundsgemein/new", wish)
        table = Table.objects.get(pk=reply["Location"].split("/")[-1])
        assert [(seat.kind, seat.level) for seat in table.seats.all()] == [
            ("computer", "5"),
            ("free", ""),
            ("person", ""),
            ("computer", "1"),
        ]
        page = ada.get(reply["Location"]).content.decode()
        assert "Computer · Master" in page
        assert 'value="computer"' in page, "the free seat can be given to a computer, too"
        ada.post(f"/t/{table.id}/do", {"do": "computer", "seat": "1", "level": "3"})
        assert Table.objects.get(pk=table.id).status == "playing"
        assert ada.post("/games/hundsgemein/new", wish | {"player-1": "7"}).status_code == 400


@pytest.mark.parametrize("key", DUELS)
def test_one_button_is_enough(key: str) -> None:
    ada = browser("ada")
    with override_settings(THINKER="web.computer_players:shy"):
        page = ada.get(f"/games/{key}").content.decode()
        assert page.index("Play against the computer") < page.index("<h2>")
        reply = ada.post(f"/games/{key}/new", {"way": "computer", "as-usual": "yes", "level": "4"})
        table = Table.objects.get(pk=reply["Location"].split("/")[-1])
        seats = list(table.seats.all())
        assert table.status == "playing"
        assert sorted(seat.level for seat in seats) == [""] + ["4"] * (len(seats) - 1)
        assert [seat.visitor for seat in seats if not seat.level] == [hashed("ada")]
        usual = {option.name: option.default for option in ludotheque.game(key).options}
        assert table.options == {k: list(v) if isinstance(v, tuple) else v for k, v in usual.items()}


def test_the_page_says_who_is_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    bob = browser("bob")
    table = table_with_computer()
    page = bob.get(f"/t/{table.id}").content.decode()
    assert "Computer is thinking …" in page
    assert "Beginner" in page
    french = bob.get(f"/t/{table.id}", headers={"accept-language": "fr"}).content.decode()
    assert "Ordinateur réfléchit…" in french
    monkeypatch.setattr(warm_up, "is_cold", lambda game: game == "hepta")
    assert "learning this game" in bob.get(f"/t/{table.id}").content.decode()


def test_a_solitaire_has_no_computer_players() -> None:
    with override_settings(THINKER=FIRST):
        assert warm_up.levels(ludotheque.game("tetrods")) == ()
        assert "Play against the computer" not in browser("ada").get("/games/tetrods").content.decode()


def test_hints_are_for_those_who_play_against_nobody_else() -> None:
    bob, ada = browser("bob"), browser("ada")
    with override_settings(THINKER=FIRST):
        table = table_with_computer()
        until(lambda: table.match.to_act == (1,) and turns.idle())
        assert "data-hint" in bob.get(f"/t/{table.id}").text
        hint = {"move": ""}
        until(lambda: hint.update(bob.get(f"/t/{table.id}/hint?seat=1").json()) or hint["move"] != "")  # or busy
        assert hint["move"] in table.match.moves(1)
        assert f"Try {hint['move']}." in hint["say"]
        assert "Essayez " in bob.get(f"/t/{table.id}/hint?seat=1", headers={"accept-language": "fr"}).text
        assert ada.get(f"/t/{table.id}/hint?seat=1").status_code == 403
    people = seated("hepta", 2)
    assert browser("ada").get(f"/t/{people.id}/hint?seat=0").status_code == 403


def test_computer_players_look_again_only_if_they_were_asked_meanwhile() -> None:
    """Else two processes that were asked about the same turn would both think about all that follow."""
    turn = turns.Turn("table", 4, (0,))
    assert turns._begin(turn)
    assert not turns._end(turn)
    assert turns._begin(turn)
    assert not turns._begin(turn._replace(version=5)), "busy"
    assert turns._end(turn), "asked meanwhile"
    assert turns._begin(turn)
    assert not turns._end(turn)


@override_settings(THINKER=FIRST)
def test_turns_wait_with_those_of_whoever_moved_last(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[pool.Asker] = []
    monkeypatch.setattr(pool.thinking, "post", lambda *_: asked.append(pool.Asker.now()))
    monkeypatch.setattr(turns, "_busy", {})
    with asked_from("192.0.2.1", hashed("bob")):
        table = table_with_computer()
    assert asked[-1] == ("192.0.2.1", hashed("bob"), pool.Urgency.TURN)
    turns._busy.clear()
    turns.wake([Table.objects.get(pk=table.id)])
    assert asked[-1][:2] == ("192.0.2.1", hashed("bob")), "the sweep knows it, too"
    cache.clear()
    turns._busy.clear()
    turns.wake([Table.objects.get(pk=table.id)])
    assert asked[-1][:2] == (hashed("bob"), hashed("bob")), "after a restart, who sits there"


@override_settings(THINKER=FIRST)
def test_what_a_computer_player_leads_to_is_still_asked_for_by_the_same_person() -> None:
    with asked_from("192.0.2.2"):
        table = table_with_computer()
    until(lambda: bool(texts(table)))
    assert cache.latest(table.id).table.changed_from == "192.0.2.2"
