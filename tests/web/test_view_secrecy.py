"""Nothing leaves the site but through what a seat may see; nobody acts for a seat that is not theirs."""

import json
from random import Random

import pytest

import ludotheque
from ludotheque.web.models import Event, Table
from ludotheque.web.screen import history
from ludotheque.web.table import actions, moves, own_seats, seating
from ludotheque.web.table.commands import COMMANDS, Command, execute
from web.people import VISITORS, Round, browser, seated

EVERYBODY = (*VISITORS[:3], "stranger", "")


def everything(table: Round, visitor: str) -> str:
    """All that the visitor can get from the table in any way, but for the legal moves of their own."""
    client = browser(visitor) if visitor else browser("nobody")
    parts = [client.get(f"/t/{table.id}").text]
    for query in ("", "?seat=0", "?seat=1", "?seat=2"):
        parts.append(client.get(f"/t/{table.id}/screen{query}").text)
        parts += [client.get(f"/t/{table.id}/at/{step}{query}").text for step in range(12)]
    parts.append(client.get(f"/t/{table.id}/picture.svg").text)
    parts.append(client.get(f"/t/{table.id}/mine/{table.state.version}.svg").text)
    parts.append(client.get(f"/t/{table.id}/record").text)
    parts += [client.get(path).text for path in ("/", "/mine", "/mine/news?show=front")]
    return "\n".join(parts)


def to_the_cut(table: Round) -> None:
    for seat, space in enumerate(("a1", "g4", "b1")):
        table.play(seat, space)


def test_a_sealed_cut_changes_nothing_that_others_get() -> None:
    """The same game with another sealed choice: every byte that others get is the same."""
    got = []
    for cut in ("cut 2", "cut 5"):
        Table.objects.all().delete()
        table = seated()
        to_the_cut(table)
        table.play(1, cut)
        got.append([_anonymous(everything(table, visitor), table) for visitor in ("ada", "cleo", "stranger", "")])
        assert cut in table.screen("bob")["html"]
        assert cut not in [text for text, *_ in table.screen("bob")["moves"]]
    assert got[0] == got[1]


def _anonymous(text: str, table: Round) -> str:
    """Without what differs between two tables: their ids, fingerprints and tokens."""
    lines = text.replace(table.id, "TABLE").replace(table.table.commitment, "FINGERPRINT").splitlines()
    return "\n".join(line for line in lines if "csrf" not in line)


def test_everybody_sees_the_cuts_once_all_have_chosen() -> None:
    table = seated()
    to_the_cut(table)
    for seat, cut in ((1, "cut 5"), (0, "cut 2")):
        table.play(seat, cut)
        assert f"</span> {cut}</code>" not in table.screen("cleo")["html"]
    assert table.screen("cleo")["html"].count('class="chosen"') == 2
    table.play(2, "cut 3")
    for visitor in EVERYBODY:
        assert all(f"</span> {cut}</code>" in table.screen(visitor)["html"] for cut in ("cut 5", "cut 2", "cut 3"))


@pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)
def test_whatever_lies_behind_a_view_gives_the_same_screen(box: ludotheque.Box) -> None:
    """Replace what a seat may not know by something else: picture, words and marks stay the same."""
    random = Random(box.key)
    match = box.match(seats=max(box.seats), seed=3)
    for _ in range(25):
        if match.over:
            break
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
        for seat in (None, *range(match.seats)):
            role = -1 if seat is None else match.role(seat)
            seen = match.seen(seat)
            assert match.game.view(match.game.guess(seen, role, random), role) == seen
            assert len(history.steps(match, seat)) == len(match.shown(seat))
            assert all(isinstance(pick, str) for pick in history.last_touched(match, seat))


def test_secrets_of_the_table_are_on_no_page() -> None:
    table = seated()
    link = own_seats.make_link(table.id, "ada", 0)
    for visitor in EVERYBODY:
        got = everything(table, visitor)
        assert table.table.seed not in got
        assert link not in got
        assert not any(seat.visitor in got for seat in table.table.seats.all())


@pytest.mark.parametrize("what", sorted(COMMANDS))
@pytest.mark.parametrize("visitor", ["bob", "stranger", ""])
def test_nobody_acts_for_another_seat(what: str, visitor: str) -> None:
    table = seated("hepta", 2)
    table.play(0, "d4")
    if what in ("agree", "decline"):
        actions.offer_draw(table.id, "bob", 1)
    if what == "rematch":
        actions.resign(table.id, "ada", 0)
    before = Event.objects.count(), Table.objects.count()
    asked = Command(what, seat=0, move="a1", version=table.state.version, person="Thief")
    if what == "rematch" and visitor == "bob":
        return  # one of the players may
    reply = execute(table.id, visitor, asked, "en")
    assert "refused" in reply
    assert (Event.objects.count(), Table.objects.count()) == before


def test_links_to_seats_ask_before_they_act() -> None:
    table = seated("hepta", 2)
    secret = own_seats.make_link(table.id, "ada", 0)
    phone = browser("phone")
    assert phone.get(f"/seat/{secret}").status_code == 200
    table.play(0, "d4")  # still ada's
    assert phone.post(f"/seat/{secret}").status_code == 302
    assert phone.get(f"/seat/{secret}").status_code == 404
    assert json.loads(phone.get(f"/t/{table.id}/screen").text)["seat"] == 0
    assert json.loads(browser("ada").get(f"/t/{table.id}/screen").text)["seat"] == -1


def test_the_screen_is_handed_over_when_one_visitor_holds_several_seats() -> None:
    table = seating.open_table("pizza", 3, {})
    for seat in range(3):
        seating.sit(table.id, "ada", seat, VISITORS[seat].title())
    here = Round(Table.objects.get(pk=table.id))
    for seat, space in enumerate(("a1", "g4", "b1")):
        assert here.screen("ada")["seat"] == seat  # no secrets yet: the screen follows the turn
        moves.play(table.id, "ada", seat, space, version=here.state.version)
    covered = here.screen("ada")
    assert (covered["seat"], covered["moves"]) == (-1, [])
    assert "Hand the screen to Ada" in covered["html"]
    assert len(here.screen("ada", wanted=0)["moves"]) == 6
    moves.play(table.id, "ada", 0, "cut 4", version=here.state.version)
    for wanted in (-1, 0, 1, 2):
        assert "</span> cut 4</code>" not in here.screen("ada", wanted=wanted)["html"]
    assert here.screen("ada", wanted=0)["seat"] == -1
    assert here.screen("ada", wanted=2)["seat"] == 2
