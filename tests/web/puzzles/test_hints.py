"""Hints, checks and solutions on the page."""

import re

import pytest

from ludotheque.web.models import Attempt
from web.people import browser
from web.puzzles.solver import (
    AT,
    AT_PEGS,
    AT_TETRODS,
    HEPTA,
    PEGS,
    TETRODS,
    attempt,
    patiently,
    post,
    puzzle,
    screen,
    solution,
)


def test_hints_come_in_three_strengths() -> None:
    """Where to look marks and tells no move; the deduction offers it; the third lays it."""
    ada = browser("ada")
    where = screen(patiently(ada, AT_TETRODS, do="where", spent=0))
    assert "hint-mark" in str(where["html"])
    assert (where["suggest"], attempt(description=TETRODS).hints) == ("", 1)
    why = screen(patiently(ada, AT_TETRODS, do="why", spent=0))
    assert why["suggest"] in solution(TETRODS)
    assert (attempt(description=TETRODS).moves, attempt(description=TETRODS).hints) == ([], 2)
    laid = screen(patiently(ada, AT_TETRODS, do="lay", spent=0))
    assert "Laid for you." in str(laid["html"])
    assert (attempt(description=TETRODS).moves, laid["suggest"]) == ([why["suggest"]], "")
    assert attempt(description=TETRODS).hints == 3
    assert "hints: 3" in ada.get(AT_TETRODS).text


@pytest.mark.parametrize(("at", "description"), [(AT_TETRODS, TETRODS), (AT_PEGS, PEGS), (AT, HEPTA)])
def test_three_presses_lay_a_piece_and_pages_from_before_still_ask(at: str, description: str) -> None:
    """A page that was open during an update has one button, which sends `hint`."""
    ada = browser("ada")
    for pieces in (1, 2):
        for _ in range(3):
            patiently(ada, at, do="hint", spent=0)
        assert len(attempt(description=description).moves) == pieces
    assert attempt(description=description).hints == 6
    post(ada, at, do="undo")
    assert len(attempt(description=description).moves) == 1


def test_the_same_hint_again_counts_for_nothing() -> None:
    ada = browser("ada")
    for _ in range(3):
        assert screen(patiently(ada, AT_PEGS, do="why", spent=0))["suggest"]
    patiently(ada, AT_PEGS, do="where", spent=0)
    assert attempt(description=PEGS).hints == 2


def test_a_chain_is_one_sentence_and_can_be_unfolded_and_pencilled_in() -> None:
    ada = browser("ada")
    html = ""
    while 'id="steps"' not in html:
        html = str(screen(patiently(ada, AT_TETRODS, do="why", spent=0))["html"])
        if 'id="steps"' not in html:
            patiently(ada, AT_TETRODS, do="lay", spent=0)
    assert "After some eliminations (" in html
    found = re.search(r'name="marks" value="([^"]+)"', html)
    assert found
    noted = screen(post(ada, AT_TETRODS, do="note", marks=found[1]))
    assert 'id="pencilled"' in str(noted["html"])
    (change,) = attempt(description=TETRODS).pencilled
    assert set(change[1]) == set(found[1].split())
    again = str(screen(patiently(ada, AT_TETRODS, do="why", spent=0))["html"])
    assert 'value="note"' not in again, "all of it is there"


def test_pencil_marks_are_kept_undone_and_the_visitors_own() -> None:
    ada = browser("ada")
    assert "Ruled out: I-a1." in str(screen(post(ada, do="mark", marks="I a1"))["html"])
    post(ada, do="mark", marks="b1")
    assert attempt().pencilled == [[0, ["I-a1"]], [0, ["b1"]]]
    page = browser("ada").get(AT).text
    assert page.count('class="pencil-piece"') == 1
    assert page.count('class="pencil-cross"') == 1
    assert 'id="pencilled"' not in browser("bob").get(AT).text
    post(ada, do="undo")
    assert "pencil-cross" not in ada.get(AT).text
    post(ada, do="redo")
    assert "No longer ruled out: b1." in str(screen(post(ada, do="mark", marks="b1"))["html"])
    assert "pencil-cross" not in ada.get(AT).text
    post(ada, do="again")
    assert "pencil" not in re.findall(r"<svg.*</svg>", ada.get(AT).text, re.DOTALL)[0]
    assert attempt().hints == 0, "the pencil is no hint"


def test_marks_hide_under_pieces_and_come_back() -> None:
    ada, move = browser("ada"), solution()[0]
    cell = move[:2]
    post(ada, do="mark", marks=cell)
    post(ada, do="move", move=move)
    assert "pencil-cross" not in ada.get(AT).text
    post(ada, do="move", move=f"lift {cell}")
    assert "pencil-cross" in ada.get(AT).text


@pytest.mark.parametrize("marks", ["", "z9", "X-a1", "I", None, ["a1"], "a1 " * 5000 + "<b>"])
def test_what_is_no_mark_is_refused(marks: object) -> None:
    answer = post(browser("ada"), do="mark", marks=marks)
    assert answer.get("code") == "bad-mark" or attempt().pencilled == [[0, ["a1"]]]
    assert "<b>" not in str(answer)


def test_marks_without_a_script() -> None:
    ada = browser("ada")
    reply = ada.post(AT, {"do": "mark", "marks": "L a1 a3", "version": 0})
    assert "Ruled out: L-a1, L-a3." in reply.text
    assert "L-a1, L-a3" in ada.get(AT).text.split('id="words-table"')[1]


def test_hints_in_french() -> None:
    ada = browser("ada")
    ada.cookies["language"] = "fr"
    assert "peu de cartes" in str(screen(patiently(ada, AT_PEGS, do="where"))["html"])
    assert "couvrir" in str(screen(patiently(ada, AT_PEGS, do="why"))["html"])
    assert "posé" in str(screen(patiently(ada, AT_PEGS, do="lay"))["html"])


def test_check_says_what_is_wrong_and_marks_it() -> None:
    ada = browser("ada")
    assert "So far, so good" in str(screen(patiently(ada, AT_TETRODS, do="check"))["html"])
    assert not Attempt.objects.exists(), "looking changes nothing"
    fresh, good = puzzle(TETRODS).match(), set(solution(TETRODS))
    bad = next(move for move in fresh.moves(0) if move not in good)
    post(ada, AT_TETRODS, do="move", move=bad)
    html = str(screen(patiently(ada, AT_TETRODS, do="check"))["html"])
    assert f"This has to go: {bad.replace(':', ' on ')}." in html
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
