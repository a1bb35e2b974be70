"""Packages that not everybody needs come with extras; where one is missing, it is named."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias

from ludotheque.errors import LudothequeError

Extra: TypeAlias = Literal["booklet", "cli", "cluster", "learn", "openspiel", "pictures", "players", "scale", "web"]


class MissingExtra(LudothequeError, ImportError):  # noqa: N818 - reads as what happened
    """Something was asked for that needs packages which are not installed."""


@contextmanager
def extra(name: Extra) -> Iterator[None]:
    """Around imports of packages of an extra: what cannot be imported is an error that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "ludotheque":
            raise  # a mistake of ours
        raise missing(name, error.name or "") from error


def missing(name: Extra, package: str) -> MissingExtra:
    values = {"extra": name, "package": package}
    return MissingExtra(
        f'{package} is not installed. It comes with: pip install "ludotheque[{name}]"', "missing-extra", values
    )
