"""Hints at a table: what a strong player would do, for people who play against computers alone."""

from dataclasses import asdict

from django.core.cache import cache as shared_cache

from ludotheque.game import Json
from ludotheque.hints import MoveHint
from ludotheque.web.jobs import pool
from ludotheque.web.models import Table
from ludotheque.web.models.table import LEVELS
from ludotheque.web.players.questions import Question, advise
from ludotheque.web.table import cache

THINKING_S = 1.5


def hint(table: Table, seat: int) -> MoveHint | None:
    """What a strong player would do here; None while somebody else waits for a hint to this seat."""
    key = f"advice:{table.id}:{seat}"
    if not shared_cache.add(key, 1, pool.ANSWER_TIMEOUT_S):
        return None
    try:
        given = pool.thinking.ask(advise_at, table.id, seat)
    finally:
        shared_cache.delete(key)
    return MoveHint.read(given)


def advise_at(table: str, seat: int) -> dict[str, Json]:
    """Think about a hint, where jobs are done."""
    match = cache.state_of(Table.objects.get(pk=table)).match
    assert match is not None
    return asdict(pool.thinking.compute(advise, Question.of(match, seat, int(LEVELS[-1])), THINKING_S))
