"""Hints, checks and solutions on the page."""

import pytest

from ludotheque.web.models import Attempt
from web.people import browser
from web.puzzles.solver import AT_PEGS, AT_TETRODS, PEGS, TETRODS, attempt, patiently, post, puzzle, screen, solution


def test_a_hint_speaks_marks_and_counts() -> None:
    ada = browser("ada")
    moves: list[str] = []
    for _ in range(40):
        answer = patiently(ada, AT_TETRODS, do="hint", spent=0)
        html = str(screen(answer)["html"])
        assert html.count("hint-mark") >= 1
        if move := screen(answer)["suggest"]:
            moves.append(str(move))
            post(ada, AT_TETRODS, do="move", move=move, spent=0)
        if len(moves) == 3:
            break
    assert set(moves) <= set(solution(TETRODS))
    assert attempt(description=TETRODS).hints >= 3
    assert f"hints: {attempt(description=TETRODS).hints}" in ada.get(AT_TETRODS).text


@pytest.mark.parametrize(("at", "description"), [(AT_TETRODS, TETRODS), (AT_PEGS, PEGS)])
def test_the_last_hint_again_counts_for_nothing(at: str, description: str) -> None:
    ada = browser("ada")
    while not screen(patiently(ada, at, do="hint", spent=0))["suggest"]:
        pass
    counted = attempt(description=description).hints
    again = screen(patiently(ada, at, do="hint", spent=0))
    assert again["suggest"]
    assert attempt(description=description).hints == counted > 0


def test_hints_in_french() -> None:
    ada = browser("ada")
    ada.cookies["language"] = "fr"
    html = str(screen(patiently(ada, AT_PEGS, do="hint"))["html"])
    assert "Une carte qui aide" in html


def test_check_says_what_is_wrong_and_marks_it() -> None:
    ada = browser("ada")
    assert "So far, so good" in str(screen(patiently(ada, AT_TETRODS, do="check"))["html"])
    assert not Attempt.objects.exists(), "looking changes nothing"
    fresh, good = puzzle(TETRODS).match(), set(solution(TETRODS))
    bad = next(move for move in fresh.moves(0) if move not in good)
    post(ada, AT_TETRODS, do="move", move=bad)
    html = str(screen(patiently(ada, AT_TETRODS, do="check"))["html"])
    assert f"This has to go: {bad}." in html
    assert html.count("wrong-mark") == len(bad.split(":")[1].split("-"))
    assert "cannot be solved" in str(screen(patiently(ada, AT_TETRODS, do="hint"))["html"])
    assert attempt(description=TETRODS).hints == 0, "no hint, no count"


def test_the_solution_asks_first_and_counts_as_given_up() -> None:
    ada = browser("ada")
    before = ada.get(AT_TETRODS).text
    asked = patiently(ada, AT_TETRODS, do="solution")
    assert 'id="asking"' in str(screen(asked)["html"])
    assert not Attempt.objects.exists()
    patiently(ada, AT_TETRODS, do="solution", sure="yes")
    mine = attempt(description=TETRODS)
    assert mine.given_up
    assert not mine.solved
    assert set(mine.moves) == set(solution(TETRODS))
    assert "given up" in ada.get("/puzzles").text
    post(ada, AT_TETRODS, do="again")
    for move in solution(TETRODS):
        post(ada, AT_TETRODS, do="move", move=move)
    assert not attempt(description=TETRODS).solved, "given up stays given up"
    body = before.split("<main")[1]
    assert not all(move in body.split('id="all-moves"')[0] for move in solution(TETRODS)), "no solution in the source"


def test_a_puzzle_without_a_solution_says_so() -> None:
    path = "/puzzles/hepta-solo/a2-a3-b1-b2-c1-c2-d1"
    ada = browser("ada")
    assert "no solution at all" in str(screen(patiently(ada, path, do="check"))["html"])
    assert patiently(ada, path, do="solution", sure="yes")["code"] == "unsolvable"
