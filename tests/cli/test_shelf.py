"""`ludotheque`, `ludotheque games`: what one sees on coming in."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import ludotheque
from cli.terminal import Run
from ludotheque.cli.options import keys


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_game_is_on_the_shelf_with_its_facts(run: Run, lang: str) -> None:
    shelf = run("games", "--lang", lang, env={"COLUMNS": "300"}).output
    for box in ludotheque.games():
        line = next(line for line in shelf.splitlines() if line.split()[:1] == [box.key])
        assert box.say("name", lang) in line
        assert box.say("credits", lang) in shelf
        assert str(box.seats[0]) in line


def test_the_shelf_fits_a_narrow_screen(run: Run) -> None:
    shelf = run("games", env={"COLUMNS": "60"}).output
    assert max(len(line) for line in shelf.splitlines()) <= 60
    assert all(box.key in shelf for box in ludotheque.games())


def test_a_box_tells_its_options(run: Run) -> None:
    assert "--legs" in run("games", "hepta").output
    assert "--blockers" in run("games", "HEPTA-SOLO", "--lang", "fr").output


def test_without_a_command_there_is_help(run: Run) -> None:
    assert "perft" in run().output
    assert "Commandes" in run("--lang", "fr").output


def test_the_version(run: Run) -> None:
    assert run("--version").output == f"ludotheque {version('ludotheque')}\n"


def test_keys_complete() -> None:
    assert [key for key, _ in keys("hep")] == ["hepta", "hepta-solo"]


def test_the_shell_completes_games(run: Run) -> None:
    asked = {"_LUDOTHEQUE_COMPLETE": "complete_bash", "COMP_WORDS": "ludotheque play hept", "COMP_CWORD": "2"}
    assert "hepta" in run(env=asked).output.split()


def test_the_installed_command_starts_fast_and_quietly() -> None:
    script = Path(sys.executable).parent / "ludotheque"
    done = subprocess.run([script, "games"], capture_output=True, text=True, check=True)  # noqa: S603
    assert "Alex Randolph" in done.stdout
    assert done.stderr == ""


def test_looking_at_the_shelf_does_not_import_numba() -> None:
    program = (
        "import sys\nsys.argv = ['ludotheque', 'games']\nfrom ludotheque.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    sys.exit(end.code or 'numba' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)  # noqa: S603
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play", "hepa"], "Did you mean hepta?"),
        (["play", "tetrods:2#5"], "Solve it with ludotheque puzzle tetrods:2#5"),
        (["perft", "chess", "--depth", "1"], "hepta, hepta-solo"),
        (["gmes"], "games"),
        (["perft", "--depth", "1"], "GAME"),
        (["perft", "hepta"], "--depth"),
        (["games", "--colour"], "--colour"),
        (["verify"], "FILE"),
        (["games", "hepta", "pizza"], "pizza"),
    ],
)
def test_wrong_calls_are_answered_helpfully(run: Run, words: list[str], said: str) -> None:
    assert said in run(*words, code=2).stderr
    assert run(*words, "--lang", "fr", code=2).stderr != run(*words, code=2).stderr
