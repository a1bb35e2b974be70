"""`ludotheque replay`: board by board, and nothing that is still secret."""

import pytest

import ludotheque
from cli.terminal import Keep, Run, random_match
from ludotheque.cli import replay
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.output.registry import picture_of


def test_without_a_keyboard_everything_is_printed(run: Run, kept: Keep) -> None:
    match = random_match("hepta", legs=2)
    said = run("replay", kept(match)).stdout
    last = len(match.events)
    assert f"0/{last}" in said
    assert f"{last}/{last}" in said
    assert "Leg 2 of 2" in said
    assert all(text in said for _, text in match.events)
    assert "legs together" in said


def test_one_board(run: Run, kept: Keep) -> None:
    match = random_match("hepta", legs=1)
    said = run("replay", kept(match), "--at", "3", "--lang", "fr").stdout
    assert f"3/{len(match.events)}" in said
    assert said.count("◉") == 3
    assert "last one is" in run("replay", kept(match), "--at", "999", code=2).stderr


def test_stepping(run: Run, kept: Keep, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "interactive", lambda: True)
    match = random_match("hepta", legs=1)
    last = len(match.events)
    said = run("replay", kept(match), typed=f"\nn\nb\n{last + 9}\nb\nwhat\nnext\n\n5\n").stdout
    seen = [int(line.strip("> ").split("/")[0]) for line in said.splitlines() if f"/{last}  " in line]
    assert seen == [0, 1, 2, 1, last, last - 1, last - 1, last]
    assert run("replay", kept(match), typed="q\n\n").stdout.count(f"/{last}  ") == 1
    assert run("replay", kept(match), "--at", "4", typed="").stdout.count(f"4/{last}  ") == 1


def test_what_is_sealed_stays_sealed(run: Run, kept: Keep) -> None:
    match = ludotheque.game("pizza").match(seed=1)
    for seat, text in ((0, "d4"), (1, "d2"), (2, "c4"), (1, "cut 5")):
        match.play(seat, text)
    assert "cut" not in run("replay", kept(match)).stdout
    match.play(0, "cut 1")
    match.play(2, "cut 2")
    assert "cut 5" in run("replay", kept(match)).stdout


def test_what_is_forgotten_stays_forgotten() -> None:
    match = random_match("hundsgemein", seats=2, moves=40)
    assert not match.over
    shown = match.shown(None)
    assert [frame.event for frame in frames(match)] == shown
    assert len(shown) < len(match.events)


def test_after_the_game_everything_is_open() -> None:
    match = random_match("hundsgemein", seats=2)
    boards = frames(match)
    assert [frame.event for frame in boards] == [None, *match.events]
    assert boards[-1].state == picture_of(match.game).uncovered(match.state)


def test_a_damaged_file_is_refused(run: Run) -> None:
    assert "no file" in run("replay", "/nowhere", code=1).stderr
