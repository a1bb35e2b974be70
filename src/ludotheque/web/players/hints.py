"""Hints at a table: what a strong player would do, for people who play against computers alone."""

from dataclasses import asdict

from django.core.cache import cache as shared_cache

from ludotheque import words
from ludotheque.game import Json
from ludotheque.web.jobs import pool
from ludotheque.web.models import Table
from ludotheque.web.models.table import LEVELS
from ludotheque.web.players.questions import Advice, Question, advise
from ludotheque.web.table import cache

THINKING_S = 1.5


def hint(table: Table, seat: int) -> Advice | None:
    """What a strong player would do here; None while somebody else waits for a hint to this seat."""
    key = f"advice:{table.id}:{seat}"
    if not shared_cache.add(key, 1, pool.ANSWER_TIMEOUT_S):
        return None
    try:
        given = pool.thinking.ask(advise_at, table.id, seat)
    finally:
        shared_cache.delete(key)
    return Advice.read(given)


def advise_at(table: str, seat: int) -> dict[str, Json]:
    """Think about a hint, where jobs are done."""
    match = cache.state_of(Table.objects.get(pk=table)).match
    assert match is not None
    return asdict(pool.thinking.compute(advise, Question.of(match, seat, int(LEVELS[-1])), THINKING_S))


def in_words(given: Advice, lang: str) -> str:
    """A hint in words."""

    def thought(name: str, **values: object) -> str:
        return words.say(None, lang, "search", "thought", name, **values)

    if given.move is None:
        return thought("wait")
    if len(given.mix) > 1:
        return thought("mixed", mix=", ".join(f"{move} ({round(part * 100)} %)" for move, part in given.mix))
    if given.expected is None:
        return thought("sure")
    certain = "proven" if given.proven else "sure" if given.sure else "unsure"
    return f"{thought('best', move=given.move, expected=round(given.expected * 100))} {thought(certain)}"
