"""A table, its seats, and its log of events.

Events are numbered without gaps from 1; the state of a table is the fold of them (`table/state.py`). Only `table/`
writes these rows. Secrets (a visitor's cookie, a seat's link) are stored as hashes.
"""

import secrets
from functools import lru_cache

from django.db import models

from ludotheque.luck import Luck, fresh_seed
from ludotheque.search import levels

MAX_NAME_CHARS = 24
LEVELS = tuple(map(str, levels.LEVELS))  # of computer players, as forms and rows write them


def fresh_id() -> str:
    """The public id of a table, which nobody can guess."""
    return secrets.token_urlsafe(12)


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
    creator = models.CharField(max_length=64, blank=True)  # the visitor, as a hash: who decides before the start
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    version = models.PositiveIntegerField(default=0)
    due = models.BooleanField(default=False)  # whether a computer player is to move
    to_act = models.PositiveBigIntegerField(default=0)  # the seats to move, one bit each: lists fold no log
    made = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    visited = models.DateField(null=True, blank=True)  # when a page was last connected, for what nobody touches
    previous = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="rematch")

    changed_from = ""
    """The address of whoever changed it last, as long as this process remembers it; never stored."""

    class Meta:
        indexes = (  # none that every move would have to update
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
    name = models.CharField(max_length=MAX_NAME_CHARS, blank=True)
    visitor = models.CharField(max_length=64, blank=True, db_index=True)
    link = models.CharField(max_length=64, null=True, blank=True, unique=True)
    entropy = models.CharField(max_length=64, blank=True)
    added = models.BooleanField(default=False, null=True)  # whether entropy came after the commitment; None: unknown
    next_entropy = models.CharField(max_length=64, blank=True)  # for the rematch
    next_commitment = models.CharField(max_length=64, blank=True)  # of the rematch, as it was when entropy was added
    put_away = models.PositiveIntegerField(
        null=True, blank=True
    )  # at this version; what happens later brings it back

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
        START = "start"  # text is how many moves after it come from another match, or "lots" and what they drew
        MOVE = "move"  # actor is a seat or "luck"
        UNDO = "undo"  # text is how many events are taken back
        OFFER = "offer"  # text is "draw" or "undo"
        AGREE = "agree"
        DECLINE = "decline"
        DRAW = "draw"
        RESIGN = "resign"
        QUIT = "quit"  # the seat is left to a computer player; text is its level
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
        return f"event {self.number} of {self.table_id}"  # Django lists it: no choice that is still sealed
