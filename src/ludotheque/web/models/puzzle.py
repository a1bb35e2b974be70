"""Puzzles, visitors' attempts at them, and printed booklets."""

from django.db import models


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
    undone = models.JSONField(default=list)  # moves, or lists of pencil marks; the last one first to be put back
    pencilled = models.JSONField(default=list)  # changes of pencil marks: how many moves came before, which marks
    version = models.PositiveIntegerField(default=0)
    told = models.PositiveSmallIntegerField(default=0)  # the strongest hint about this position
    hints = models.PositiveSmallIntegerField(default=0)  # the strengths of all hints
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
