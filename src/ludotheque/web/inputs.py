"""Numbers, texts and JSON from strangers, bounded. What makes no sense comes out empty, or as -1."""

import re
from collections.abc import Mapping

import orjson
from django.http import HttpRequest

MAX_TEXT_CHARS = 200
MAX_DIGITS = 9
ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # in JSON, where no other way of writing one is valid


def is_storable(value: str) -> bool:
    """Whether it is a text that databases and logs take: no NUL, and no half of a surrogate pair."""
    if "\0" in value:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def text(value: object) -> str:
    """A text of bounded length."""
    return value[:MAX_TEXT_CHARS] if isinstance(value, str) and is_storable(value) else ""


def number(value: object) -> int:
    """A small non-negative number, as JSON or as a form writes it, or -1."""
    digits = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS else -1


def first_game(asked: Mapping[str, str]) -> str:
    """The query of an address that is opened for a first game, after a lesson: then the page gives tips."""
    return "?first=yes" if "first" in asked else ""


def json_object(request: HttpRequest) -> dict[str, object]:
    """The JSON object in the body of a request, or an empty one."""
    return message(request.body)


def message(json: bytes) -> dict[str, object]:
    """A JSON object whose texts can all be stored, or an empty one. JSON itself has no half surrogate pairs."""
    try:
        found = orjson.loads(json)
    except ValueError:
        return {}
    return found if isinstance(found, dict) and not ESCAPED_NUL.search(json) else {}
