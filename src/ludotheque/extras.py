"""Packages that not everybody needs come with extras; where one is missing, it is named."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias

from ludotheque.errors import MissingExtra

Extra: TypeAlias = Literal["booklet", "cli", "cluster", "learn", "openspiel", "pictures", "players", "scale", "web"]


@contextmanager
def extra(name: Extra) -> Iterator[None]:
    """Around imports of packages of an extra: what cannot be imported is an error that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "ludotheque":
            raise  # a mistake of ours
        sentence = f'{error.name} is not installed. It comes with: pip install "ludotheque[{name}]"'
        raise MissingExtra(sentence, "missing-extra", {"package": error.name, "extra": name}) from error
