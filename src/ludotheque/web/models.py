"""What is kept: tables, their seats, and the log of everything that happened there.

A table is its log. Events are numbered without gaps from 1; the state is the fold of them (`standing.py`). Only
`actions.py` writes. Whoever knows a secret (a visitor's cookie, a seat's link) is known here by its hash alone.
"""

import hashlib
import secrets
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from django.db import models

from ludotheque.luck import Luck, fresh_seed
from ludotheque.search import levels

NAME = 24  # the longest name of a person
LEVELS = tuple(map(str, levels.LEVELS))  # of computer players


def fresh_id() -> str:
    """The public name of a table, which nobody can guess."""
    return secrets.token_urlsafe(12)


@lru_cache(10_000)  # who moves comes again soon
def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


Row: TypeAlias = tuple[str | int | None, ...]


def rows(values: Sequence[Row]) -> tuple[str, list[str | int | None]]:
    """Rows for a statement of SQL: what stands for them after `VALUES`, and what is meant."""
    one = f"({', '.join(['%s'] * len(values[0]))})"
    return ", ".join([one] * len(values)), list(chain.from_iterable(values))


@lru_cache(10_000)  # every page of the table shows it
def _commitment(seed: str) -> str:
    return Luck(seed).commitment


class Table(models.Model):
    """A table at which a match is, will be or was played."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        PLAYING = "playing"
        OVER = "over"

    id = models.CharField(primary_key=True, max_length=22, default=fresh_id, editable=False)
    game = models.CharField(max_length=60)
    options = models.JSONField(default=dict)
    seed = models.CharField(max_length=64, default=fresh_seed)
    listed = models.BooleanField(default=False)
    by_lot = models.BooleanField(default=False)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    version = models.PositiveIntegerField(default=0)
    due = models.BooleanField(default=False)  # whether a computer player is to move
    made = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    previous = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="rematch")

    class Meta:
        indexes = (  # none that every move would change
            models.Index(fields=["changed"], name="open_tables", condition=models.Q(status="waiting", listed=True)),
            models.Index(fields=["changed"], name="computers_due", condition=models.Q(due=True)),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    @property
    def commitment(self) -> str:
        """What is published of the seed before the first move."""
        return _commitment(self.seed)


class Seat(models.Model):
    """A place at a table: free, or taken by a person or a computer player."""

    class Kind(models.TextChoices):
        FREE = "free"
        PERSON = "person"
        COMPUTER = "computer"

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.FREE)
    level = models.CharField(max_length=20, blank=True)
    name = models.CharField(max_length=NAME, blank=True)
    visitor = models.CharField(max_length=64, blank=True, db_index=True)
    link = models.CharField(max_length=64, null=True, blank=True, unique=True)
    entropy = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["table", "number"], name="one_seat_a_number"),)

    def __str__(self) -> str:
        return f"seat {self.number} of {self.table_id}"

    @property
    def free(self) -> bool:
        return self.kind == self.Kind.FREE


class Event(models.Model):
    """One thing that happened at a table."""

    class Kind(models.TextChoices):
        SIT = "sit"
        LEAVE = "leave"
        START = "start"
        MOVE = "move"  # actor is a seat or "luck"
        UNDO = "undo"  # text is how many events are taken back
        OFFER = "offer"  # text is "draw" or "undo"
        AGREE = "agree"
        DECLINE = "decline"
        DRAW = "draw"
        RESIGN = "resign"
        REMATCH = "rematch"

    table = models.ForeignKey(Table, models.CASCADE, related_name="events", db_index=False)  # others begin with it
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    actor = models.CharField(max_length=4, blank=True)
    text = models.CharField(max_length=100, blank=True)
    client = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001 - unique, so null
    time = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["table", "number"], name="numbered_without_doubles"),
            models.UniqueConstraint(fields=["table", "client"], name="counted_once"),
        )

    def __str__(self) -> str:
        return f"{self.number}. {self.actor} {self.kind} {self.text}".rstrip()


class Replay(models.Model):
    """A finished match to look back at: one of a table, or of a record that somebody brought.

    What a strong player thinks of the moves is written down here as it comes, once for all who look.
    """

    id = models.CharField(primary_key=True, max_length=22, editable=False)  # the table's own, if there is one
    table = models.OneToOneField(Table, models.CASCADE, null=True, blank=True, related_name="replay")
    record = models.TextField(blank=True)  # brought from elsewhere
    steps = models.JSONField(default=list)
    whole = models.BooleanField(default=False)  # every move is judged
    claimed = models.DateTimeField(null=True, blank=True)  # when a process last said that it is thinking
    made = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"replay {self.id}"


class Puzzle(models.Model):
    """A puzzle that was made once, so that nobody waits for it twice."""

    seed = models.CharField(primary_key=True, max_length=40)
    description = models.CharField(max_length=100, db_index=True)

    def __str__(self) -> str:
        return self.seed


class Booklet(models.Model):
    """Puzzles on paper, the same for everyone: being printed, or ready."""

    name = models.CharField(primary_key=True, max_length=40)
    visitor = models.CharField(max_length=64, db_index=True)  # who ordered it
    made = models.PositiveSmallIntegerField(default=0)  # puzzles so far
    claimed = models.DateTimeField()  # when whoever prints it last said so
    file = models.BinaryField(null=True)

    def __str__(self) -> str:
        return self.name


class Attempt(models.Model):
    """A visitor at a puzzle: the moves that lie on the board, and how it went.

    Time and hints count until it is first solved or given up, and then stay as they are.
    """

    visitor = models.CharField(max_length=64)
    puzzle = models.CharField(max_length=100)  # its description: one puzzle, whatever it was called
    key = models.CharField(max_length=20)
    grade = models.PositiveSmallIntegerField(null=True)
    number = models.BigIntegerField(null=True)
    moves = models.JSONField(default=list)
    undone = models.JSONField(default=list)  # the last one first to be put back
    version = models.PositiveIntegerField(default=0)
    told = models.PositiveSmallIntegerField(default=0)  # deductions about this position
    hints = models.PositiveSmallIntegerField(default=0)
    seconds = models.FloatField(default=0)
    begun = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    solved = models.DateTimeField(null=True)
    given_up = models.DateTimeField(null=True)

    class Meta:
        indexes = (models.Index(fields=["visitor", "changed"]),)
        constraints = (models.UniqueConstraint(fields=["visitor", "puzzle"], name="one_attempt_a_visitor"),)

    def __str__(self) -> str:
        return self.puzzle

    @property
    def closed(self) -> bool:
        """Whether time and hints no longer count."""
        return self.solved is not None or self.given_up is not None
