"""Puzzles solved: moves, undo, redo, time; an attempt is its visitor's alone."""

import re

import pytest
from django.test import Client

from ludotheque.web.models import Attempt
from ludotheque.web.puzzles import attempts
from web.people import browser
from web.puzzles.solver import AT, AT_PEGS, AT_TETRODS, HEPTA, PEGS, TETRODS, attempt, post, screen, solution


@pytest.mark.parametrize(("path", "description"), [(AT, HEPTA), (AT_TETRODS, TETRODS), (AT_PEGS, PEGS)])
def test_a_puzzle_solved_move_by_move(path: str, description: str) -> None:
    ada = browser("ada")
    for move in solution(description):
        answer = post(ada, path, do="move", move=move, spent=0)
        assert "refused" not in answer
    shown = screen(answer)
    assert "Solved!" in str(shown["html"])
    assert shown["moves"] == []
    assert shown["running"] is False
    assert attempt(description=description).solved
    assert "next?grade=" in str(shown["html"]) or "Other puzzles" in str(shown["html"])
    if description == PEGS:
        assert "Ten cards!" in str(shown["html"])
    assert "✓" in ada.get("/puzzles").text


def test_without_script_forms_do_the_same() -> None:
    ada = browser("ada", checks=True)
    for number, move in enumerate(solution()):
        token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', ada.get(AT).text)[0]
        data = {"do": "move", "move": move, "version": number, "csrfmiddlewaretoken": token}
        assert ada.post(AT, data)["Location"] == AT
    assert "Solved!" in ada.get(AT).text
    token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', ada.get(AT).text)[0]
    refused = ada.post(AT, {"do": "redo", "version": 14, "csrfmiddlewaretoken": token})
    assert refused.status_code == 409
    assert "nothing to put back" in refused.text


def test_moves_are_checked_by_the_rules() -> None:
    ada = browser("ada")
    assert post(ada, do="move", move="a1-a2-a3")["code"] == "blocked"
    assert post(ada, do="move", move="nonsense")["code"] == "not-a-move"
    assert post(ada, do="move", move=["x"])["code"] == "not-a-move"
    assert post(ada, do="fly")["code"] == "bad-message"
    assert post(ada, do=["move"])["code"] == "bad-message"
    assert post(ada, do="move", move=solution()[0], version=7)["code"] == "stale"
    assert post(ada, do="move", move=solution()[0], version="x")["code"] == "stale"
    assert not Attempt.objects.exists(), "what is refused leaves nothing behind"
    assert browser("ada").post(AT, "[" * 5000, content_type="application/json").json()["code"] == "bad-message"


def test_a_move_sent_twice_counts_once() -> None:
    ada = browser("ada")
    first, *_ = solution()
    post(ada, do="move", move=first, version=0)
    assert post(ada, do="move", move=first, version=0)["code"] == "stale"
    assert attempt().moves == [first]


def test_forged_posts_change_nothing() -> None:
    assert (
        browser("ada", checks=True).post(AT, {"do": "move", "move": solution()[0], "version": 0}).status_code == 403
    )
    assert not Attempt.objects.exists()


def test_looking_keeps_nothing_and_gives_no_cookie() -> None:
    reply = Client().get(AT)
    assert "visitor" not in reply.cookies
    assert not Attempt.objects.exists()


def test_undo_redo_and_clearing() -> None:
    ada, moves = browser("ada"), solution()[:3]
    assert post(ada, do="undo")["code"] == "nothing-to-undo"
    for move in moves:
        post(ada, do="move", move=move)
    post(ada, do="undo")
    assert attempt().moves == moves[:2]
    post(ada, do="redo")
    assert attempt().moves == moves
    assert post(ada, do="redo")["code"] == "no-redo"
    post(ada, do="again")
    assert attempt().moves == []
    for _ in moves:
        post(ada, do="redo")
    assert attempt().moves == moves
    post(ada, do="undo")
    post(ada, do="move", move=f"lift {moves[0][:2]}")
    assert attempt().undone == []


def test_nobody_reaches_the_attempt_of_another() -> None:
    first, *_ = solution()
    post(browser("ada"), do="move", move=first)
    page = browser("bob").get(AT).text
    assert f"piece-{first}" not in page
    assert f"piece-{first}" in browser("ada").get(AT).text
    assert post(browser("bob"), do="undo")["code"] == "nothing-to-undo"
    assert attempt().moves == [first]
    assert "begun" not in browser("bob").get("/puzzles").text


def test_an_attempt_outlives_everything_but_the_cookie() -> None:
    first, *_ = solution()
    post(browser("ada"), do="move", move=first, spent=0)
    assert f"piece-{first}" in browser("ada").get("/puzzles/hepta-solo/1/7").text, "by its other name, too"
    assert "no. 7" in browser("ada").get(AT).text, "which we know"
    assert "begun" in browser("ada").get("/puzzles").text


def test_moves_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MAX_MOVES", 2)
    ada, moves = browser("ada"), solution()
    for move in moves[:2]:
        post(ada, do="move", move=move)
    assert post(ada, do="move", move=moves[2])["code"] == "too-many-moves"


def test_ghosts_are_of_possible_moves() -> None:
    first, *_ = solution()
    assert "<g" in browser("ada").get(AT, {"ghost": first}).text
    assert browser("ada").get(AT, {"ghost": "a1-a2-a3"}).status_code == 204


def test_a_refused_click_has_a_reason() -> None:
    reply = browser("ada").get(AT, {"why": "", "touched": "tray-I", "pick": "cell-a2"})
    assert reply.status_code == 204
    reply = browser("ada").get(AT, {"why": "", "touched": "cell-a2"})
    assert reply.json() == {"say": "Blockers stay where they are.", "id": "cell-a2"}
