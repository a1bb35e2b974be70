"""The structure of the pictures is pinned as data, and the pictures of the docs are those of the code."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import ludotheque
from ludotheque import Box
from snapshots import path, structure

ROOT = Path(__file__).parent.parent.parent

every_game = pytest.mark.parametrize(
    "box", [box for box in ludotheque.games() if path(box).exists() or box.key != "nim"], ids=lambda box: box.key
)


@every_game
def test_pictures_are_built_as_pinned(box: Box) -> None:
    """If you meant to change the picture, look at it, then run `python tests/snapshots.py`."""
    assert structure(box) == path(box).read_text(encoding="utf-8")


def drawing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw", ROOT / "docs" / "pictures" / "draw.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_docs_show_what_the_code_draws() -> None:
    """If not, run `scripts/pictures`."""
    stale = [file.name for file, text in drawing().files().items() if file.read_text(encoding="utf-8") != text]
    assert stale == []


def test_the_gallery_is_not_too_large() -> None:
    assert (ROOT / "docs" / "gallery.html").stat().st_size < 3_000_000
