"""The keeper's pages at /admin/ tell no secret of a match that goes on, whatever the keeper asks for."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.table import own_seats
from ludotheque.web.visitors import hashed
from web.people import Round, seated
from web.test_wire_secrecy import TOKEN, supposing, unlike

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
LOOKUPS = (
    "q=cut 2",
    "q=Bob",
    "game=pizza",
    "status__exact=playing",
    "o=3",
    "events__text=cut 2",
    "events__text__contains=2",
    "seats__events__text=2",
    "seed__startswith={seed}",
    "seats__visitor={bob}",
    "seats__entropy=1",
    "seats__link__isnull=False",
    "to_act__gte=2",
    "version__gte=1",
    "_to_field=seed",
)


@pytest.fixture
def keeper() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("keeper"))
    return client


def at_the_cut() -> Round:
    table = seated("pizza", 3)
    for seat, space in enumerate(("a1", "g4", "b1")):
        table.play(seat, space)
    return table


def choose(table: Round, text: str) -> None:
    table.play(1, text)
    Table.objects.update(changed=LONG_AGO)  # else the worlds differ in the minute


def everything(client: Client, table: Round) -> dict[str, str]:
    """Every page of the table and of lists that it is in; at the end it is deleted."""
    row, rows = f"/admin/web/table/{table.id}", "/admin/web/table/"
    known = {"seed": table.table.seed[:3], "bob": hashed("bob")}
    paths = [
        "/admin/",
        "/admin/web/",
        rows,
        f"{row}/change/",
        f"{row}/history/",
        f"{row}/delete/",
        "/admin/web/replay/",
    ]
    paths += [f"{rows}?{lookup.format(**known)}" for lookup in LOOKUPS]
    got = {path: _text(client.get(path).text) for path in paths}
    chosen = {"action": "delete_selected", "_selected_action": table.id}
    got["asked to delete several"] = _text(client.post(rows, chosen).text)
    got["deleted"] = _text(client.post(f"{row}/delete/", {"post": "yes"}, follow=True).text)
    got["recent actions"] = _text(client.get("/admin/").text)
    return got


def _text(page: str) -> str:
    return TOKEN.sub("", page)


def test_another_sealed_choice_would_change_no_page_of_the_keeper(keeper: Client) -> None:
    table = at_the_cut()
    worlds = [
        supposing(table, lambda text=text: choose(table, text), lambda: everything(keeper, table))  # type: ignore[misc]
        for text in ("cut 2", "cut 5")
    ]
    assert unlike(*worlds) == []
    assert "Event" in worlds[0]["asked to delete several"], "what would be deleted is listed"
    assert not Table.objects.filter(changed=LONG_AGO).exists(), "nothing has happened"


def test_the_comparison_finds_a_leak(keeper: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Event, "__str__", lambda event: event.text)
    table = at_the_cut()
    worlds = [
        supposing(table, lambda text=text: choose(table, text), lambda: everything(keeper, table))  # type: ignore[misc]
        for text in ("cut 2", "cut 5")
    ]
    assert set(unlike(*worlds)) == {f"/admin/web/table/{table.id}/delete/", "asked to delete several"}


def test_no_page_of_the_keeper_has_a_key_to_a_seat_or_to_luck(keeper: Client) -> None:
    table = at_the_cut()
    link = own_seats.make_link(table.id, "ada", 0)
    Seat.objects.filter(number=2).update(entropy="entropy-of-cleo")
    pages = "\n".join(everything(keeper, table).values())
    for secret in (table.table.seed, link, hashed(link), hashed("ada"), "entropy-of-cleo"):
        assert secret not in pages


@pytest.mark.parametrize("lookup", [lookup for lookup in LOOKUPS if "__" in lookup and "status" not in lookup])
def test_rows_cannot_be_searched_by_what_is_not_shown(keeper: Client, lookup: str) -> None:
    """Else a few hundred questions would tell the seed, letter by letter."""
    at_the_cut()
    assert keeper.get(f"/admin/web/table/?{lookup.format(seed='a', bob='b')}").status_code == 400
    assert keeper.get("/admin/web/replay/?record__contains=a").status_code == 400
    assert keeper.get("/admin/web/table/?status__exact=playing&game=pizza&listed__exact=0").status_code == 200
