"""Puzzles by their addresses: the name with slashes, `/puzzles/tetrods/4/20261115`."""

import re
from datetime import date

from ludotheque.errors import BadOption
from ludotheque.puzzles.making.names import ShortName, of_day, read

ROOT = "/puzzles/"


def address(name: str) -> str:
    """The address of a puzzle."""
    return ROOT + name.replace(":", "/").replace("#", "/")


def name_at(key: str, rest: str) -> str:
    """The name of the puzzle at the address `/puzzles/KEY/REST`."""
    grade, _, number = rest.partition("/")
    short = number.isascii() and number.isdigit()
    return f"{key}:{grade}#{number}" if short else f"{key}:{rest.replace('/', ':')}"


def canonical(name: str) -> str:
    """A name as we write it; a `BadOption` if it is none."""
    found = read(name)
    return str(found) if isinstance(found, ShortName) else found.description


def day_of(name: str) -> date | None:
    """The day whose puzzle this is."""
    found = re.fullmatch(r"([a-z-]+):\d+#(20\d\d)(\d\d)(\d\d)", name, re.ASCII)
    try:
        when = date(int(found[2]), int(found[3]), int(found[4])) if found else None
        return when if found and when and str(of_day(found[1], when)) == name else None
    except (ValueError, BadOption):
        return None
