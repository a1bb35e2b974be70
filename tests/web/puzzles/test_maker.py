"""Puzzles made by worker processes: once for all, ahead of time, and again after a failure."""

import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.cache import cache as memory
from django.test import Client
from django.utils import timezone

from ludotheque.errors import LudothequeError
from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making.names import ShortName, of_day
from ludotheque.web.jobs import pool
from ludotheque.web.models import Booklet
from ludotheque.web.puzzles import maker
from ludotheque.web.refusals import WorkerUnavailable
from waiting import until
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
    wanted = ShortName("tetrods", 1, 8712)
    for _ in range(2):
        assert Client().get("/puzzles/tetrods/1/8712").status_code == 202
        until(lambda: not memory.get(maker._claim(wanted)), "it is still being made")
    assert calls.count(str(wanted)) == 2


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


def test_a_page_that_waits_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[tuple[object, ...]] = []
    monkeypatch.setattr(pool.making, "post", lambda _function, *args: posted.append(args))
    monkeypatch.setattr(maker, "PAGE_WAIT_S", 0)
    waiting = Client().get("/puzzles/tetrods/5/4711")
    assert (waiting.status_code, waiting["Refresh"]) == (202, "2")
    assert "<progress" in waiting.text
    assert "usually" not in waiting.text, "nobody knows yet"
    monkeypatch.setattr(maker, "keep", lambda *_: None)
    now = time.time()
    stopped = SimpleNamespace(time=lambda: now, monotonic=time.monotonic, sleep=time.sleep)
    monkeypatch.setattr(maker, "time", stopped)
    memory.set(maker._claim(ShortName("tetrods", 5, 4711)), now - 20)
    maker.make("tetrods", 5, 4711)
    memory.set(maker._claim(ShortName("tetrods", 5, 4712)), now - 7)
    later = Client().get("/puzzles/tetrods/5/4712").text
    assert "A puzzle of this grade usually takes 20 s." in later
    assert "Being made for 7 s." in later
    assert 'max="20" value="7"' in later
    assert len(posted) == 1, "somebody makes the other already"
    memory.clear()
