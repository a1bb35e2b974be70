"""By hints alone from the start to the solution: at most three presses a piece, true, short, and told in words."""

import pytest

from ludotheque import Match
from ludotheque.board.bits import cells
from ludotheque.pictures.output.registry import picture_of
from ludotheque.puzzles.human.hints import LAY, WHERE, WHY
from ludotheque.puzzles.human.pencil import mark_of
from ludotheque.puzzles.human.session import PuzzleSession
from ludotheque.puzzles.kinds import kinds
from ludotheque.puzzles.making.puzzles import puzzle
from ludotheque.words import LANGUAGES
from solitaire import engine, made, phase

MAX_PRESSES = 3  # to the next piece
MAX_CHARS = 240  # of a hint, however long its chain
MAX_STEP_CHARS = 300
MAX_SOLUTIONS = 5000  # looked at
GRADES = [(kind.key, grade) for kind in kinds() for grade in kind.grades]
FEW, MANY = range(1, 3), range(3, 23)  # numbers of puzzles


def walk(key: str, grade: int, number: int) -> None:
    """Press "hint" until it is solved."""
    session = PuzzleSession(made(key, grade, number).match())
    while not session.match.over:
        presses, before = 0, len(session.moves)
        while len(session.moves) == before:
            hint = session.hint()
            presses += 1
            assert presses <= MAX_PRESSES, (key, grade, number, session.moves)
            assert hint.helps
            for lang in LANGUAGES:
                said = hint.say(lang)
                assert "{" not in said
                assert len(said) <= MAX_CHARS, said
    assert session.match.solved
    assert session.hints == LAY * len(session.moves)


@pytest.mark.parametrize(("key", "grade"), GRADES)
def test_at_most_three_presses_lead_to_the_next_piece(key: str, grade: int) -> None:
    for number in FEW:
        walk(key, grade, number)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "grade"), GRADES)
def test_at_most_three_presses_in_many_more_puzzles(key: str, grade: int) -> None:
    for number in MANY:
        walk(key, grade, number)


def test_the_problem_without_pegs_is_solved_by_hints_too() -> None:
    """A peg is a piece there: 41 of them, and the cards."""
    session = PuzzleSession(puzzle("pegs-solo:11").match())
    while not session.match.over:
        where, laid = session.hint(WHERE), session.hint(LAY)
        assert where.helps
        assert laid.move == session.moves[-1]
    assert session.match.solved
    assert sum(move.startswith("peg") for move in session.moves) == 41


def test_pegs_are_only_spoken_of_where_one_is_missing() -> None:
    session = PuzzleSession(made("pegs-solo", 12, 1).match())
    phases = [phase(session.match)]
    while not session.match.over:
        assert "peg" not in session.hint(LAY).say("en")
        phases.append(phase(session.match))
    assert phases[:2] == ["lay", "lay-or-lift"]
    assert "play" not in phases
    assert phase(puzzle("pegs-solo:11").match()) == "peg"


@pytest.mark.parametrize(("key", "grade"), GRADES)
def test_what_a_hint_rules_out_is_in_no_solution(key: str, grade: int) -> None:
    """Every pencil mark of every hint, against the solutions from there on; and its reason, in short sentences."""
    match = made(key, grade, 4).match()
    while not match.over:
        session = PuzzleSession(match)
        where, why = session.hint(WHERE), session.hint(WHY)
        assert bool(why.chain) == where.hard
        assert all("{" not in step and len(step) <= MAX_STEP_CHARS for lang in LANGUAGES for step in why.steps(lang))
        assert not set(why.marks) & lying(match)
        match.play(0, why.move)


def lying(match: Match) -> set[str]:
    """Which piece lies where in any solution, written as pencil marks."""
    found = set()
    for move in {move for moves in engine(match.game.key).solutions(match.state, MAX_SOLUTIONS) for move in moves}:
        tray, *_ = picture_of(match.game).picks(match.state, 0, move)
        piece = tray.removeprefix("tray-")
        found |= {mark_of(piece, cell) for cell in cells(engine(match.game.key).covered(move))}
    return found


@pytest.mark.parametrize(("grade", "longest"), [(1, 30), (4, 90)])
def test_chains_are_short_where_they_can_be(grade: int, longest: int) -> None:
    """What took up to a hundred presses, and many more in higher grades, are some lines to read."""
    for number in (1, 2, 3):
        session = PuzzleSession(made("tetrods", grade, number).match())
        while not session.match.over:
            assert len(session.hint(WHY).chain) <= longest
            session.hint(LAY)
