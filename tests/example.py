"""The examples of games from other packages, installed for a while."""

import os
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludotheque import shelf

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = ("nim", "kuhn")


def installed(folder: Path, *names: str) -> dict[str, str]:
    """What the environment needs for these examples to be there, as an installer would leave them in this folder."""
    paths = [_install(folder, EXAMPLES / name) for name in names or ("nim",)]
    return {"PYTHONPATH": os.pathsep.join([*paths, str(folder), os.environ.get("PYTHONPATH", "")])}


@contextmanager
def on_the_shelf(folder: Path, *names: str) -> Iterator[None]:
    """The examples in this very process."""
    before = list(sys.path)
    sys.path[:0] = [*(_install(folder, EXAMPLES / name) for name in names), str(folder)]
    shelf._all.cache_clear()
    try:
        yield
    finally:
        sys.path[:] = before
        shelf._all.cache_clear()


def install(folder: Path, name: str, entries: dict[str, dict[str, str]], version: str = "1.0") -> None:
    """What an installer notes of a package in this folder: its name and its entry points by group."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
        for group, named in entries.items()
    )
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


def _install(folder: Path, source: Path) -> str:
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install(folder, project["name"], project["entry-points"], project["version"])
    return str(source)
