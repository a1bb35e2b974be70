"""Booklets ordered, watched, fetched, and deleted when they are old."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from ludotheque.web.jobs import pool
from ludotheque.web.models import Booklet, Puzzle
from ludotheque.web.puzzles import booklets, maker
from ludotheque.web.visitors import hashed
from waiting import until
from web.people import browser


def test_a_booklet_is_ordered_watched_and_fetched() -> None:
    ada = browser("ada")
    order = {"puzzle": "pegs-solo", "count": "12", "paper": "a5", "lang": "fr", "volume": "2"}
    path = "/puzzles/booklet/pegs-solo-12-a5-fr-2"
    assert "Make the booklet" in ada.get(path).text, "looking begins nothing"
    assert ada.post("/puzzles/booklet", order)["Location"] == path
    other = ada.post("/puzzles/booklet", order | {"count": "24"})
    assert (other.status_code, "One booklet at a time" in other.text) == (409, True)
    assert "Being made" in ada.get(path).text
    assert ada.get(path)["Refresh"] == "2"
    until(lambda: "Download" in ada.get(path).text)
    reply = ada.get(f"{path}.pdf")
    assert reply.content.startswith(b"%PDF")
    assert "attachment" in reply["Content-Disposition"]
    assert ada.post("/puzzles/booklet", order)["Location"] == path
    assert Booklet.objects.get().made == 12
    assert Puzzle.objects.filter(seed__startswith="pegs-solo:14#10").count() > 1, (
        "its puzzles are ready on screen, too"
    )


def test_a_booklet_whose_printer_vanished_can_be_ordered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[str] = []
    monkeypatch.setattr(pool.printing, "post", lambda _function, name: posted.append(name))
    order = {"puzzle": "tetrods", "count": "12", "paper": "a4", "lang": "fr", "volume": "1"}
    path = browser("ada").post("/puzzles/booklet", order)["Location"]
    browser("bob").post("/puzzles/booklet", order)
    assert posted == ["tetrods-12-a4-fr-1"], "once for all"
    assert "Being made" in Client().get(path).text
    Booklet.objects.update(claimed=timezone.now() - booklets.CLAIM_TIMEOUT * 2)
    assert "Make the booklet" in Client().get(path).text
    browser("bob").post("/puzzles/booklet", order)
    assert len(posted) == 2
    Booklet.objects.update(claimed=timezone.now() + booklets.CLAIM_TIMEOUT * 2)
    browser("bob").post("/puzzles/booklet", order)
    assert len(posted) == 3, "the clock was put back"


def test_a_booklet_that_fails_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> str:
        raise RuntimeError("no ink")

    monkeypatch.setattr(maker, "keep", break_down)
    Booklet.objects.create(name="tetrods-12-a4-fr-1", visitor=hashed("ada"), claimed=timezone.now())
    booklets.print_booklet("tetrods-12-a4-fr-1")
    assert not Booklet.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"count": "500"}, {"puzzle": "chess"}, {"paper": "a0"}, {"lang": "de"}, {"volume": "10"}, {"count": ""}]
)
def test_there_are_only_so_many_booklets(wrong: dict[str, str]) -> None:
    order = {"puzzle": "tetrods", "count": "12", "paper": "a4", "lang": "fr", "volume": "1"} | wrong
    assert browser("ada").post("/puzzles/booklet", order).status_code == 400
    assert Client(enforce_csrf_checks=True).post("/puzzles/booklet", order).status_code == 403


def test_old_booklets_make_room() -> None:
    now = timezone.now()
    for number in range(booklets.MAX_KEPT + 3):
        Booklet.objects.create(name=f"{number}", visitor="", claimed=now - timedelta(number), file=b"%PDF")
    Booklet.objects.create(name="begun", visitor="", claimed=now - timedelta(99))
    booklets._delete_oldest()
    names = set(Booklet.objects.values_list("name", flat=True))
    assert names == {"begun", *map(str, range(booklets.MAX_KEPT))}


def test_who_orders_too_many_is_told_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MAX_WAITING_PER_VISITOR", 0)
    order = {"puzzle": "tetrods", "count": "12", "paper": "a4", "lang": "fr", "volume": "3"}
    reply = browser("ada").post("/puzzles/booklet", order)
    assert (reply.status_code, reply["Retry-After"]) == (409, "10")
    assert "at your address" in reply.text
    assert not Booklet.objects.exists(), "nothing waits for ever"
