"""No single party, the keeper apart, can steer a draw; and what the keeper could do would show.

The keeper is bound by what was published first: a table's id and the commitment of its seed. All entropy comes after.
"""

import json
import re
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from django.conf import settings
from django.core import signing
from django.test import Client, override_settings
from typer.testing import CliRunner

import ludotheque
from ludotheque.cli import app
from ludotheque.luck import Luck, fresh_seed
from ludotheque.web.models import Seat, Table
from ludotheque.web.refusals import Refused
from ludotheque.web.replays import analysis
from ludotheque.web.table import actions, cache, commitments, own_seats, rematch, seating
from web.people import Round, browser, seated

FORM = {"seats": "2", "seat": "0", "way": "link", "name-0": "Ada"}


@pytest.fixture(autouse=True)
def _nobody_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "begin", lambda _found: None)
    monkeypatch.setattr("ludotheque.web.table.transaction.listeners", [])


def promised(who: str = "ada") -> dict[str, str]:
    """What a page asks for before it makes entropy."""
    found: dict[str, str] = browser(who).post("/luck").json()
    return found


def set_table(who: str = "ada", game: str = "pizza", **form: str) -> Table:
    answer = browser(who).post(f"/games/{game}/new", FORM | form)
    assert answer.status_code == 302, answer.text
    return Table.objects.get(pk=answer["Location"].removeprefix("/t/"))


def entropy(table: Table) -> list[tuple[str, bool | None]]:
    return list(Seat.objects.filter(table=table.pk).values_list("entropy", "added"))


def luck_of(table: Table) -> Luck:
    cache.clear()
    match = cache.state_of(Table.objects.get(pk=table.pk)).match
    assert match is not None
    assert match.luck is not None
    return match.luck


# Whoever sets a table


def test_the_creators_entropy_comes_after_the_commitment() -> None:
    promise = promised()
    assert set(promise) == {"luck", "table", "commitment"}
    table = set_table(luck=promise["luck"], entropy="ada's")
    assert (table.id, table.commitment) == (promise["table"], promise["commitment"])
    assert entropy(table)[0] == ("ada's", True)


def test_to_ask_for_a_promise_stores_nothing_and_tells_no_seed() -> None:
    promises = [promised() for _ in range(20)]
    assert not Table.objects.exists()
    for promise in promises:
        known = commitments.of_ticket(promise["luck"])
        assert known is not None
        assert known.seed not in json.dumps(promises)
    assert len({promise["commitment"] for promise in promises}) == len(promises)


@pytest.mark.parametrize("ticket", ["", "nonsense", "a:b:c"])
def test_entropy_without_a_commitment_does_not_count(ticket: str) -> None:
    table = set_table(luck=ticket, entropy="made up before")
    assert entropy(table)[0] == ("", False)
    assert "No number came from Ada." in browser("ada").get(f"/t/{table.id}").text
    seating.sit(table.id, "bob", 1, "Bob")
    assert "Nobody has mixed a number of their own in" in browser("ada").get(f"/t/{table.id}").text


def test_a_ticket_of_ones_own_making_is_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    promise = promised()
    name, stamp, signature = promise["luck"].split(":")
    other = seating.open_table("pizza", 2, {}).id
    for forged in (f"{other}:{stamp}:{signature}", f"{name}:{stamp}A:{signature}", name, signing.dumps(name)):
        assert commitments.of_ticket(forged) is None
    monkeypatch.setattr(commitments, "TICKET_AGE_S", -1)
    assert commitments.of_ticket(promise["luck"]) is None, "too old"


def test_a_promise_of_an_older_secret_key_is_not_kept_otherwise() -> None:
    """Its ticket could still be read after a change of keys, but its luck would be another."""
    promise = promised()
    with override_settings(SECRET_KEY=fresh_seed(), SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        assert commitments.of_ticket(promise["luck"]) is None


def test_a_promise_is_kept_once() -> None:
    """Whoever has seen the secret of a table cannot have it again and choose entropy to suit it."""
    promise = promised()
    table = set_table("ada", luck=promise["luck"], entropy="first")
    seating.sit(table.id, "bob", 1, "Bob", "bob's")
    actions.resign(table.id, "ada", 0)
    assert luck_of(table).seed in Client().get(f"/t/{table.id}/record").text
    for who in ("ada", "bob", "eve"):
        assert set_table(who, luck=promise["luck"], entropy="suits me").pk == table.pk
    assert Table.objects.count() == 1
    assert [text for text, _ in entropy(table)] == ["first", "bob's"]
    finished = browser("ada")
    before = Table.objects.count()
    step = finished.post(
        f"/replay/{table.id}/play-on",
        {"step": "0", "seat": "0", "level": "1", "luck": promise["luck"], "entropy": "suits me"},
    )
    assert step["Location"] == f"/t/{table.id}"
    assert Table.objects.count() == before


def test_to_play_on_has_luck_of_its_own_that_was_promised() -> None:
    table = seated("pizza", 2)
    actions.resign(table.id, "ada", 0)
    promise = promised()
    wish = {"step": "0", "seat": "0", "level": "1", "luck": promise["luck"], "entropy": "ada's"}
    for form, added in ((wish, True), (wish | {"luck": ""}, False)):
        answer = browser("ada").post(f"/replay/{table.id}/play-on", form)
        begun = Table.objects.get(pk=answer["Location"].removeprefix("/t/"))
        assert (begun.id == promise["table"]) == added
        assert entropy(begun) == [("ada's" if added else "", added), ("", False)]


# Everybody else


def test_nothing_is_drawn_or_told_before_all_have_sat_down() -> None:
    """So to set table after table until the luck is good is to choose among sealed envelopes."""
    table = set_table(seats="3", seat="lot", luck=promised()["luck"], entropy="ada's")
    assert table.by_lot
    seating.sit(table.id, "bob", 1, "Bob", "bob's")
    ada = browser("ada")
    for path in ("", "/screen", "/picture.svg", "/record", "/at/0"):
        got = ada.get(f"/t/{table.id}{path}")
        assert table.seed.encode() not in got.content, path
        assert b"bob's" not in got.content, path
    assert ada.get(f"/t/{table.id}/record").status_code == 404
    assert set(table.events.values_list("kind", flat=True)) == {"sit"}
    seating.sit(table.id, "cleo", 2, "Cleo", "cleo's")
    assert table.events.filter(kind="start").exists()


def test_entropy_cannot_be_changed_after_the_start() -> None:
    table = set_table(luck=promised()["luck"], entropy="ada's")
    seating.sit(table.id, "bob", 1, "Bob", "bob's")
    before = luck_of(table)
    for who in ("ada", "bob", "eve"):
        for message in (
            {"do": "sit", "seat": 0, "name": "X", "entropy": "better"},
            {"do": "sit", "seat": 1, "name": "X", "entropy": "better"},
            {"do": "entropy", "seat": 0, "entropy": "better"},
            {"do": "entropy", "seat": 1, "entropy": "better"},
            {"do": "leave", "seat": 0},
        ):
            assert "refused" in browser(who).post(f"/t/{table.id}/do", message, "application/json").json()
    own_seats.take_link(own_seats.make_link(table.id, "ada", 0), "telephone")
    assert luck_of(table) == before
    assert before.entropy == ("ada's", "bob's")


def test_every_seats_entropy_decides() -> None:
    """Draws of one seed, with one text changed each time, are as good as independent."""
    plain = Luck("seed", "table", ("a", "b", "c"))
    for changed in (("x", "b", "c"), ("a", "x", "c"), ("a", "b", "x")):
        other = Luck("seed", "table", changed)
        assert [plain.draw(n, [1] * 1000) for n in range(5)] != [other.draw(n, [1] * 1000) for n in range(5)]


def test_computer_players_add_nothing() -> None:
    """The site would choose that after it has seen everybody else's."""
    table = set_table(way="computer", luck=promised()["luck"], entropy="ada's")
    assert entropy(table) == [("ada's", True), ("", False)]
    assert luck_of(table).entropy == ("ada's", "")


def test_the_page_says_who_has_added_and_who_has_not() -> None:
    table = set_table(seats="3", luck=promised()["luck"], entropy="ada's")
    seating.sit(table.id, "bob", 1, "Bob")  # without script
    seating.sit(table.id, "cleo", 2, "Cleo", "cleo's")
    for address in (f"/t/{table.id}", f"/replay/{table.id}"):
        page = browser("ada").get(address).text
        assert "numbers of their own were mixed in by Ada and Cleo" in page
        assert "No number came from Bob." in page
        if address.startswith("/t/"):
            actions.offer_draw(table.id, "ada", 0)
            actions.answer_offer(table.id, "bob", 1, agrees=True)
            actions.answer_offer(table.id, "cleo", 2, agrees=True)
    french = Client(headers={"accept-language": "fr"}).get(f"/replay/{table.id}").text
    assert "Aucun nombre n’est venu de\N{NO-BREAK SPACE}: Bob." in french


def test_of_tables_from_before_nothing_is_claimed() -> None:
    table = set_table(entropy="with the form, before anything was published")
    Seat.objects.filter(table=table).update(entropy="with the form", added=None)
    page = browser("ada").get(f"/t/{table.id}").text
    assert "mixed" not in page


# Lots for seats


def lots() -> Round:
    table = set_table(seats="3", seat="lot", luck=promised()["luck"], entropy="ada's")
    seating.sit(table.id, "bob", 1, "Bob", "bob's")
    seating.sit(table.id, "cleo", 2, "Cleo", "cleo's")
    return Round(Table.objects.get(pk=table.pk))


def test_lots_follow_from_the_same_luck_and_anybody_can_check_them(tmp_path: Path) -> None:
    table = lots()
    luck = luck_of(table.table)
    assert luck.entropy == ("ada's", "bob's", "cleo's"), "in the order in which they sat before"
    here = [seat.name for seat in table.table.seats.all()]
    assert here == [("Ada", "Bob", "Cleo")[before] for before in luck.lots]
    actions.offer_draw(table.id, *_sitting(table, "ada"))
    for who in ("bob", "cleo"):
        actions.answer_offer(table.id, *_sitting(table, who), agrees=True)
    assert "drawn by lot from the same secret" in Client().get(f"/replay/{table.id}").text
    record = Client().get(f"/t/{table.id}/record").text
    assert ludotheque.load(record).save() == record
    file = tmp_path / "record.json"
    file.write_text(record, encoding="utf-8")
    told = CliRunner().invoke(app, ["verify", str(file), "--lots"])
    assert told.exit_code == 0
    assert ", ".join(f"{before + 1} → {seat}" for seat, before in enumerate(luck.lots, 1)) in told.output


def _sitting(table: Round, who: str) -> tuple[str, int]:
    return who, table.table.seats.get(name=who.title()).number


def test_lots_that_somebody_has_changed_are_found() -> None:
    table = lots()
    actions.offer_draw(table.id, *_sitting(table, "ada"))
    for who in ("bob", "cleo"):
        actions.answer_offer(table.id, *_sitting(table, who), agrees=True)
    drawn = luck_of(table.table).lots
    for forged in permutations(drawn):
        table.table.events.filter(kind="start").update(text="lots " + " ".join(map(str, forged)))
        follows = luck_of(table.table).lots == forged  # in other seats people's entropy has another order, too
        assert follows or forged != drawn
        assert ("do not follow from its secret" in Client().get(f"/replay/{table.id}").text) != follows


def test_lots_are_fair() -> None:
    found = Counter(Luck(f"{number}", "table", ("", "", "")).lots for number in range(6000))
    assert len(found) == 6
    assert all(number == pytest.approx(1000, rel=0.15) for number in found.values())


def test_lots_depend_on_everybody() -> None:
    for changed in (("x", "b", "c"), ("a", "x", "c"), ("a", "b", "x")):
        pairs = {(Luck(f"{n}", "T", ("a", "b", "c")).lots, Luck(f"{n}", "T", changed).lots) for n in range(300)}
        assert len(pairs) == 36, "with each result of the one goes every result of the other"


# The next match


def over() -> Round:
    table = seated("hepta", 2, legs=1)
    actions.resign(table.id, "ada", 0)
    return table


def add_next(table: Round, who: str, number: int, entropy: str) -> str:
    """As an open page does; the commitment it was shown."""
    shown = re.search(r'id="next-luck"[^>]* data-commitment="(\w+)"', browser(who).get(f"/t/{table.id}").text)
    assert shown
    message = {"do": "entropy", "seat": number, "entropy": entropy, "commitment": shown[1]}
    assert browser(who).post(f"/t/{table.id}/do", message, "application/json").json() == {"ok": True}
    return shown[1]


def added_to(table: Table) -> dict[str, tuple[str, bool | None]]:
    return {name: (text, added) for name, text, added in table.seats.values_list("name", "entropy", "added")}


def test_the_luck_of_the_next_match_is_published_before_anybody_adds_to_it() -> None:
    table = over()
    page = browser("ada").get(f"/t/{table.id}").text
    promise = commitments.of_rematch(table.id)[0]
    assert f"<code>{promise.table}</code>" in page
    assert f"<code>{promise.commitment}</code>" in page
    assert promise.seed not in page
    assert add_next(table, "bob", 1, "bob's") == promise.commitment
    again = rematch.rematch(table.id, "ada", "ada's", promise.commitment)
    assert (again.id, again.commitment) == (promise.table, promise.commitment)
    assert dict(again.seats.values_list("name", "entropy")) == {"Ada": "ada's", "Bob": "bob's"}
    assert all(added for _, added in entropy(again))


def test_what_came_first_counts_and_whoever_is_away_adds_nothing() -> None:
    table = over()
    for text in ("first", "second"):
        shown = add_next(table, "ada", 0, text)
    again = rematch.rematch(table.id, "ada", "third", shown)
    assert dict(again.seats.values_list("name", "entropy")) == {"Ada": "first", "Bob": ""}
    rematch.add_next_entropy(table.id, "bob", 1, "too late", shown)
    assert luck_of(again).entropy == ("", "first")
    page = browser("bob").get(f"/t/{again.id}").text
    assert "mixed in by Ada" in page
    assert "No number came from Bob." in page


def test_to_add_for_the_next_match_moves_nothing_on_lists() -> None:
    table = over()
    before = Table.objects.values_list("version", "changed").get(pk=table.id)
    add_next(table, "bob", 1, "bob's")
    assert Table.objects.values_list("version", "changed").get(pk=table.id) == before


def test_a_rematch_that_was_deleted_is_not_made_again_with_luck_that_may_be_known() -> None:
    table = over()
    shown = add_next(table, "ada", 0, "ada's")
    first = rematch.rematch(table.id, "ada")
    seed = first.seed
    first.delete()
    cache.clear()
    assert "next-luck" not in browser("bob").get(f"/t/{table.id}").text
    second = rematch.rematch(table.id, "bob", "bob's", shown)
    assert second.id != first.id
    assert second.seed != seed
    assert {text for text, _ in entropy(second)} == {""}


@pytest.mark.parametrize("commitment", ["", "made up", "another table's"])
def test_entropy_for_another_commitment_does_not_count(commitment: str) -> None:
    table = over()
    if commitment == "another table's":
        commitment = commitments.of_rematch(over().id)[0].commitment
    with pytest.raises(Refused, match="other-luck"):
        rematch.add_next_entropy(table.id, "bob", 1, "bob's", commitment)
    again = rematch.rematch(table.id, "ada", "ada's", commitment)
    assert added_to(again) == {"Ada": ("", False), "Bob": ("", False)}
    assert "Nobody has mixed a number of their own in" in browser("ada").get(f"/t/{again.id}").text


NEW_KEY = fresh_seed()


def test_what_seats_have_added_to_is_kept_though_the_key_has_changed() -> None:
    """While the old key is accepted."""
    table = over()
    shown = add_next(table, "ada", 0, "ada's")
    with override_settings(SECRET_KEY=NEW_KEY, SECRET_KEY_FALLBACKS=[NEW_KEY, settings.SECRET_KEY]):
        again = rematch.rematch(table.id, "bob", "bob's", shown)  # his page has not been shown another
    assert again.commitment == shown
    assert added_to(again) == {"Ada": ("ada's", True), "Bob": ("bob's", True)}


def test_entropy_for_one_key_does_not_count_with_another() -> None:
    """Of two promises, with the same number of seats, the one that is published now is kept."""
    table = over()
    add_next(table, "ada", 0, "ada's")
    with override_settings(SECRET_KEY=NEW_KEY, SECRET_KEY_FALLBACKS=[NEW_KEY, settings.SECRET_KEY]):
        shown = add_next(table, "bob", 1, "bob's")
        again = rematch.rematch(table.id, "ada")
        assert "No number came from Ada." in browser("ada").get(f"/t/{again.id}").text
    assert again.commitment == shown
    assert added_to(again) == {"Ada": ("", False), "Bob": ("bob's", True)}


def test_a_keeper_who_changes_the_key_until_the_luck_is_good_is_seen() -> None:
    """With the old key gone its promise cannot be kept: nobody's entropy counts, and the next page says so."""
    table = over()
    shown = add_next(table, "ada", 0, "ada's")
    with override_settings(SECRET_KEY=NEW_KEY, SECRET_KEY_FALLBACKS=[]):
        again = rematch.rematch(table.id, "ada", "ada's, again", shown)
        assert again.commitment != shown
        assert added_to(again) == {"Ada": ("", False), "Bob": ("", False)}
        assert "Nobody has mixed a number of their own in" in browser("ada").get(f"/t/{again.id}").text


def test_open_pages_add_anew_to_what_a_new_key_promises() -> None:
    table = over()
    before = add_next(table, "ada", 0, "ada's")
    with override_settings(SECRET_KEY=NEW_KEY, SECRET_KEY_FALLBACKS=[]):
        shown = add_next(table, "ada", 0, "ada's, again")
        again = rematch.rematch(table.id, "bob", "bob's", before)
    assert again.commitment == shown != before
    assert added_to(again) == {"Ada": ("ada's, again", True), "Bob": ("", False)}


def test_without_script_a_rematch_leaves_what_was_added() -> None:
    table = over()
    add_next(table, "ada", 0, "ada's")
    answer = browser("ada").post(f"/t/{table.id}/do", {"do": "rematch"})
    assert answer.status_code == 302
    assert added_to(Table.objects.get(previous=table.id))["Ada"] == ("ada's", True)


def test_of_entropy_from_before_nobody_knows_to_what_it_was_added() -> None:
    table = over()
    add_next(table, "ada", 0, "ada's")
    Seat.objects.filter(table=table.id).update(next_commitment="")
    assert added_to(rematch.rematch(table.id, "bob")) == {"Ada": ("", False), "Bob": ("", False)}


def test_the_next_matches_promise_cannot_be_claimed_for_another_table() -> None:
    table = over()
    promise = commitments.of_rematch(table.id)[0]
    assert commitments.of_ticket(promise.table) is None
    assert set_table("eve", luck=promise.table, entropy="eve's").id != promise.table


def test_every_form_that_sets_a_table_has_room_for_entropy() -> None:
    """The script of the page fills it, after it has asked for the commitment."""
    table = over()
    for page in (Client().get("/games/pizza").text, Client().get(f"/replay/{table.id}").text):
        forms = re.findall(r'<form[^>]*action="[^"]*(?:/new|/play-on)".*?</form>', page, re.DOTALL)
        assert forms
        assert all('name="entropy"' in form for form in forms)
