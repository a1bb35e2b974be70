"""Ludothèque: real board games from real rule sheets, exactly by their rules.

>>> import ludotheque
>>> match = ludotheque.game("hepta").match(seats=2, seed=7)
>>> match.to_act
(0,)
>>> match.play(0, "d4")
>>> match.events
[(0, 'd4')]
"""

from importlib.metadata import PackageNotFoundError, version

from ludotheque.errors import (
    BadOption,
    BadRecord,
    IllegalMove,
    LudothequeError,
    MissingExtra,
    UndoRefused,
    UnknownGame,
)
from ludotheque.match import Match
from ludotheque.shelf import Box, game, games, load

__all__ = [
    "BadOption",
    "BadRecord",
    "Box",
    "IllegalMove",
    "LudothequeError",
    "Match",
    "MissingExtra",
    "UndoRefused",
    "UnknownGame",
    "__version__",
    "game",
    "games",
    "load",
]

try:
    __version__ = version("ludotheque")
except PackageNotFoundError:  # the sources, on a path, and not installed
    __version__ = "0+sources"
