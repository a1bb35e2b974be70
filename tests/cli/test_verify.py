"""`ludotheque verify`: luck is recomputed, and forgery found."""

import json
from pathlib import Path

import pytest

from cli.terminal import Keep, Run, random_match


def forged(path: str, change: str) -> None:
    record = json.loads(Path(path).read_text(encoding="utf-8"))
    if change == "draw":
        number = next(number for number, (actor, _) in enumerate(record["log"]) if actor == "luck")
        record["log"][number][1] = "roll 1" if record["log"][number][1] != "roll 1" else "roll 2"
    elif change == "commitment":
        record["luck"]["commitment"] = "0" * 64
    elif change == "result":
        record["scores"][0] += 1
    Path(path).write_text(json.dumps(record), encoding="utf-8")


def test_every_draw_is_recomputed(run: Run, kept: Keep) -> None:
    match = random_match("pizza", seats=2, rounds=6)
    draws = sum(actor == "luck" for actor, _ in match.events)
    said = run("verify", kept(match)).stdout
    assert f"{draws} draws" in said
    assert match.luck is not None
    assert match.luck.commitment in said
    assert f"{len(match.events)} events" in said


@pytest.mark.parametrize("change", ["draw", "commitment"])
def test_forged_luck_is_found(run: Run, kept: Keep, change: str) -> None:
    path = kept(random_match("pizza", seats=2, rounds=6))
    forged(path, change)
    result = run("verify", path, code=1)
    assert "luck does not fit" in result.stderr
    assert result.stdout == ""
    assert "le sort ne tombe pas juste" in run("verify", path, "--lang", "fr", code=1).stderr


def test_a_wrong_result_is_found(run: Run, kept: Keep) -> None:
    path = kept(random_match("hepta", legs=1))
    forged(path, "result")
    assert "not a sound record" in run("verify", path, code=1).stderr


def test_luck_by_hand_and_no_luck_are_told(run: Run, kept: Keep) -> None:
    assert "played by hand" in run("verify", kept(random_match("pizza", luck=None, seats=2, rounds=2))).stdout
    assert "nothing to recompute" in run("verify", kept(random_match("hepta", legs=1))).stdout
    assert "rien à recalculer" in run("verify", kept(random_match("hepta", legs=1)), "--lang", "fr").stdout


def test_the_result_is_told(run: Run, kept: Keep) -> None:
    match = random_match("hepta", legs=1)
    said = run("verify", kept(match)).stdout
    assert ("A draw" if match.draw else f"(seat {match.winners[0]}) wins") in said
    assert "not over yet" in run("verify", kept(random_match("hepta", moves=5))).stdout


def test_files_that_are_no_records_are_refused(run: Run, tmp_path: Path) -> None:
    assert "no file" in run("verify", str(tmp_path / "x.json"), code=1).stderr
    assert "folder" in run("verify", str(tmp_path), code=1).stderr
    (tmp_path / "text").write_text("hello", encoding="utf-8")
    assert "not a sound record" in run("verify", str(tmp_path / "text"), code=1).stderr
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert "not text" in run("verify", str(tmp_path / "bytes"), code=1).stderr
