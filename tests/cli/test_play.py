"""`ludotheque play`: scripted sittings, to the end of the game."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

import example
import ludotheque
from cli.terminal import Keep, Run, random_match
from ludotheque import Match
from ludotheque.cli import keyboard, play, screen
from ludotheque.cli.messages import Messages
from ludotheque.game import Game

FIRST = "1\n" * 400  # always the first move of the list
SOLUTION = (
    "L1:a7-a6-b6-c6 L4:b7-c7-d6-d7 T3:e5-e6-e7-f6 L3:g6-f7-g5-g7 L2:a5-a3-a4-b5 T1:b4-c3-c4-c5 "
    "I2:d3-d2-d4-d5 S2:f4-e3-e4-f5 I1:g4-g1-g2-g3 S1:a1-a2-b2-b3 M:f3 T2:c1-b1-c2-d1 O1:f1-e1-e2-f2"
)
MUSHROOMS = "-".join(re.findall(r":(..)", SOLUTION))
NO_PICTURE = Game(
    key="coin",
    seats=(2,),
    texts=("heads", "tails"),
    start=lambda _seats: (0,),
    to_act=lambda state: 0 if state[0] else 1,
    spans=lambda _state, _seat: ((0, 2),),
    legal=lambda _state, _seat, _move: True,
    play=lambda _state, _seat, move: (move + 1,),
    scores=lambda _state: (0, 0),
    winners=lambda state: state[0],
    describe=lambda state: {"coin": ["[up]", "down"], "turned": state[0]},
)


@pytest.fixture(autouse=True)
def quick_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opponents that need no compiler; those who think are in `test_computer.py`."""
    monkeypatch.setattr(play, "USUAL", "random")


def saved(path: Path) -> Match:
    return ludotheque.load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("key", [box.key for box in ludotheque.games()])
def test_every_game_can_be_played_here(run: Run, key: str, lang: str) -> None:
    said = run(
        "play", key, "--seed", "1", "--lang", lang, typed="help\nmoves\nlog\nrules\n1\n1\n1\nundo\nquit\n"
    ).output
    assert ludotheque.game(key).say("name", lang) in said
    assert {"en": "You have left", "fr": "Vous avez quitté"}[lang] in said


@pytest.mark.parametrize("key", [box.key for box in ludotheque.games() if max(box.seats) > 1])
def test_every_duel_comes_to_its_end(run: Run, key: str, tmp_path: Path) -> None:
    file = tmp_path / "end.json"
    everyone = [word for seat in range(min(ludotheque.game(key).seats)) for word in ("--human", str(seat))]
    words = ["play", key, "--seats", str(min(ludotheque.game(key).seats)), "--seed", "1", "--save", str(file)]
    said = run(*words, *everyone[:2], typed=FIRST * 4).output
    match = saved(file)
    assert match.over
    assert "The game is over" in said
    assert ("A draw" if match.draw else "win") in said


def test_a_solitaire_is_solved_however_it_is_spelt(run: Run) -> None:
    moves = "\n".join(text.lower().replace("-", ", ") for text in SOLUTION.split())
    said = run("play", "tetrods", "--mushrooms", MUSHROOMS, typed=f"{moves}\n\n").output
    assert "Solved!" in said
    assert "Résolu" in run("play", "tetrods", f"--mushrooms={MUSHROOMS}", "--lang", "fr", typed=moves).output


def test_moves_by_text_by_number_and_in_any_order(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    typed = f"D4\n1\n  e5 \nmoves b1\n7\nf6\ng7\na7\nI\nC1 b1 A1\nsave {file}\n"
    run("play", "hepta", "--human", "0", "--human", "1", typed=typed)
    assert [text for _, text in saved(file).events] == ["d4", "a1", "e5", "b1", "f6", "g7", "a7", "I"]
    run("play", "--load", str(file), "--human", "1", "--human", "0", typed=f"b3 B2 b4\nsave {file}\n")
    assert saved(file).events[-1] == (1, "b2-b3-b4")


def test_what_is_wrong_is_explained(run: Run) -> None:
    typed = "hello\nd4\nd4\n99\nI\nmoves z\nb2, b3\n"
    said = run("play", "hepta", typed=typed).output
    assert "cannot make sense of “hello”" in said
    assert "d4: There is a blocker" in said or "d4: Something is there" in said or "already" in said
    assert "the numbers go from 1 to 48" in said
    assert "I: " in said
    assert "No move contains “z”" in said
    assert "cannot make sense of “b2, b3”" in said


def test_refusals_speak_french(run: Run) -> None:
    said = run("play", "pizza", "--lang", "fr", typed="bonjour\nc3\ncut 3\n").output
    assert "Je ne comprends pas «\N{NO-BREAK SPACE}bonjour\N{NO-BREAK SPACE}»" in said
    assert "c3\N{NO-BREAK SPACE}: Cette case touche" in said


def test_part_of_a_move_shows_the_moves_it_is_part_of(run: Run) -> None:
    said = run("play", "tricolore", "--seed", "1", typed="d4\n").output
    assert "alone is no move" in said
    assert re.search(r"\d+ c3-d4", said.split("alone is no move")[1])


def test_long_lists_are_folded_and_unfold_on_demand(run: Run) -> None:
    said = run("play", "hepta", typed="moves\nmoves g\n").output
    first, every, some = said.split("> ")[:3]
    assert "and 25 more" in first
    assert "49 g7" not in first
    assert "49 g7" in every
    assert re.findall(r"\d+ (\w\d)", some) == [f"g{rank}" for rank in range(1, 8)]


def test_undo_takes_back_the_computers_answer_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("play", "tricolore", "--seats", "2", typed=f"1\nundo\nsave {file}\n")
    match = saved(file)
    assert match.events == []
    assert match.log[-1] == ("undo", 2)
    assert "not made a move" in run("play", "tricolore", typed="undo\n").output


def test_other_humans_must_agree_to_an_undo(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    start = "d4\nd2\n"
    words = ["play", "pizza", "--seats", "2", "--human", "0", "--human", "1", "--seed", "1"]
    refused = run(*words, typed=f"{start}undo\nn\nsave {file}\n").output
    assert "Luck has spoken since" in refused
    assert len(saved(file).events) == 3
    run(*words, typed=f"{start}undo\ny\nsave {file}\n")
    assert saved(file).events == [(0, "d4")]
    run(*words, typed=f"d4\nundo\nsave {file}\n")
    assert saved(file).events == []


def test_secret_choices_stay_secret_round_one_screen(run: Run) -> None:
    words = ["play", "pizza", "--human", "0", "--human", "1", "--human", "2", "--seed", "1"]
    said = run(*words, typed="d4\nd2\nc4\n\ncut 5\n\nlog\nboard\ncut 2\n\nlog\nundo\nn\n3\nlog\n").output
    first, second, third = said.split("Pass the keyboard to ")[1:]
    assert not re.search(r"\(seat \d\) cut", first + second)
    third, revealed = third.split("Basil (seat 1) ──", 1)
    assert not re.search(r"\(seat \d\) cut", third)
    assert "nobody else’s eyes" in first
    assert "hidden from the others" in first
    assert "A secret choice cannot be taken back" in third
    assert "cut 3" in revealed


def test_a_dealt_card_is_for_one_pair_of_eyes(run: Run, tmp_path: Path) -> None:
    with example.on_the_shelf(tmp_path, "kuhn"):
        said = run("play", "kuhn", "--human", "0", "--human", "1", "--seed", "3", typed="\nbet\n\nfold\nlog\n").output
    before, first, second = said.split("Pass the keyboard to ")
    second, end = second.split("over", 1)
    assert re.findall(r"deal \w+", first) == ["deal queen"]
    assert re.findall(r"deal \w+", second) == ["deal king"]
    assert "fold" in end
    assert not re.findall(r"deal \w+", before + end)


def test_alone_nobody_is_asked_to_look_away(run: Run) -> None:
    assert "Pass the keyboard" not in run("play", "pizza", "--seed", "1", typed=FIRST).output


def test_nothing_stays_on_the_screen_for_others_to_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyboard, "out", lambda: Console(force_terminal=True, highlight=False, width=100))
    words = ["play", "pizza", "--human", "0", "--human", "1", "--seed", "1"]
    said = run(*words, typed="d4\nd2\n\ncut 5\n\n").output
    wiped = said.split(keyboard.CLEAR_SCROLLBACK)
    assert len(wiped) == 4  # before the first choice, after it, before the second
    assert "Choose" in wiped[1]
    assert "Pass the keyboard" in wiped[3]


def test_what_the_log_forgets_leaves_the_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyboard, "out", lambda: Console(force_terminal=True, highlight=False, width=100))
    said = run("play", "hundsgemein", "--seats", "2", "--seed", "1", typed="1\n1\nlog\n").output
    assert keyboard.CLEAR_SCROLLBACK in said
    assert "dog" not in said.split(keyboard.CLEAR_SCROLLBACK)[-1]


def test_whoever_may_object_is_asked_and_may_wait(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    words = ["play", "hundsgemein", "--seats", "3", "--referee", "table", "--seed", "1"]
    everyone = ["--human", "0", "--human", "1", "--human", "2"]
    said = run(*words, *everyone, typed=f"1\n\nobject\nobject\n2\nsave {file}\n").output
    assert "let the others act" in said
    moves = [event for event in saved(file).events if event[0] != "luck"]
    assert [actor for actor, text in moves if text == "object"] == [1, 2]


def test_luck_can_be_played_by_hand(run: Run, kept: Keep, tmp_path: Path) -> None:
    match = random_match("pizza", luck=None, seats=2, moves=2)
    file = tmp_path / "on.json"
    said = run("play", "--load", kept(match), typed=f"roll 9\nROLL 4\nsave {file}\n").output
    assert "Luck" in said
    assert saved(file).events[2] == ("luck", "roll 4")


def test_the_same_seed_gives_the_same_game(run: Run) -> None:
    words = ["play", "pegs", "--seed", "9"]
    assert run(*words, typed=FIRST).output == run(*words, typed=FIRST).output


def test_a_saved_game_goes_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a b.json"
    said = run("play", "hepta", "--legs", "1", typed=f"d4\nsave {file}\nsave\nsave /nowhere/x\nquit\n").output
    assert "Saved" in said
    assert "Save where?" in said
    assert "no file" in said.lower()
    assert "blocker" in run("play", "hepta", "--load", str(file), typed="log\n").output
    assert saved(file).options == {"legs": 1}


def test_a_file_that_is_something_else_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "diary"
    file.write_text("Dear diary", encoding="utf-8")
    assert "something else" in run("play", "hepta", typed=f"save {file}\n").output
    assert file.read_text(encoding="utf-8") == "Dear diary"


def test_the_end_can_be_taken_back(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    moves = "\n".join(SOLUTION.split())
    typed = f"{moves}\nlift a1\nlog\nundo\nsave {file}\n"
    said = run("play", "tetrods", "--mushrooms", MUSHROOMS, typed=typed).output
    assert "Solved!" in said
    assert "The game is over." in said
    assert not saved(file).over


def test_commands_in_french_and_with_a_stroke(run: Run) -> None:
    said = run("play", "hepta", "--lang", "fr", typed="coups g\njournal\naide\n/quitter\nd4\n").output
    assert "g7" in said
    assert "encore rien passé" in said
    assert said.rstrip().endswith("Vous avez quitté la table.")


def test_characters_that_cannot_be_read_or_written_do_no_harm() -> None:
    program = [sys.executable, "-m", "ludotheque.cli", "play", "pizza", "--lang", "fr"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(program, input=b"\xff\xfe\nd4\n", env=environment, capture_output=True, check=True)  # noqa: S603
    assert done.stderr == b""
    assert b"Je ne comprends pas" in done.stdout


@pytest.mark.parametrize("typed", ["", "q\n", "d4\n"])
def test_leaving_is_always_possible(run: Run, typed: str) -> None:
    assert "You have left the table" in run("play", "hepta", typed=typed).output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play"], "Which game?"),
        (["play", "--legs", "2"], "Which game?"),
        (["play", "hepta", "--human", "2"], "no seat 2"),
        (["play", "hepta", "--human", "me"], "from 0 on"),
        (["play", "hepta", "d4"], "“d4”"),
    ],
)
def test_wrong_calls(run: Run, words: list[str], said: str) -> None:
    assert said in run(*words, code=2).stderr


def test_a_loaded_game_is_what_it_is(run: Run, kept: Keep) -> None:
    path = kept(random_match("hepta", moves=3))
    assert "holds a game of hepta" in run("play", "pizza", "--load", path, code=2).stderr
    assert "settles" in run("play", "hepta", "--load", path, "--legs", "1", code=2).stderr
    assert "settles" in run("play", "--load", path, "--seed", "1", code=2).stderr
    assert "no file" in run("play", "--load", path + "x", code=1).stderr


def test_a_game_without_a_picture_is_told_in_words() -> None:
    console = Console(width=80, color_system=None)
    with console.capture() as shown:
        console.print(screen.board(Messages("en"), NO_PICTURE, (0,)))
    assert "coin [up] down" in shown.get()
    assert "turned 0" in shown.get()
    match = Match(NO_PICTURE)
    assert screen.name(Messages("fr"), match, 1) == "Place 1"
    assert screen.task(Messages("en"), match, 0) == "your move."


def test_nothing_but_the_view_is_shown(run: Run, tmp_path: Path) -> None:
    """With hidden owners, a sitting of one human must never print more than that seat's own view and log."""
    file = tmp_path / "game.json"
    typed = "1\n" * 6 + f"log\nboard\nsave {file}\n"
    said = run("play", "hundsgemein", "--seats", "2", "--seed", "4", typed=typed).output
    record = json.loads(file.read_text(encoding="utf-8"))
    match = ludotheque.load(json.dumps(record))
    log = said.split("> ")[7]
    assert log.count("\n") == len(match.shown(0)) < len(match.events)


def test_moves_are_shown_and_typed_in_the_language_of_the_table(run: Run, tmp_path: Path) -> None:
    """The record has the English texts, whatever was typed."""
    file = tmp_path / "pizza.json"
    order = (
        "play",
        "pizza",
        "--seats",
        "3",
        "--seed",
        "1",
        "--human",
        "0",
        "--human",
        "1",
        "--human",
        "2",
        "--rounds",
        "1",
    )
    typed = "1\n1\n1\n\nCouper 2\n\ncoups couper\ncut 3\n\ncouper 9\ncouper 4\n\n"
    said = run(*order, "--save", str(file), "--lang", "fr", typed=typed).output
    assert [text for _, text in saved(file).events][-3:] == ["cut 2", "cut 3", "cut 4"]
    assert re.search(r"1 couper 1 +2 couper 2", said)
    assert not re.search(r"\bcut \d|1st", said)
