"""Finished matches and their analysis."""

from django.db import models

from ludotheque.web.models.table import Table


class Replay(models.Model):
    """A finished match to look back at: one of a table, or of a record that somebody brought.

    What a strong player thinks of the moves is written down here as it comes, once for all who look.
    """

    id = models.CharField(primary_key=True, max_length=22, editable=False)  # the table's own, if there is one
    table = models.OneToOneField(Table, models.CASCADE, null=True, blank=True, related_name="replay")
    record = models.TextField(blank=True)  # brought from elsewhere
    size = models.PositiveIntegerField(default=0)  # bytes of what was brought, and of what was found out about it
    looked = models.DateTimeField(null=True, blank=True)  # when somebody last came back to what was brought
    steps = models.JSONField(default=list)
    whole = models.BooleanField(default=False)  # every move is judged
    claimed = models.DateTimeField(null=True, blank=True)  # when a process last said that it is thinking
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = (
            # with all that is asked about them: their rows are large
            models.Index(fields=["looked", "made", "size"], name="brought_records", condition=models.Q(table=None)),
            models.Index(fields=["claimed"], name="analysed_matches", condition=models.Q(table__isnull=False)),
        )

    def __str__(self) -> str:
        return f"replay {self.id}"
