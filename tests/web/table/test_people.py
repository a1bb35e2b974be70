"""Who decides at a table before the start, and what happens to a match of three when one leaves it."""

import json
import re
from collections.abc import Iterator

import pytest
from django.test import Client, override_settings

import ludotheque
from ludotheque.web.models import Seat, Table
from ludotheque.web.refusals import Refused
from ludotheque.web.replays import analysis
from ludotheque.web.screen.table_list import Shelf, my_tables
from ludotheque.web.table import actions, cache, own_seats, rematch, seating
from ludotheque.web.table.state import TableState
from web.people import Round, browser, seated


@pytest.fixture(autouse=True)
def _nobody_thinks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """There are computer players, and they take their time."""
    monkeypatch.setattr(analysis, "begin", lambda _found: None)
    monkeypatch.setattr("ludotheque.web.table.transaction.listeners", [])
    with override_settings(THINKER="web.computer_players:first"):
        yield


def refused(code: str) -> "pytest.RaisesExc[ludotheque.LudothequeError]":
    return pytest.raises(ludotheque.LudothequeError, check=lambda error: error.code == code)


# Before the start


def _open(way: str = "open", **form: str) -> Table:
    wish = {"seats": "4", "seat": "0", "way": way, "name-0": "Ada", **form}
    answer = browser("ada").post("/games/hundsgemein/new", wish)
    return Table.objects.get(pk=answer["Location"].removeprefix("/t/"))


def test_who_sets_an_open_table_decides_about_its_seats() -> None:
    table = _open()
    seating.sit(table.id, "bob", 1, "Bob")
    with refused("not-your-table"):
        seating.seat_computer(table.id, "bob", 2, "1")
    with refused("one-seat"):
        seating.sit(table.id, "bob", 2, "Bob again")
    seating.seat_computer(table.id, "ada", 2, "1")
    seating.sit(table.id, "ada", 3, "Beside Ada")
    assert cache.state_of(Table.objects.get(pk=table.id)).match is not None


def test_at_a_table_by_link_guests_may_bring_somebody() -> None:
    table = _open("link")
    seating.sit(table.id, "bob", 1, "Bob")
    seating.sit(table.id, "bob", 2, "Beside Bob")
    with refused("not-your-table"):
        seating.seat_computer(table.id, "bob", 3, "1")


def test_to_stand_up_hands_nothing_over() -> None:
    table = _open()
    seating.sit(table.id, "bob", 1, "Bob")
    seating.leave(table.id, "ada", 0)
    with refused("not-your-table"):
        seating.seat_computer(table.id, "bob", 2, "1")
    with refused("not-your-seat"):
        seating.seat_computer(table.id, "ada", 2, "1")
    seating.sit(table.id, "ada", 3, "Ada")
    seating.seat_computer(table.id, "ada", 2, "1")


def test_the_right_moves_to_another_device_with_the_seat() -> None:
    table = _open()
    seating.sit(table.id, "ada", 1, "Beside Ada")
    for seat, still in ((1, "ada"), (0, "telephone")):
        own_seats.take_link(own_seats.make_link(table.id, "ada", seat), "telephone")
        other = {"ada": "telephone", "telephone": "ada"}[still]
        with pytest.raises(Refused):
            seating.seat_computer(table.id, other, 2, "1")
        seating.seat_computer(table.id, still, 2 + (still == "telephone"), "1")


def test_the_page_offers_guests_only_what_they_may_do() -> None:
    table = _open()
    seating.sit(table.id, "bob", 1, "Bob")
    host, guest = (browser(who).get(f"/t/{table.id}").text for who in ("ada", "bob"))
    assert 'value="computer"' in host
    assert 'id="beside-2"' in host
    assert 'value="computer"' not in guest
    assert 'id="beside-2"' not in guest
    assert 'value="leave"' in guest


# One of three leaves


def _of_three() -> Round:
    table = seated("pizza", 3)
    table.play(0, "a1")
    return table


def test_one_of_three_leaves_and_the_match_goes_on() -> None:
    table = _of_three()
    version = table.state.version
    actions.resign(table.id, "bob", 1)
    table.table.refresh_from_db()
    assert (table.state.over, table.table.status, table.table.due) == (False, "playing", True)
    assert table.match.ending is None
    seat = Seat.objects.get(table=table.id, number=1)
    assert (seat.kind, seat.level, seat.name, seat.visitor, seat.link) == ("computer", "2", "Bob", "", None)
    assert seat.entropy == "1", "what the seat added to the luck stays in it"
    with refused("not-your-seat"):
        table.play(1, "g4", version=version + 1)
    with refused("not-your-seat"):
        actions.resign(table.id, "bob", 1)


def test_the_computer_player_takes_the_turn() -> None:
    from ludotheque.web.table import moves

    table = _of_three()
    actions.resign(table.id, "bob", 1)
    moves.play_for_computer(table.id, 1, "g4", table.state.version)
    assert table.match.events[-1] == (1, "g4")


def test_it_is_told_in_the_list_and_kept_in_names() -> None:
    table = _of_three()
    actions.resign(table.id, "bob", 1)
    table.play(0, "b1") if table.match.to_act == (0,) else None
    for lang, left, name in (
        ("en", "Bob has left. The computer plays on in this seat.", "Bob (then the computer)"),
        ("fr", "Bob a quitté la table. L’ordinateur joue désormais à sa place.", "Bob (puis l’ordinateur)"),
    ):
        for who in ("ada", "stranger", "bob"):
            page = table.screen(who, lang)["html"]
            assert f'<li class="note">{left}</li>' in page
            assert name in page
        assert name in my_tables("ada", Shelf.RUNNING, lang).tables[0].people
    assert not my_tables("bob", Shelf.RUNNING, "en").tables
    mine = browser("ada").get(f"/t/{table.id}").text
    assert ">Leave to the computer</button>" in mine


def test_the_button_says_what_it_does() -> None:
    def button(table: Round) -> str:
        page = browser("ada").get(f"/t/{table.id}", headers={"accept-language": "fr"}).text
        (said,) = re.findall(r'value="resign" data-sure>([^<]+)<', page)
        return str(said)

    three = _of_three()
    assert button(three) == "Laisser la place à l’ordinateur"
    for seat, who in ((1, "bob"), (2, "cleo")):
        actions.resign(three.id, who, seat)
    assert button(three) == "Abandonner"
    assert button(seated("hepta", 2)) == "Abandonner"


def test_nobody_is_left() -> None:
    table = _of_three()
    for seat, who in enumerate(("ada", "bob")):
        actions.resign(table.id, who, seat)
        assert not table.state.over, "whoever is there plays on with the computer"
    actions.resign(table.id, "cleo", 2)
    assert table.state.over
    page = table.screen("cleo")["html"]
    assert "Everybody has left: the match was abandoned." in page
    assert 'class="won"' not in page
    assert "abandonnée" in Client(headers={"accept-language": "fr"}).get(f"/replay/{table.id}").text


def test_its_record_reads_as_always() -> None:
    table = _of_three()
    actions.resign(table.id, "bob", 1)
    table.play_at_once(200)
    if not table.match.over:
        actions.resign(table.id, "ada", 0)
        actions.resign(table.id, "cleo", 2)
    record = Client().get(f"/t/{table.id}/record").text
    assert ludotheque.load(record).save() == record
    assert {actor for actor, _ in json.loads(record)["log"]} <= {0, 1, 2, "luck"}
    page = Client().get(f"/replay/{table.id}").text
    assert '<li class="note">Bob has left. The computer plays on in this seat.</li>' in page


def test_a_draw_needs_everybody_who_is_still_there() -> None:
    table = _of_three()
    actions.resign(table.id, "bob", 1)
    actions.offer_draw(table.id, "ada", 0)
    assert not table.state.over
    actions.answer_offer(table.id, "cleo", 2, agrees=True)
    assert table.state.ending is not None
    assert table.state.ending.how == "draw"


def test_whoever_leaves_while_a_draw_is_offered_does_not_hinder_it() -> None:
    table = _of_three()
    actions.offer_draw(table.id, "ada", 0)
    actions.answer_offer(table.id, "cleo", 2, agrees=True)
    actions.resign(table.id, "bob", 1)
    assert table.state.over
    other = _of_three()
    actions.offer_draw(other.id, "ada", 0)
    actions.resign(other.id, "ada", 0)
    assert (other.state.offer, other.state.over) == (None, False), "an offer leaves with who made it"


def test_the_last_one_cannot_agree_on_a_draw_with_computers() -> None:
    table = _of_three()
    actions.resign(table.id, "bob", 1)
    actions.resign(table.id, "cleo", 2)
    with refused("plays-on"):
        actions.offer_draw(table.id, "ada", 0)


def test_round_one_screen_one_gives_up_and_the_others_play_on() -> None:
    table = seating.open_table("pizza", 3, {})
    for seat in range(3):
        seating.sit(table.id, "ada", seat, f"Person {seat}")
    together = Round(table)
    page = browser("ada").get(f"/t/{table.id}").text
    assert "Leave to the computer" in page
    for seat in range(2):
        actions.resign(table.id, "ada", seat)
        assert not together.state.over
    assert [leaver.seat for leaver in together.state.leavers] == [0, 1]
    seats = {seat.number: seat for seat in table.seats.all()}
    assert [seats[number].kind for number in range(3)] == [Seat.Kind.COMPUTER] * 2 + [Seat.Kind.PERSON]
    assert "Give up" in browser("ada").get(f"/t/{table.id}").text
    actions.resign(table.id, "ada", 2)
    assert together.state.over, "the last has nobody to play on for"


def test_where_nobody_thinks_giving_up_ends_it_as_before() -> None:
    table = _of_three()
    with override_settings(THINKER=""):
        actions.resign(table.id, "bob", 1)
    assert table.state.over


def test_old_logs_keep_their_meaning() -> None:
    """A match of three that was given up before there was any other way."""
    table = _of_three()
    with override_settings(THINKER=""):
        actions.resign(table.id, "bob", 1)
    cache.clear()
    assert (table.state.over, table.match.winners, table.state.leavers) == (True, (0, 2), ())
    assert "Bob has given up, so Ada and Cleo win." in table.screen("ada")["html"]


def test_the_log_folds_to_the_same_in_every_process() -> None:
    """With moves taken back past the leaving, too."""
    table = _of_three()
    table.play(1, "g4")
    actions.resign(table.id, "cleo", 2)
    with pytest.raises(ludotheque.LudothequeError):
        table.play(2, "b1")
    actions.ask_undo(table.id, "bob", 1)
    actions.ask_undo(table.id, "ada", 0)
    if (offer := table.state.offer) is not None:
        actions.answer_offer(table.id, "bob", 1, agrees=True)
        assert offer.what == "undo"
    kept = table.state
    cache.clear()
    again = table.state
    assert _facts(kept) == _facts(again)
    assert [again.events_before(leaver) for leaver in again.leavers] == [0]
    assert '<ol class="log"><li class="note">Cleo has left.' in re.sub(r">\s+<", "><", table.screen("ada")["html"])


def _facts(state: TableState) -> tuple[object, ...]:
    return state.version, state.match, state.offer, state.declined, state.leavers, state.entered


def test_in_the_rematch_the_computer_is_called_so() -> None:
    table = _of_three()
    actions.resign(table.id, "bob", 1)
    table.play_at_once(400)
    for seat, who in ((0, "ada"), (2, "cleo")):
        if not table.match.over:
            actions.resign(table.id, who, seat)
    again = Round(rematch.rematch(table.id, "ada"))
    assert [(seat.kind, seat.name) for seat in again.table.seats.all()] == [
        ("person", "Cleo"),
        ("person", "Ada"),
        ("computer", ""),
    ]
    assert "then the computer" not in again.screen("ada")["html"]
