"""Deductions are true, can be told, and make the grades."""

from random import Random

import pytest

import ludotheque
from ludotheque import Match
from ludotheque.board.square import NAMES
from ludotheque.puzzles.human.checking import wrong
from ludotheque.puzzles.human.deductions import solved, steps_to_next
from ludotheque.puzzles.human.grading import rated
from ludotheque.puzzles.making.names import GRADES
from ludotheque.puzzles.making.puzzles import made
from ludotheque.puzzles.solving.solver import ALL, SOLVERS
from ludotheque.words import LANGUAGES


def match_of(key: str, grade: int, number: int) -> Match:
    return made(key, grade, number).match()


@pytest.mark.parametrize("key", ["tetrods", "hepta-solo"])
@pytest.mark.parametrize("grade", GRADES)
def test_every_deduction_holds_in_every_solution(key: str, grade: int) -> None:
    """Step by step to the end: what is laid is in all solutions, what is ruled out in none; a choice is in some."""
    match = match_of(key, grade, 7)
    solutions = [set(moves) for moves in SOLVERS[key].solutions(match.state, ALL)]
    for deduction in solved(key, match.state):
        if deduction.kind == "choice":
            solutions = [moves for moves in solutions if deduction.lays in moves]
            assert solutions
        elif deduction.lays is not None:
            assert all(deduction.lays in moves for moves in solutions)
        else:
            assert deduction.out
            assert not any(move in moves for moves in solutions for move in deduction.out)
        for lang in LANGUAGES:
            assert "{" not in deduction.say(lang)


@pytest.mark.parametrize(("key", "number"), [("tetrods", 3), ("hepta-solo", 4)])
def test_hints_lead_to_the_goal(key: str, number: int) -> None:
    match = match_of(key, 3, number)
    while not match.over:
        solutions = [set(moves) for moves in SOLVERS[key].solutions(match.state, ALL)]
        *before, last = steps_to_next(key, match.state)
        assert all(step.lays is None and step.out for step in before)
        assert not any(move in moves for step in before for move in step.out for moves in solutions)
        assert last.lays is not None
        assert last.kind == "choice" or all(last.lays in moves for moves in solutions)
        assert last.cells
        match.play(0, match.game.texts[last.lays])
    assert match.solved
    assert steps_to_next(key, match.state) == []


def test_hints_leave_out_what_does_not_matter() -> None:
    state = ludotheque.game("tetrods").match().state
    everything = solved("tetrods", state)
    first = next(number for number, step in enumerate(everything) if step.lays is not None)
    assert len(steps_to_next("tetrods", state)) < first + 1


def test_no_hint_where_there_is_no_way() -> None:
    match = ludotheque.game("hepta-solo").match(blockers=["a2", "b1", "c1", "d1", "e1", "f1", "g1"])
    assert SOLVERS["hepta-solo"].count(match.state, ALL) == 0
    assert all(step.kind != "choice" for step in steps_to_next("hepta-solo", match.state))
    assert wrong(match) is None


def test_effort_rises_with_the_grade() -> None:
    for key in ("tetrods", "hepta-solo"):
        efforts = [sum(rated(key, match_of(key, g, n).state).effort for n in range(5)) for g in (1, 3, 5)]
        assert efforts == sorted(efforts), key


def test_check_finds_the_wrong_piece() -> None:
    match = ludotheque.game("tetrods").match()
    solution = SOLVERS["tetrods"].first(match.state)
    assert solution is not None
    match.play(0, match.game.texts[solution[0]])
    assert wrong(match) == ()
    bad = next(text for text in match.moves(0) if ":" in text and match.game.texts.index(text) not in solution)
    match.play(0, bad)
    assert wrong(match) == (bad,)


def test_check_looks_for_the_nearest_solution() -> None:
    random, match = Random(5), ludotheque.game("hepta-solo").match()
    while wrong(match) == ():
        match.play(0, random.choice([text for text in match.moves(0) if "lift" not in text]))
    for text in wrong(match) or ():
        match.play(0, f"lift {text.split('-')[0]}")
    assert wrong(match) == ()


def test_grades_of_random_blockers_are_grades() -> None:
    random = Random(6)
    for _ in range(20):
        state = ludotheque.game("hepta-solo").match(blockers=random.sample(NAMES, 7)).state
        if SOLVERS["hepta-solo"].count(state, 1):
            assert rated("hepta-solo", state).grade in GRADES
