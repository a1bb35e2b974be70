"""Data flows one way: a room of the house imports from those on its left, never from its right."""

import ast
from pathlib import Path

import pytest

import ludotheque

SOURCE = Path(ludotheque.__file__ or "").parent
ROOMS = (
    {"errors", "words"},
    {"board"},
    {"options"},
    {"game", "luck"},
    {"games"},
    {"match", "search"},
    {"puzzles", "hints"},
    {"records"},
    {"pictures", "adapters"},
    {"shelf", "lessons"},
    {"web", "cli"},
)
FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def room(module: str) -> int:
    """The place of a module's room in the row."""
    first = module.removeprefix("ludotheque.").split(".")[0]
    return next(place for place, names in enumerate(ROOMS) if first in names)


def imported(path: Path) -> list[str]:
    """The modules of the house that a file imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "ludotheque":
            found += [f"ludotheque.{name.name}" for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
    return [name for name in found if name.startswith("ludotheque.")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_leftwards(path: Path) -> None:
    here = path.relative_to(SOURCE).with_suffix("").parts[0]
    for module in imported(path):
        first = module.removeprefix("ludotheque.").split(".")[0]
        if first in {name for names in ROOMS for name in names}:
            assert room(module) <= room(here), f"{path.name} in {here} imports {module}"


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.parent.name in {"games", "board"}], ids=lambda p: p.name
)
def test_rules_import_no_numba(path: Path) -> None:
    assert "numba" not in path.read_text(encoding="utf-8").replace("numba compiles", "").replace("numba knows", "")
