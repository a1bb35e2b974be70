"""The library by itself needs nothing but Python; whatever needs more says which extra brings it."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import get_args

import pytest

import ludotheque
from ludotheque.errors import MissingExtra
from ludotheque.extras import Extra, extra

ROOT = Path(__file__).parents[2]
SOURCE = Path(ludotheque.__file__ or "").parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
FOR_PEOPLE = set(EXTRAS) - {"all", "bench", "test"}
ALONE = """
import sys
from importlib.abc import MetaPathFinder

class Nothing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        if root != "ludotheque" and root not in sys.stdlib_module_names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Nothing())
"""
BASE = """
import json, ludotheque
from ludotheque.lessons import tasks
from ludotheque.pictures.output import film, frames
for box in ludotheque.games():
    for lang in ("en", "fr"):
        assert box.say("name", lang)
    match = box.match(seed=7)
    for _ in range(6):
        if not match.over:
            seat = match.to_act[0]
            match.play(seat, match.moves(seat)[0])
    again = ludotheque.load(match.save())
    assert again == match and again.luck.commitment == match.luck.commitment
    assert match.picture(0).startswith("<svg")
    assert film.svg(frames.frames(match), 1).startswith("<svg")
    json.dumps(match.view(None))
    assert box.key not in ("hepta", "pizza") or tasks(box.rules)
"""
NEEDED = {  # by what a user begins with
    "players": (
        "import ludotheque.search.players",
        "import ludotheque.search.compiled",
        "import ludotheque.search.arena",
        "import ludotheque.puzzles.making.puzzles",
        "import ludotheque.puzzles.engines.tetrods",
        "import ludotheque.puzzles.studies.study",
    ),
    "pictures": (
        "import ludotheque.pictures.output.gif",
        "import ludotheque.pictures.output.raster as r, ludotheque as l; r.png(l.game('hepta').match().picture(), 9)",
    ),
    "booklet": ("import ludotheque.pictures.output.booklet",),
    "openspiel": ("import ludotheque.adapters.openspiel",),
    "web": ("import ludotheque.web.server.serve",),
    "cli": ("import ludotheque.cli",),
}


def alone(program: str) -> subprocess.CompletedProcess[str]:
    """The program where nothing but Python is installed."""
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", ALONE + program], capture_output=True, text=True, check=False
    )


def test_the_library_works_by_itself() -> None:
    done = alone(BASE)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "program"), [(name, program) for name, programs in NEEDED.items() for program in programs]
)
def test_a_missing_extra_is_named(name: str, program: str) -> None:
    done = alone(program)
    assert done.returncode == 1
    assert re.search(rf'MissingExtra: \w+ is not installed.*pip install "ludotheque\[{name}\]"', done.stderr), (
        done.stderr
    )


def test_the_command_by_itself_is_one_sentence() -> None:
    done = alone("import runpy; runpy.run_module('ludotheque', run_name='__main__')")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert 'pip install "ludotheque[cli]"' in done.stderr


@pytest.mark.parametrize(("lang", "words"), [("en", "is not installed"), ("fr", "n’est pas installé")])
def test_the_command_names_what_is_missing_in_both_languages(lang: str, words: str) -> None:
    """Here the command itself is installed, and no computer player."""
    command = (
        "import sys\nfor name in ('numba', 'numpy', 'joblib'): sys.modules[name] = None\n"
        f"sys.argv = ['ludotheque', '--lang', '{lang}', 'arena', 'hepta']\n"
        "from ludotheque.__main__ import main\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert words in done.stderr
    assert "ludotheque[players]" in done.stderr


def test_what_is_missing_is_an_import_error_too() -> None:
    with pytest.raises(ImportError, match=r"ludotheque\[learn\]") as caught, extra("learn"):
        import no_such_package  # type: ignore[import-not-found]  # noqa: F401
    assert isinstance(caught.value, MissingExtra)
    assert caught.value.values == {"package": "no_such_package", "extra": "learn"}


def test_a_mistake_of_ours_is_no_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError), extra("learn"):
        import ludotheque.no_such_module  # type: ignore[import-not-found]  # noqa: F401


def test_every_extra_for_people_can_be_named() -> None:
    assert set(get_args(Extra)) == FOR_PEOPLE
    assert closure("all") == set().union(*(closure(name) for name in FOR_PEOPLE))
    assert PROJECT["dependencies"] == []


def closure(name: str) -> set[str]:
    """The distributions that an extra brings, by its own words, and those of the extras in it."""
    found = set()
    for line in EXTRAS[name]:
        project, inner = re.fullmatch(r"([\w-]+)(?:\[([\w,-]+)\])?[^\]]*", line).groups()  # type: ignore[union-attr]
        if project == "ludotheque":
            found |= set().union(*(closure(each) for each in inner.split(",")))
        else:
            found.add(normal(project))
    return found


def guarded(node: ast.AST, extras: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every module of another package that is imported, with the extras that stand around the import."""
    if isinstance(node, ast.With):
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "extra":
                extras = (*extras, ast.literal_eval(call.args[0]))
    if isinstance(node, ast.Try) and any(
        each.type and ast.unparse(each.type) == "ImportError" for each in node.handlers
    ):
        return  # it answers for itself
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    names = []
    if isinstance(node, ast.Import):
        names = [each.name for each in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = [node.module or ""]
    for name in names:
        if name.partition(".")[0] not in sys.stdlib_module_names | {"ludotheque"}:
            yield name, extras
    for child in ast.iter_child_nodes(node):
        yield from guarded(child, extras)


def imports(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    return guarded(ast.parse(path.read_text(encoding="utf-8")))


def of_package(path: Path) -> tuple[str, ...]:
    """The extras without which none of the package that the file is in can be imported."""
    packages = [SOURCE / part / "__init__.py" for part in path.relative_to(SOURCE).parents if part != Path()]
    return tuple(name for package in packages if package.exists() for _, names in imports(package) for name in names)


DISTRIBUTIONS = packages_distributions()
FILES = sorted(path for path in SOURCE.rglob("*.py") if any(imports(path)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_another_package_is_imported_within_the_extra_that_brings_it(path: Path) -> None:
    for module, names in imports(path):
        around = names or of_package(path)
        assert around, f"{module} is imported without `with extra(...)`"
        brought = set().union(*(closure(name) for name in around))
        came = {normal(name) for name in DISTRIBUTIONS.get(module.partition(".")[0], ())}
        assert came & (brought | needed_by(brought)), f"{module} does not come with {around}"


def normal(line: str) -> str:
    """The name of a distribution, as everybody writes it, from a line that requires it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", line)[0]).lower()


def needed_by(distributions: set[str]) -> set[str]:
    """What these need themselves, as numba needs llvmlite."""
    return {normal(line) for name in distributions for line in requires(name) or ()}
