"""What stands on the shelf: every game that is found, and nothing that is broken."""

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import ludotheque
from ludotheque import shelf

GAMES = import_module("ludotheque.games")  # the attribute of this name is a function


@pytest.fixture
def fresh() -> Iterator[None]:
    """A shelf that is filled anew, before and after the test."""
    shelf._all.cache_clear()
    yield
    shelf._all.cache_clear()


def keys() -> list[str]:
    return [box.key for box in ludotheque.games()]


@pytest.mark.usefixtures("fresh")
def test_modules_and_packages_without_a_game_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = keys()
    (tmp_path / "scoring_tables.py").write_text("TABLE = (1, 2, 3)\n", encoding="utf-8")
    (tmp_path / "other_game.py").write_text('GAME = "to be written"\n', encoding="utf-8")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "__init__.py").touch()
    monkeypatch.setattr(GAMES, "__path__", [*GAMES.__path__, str(tmp_path)])
    shelf._all.cache_clear()
    try:
        assert keys() == before
        assert "ludotheque.games.scoring_tables" in sys.modules, "it was looked at"
    finally:
        for name in ("scoring_tables", "other_game", "shared"):
            sys.modules.pop(f"ludotheque.games.{name}", None)


@pytest.mark.usefixtures("fresh")
def test_a_package_can_be_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "twin").mkdir()
    (tmp_path / "twin" / "__init__.py").write_text(
        "from dataclasses import replace\n"
        "from ludotheque.games import hepta\n"
        "GAME = replace(hepta.GAME, key='twin')\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(GAMES, "__path__", [*GAMES.__path__, str(tmp_path)])
    shelf._all.cache_clear()
    try:
        assert ludotheque.game("twin").rules.play is ludotheque.game("hepta").rules.play
    finally:
        sys.modules.pop("ludotheque.games.twin", None)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("ludotheque.games.hepta:TEXTS", "is not a ludotheque.game.Game"),
        ("ludotheque.games.hepta:NO_SUCH_NAME", "cannot be loaded"),
        ("no_such_package.game:GAME", "cannot be loaded"),
    ],
)
def test_a_broken_plug_in_takes_no_other_game_away(value: str, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = keys()
    shelf._all.cache_clear()
    entry = EntryPoint("broken", value, "ludotheque.games")
    monkeypatch.setattr(shelf, "entry_points", lambda group: [entry] if group == "ludotheque.games" else [])
    with pytest.warns(RuntimeWarning, match=f"left out: .*broken.*{problem}"):
        assert keys() == before
