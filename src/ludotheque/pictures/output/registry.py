"""Find the picture of a game: ours by its stem, another package's by its entry point in `ludotheque.pictures`."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files

from ludotheque.game import AnyGame
from ludotheque.pictures.kit.picture import AnyPicture, Picture


@cache
def picture_of(game: AnyGame) -> AnyPicture:
    """The picture of a game."""
    for entry in entry_points(group="ludotheque.pictures"):
        if entry.name == game.key:
            found = entry.load()
            break
    else:
        found = import_module(f"ludotheque.pictures.{game.stem}").PICTURE
    if not isinstance(found, Picture):
        raise TypeError(f"the picture of {game.key} is not a ludotheque.pictures.kit.picture.Picture")
    return found


@cache
def stylesheet() -> str:
    """The colours of all pictures, by day and by night."""
    return (files("ludotheque.pictures") / "picture.css").read_text(encoding="utf-8")
