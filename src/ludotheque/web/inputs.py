"""Numbers, texts and JSON from strangers, bounded. What makes no sense comes out empty, or as -1."""

import orjson
from django.http import HttpRequest

from ludotheque.web.models.table import MAX_NAME_CHARS

MAX_TEXT_CHARS = 200
MAX_DIGITS = 9


def text(value: object) -> str:
    """A text of bounded length; PostgreSQL stores no NUL."""
    return value[:MAX_TEXT_CHARS] if isinstance(value, str) and "\0" not in value else ""


def number(value: object) -> int:
    """A small non-negative number, as JSON or as a form writes it, or -1."""
    digits = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS else -1


def json_object(request: HttpRequest) -> dict[str, object]:
    """The JSON object in the body of a request, or an empty one."""
    try:
        found = orjson.loads(request.body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def display_name(value: str) -> str:
    """A person's name as it may be shown: one line, printable, of bounded length."""
    line = "".join(mark if mark.isprintable() else " " for mark in value)
    return " ".join(line.split())[:MAX_NAME_CHARS].strip()
