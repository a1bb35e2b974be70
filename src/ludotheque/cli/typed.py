"""What a player meant by what was typed: the case, spaces and the order of the cells in a list do not matter."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import groupby

TOKEN = re.compile(r"[^\W\d_]+\d*|\d+|[^\s\w,-]")
CELL = re.compile(r"[^\W\d_]\d*")


def meant(typed: str, legal: Sequence[str], table: Iterable[str]) -> list[str]:
    """The moves that may have been meant: legal ones, else one of the game's table, for the rules to refuse.

    The order of cells is only given up when nothing reads as typed, the first cell last of all: it may be a hole.
    """
    for key in (_squeezed, _first_kept, _any_order):
        wanted = key(typed)
        found = [text for text in legal if key(text) == wanted]
        found = found or [text for text in table if key(text) == wanted][:1]
        if found:
            return found
    return []


def holding(part: str, legal: Iterable[str]) -> list[str]:
    """The legal moves that contain what was typed."""
    return [text for text in legal if _squeezed(part) in _squeezed(text)]


@cache
def _squeezed(text: str) -> str:
    return re.sub(r"[\s,\-–]+", "", text.casefold())


@cache
def _first_kept(text: str) -> tuple[str, ...]:
    return _sorted(text, lambda run: [run[0], *sorted(run[1:])])


@cache
def _any_order(text: str) -> tuple[str, ...]:
    return _sorted(text, sorted)


def _sorted(text: str, order: Callable[[list[str]], list[str]]) -> tuple[str, ...]:
    """The words and signs of a text, each run of cells put in order."""
    found: list[str] = []
    for cells, run in groupby(TOKEN.findall(text.casefold()), lambda token: bool(CELL.fullmatch(token))):
        tokens = list(run)
        found += order(tokens) if cells else tokens
    return tuple(found)
