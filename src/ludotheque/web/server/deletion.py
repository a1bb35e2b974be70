"""Delete what the keeper names, wherever it is: a table, a record that somebody brought, all attempts at a puzzle."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from django.contrib.admin.models import LogEntry
from django.db import transaction

from ludotheque.errors import BadOption
from ludotheque.puzzles.making.names import PuzzleSpec, read
from ludotheque.web.models import Attempt, Puzzle, Replay, Table
from ludotheque.web.puzzles.addresses import name_at
from ludotheque.web.table import removal

ADDRESS = re.compile(r"/(?:t|replay|live)/([^/]+)")
PUZZLE_ADDRESS = re.compile(r"/puzzles/([^/]+)/(.+)")


class Found(NamedTuple):
    """What is meant: a table, a record or a puzzle, and how many events or attempts it has."""

    kind: str
    name: str
    number: int


def find(text: str) -> Found | None:
    """What an id, the name of a puzzle, or the address of one of them means."""
    name = _named(text.strip())
    if table := Table.objects.filter(pk=name).first():
        return Found("table", name, table.events.count())
    if Replay.objects.filter(pk=name).exists():
        return Found("record", name, 1)
    return _puzzle(name)


def _named(text: str) -> str:
    path = urlsplit(text).path if "/" in text else ""
    if found := PUZZLE_ADDRESS.fullmatch(path):
        return name_at(found[1], found[2])
    if found := ADDRESS.match(path):
        return found[1]
    return text


def _puzzle(name: str) -> Found | None:
    try:
        meant = read(name)
    except BadOption:
        return None
    known = Puzzle.objects.filter(seed=name).values_list("description", flat=True).first()
    description = meant.description if isinstance(meant, PuzzleSpec) else known
    attempts = Attempt.objects.filter(puzzle=description).count() if description else 0
    return Found("puzzle", description, attempts) if description and (known or attempts) else None


def delete(found: Found) -> None:
    """Delete it, and what `/admin/` remembers of it."""
    with transaction.atomic():
        if found.kind == "table":
            removal.delete([found.name])
        elif found.kind == "record":
            Replay.objects.filter(pk=found.name).delete()
        else:
            Attempt.objects.filter(puzzle=found.name).delete()
            Puzzle.objects.filter(description=found.name).delete()
        LogEntry.objects.filter(object_id=found.name).delete()
