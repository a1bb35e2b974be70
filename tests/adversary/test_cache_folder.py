"""Where compiled code cannot be kept, computer players play nonetheless, and the keeper is told."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scale.sites import BENCHMARKS, Site, first_move
from waiting import until

THINK = """
import ludotheque
from ludotheque.search import cache_folder
from ludotheque.web.players.questions import Question, think
match = ludotheque.game("hepta").match(2, seed=1)
print(think(Question.of(match, 0, 1)) in match.moves(0), cache_folder.root())
"""


def test_computer_players_play_without_a_cache_folder(new_site: Callable[..., Site], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    site = new_site(LUDOTHEQUE_CACHE=str(tmp_path / "file" / "cache"), TMPDIR=str(temporary), LUDOTHEQUE_PACE="0")
    status, told = site.ask("/ready")
    assert (status, told["ready"], told["missing"]) == (200, True, ["cache"])
    table, cookie = site.set_computer(0)
    while (screen := site.screen(table, cookie))["moves"]:  # whoever begins sets several pieces
        site.move(table, cookie, first_move(screen, f"{screen['version']}"))
    computers_move = 'ludotheque_moves_total{who="computer"}'
    until(lambda: computers_move in site.read("/metrics")[1], "the computer does not move")
    assert list(temporary.glob("ludotheque-cache-*/**/*.nbi")), "its code is kept for the other processes"


def test_the_log_says_so_once(
    new_site: Callable[..., Site], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    new_site(LUDOTHEQUE_CACHE=str(tmp_path / "file" / "cache"), LUDOTHEQUE_LOG="WARNING", TMPDIR=str(tmp_path))
    assert capfd.readouterr().err.count("compiled code cannot be kept") == 1


@pytest.mark.parametrize("readable", [True, False], ids=["temporary", "memory"])
def test_in_a_temporary_folder_or_in_memory(tmp_path: Path, *, readable: bool) -> None:
    (tmp_path / "file").touch()
    environment = {
        "LUDOTHEQUE_CACHE": str(tmp_path / "file" / "cache"),
        "TMPDIR": str(tmp_path if readable else tmp_path / "file"),
        "PYTHONPATH": f"{BENCHMARKS.parent / 'src'}",
    }
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", THINK], env=environment, capture_output=True, text=True, check=False
    )
    moved, _, folder = done.stdout.strip().partition(" ")
    assert moved == "True", done.stderr
    assert (folder == "None") is not readable
