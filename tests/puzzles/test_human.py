"""Deductions are true, can be told, and make the grades."""

import re
from random import Random

import pytest

import ludotheque
from ludotheque import Match
from ludotheque.board.square import NAMES
from ludotheque.puzzles.engines.tetrods import promising
from ludotheque.puzzles.human.effort import Rating
from ludotheque.puzzles.human.explain import Position, deductions_to_next_piece, deductions_to_the_end
from ludotheque.puzzles.human.mistakes import mistakes
from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.solving.cover import NO_LIMIT
from ludotheque.puzzles.studies.grades import blindly
from ludotheque.puzzles.tetrods import State as TetrodsState
from ludotheque.words import LANGUAGES
from solitaire import engine, fresh, made, play

GRADES = kind("tetrods").grades


def match_of(key: str, grade: int, number: int) -> Match:
    return made(key, grade, number).match()


def position(key: str, state: tuple[object, ...]) -> Position:
    of = engine(key).position
    assert of is not None
    return of(state)


def rating(key: str, state: tuple[object, ...]) -> Rating:
    rate = engine(key).rate
    assert rate is not None
    return rate(state)


def tetrods(grade: int, number: int) -> TetrodsState:
    state = match_of("tetrods", grade, number).state
    assert isinstance(state, TetrodsState)
    return state


@pytest.mark.parametrize("key", ["tetrods", "hepta-solo"])
@pytest.mark.parametrize("grade", GRADES)
def test_every_deduction_holds_in_every_solution(key: str, grade: int) -> None:
    """Step by step to the end: what is laid is in all solutions, what is ruled out in none; a choice is in some."""
    match = match_of(key, grade, 7)
    solutions = [set(moves) for moves in engine(key).solutions(match.state, NO_LIMIT)]
    for deduction in deductions_to_the_end(position(key, match.state)):
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
        solutions = [set(moves) for moves in engine(key).solutions(match.state, NO_LIMIT)]
        *before, last = deductions_to_next_piece(position(key, match.state))
        assert all(step.lays is None and step.out for step in before)
        assert not any(move in moves for step in before for move in step.out for moves in solutions)
        assert last.lays is not None
        assert last.kind == "choice" or all(last.lays in moves for moves in solutions)
        assert last.cells
        match.play(0, match.game.texts[last.lays])
    assert match.solved
    assert deductions_to_next_piece(position(key, match.state)) == []


def test_hints_leave_out_what_does_not_matter() -> None:
    state = ludotheque.game("tetrods").match().state
    everything = deductions_to_the_end(position("tetrods", state))
    first = next(number for number, step in enumerate(everything) if step.lays is not None)
    assert len(deductions_to_next_piece(position("tetrods", state))) < first + 1


def test_no_hint_where_there_is_no_way() -> None:
    match = ludotheque.game("hepta-solo").match(blockers=["a2", "b1", "c1", "d1", "e1", "f1", "g1"])
    assert engine("hepta-solo").count(match.state, NO_LIMIT) == 0
    assert all(step.kind != "choice" for step in deductions_to_next_piece(position("hepta-solo", match.state)))
    assert mistakes(match) is None


@pytest.mark.parametrize("key", ["tetrods", "hepta-solo"])
def test_effort_rises_with_the_grade(key: str) -> None:
    """Two efforts, neither of which makes the grade of Hepta: that of deductions, and that of blind searching."""
    states = {grade: [match_of(key, grade, number).state for number in range(16)] for grade in GRADES}
    thought = [sorted(rating(key, state).effort for state in some)[8] for some in states.values()]
    searched = [sorted(blindly(position(key, state)) for state in some)[8] for some in states.values()]
    assert thought == sorted(set(thought))
    assert searched[0] < searched[-1]


def test_the_quick_look_at_a_grade_is_nearly_always_right() -> None:
    """Every puzzle of a grade passes it, as making has seen to; those of the next grade mostly do not."""
    for grade in (1, 2, 3):
        assert promising(tetrods(grade, 1), grade)
    assert not any(promising(tetrods(5, number), 2) for number in range(6))


def test_check_finds_the_wrong_piece() -> None:
    match = ludotheque.game("tetrods").match()
    solution = engine("tetrods").first(match.state)
    assert solution is not None
    match.play(0, match.game.texts[solution[0]])
    assert mistakes(match) == ()
    bad = next(text for text in match.moves(0) if ":" in text and match.game.texts.index(text) not in solution)
    match.play(0, bad)
    assert mistakes(match) == (bad,)


def taken_back(match: Match, moves: tuple[str, ...]) -> Match:
    """The match with these moves undone one by one: cards and pieces by a cell of theirs, then pegs."""
    for text in sorted(moves, key=lambda text: text.startswith("peg")):
        cell = re.search(r"[a-g][1-7]", text)
        assert cell is not None
        match.play(0, f"lift {cell[0]}")
    return match


@pytest.mark.parametrize("seed", range(4))
def test_check_looks_for_the_nearest_solution(seed: int) -> None:
    random, match = Random(seed), fresh("hepta-solo")
    while mistakes(match) == ():
        match.play(0, random.choice([text for text in match.moves(0) if "lift" not in text]))
    assert mistakes(taken_back(match, mistakes(match) or ())) == ()


def test_check_where_there_are_thousands_of_solutions() -> None:
    """The last piece laid made it impossible, so one piece is enough."""
    random, match = Random(9), fresh("hepta-solo", blockers=["d1", "e1", "f1", "f7", "g1", "g6", "g7"])
    while mistakes(match) == ():
        match.play(0, random.choice([text for text in match.moves(0) if "lift" not in text]))
    gone = mistakes(match) or ()
    assert len(gone) == 1
    assert mistakes(taken_back(match, gone)) == ()


@pytest.mark.parametrize("seed", range(3))
def test_check_of_pegs_put_freely(seed: int) -> None:
    """Pegs and cards that lead nowhere are found, and without them there is a way again."""
    random, match = Random(seed), fresh("pegs-solo")
    while mistakes(match) == ():
        legal = [text for text in match.moves(0) if "lift" not in text]
        match.play(0, random.choice([text for text in legal if "@" in text] or legal))
    gone = mistakes(match) or ()
    assert gone
    assert mistakes(taken_back(match, gone)) == ()


def test_check_of_cards_on_given_pegs() -> None:
    """One card too many wastes the tenth."""
    match = made("pegs-solo", 10, 1).match()
    cards = engine("pegs-solo").first(match.state)
    assert cards is not None
    play(match, *(match.game.texts[move] for move in cards[:3]))
    assert mistakes(match) == ()
    while mistakes(match) == ():
        play(match, next(text for text in match.moves(0) if "@" in text))
    gone = mistakes(match) or ()
    assert gone
    assert mistakes(taken_back(match, gone)) == ()


def test_grades_of_random_blockers_are_grades() -> None:
    random = Random(6)
    for _ in range(20):
        state = ludotheque.game("hepta-solo").match(blockers=random.sample(NAMES, 7)).state
        if engine("hepta-solo").count(state, 1):
            assert rating("hepta-solo", state).grade in GRADES
