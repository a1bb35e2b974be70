"""Find the picture and the stylesheets of a game, ours or another package's.

Our pictures are found by the game's stem, those of other packages by an entry point in the group
`ludotheque.pictures`, named by the game's key. The stylesheet of a module lies beside it: `hepta.css` beside
`hepta.py`, or beside the folder `hepta/`. What only pages need, such as another layout for narrow screens, is in
`hepta.page.css`: it goes into no SVG file.
"""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from ludotheque.game import AnyGame
from ludotheque.pictures.kit.picture import AnyPicture, Picture

GROUP = "ludotheque.pictures"
SHARED = "ludotheque.pictures.kit.picture"
CURVE = "ludotheque.pictures.output.curve"


@cache
def picture_of(game: AnyGame) -> AnyPicture:
    """The picture of a game."""
    found = _entry_point(game).load()
    if not isinstance(found, Picture):
        raise TypeError(f"the picture of {game.key} is not a ludotheque.pictures.kit.picture.Picture")
    return found


def has_picture(game: AnyGame) -> bool:
    """Whether anybody has drawn this game."""
    return _is_ours(game) or bool(entry_points(group=GROUP, name=game.key))


@cache
def stylesheet_of(game: AnyGame) -> str:
    """What a picture of this game needs by itself: the shared stylesheet and the game's own."""
    return _joined((SHARED, *styled_modules(game)))


def stylesheet_of_all(games: Iterable[AnyGame]) -> str:
    """What a page needs that shows pictures of any of these games, and curves."""
    drawn = filter(has_picture, games)
    modules = dict.fromkeys((SHARED, CURVE, *(module for game in drawn for module in styled_modules(game))))
    return _joined(modules) + "".join(stylesheet_beside(module, ".page.css") for module in modules)


def shared_stylesheet() -> str:
    """What all pictures share."""
    return stylesheet_beside(SHARED)


@cache
def stylesheet_beside(module: str, suffix: str = ".css") -> str:
    """The stylesheet of a module; empty if it has none."""
    source = Path(import_module(module).__file__ or "")
    path = (source.parent if source.stem == "__init__" else source).with_suffix(suffix)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def styled_modules(game: AnyGame) -> tuple[str, ...]:
    """The modules whose stylesheets a game needs besides the shared one, its own last."""
    return (*(module.__name__ for module in picture_of(game).uses), _entry_point(game).module)


def _entry_point(game: AnyGame) -> EntryPoint:
    ours = EntryPoint(game.key, f"ludotheque.pictures.{game.stem}:PICTURE", GROUP)
    return ours if _is_ours(game) else next(iter(entry_points(group=GROUP, name=game.key)), ours)


def _is_ours(game: AnyGame) -> bool:
    return find_spec(f"ludotheque.pictures.{game.stem}") is not None


def _joined(modules: Iterable[str]) -> str:
    return "".join(stylesheet_beside(module) for module in dict.fromkeys(modules))
