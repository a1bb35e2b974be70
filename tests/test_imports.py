"""Imports go one way: a package imports from those before it, never from those after it."""

import ast
from pathlib import Path

import pytest

import ludotheque

SOURCE = Path(ludotheque.__file__ or "").parent
LIBRARY = (
    {"errors", "extras", "private_folder", "words"},
    {"board"},
    {"options"},
    {"game", "luck"},
    {"games", "move_words"},
    {"match", "records", "search"},
    {"puzzles", "hints"},
    {"pictures", "env"},
    {"shelf", "lessons"},
    {"adapters"},
    {"web", "cli"},
    {"testing"},
    {"__main__"},
)
WEB = (  # web/README.md has the map
    {"backends", "inputs", "markdown", "models", "names", "refusals", "secret_keys", "visitors", "words"},
    {"monitor"},
    {"guard"},
    {"jobs"},
    {"table"},
    {"players"},
    {"screen"},
    {"live", "puzzles", "replays"},
    {"pages", "templatetags"},
    {"server"},
    {"admin", "apps", "asgi", "settings", "urls"},
)
FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")
WEB_FILES = [path for path in FILES if SOURCE / "web" in path.parents and "migrations" not in path.parts]


def imported(path: Path, package: str) -> list[str]:
    """The modules of a package that a file imports, by their path within it."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == package:
            found += [f"{package}.{name.name}" for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
    return [name.removeprefix(f"{package}.") for name in found if name.startswith(f"{package}.")]


def check(path: Path, root: Path, package: str, order: tuple[set[str], ...]) -> None:
    """The file imports nothing from the packages after its own."""
    rank = {name: place for place, names in enumerate(order) for name in names}
    here = path.relative_to(root).with_suffix("").parts[0]
    for module in imported(path, package):
        first = module.split(".")[0]
        assert first not in rank or rank[first] <= rank[here], f"{path.name} in {here} imports {module}"


def test_every_module_of_the_library_has_its_place() -> None:
    stems = {path.relative_to(SOURCE).with_suffix("").parts[0] for path in FILES}
    assert stems == set().union(*LIBRARY)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_library_imports_one_way(path: Path) -> None:
    check(path, SOURCE, "ludotheque", LIBRARY)


@pytest.mark.parametrize("path", WEB_FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_rooms_of_the_site_import_one_way(path: Path) -> None:
    if path.name not in ("__init__.py", "__main__.py") or path.parent != SOURCE / "web":
        check(path, SOURCE / "web", "ludotheque.web", WEB)


def test_every_room_of_the_site_has_its_place_and_says_what_belongs_there() -> None:
    rooms = {path.parent.name for path in (SOURCE / "web").glob("*/__init__.py")} - {"migrations", "templatetags"}
    assert rooms <= set().union(*WEB)
    for room in rooms:
        assert ast.get_docstring(ast.parse((SOURCE / "web" / room / "__init__.py").read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.relative_to(SOURCE).parts[0] in {"games", "board"}],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_rules_import_no_numba(path: Path) -> None:
    assert "numba" not in [name.split(".")[0] for name in _all_imports(path)]


def _all_imports(path: Path) -> list[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    return plain + [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
