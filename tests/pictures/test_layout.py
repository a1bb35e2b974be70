"""Games and the drawing kit are kept apart: a game's key never collides with a module that is not a game's."""

import pkgutil
import sys
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import ludotheque
from ludotheque import pictures
from ludotheque.games.hepta import GAME as HEPTA
from ludotheque.pictures import kit, output
from ludotheque.pictures.output.registry import picture_of

SUBPACKAGES = {"kit", "output"}
MODULES = [module.name for package in (kit, output) for module in pkgutil.iter_modules(package.__path__)]


def test_pictures_holds_games_and_two_subpackages() -> None:
    stems = {box.rules.stem for box in ludotheque.games()}
    assert {module.name for module in pkgutil.iter_modules(pictures.__path__)} <= stems | SUBPACKAGES
    assert stems.isdisjoint(SUBPACKAGES)


@pytest.mark.parametrize("name", MODULES)
def test_a_game_may_be_called_like_a_module_of_the_kit(name: str) -> None:
    assert find_spec(f"ludotheque.pictures.{name}") is None


def test_a_game_called_film_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ludotheque.pictures.film", sys)  # so that the import below is undone as well
    del sys.modules["ludotheque.pictures.film"]
    (tmp_path / "film.py").write_text("from ludotheque.pictures.hepta import PICTURE\n", encoding="utf-8")
    monkeypatch.setattr(pictures, "__path__", [*pictures.__path__, str(tmp_path)])
    assert picture_of(replace(HEPTA, key="film")) is import_module("ludotheque.pictures.film").PICTURE


def test_the_kit_imports_neither_output_nor_games() -> None:
    allowed = ("ludotheque.pictures.kit", "ludotheque.board", "ludotheque.game")
    for path in Path(kit.__path__[0]).glob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(("from ludotheque", "import ludotheque")):
                assert line.split()[1].startswith(allowed), f"{path.name}: {line}"
