"""What the keeper ordered: who is shut out for a time, and what was deleted. Running processes look here."""

from django.db import models

MAX_REASON_CHARS = 200


class Block(models.Model):
    """An address or a network that is refused until a time.

    A keeper who only has the label of an address, from the list of who uses most, blocks that: then the key is stored
    with which it was made, and never the address.
    """

    network = models.CharField(max_length=50, blank=True)
    label = models.CharField(max_length=20, blank=True)
    key = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=MAX_REASON_CHARS, blank=True)
    made = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.network or self.label


class Removal(models.Model):
    """A table or a replay that was deleted, by the hash of its id, so that every process forgets it."""

    name = models.CharField(max_length=64)
    made = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return self.name
