"""Time, marks, streaks, and what comes next."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from ludotheque.puzzles.making.names import ShortName, of_day
from ludotheque.web.models import Attempt
from ludotheque.web.puzzles import progress
from ludotheque.web.visitors import hashed
from web.people import browser
from web.puzzles.solver import AT, attempt, patiently, post, solution


def backdate(seconds: float) -> None:
    Attempt.objects.update(changed=timezone.now() - timedelta(seconds=seconds))


def test_time_is_what_the_page_says_within_what_has_passed() -> None:
    ada, moves = browser("ada"), solution()
    post(ada, do="move", move=moves[0], spent=5000)
    assert attempt().seconds == 0, "the clock starts with the first move"
    backdate(60)
    post(ada, do="move", move=moves[1], spent=20)
    assert attempt().seconds == pytest.approx(20)
    backdate(60)
    post(ada, do="pause", spent=5000)
    assert attempt().seconds == pytest.approx(80, abs=1)
    post(ada, do="pause", spent=3)
    assert attempt().seconds == pytest.approx(80, abs=1), "it never goes back"
    backdate(6000)
    post(ada, do="undo")
    assert attempt().seconds == pytest.approx(380, abs=1), "without a clock, a long pause is a pause"
    for spent in (-1, True, "x", float("nan")):
        message = json.dumps({"do": "pause", "version": attempt().version, "spent": spent})
        assert ada.post(AT, message, content_type="application/json").status_code == 200
    assert attempt().seconds < 400


def test_time_and_hints_stay_as_they_were_when_it_was_solved() -> None:
    ada = browser("ada")
    for move in solution():
        post(ada, do="move", move=move, spent=0)
    seconds = attempt().seconds
    backdate(100)
    post(ada, do="again", spent=500)
    patiently(ada, do="hint", spent=500)
    assert attempt().seconds == seconds
    assert attempt().hints == 0
    assert attempt().solved


def solved_on(when: date, key: str = "tetrods", **more: object) -> None:
    wanted = of_day(key, when)
    at = datetime(when.year, when.month, when.day, 12, tzinfo=UTC)
    Attempt.objects.create(
        visitor=hashed("ada"),
        puzzle=f"{wanted}",
        key=key,
        grade=wanted.grade,
        number=wanted.number,
        solved=at,
        **more,
    )


def test_a_streak_is_of_days_on_which_the_days_puzzle_was_solved() -> None:
    today = date(2026, 11, 15)
    assert progress.streak("ada", today) == 0
    for back in (1, 2, 3, 5):
        solved_on(today - timedelta(days=back))
    assert progress.streak("ada", today) == 3, "today is not over"
    solved_on(today)
    assert progress.streak("ada", today) == 4
    assert progress.streak("ada", today + timedelta(days=2)) == 0
    assert progress.streak("bob", today) == 0


def test_progress_is_told() -> None:
    solved_on(timezone.localdate(), seconds=67, hints=0)
    solved_on(timezone.localdate() - timedelta(days=1), seconds=3723, hints=2)
    page = browser("ada").get("/puzzles").text
    assert "solved in 1:07" in page
    assert "solved in 1:02:03, hints: 2" in page
    assert "Days in a row with a solved puzzle of the day: 2" in page
    (total,) = progress.totals("ada")
    assert (total.solved, total.unaided, total.best) == (2, 1, progress.BestTimes("1:07", "1:02:03"))
    assert "solved in 1:07" in browser("ada").get("/").text
    assert "mark-solved" in browser("ada").get("/puzzles/tetrods").text


def test_the_next_puzzle_is_the_first_one_not_finished() -> None:
    assert Client().get("/puzzles/tetrods/next?grade=3")["Location"] == "/puzzles/tetrods/3/1"
    for number in (1, 2, 4):
        Attempt.objects.create(
            visitor=hashed("ada"), puzzle=f"{number}", key="tetrods", grade=3, number=number, solved=timezone.now()
        )
    assert progress.following("ada", "tetrods", 3) == ShortName("tetrods", 3, 3)
    assert progress.following("ada", "tetrods", 3, 3) == ShortName("tetrods", 3, 5)
    assert progress.following("ada", "tetrods", 3, 20261115) == ShortName("tetrods", 3, 3)
    assert progress.following("bob", "tetrods", 3) == ShortName("tetrods", 3, 1)


def test_a_time_with_hints_is_no_record_without() -> None:
    today = timezone.localdate()
    grade = of_day("tetrods", today).grade
    solved_on(today, seconds=30, hints=3)
    page = browser("ada").get("/puzzles/tetrods").text
    assert "best with hints: 0:30" in page
    assert progress.best_times(hashed("ada"), "tetrods", grade) == progress.BestTimes("", "0:30")
    solved_on(today - timedelta(days=7), seconds=90, hints=0)
    page = browser("ada").get("/puzzles/tetrods").text
    assert "best: 1:30" in page
    assert "0:30" in browser("ada").get("/puzzles").text


def test_the_end_tells_the_best_time_of_its_own_sort() -> None:
    ada = browser("ada")
    *moves, last = solution()
    for move in moves:
        post(ada, "/puzzles/hepta-solo/1/7", do="move", move=move, spent=0)
    answer = post(ada, "/puzzles/hepta-solo/1/7", do="move", move=last, spent=0)
    assert "Your best time at this grade: 0:00 without hints." in str(answer)
    assert "with hints" not in str(answer)
