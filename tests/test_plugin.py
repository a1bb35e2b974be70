"""A game of another package: it comes by entry points, touches nothing central, and is held to the same laws."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import example

ROOT = Path(__file__).parent.parent


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which the example is installed."""
    return {**os.environ, **example.installed(tmp_path, *example.NAMES), "LUDOTHEQUE_CACHE": str(tmp_path / "cache")}


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


@pytest.mark.parametrize("name", example.NAMES)
def test_it_obeys_the_laws_compiled_and_not(installed: dict[str, str], name: str) -> None:
    tests = [
        "tests/web/test_completeness.py",
        "tests/web/test_wire_law.py",
        "tests/test_laws.py",
        "tests/test_compiled.py",
        "tests/test_pictures.py",
        "tests/pictures/test_stylesheets.py",
        "tests/test_lessons.py",
    ]
    found = run(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", name, *tests)
    assert " passed" in found
    assert "failed" not in found


SHELF = """
import warnings
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    import ludotheque
    print(*(box.key for box in ludotheque.games()))
print(*(warning.message for warning in warned), sep="\\n")
"""


def shelf_with(folder: Path, rules: str, *, name: str = "mine", entries: str = "mine:GAME") -> tuple[list[str], str]:
    """The games on the shelf, and what is said about it, where another package brings these rules."""
    (folder / "mine.py").write_text(rules, encoding="utf-8")
    example.install(folder, "ludotheque-mine", {"ludotheque.games": {name: entries}})
    environment = {
        **os.environ,
        **example.installed(folder, *example.NAMES),
        "LUDOTHEQUE_CACHE": str(folder / "cache"),
    }
    keys, warned = run(environment, "-c", SHELF).split("\n", 1)
    return keys.split(), warned.strip()


HERS = """from dataclasses import replace
from ludotheque.games import hepta

GAME = replace(hepta.GAME, key="KEY")
"""


def test_a_key_of_ours_is_not_taken_and_both_are_named(tmp_path: Path) -> None:
    keys, warned = shelf_with(tmp_path, HERS.replace("KEY", "pizza"))
    assert keys.count("pizza") == 1
    assert "mine = mine:GAME of ludotheque-mine brings the game pizza" in warned
    assert "taken by ludotheque.games.pizza" in warned
    assert f"{tmp_path / 'mine.py'}, line 4" in warned
    program = (
        "import warnings; warnings.simplefilter('ignore'); import ludotheque; print(ludotheque.game('pizza').seats)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    assert run(environment, "-c", program) == "(2, 3)\n", "ours is on the shelf"


def test_of_two_plug_ins_with_one_key_the_first_by_name_stays(tmp_path: Path) -> None:
    keys, warned = shelf_with(tmp_path, HERS.replace("KEY", "nim"), name="other")
    assert keys.count("nim") == 1
    assert "other = mine:GAME of ludotheque-mine brings the game nim" in warned
    assert "taken by the entry point nim = nim:GAME of ludotheque-nim" in warned


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("GAME = 1 // 0\n", "ZeroDivisionError.*mine.py, line 1"),
        ("from ludotheque.game import Game\n\nGAME = Game(key='mine')\n", "TypeError.*mine.py, line 3"),
        ("def start(\n", "SyntaxError.*mine.py, line 1"),
        ("OTHER = 3\n", "AttributeError.*mine.py"),
        ("\nGAME = 'to be written'\n", "is not a ludotheque.game.Game, but “to be written”, in .*mine.py, line 2"),
        ("import no_such_module\n", "ModuleNotFoundError.*mine.py, line 1"),
    ],
)
def test_a_broken_one_is_left_out_and_its_author_told_where(tmp_path: Path, rules: str, said: str) -> None:
    keys, warned = shelf_with(tmp_path, rules)
    assert "mine" not in keys
    assert {"hepta", "nim", "kuhn"} <= set(keys)
    assert re.search(f"left out: the entry point mine = mine:GAME of ludotheque-mine .*{said}", warned), warned


def test_broken_words_and_pictures_leave_it_out_too(tmp_path: Path) -> None:
    (tmp_path / "its_words" / "en").mkdir(parents=True)
    (tmp_path / "its_words" / "__init__.py").touch()
    (tmp_path / "its_words" / "en" / "worded.md").write_text("+++\nname = Worded\n+++\n", encoding="utf-8")
    (tmp_path / "its_picture.py").write_text("PICTURE = 'a drawing'\n", encoding="utf-8")
    example.install(
        tmp_path,
        "ludotheque-parts",
        {
            "ludotheque.games": {"worded": "parts:WORDED", "drawn": "parts:DRAWN"},
            "ludotheque.words": {"worded": "its_words", "pizza": "its_words"},
            "ludotheque.pictures": {"drawn": "its_picture:PICTURE", "pizza": "its_picture:PICTURE"},
        },
    )
    (tmp_path / "parts.py").write_text(
        HERS.replace('GAME = replace(hepta.GAME, key="KEY")', "")
        + "WORDED, DRAWN = replace(hepta.GAME, key='worded'), replace(hepta.GAME, key='drawn')\n",
        encoding="utf-8",
    )
    keys, warned = shelf_with(tmp_path, HERS.replace("KEY", "bare"))
    assert {"worded", "drawn"}.isdisjoint(keys)
    assert "bare" in keys, "one may write words and a picture later"
    assert re.search(r"worded = parts:WORDED .*worded.md: .*line 1", warned), warned
    assert re.search(r"drawn = parts:DRAWN .*the picture of drawn is not", warned), warned
    program = (
        "import warnings; warnings.simplefilter('ignore'); import ludotheque\n"
        "pizza = ludotheque.game('pizza')\n"
        "print(pizza.name, pizza.match().picture()[:4], ludotheque.game('bare').name)\n"
        "match = ludotheque.game('bare').match()\n"
        "try: match.play(1, 'd4')\n"
        "except ludotheque.IllegalMove as error: print(error)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    assert run(environment, "-c", program) == "Pizza Theory <svg bare\nIt is not your turn.\n"


def test_it_is_not_here_when_it_is_not_installed() -> None:
    with pytest.raises(AssertionError, match="no game"):
        run(dict(os.environ), "-c", "import ludotheque; ludotheque.game('nim')")
