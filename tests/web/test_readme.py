"""The walks of web/README.md lead through code that is there."""

import ast
import re
from pathlib import Path

import pytest

import ludotheque

WEB = Path(ludotheque.__file__ or "").parent / "web"
TEXT = (WEB / "README.md").read_text(encoding="utf-8")
WALKS = dict(re.findall(r"^## (Walk \d: [^\n]*)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
STOP = re.compile(r"`([\w/]+\.(?:py|js)): ([\w.]+)`(?:((?:, `[\w.]+`)*))")
MAX_FILES_OF_A_MOVE = 8


def stops(walk: str) -> list[tuple[str, str]]:
    """The files and functions of a walk, in order."""
    found = []
    for file, first, more in STOP.findall(WALKS[walk]):
        found += [(file, name) for name in (first, *re.findall(r"`([\w.]+)`", more))]
    return found


def defined(file: Path) -> set[str]:
    """The functions and methods of a Python file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{name}" for name in names}
    return names


def test_there_are_three_walks() -> None:
    assert len(WALKS) == 3


@pytest.mark.parametrize("walk", WALKS)
def test_every_stop_of_a_walk_exists(walk: str) -> None:
    assert len(stops(walk)) >= 5
    for file, name in stops(walk):
        path = WEB / file if (WEB / file).exists() else WEB.parent / file
        assert path.exists(), file
        if path.suffix == ".py":
            assert name in defined(path), f"{file}: {name}"
        else:
            assert re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")), f"{file}: {name}"


def test_a_move_leads_through_few_files() -> None:
    ordered = re.search(r"\A(.*?)\n\n[^\d\s]", WALKS[next(iter(WALKS))].strip(), re.DOTALL)
    assert ordered is not None
    files = {file for file, _, _ in STOP.findall(ordered[1])}
    assert len(files) <= MAX_FILES_OF_A_MOVE, files


def test_the_map_has_every_module() -> None:
    for path in WEB.rglob("*.py"):
        inside = path.relative_to(WEB).with_suffix("").parts
        if path.stem not in ("__init__", "__main__") and not {"migrations", "models", "templatetags"} & set(inside):
            room = inside[0] if len(inside) > 1 else ""
            assert room == "pages" or re.search(rf"`{path.stem}\b", TEXT), path
