"""A game of another package: it comes by entry points, touches nothing central, and is held to the same laws."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import example

ROOT = Path(__file__).parent.parent


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which the example is installed."""
    return {**os.environ, **example.installed(tmp_path), "LUDOTHEQUE_CACHE": str(tmp_path / "cache")}


def run(environment: dict[str, str], *words: str) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_on_the_shelf_and_can_be_played(installed: dict[str, str]) -> None:
    program = (
        "import ludotheque\n"
        "match = ludotheque.game('nim').match(matches=5)\n"
        "match.play(0, 'take 2')\n"
        "match.play(1, 'take 3')\n"
        "print(ludotheque.game('nim').say('name', 'fr'), match.winners, match.picture(0)[:4])\n"
        "print(ludotheque.load(match.save()) == match)\n"
    )
    assert run(installed, "-c", program) == "Vingt-et-un (1,) <svg\nTrue\n"
    assert "Twenty-one" in run(installed, "-m", "ludotheque.cli", "games", "--lang", "en")


def test_it_brings_its_own_stylesheet(installed: dict[str, str]) -> None:
    """In its own pictures, in the one that all pages share, and in no other game's picture."""
    program = (
        "import ludotheque\n"
        "from ludotheque.pictures.output.raster import flattened\n"
        "from ludotheque.pictures.output.registry import stylesheet_of_all\n"
        "svg = ludotheque.game('nim').match().picture()\n"
        "print('.nim-stick { stroke: #c9a36a' in svg, '.nim-stick{stroke:#c9a36a' in flattened(svg)[0])\n"
        "print('.nim-stick' in stylesheet_of_all(box.rules for box in ludotheque.games()))\n"
        "print('.nim-stick' in ludotheque.game('hepta').match().picture())\n"
    )
    assert run(installed, "-c", program) == "True True\nTrue\nFalse\n"


def test_it_obeys_the_laws_compiled_and_not(installed: dict[str, str]) -> None:
    tests = [
        "tests/web/test_completeness.py",
        "tests/test_laws.py",
        "tests/test_compiled.py",
        "tests/test_pictures.py",
        "tests/pictures/test_stylesheets.py",
        "tests/test_lessons.py",
    ]
    found = run(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "nim", *tests)
    assert " passed" in found
    assert "failed" not in found


def test_it_is_not_here_when_it_is_not_installed() -> None:
    with pytest.raises(AssertionError, match="no game"):
        run(dict(os.environ), "-c", "import ludotheque; ludotheque.game('nim')")
