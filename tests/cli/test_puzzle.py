"""Puzzles at the table, on paper and counted: what the commands `puzzle`, `booklet` and `study` promise."""

import json
from pathlib import Path

import pytest

from cli.terminal import Run

ID = "tetrods:a1-a5-a7-b4-b7-c1-d3-e5-f1-f3-f4-g4-g6"
TEXT = (
    "L1:a7-a6-b6-c6 L4:b7-c7-d6-d7 T3:e5-e6-e7-f6 L3:g6-f7-g5-g7 L2:a5-a3-a4-b5 T1:b4-c3-c4-c5 "
    "I2:d3-d2-d4-d5 S2:f4-e3-e4-f5 I1:g4-g1-g2-g3 S1:a1-a2-b2-b3 M:f3 T2:c1-b1-c2-d1 O1:f1-e1-e2-f2"
)
SOLUTION = TEXT.split(" ")
WRONG = "S1:a1-b1-b2-c2"
PEGS = "pegs-solo:{cards}:a6-b2-b6-c3-d5-d7-e2-e3"
CARDS = "34@a1/0 24@a6/1 33@e1/1 35@f5/0 29@d5/2 32@e3/1 23@a4/2 25@b1/2 30@c3/0 27@d1/2"


def lines(*typed: str) -> str:
    return "\n".join(typed) + "\n"


def test_a_puzzle_is_solved_without_a_hint(run: Run) -> None:
    said = run("puzzle", ID, typed=lines(*SOLUTION, "")).output
    assert "Solved!" in said
    assert "without a single hint" in said


def test_check_says_what_has_to_go(run: Run) -> None:
    said = run("puzzle", ID, typed=lines("check", SOLUTION[0], "check", WRONG, "check", "hint", "quit")).output
    assert said.count("So far, so good") == 2
    assert f"This has to go: {WRONG.replace(':', ' on ')}" in said
    assert "cannot be solved" in said


def test_undo_and_redo(run: Run) -> None:
    said = run("puzzle", ID, typed=lines("redo", SOLUTION[0], "undo", "redo", *SOLUTION[1:], "")).output
    assert "nothing to put back" in said
    assert f"Put back: {SOLUTION[0]}" in said
    assert "Solved!" in said


@pytest.mark.parametrize(
    ("lang", "typed", "told"),
    [
        ("en", "hint why lay quit", ("Look at", "After some eliminations (", "Laid for you.")),
        ("fr", "indice pourquoi poser quitter", ("Regardez", "Quelques éliminations d’abord (", "C’est posé.")),
    ],
)
def test_hints_come_in_three_strengths(run: Run, lang: str, typed: str, told: tuple[str, ...]) -> None:
    said = " ".join(run("puzzle", ID, "--lang", lang, typed=lines(*typed.split())).output.split())
    places = [said.index(words) for words in told]
    assert places == sorted(places)
    assert "◆" in said


def test_a_hint_three_times_lays_a_piece(run: Run) -> None:
    said = run("puzzle", ID, typed=lines("hint", "hint", "hint", "log", "quit")).output
    assert "Laid for you." in said
    assert "Solver (seat 0) L1:a7-a6-b6-c6" in said


def test_the_eliminations_are_told_when_asked_for(run: Run) -> None:
    said = run("puzzle", ID, typed=lines("steps", "quit")).output
    assert "> 1. " in said
    assert "\n2. " in said
    assert "No eliminations" in run("puzzle", ID, typed=lines(*SOLUTION[:-1], "steps", "quit")).output


def test_pencil_marks_are_set_listed_undone_and_noted(run: Run) -> None:
    said = run(
        "puzzle", ID, typed=lines("mark", "mark L3 d4", "mark d4", "undo", "mark", "mark x", "note", "quit")
    ).output
    said = " ".join(said.split())
    assert "Nothing is pencilled in" in said
    assert said.count("Ruled out: L3-d4.") == 2
    assert "Ruled out: d4." in said
    assert "is no pencil mark" in said
    assert "Ruled out: L3-d4, " in said, "with what the deduction rules out"
    assert "Exclu : I1-a1." in run(
        "puzzle", ID, "--lang", "fr", typed=lines("crayon I1 a1", "quitter")
    ).output.replace("\N{NO-BREAK SPACE}", " ")


def test_help_tells_of_puzzles(run: Run) -> None:
    assert "put back what you took back" in run("puzzle", ID, typed=lines("help", "quit")).output
    assert "marqué sur le plateau" in run("puzzle", ID, "--lang", "fr", typed=lines("aide", "quitter")).output


def test_the_same_hint_twice_counts_once(run: Run) -> None:
    said = run("puzzle", ID, typed=lines(*SOLUTION[:-1], *["why"] * 12, SOLUTION[-1], "")).output
    assert "hints: 2" in said


def test_a_solution_can_be_asked_for(run: Run) -> None:
    said = run("puzzle", ID, typed=lines(*SOLUTION[:-1], "solution", SOLUTION[-1], "")).output
    assert f"A solution from here: {SOLUTION[-1]}" in said
    assert "hints: 3" in said, "as a piece laid"


def test_ten_cards_are_praised_more_than_eleven(run: Run) -> None:
    said = run("puzzle", PEGS.format(cards=10), typed=lines("hint", *CARDS.split(" "), "")).output
    assert "few cards can cover it" in said
    assert "Ten cards!" in said


def test_the_puzzle_of_the_day(run: Run) -> None:
    said = run("puzzle", "hepta-solo", "--day", "2026-11-15", typed="quit\n").output
    assert "hepta-solo:5#20261115" in said
    assert "2026-13-01" in run("puzzle", "tetrods", "--day", "2026-13-01", code=2).output


@pytest.mark.parametrize("name", ["chess", "tetrods:9#1", "tetrods:a1"])
def test_what_names_no_puzzle_is_refused(run: Run, name: str) -> None:
    assert "names no puzzle" in run("puzzle", name, code=2).output


@pytest.mark.parametrize(("key", "paper"), [("hepta-solo", "a4"), ("pegs-solo", "a5")])
def test_booklets(run: Run, tmp_path: Path, key: str, paper: str) -> None:
    path = tmp_path / "booklet.pdf"
    run("booklet", "--puzzle", key, "--count", "5", "--paper", paper, "--lang", "fr", "-o", str(path))
    assert path.read_bytes().startswith(b"%PDF")
    assert "booklet.txt" in run("booklet", "-o", str(tmp_path / "booklet.txt"), code=2).output


def test_a_study_goes_on_where_it_was(run: Run, tmp_path: Path) -> None:
    """Parts that stand in the file are not counted again; half a line does not count."""
    parts = tmp_path / "hepta-solo.parts.jsonl"
    row = [999, 127, 50_000, 20, *([0] * 8), 180, *([0] * 14)]  # most solutions, of a1 to a7; all; by their number
    done = [json.dumps([part, [row, row]]) for part in range(99)]
    parts.write_text("\n".join(done) + "\n[99, [1, 2", encoding="utf-8")
    run("study", "hepta-solo", "--jobs", "1", "--keep", str(tmp_path))
    found = json.loads((tmp_path / "hepta-solo.json").read_text(encoding="utf-8"))
    assert found["sets"] == 20_000
    assert 17_820 < found["solvable"] < 18_020
    assert (tmp_path / "hepta-solo.svg").read_text(encoding="utf-8").startswith("<svg")
