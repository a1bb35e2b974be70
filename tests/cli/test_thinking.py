"""`ludotheque analyse` and `ludotheque arena`, as typed."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ludotheque
from ludotheque.cli import app


@pytest.fixture
def record(tmp_path: Path) -> Path:
    match = ludotheque.game("hepta").match(seed=1, legs=1)
    for _ in range(12):
        seat = match.to_act[0]
        match.play(seat, match.moves(seat)[0])
    file = tmp_path / "evening.json"
    file.write_text(match.save(), encoding="utf-8")
    return file


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_analyse_tells_every_move_and_draws_a_plot(record: Path, lang: str) -> None:
    plot = record.with_suffix(".svg")
    done = CliRunner().invoke(
        app, ["--lang", lang, "analyse", str(record), "--simulations", "60", "--plot", str(plot)]
    )
    assert done.exit_code == 0, done.output
    assert "a1" in done.output
    lines = done.output.splitlines()
    assert all(name in lines[0] for name in ("0", "1"))
    turns = [line for line in lines if re.match(r"(Move|Coup) \d+, .+", line)]
    assert turns
    assert not any(line.rstrip().endswith(":") for line in turns)
    text = plot.read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert text.count("<polyline") == 2


def test_arena_tells_who_is_better_and_writes_it_down(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    words = ["arena", "tricolore", "--seats", "2", "--players", "random,greedy", "--games", "4", "--quiet", "6"]
    done = CliRunner().invoke(app, [*words, "--jobs", "1", "--json", str(file)])
    assert done.exit_code == 0, done.output
    assert "greedy" in done.output
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["games"] == 4
    assert len(found["played"]) == 4


@pytest.mark.parametrize(
    "words",
    [
        ["arena", "hepta", "--players", "3,grandmaster"],
        ["arena", "hepta", "--players", "3"],
        ["arena", "hepta-solo", "--players", "3,4"],
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(words: list[str]) -> None:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "Traceback" not in done.output
