"""Puzzles made by worker processes: once for all, ahead of time, and again after a failure."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from ludotheque.errors import LudothequeError
from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making.names import ShortName, of_day
from ludotheque.web.jobs import pool
from ludotheque.web.models import Booklet
from ludotheque.web.puzzles import maker
from ludotheque.web.refusals import WorkerUnavailable
from web.computer_players import fails, sleeps
from web.people import browser
from web.puzzles.solver import AT_TETRODS, post


def test_the_same_puzzle_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[tuple[object, ...]] = []
    monkeypatch.setattr(maker, "PAGE_WAIT_S", 0.05)
    monkeypatch.setattr(pool.making, "post", lambda _function, *wanted: posted.append(wanted))
    for _ in range(3):
        assert Client().get("/puzzles/tetrods/1/4711").status_code == 202
    assert posted == [("tetrods", 1, 4711)]
    monkeypatch.undo()
    maker.make("tetrods", 1, 4711)
    assert Client().get("/puzzles/tetrods/1/4711").status_code == 200


def test_a_puzzle_that_fails_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def break_down(wanted: ShortName, _line: object) -> str:
        calls.append(str(wanted))
        raise RuntimeError("no wood")

    monkeypatch.setattr(maker, "PAGE_WAIT_S", 0.2)
    monkeypatch.setattr(maker, "keep", break_down)
    for _ in range(2):
        assert Client().get("/puzzles/tetrods/1/8712").status_code == 202
    assert calls.count("tetrods:1#8712") == 2


def test_when_nobody_can_be_asked_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object) -> None:
        raise WorkerUnavailable

    monkeypatch.setattr(pool.making, "post", nobody)
    monkeypatch.setattr(pool.making, "ask", nobody)
    monkeypatch.setattr(pool.printing, "post", nobody)
    assert Client().get("/puzzles/tetrods/1/9713").status_code == 503
    assert post(browser("ada"), do="hint")["code"] == "making"
    order = {"puzzle": "tetrods", "count": "12", "paper": "a4", "lang": "fr", "volume": "1"}
    assert browser("ada").post("/puzzles/booklet", order).status_code == 409
    assert not Booklet.objects.exists()


def test_a_pool_outlives_its_process() -> None:
    jobs = pool.Pool("test", 1, 1, 0)
    jobs.compute(sleeps)
    process = next(iter(jobs._processes._processes.values()))
    process.kill()
    process.join()
    jobs.compute(sleeps)
    with pytest.raises(LudothequeError):
        jobs.compute(fails)
    jobs._processes.shutdown()


def test_what_is_asked_first_is_made_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ShortName] = []
    monkeypatch.setattr(maker, "make_ahead", asked.append)
    Client().get(AT_TETRODS)
    assert asked == [ShortName("tetrods", 4, 1), of_day("tetrods", timezone.localdate() + timedelta(days=1))]


def test_before_anyone_asks_the_first_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "kinds", lambda: (kind("hepta-solo"), kind("pegs-solo")))
    maker.warm_up()
    today = timezone.localdate()
    for key in ("hepta-solo", "pegs-solo"):
        assert maker.is_made(of_day(key, today))
        assert maker.is_made(of_day(key, today + timedelta(days=1)))
        assert all(maker.is_made(ShortName(key, grade, 1)) for grade in kind(key).grades)
