"""The computer at the table: opponents of every level, and hints in words."""

import re
from pathlib import Path

import pytest

import ludotheque
from cli.terminal import Run


@pytest.mark.parametrize(("lang", "name"), [("en", "Casual player"), ("fr", "Joueur du dimanche")])
def test_the_computer_has_a_level_and_moves(run: Run, lang: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    said = run("play", "hepta", "--lang", lang, "--human", "1", "--seed", "1", typed=f"I\nsave {file}\n").output
    assert name in said
    match = ludotheque.load(file.read_text(encoding="utf-8"))
    assert [actor for actor, _ in match.events] == [0] * 7 + [1]


def test_the_same_seed_gives_the_same_opponent(run: Run) -> None:
    words = ["play", "hepta", "--human", "1", "--seed", "4", "--level", "1"]
    assert run(*words, typed="L\n").output == run(*words, typed="L\n").output


def test_each_seat_may_have_a_level_of_its_own(run: Run) -> None:
    said = run("play", "pizza", "--seats", "3", "--level", "5", "--level", "random", typed="").output
    levels = re.findall(r"the computer · (.*)", said)
    assert levels == ["Master", "any move at random"]
    said = run("play", "hundsgemein", "--seats", "4", "--level", "1", typed="").output
    assert said.count("the computer · Beginner") == 3


def test_a_level_that_is_none(run: Run) -> None:
    assert "1, 2, 3, 4, 5, random" in run("play", "hepta", "--level", "6", code=2).stderr


@pytest.mark.parametrize(
    ("lang", "best"), [("en", r"Try (\w\d)\. \w.+chances are about \d+"), ("fr", r"Essayez (\w\d)\. \w.+chances")]
)
def test_a_hint_names_a_move_that_can_be_played(run: Run, lang: str, best: str) -> None:
    order = {"en": "hint", "fr": "indice"}[lang]
    said = run("play", "hepta", "--lang", lang, "--human", "0", "--human", "1", typed=f"d4\n{order}\nquit\n").output
    found = re.search(best, " ".join(said.split()))
    assert found
    assert found[1] in ludotheque.game("hepta").rules.texts[:49]
    assert found[1] != "d4"


def test_a_hint_for_a_secret_choice_is_a_mix(run: Run) -> None:
    words = ["play", "pizza", "--seats", "3", "--human", "0", "--human", "1", "--human", "2", "--seed", "1"]
    said = " ".join(run(*words, typed="d4\nd2\nc4\n\nhint\ncut 1\n").output.split())
    assert "A secret choice should not be guessable" in said
    parts = [int(part) for part in re.findall(r"cut \d \((\d+) %\)", said)]
    assert 80 < sum(parts) <= 102


def test_luck_needs_no_hint(run: Run, tmp_path: Path) -> None:
    match = ludotheque.game("pizza").match(2, luck=None)
    match.play(0, "d4")
    match.play(1, "d2")
    file = tmp_path / "game.json"
    file.write_text(match.save(), encoding="utf-8")
    assert (
        "nothing to decide" in run("play", "--load", str(file), "--human", "0", "--human", "1", typed="hint\n").output
    )


def test_players_are_made_ready(run: Run) -> None:
    said = run("prepare", "tfortwo").output
    assert re.search(r"T\. for Two is ready \(\d+ s\)", said)
    assert "All ready after" in said
    assert "is for one" in run("prepare", "tetrods", code=2).stderr
