"""Computer players at tables: asked in other processes, so that the site stays quick while they think.

`LUDOTHEQUE_THINKER` names a function, `module:name`, that is given (match, seat, level) and returns the text of a
move, or None to wait. There is none by default, and then no table can have computer players. A question is asked
whenever a table has changed and again after a restart; an answer that comes twice, or too late, counts for nothing.
"""

import atexit
import logging
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from multiprocessing import get_context
from threading import Lock

from django.conf import settings
from django.db import connection

from ludotheque.errors import LudothequeError
from ludotheque.web import actions
from ludotheque.web.models import Seat, Table
from ludotheque.web.questions import Question, answer
from ludotheque.web.standing import Standing, standing

log = logging.getLogger("ludotheque.web.thinking")


def wake(table: str, _version: int) -> None:
    """Ask the computer players who are to move at this table."""
    if not settings.THINKER:
        return
    seats = Seat.objects.filter(table=table, kind=Seat.Kind.COMPUTER)
    for seat in seats.select_related("table"):
        stands = standing(seat.table)
        if _is_due(stands, seat) and _begin(key := (table, seat.number, stands.version)):
            _ask(_question(stands, seat)).add_done_callback(partial(_done, key))


def wake_all() -> None:
    """After a start: go on wherever a computer player is to move."""
    for table in Table.objects.filter(status=Table.Status.PLAYING, seats__kind=Seat.Kind.COMPUTER).distinct():
        wake(table.id, table.version)


def _is_due(stands: Standing, seat: Seat) -> bool:
    return stands.match is not None and not stands.over and seat.number in stands.match.to_act


def _question(stands: Standing, seat: Seat) -> Question:
    match = stands.match
    assert match is not None
    return Question(match.game.key, match.seats, match.options, tuple(match.log), seat.number, seat.level)


_asked: set[tuple[str, int, int]] = set()
_lock = Lock()


def _begin(key: tuple[str, int, int]) -> bool:
    """Whether this question is new."""
    with _lock:
        new = key not in _asked
        _asked.add(key)
        return new


def _done(key: tuple[str, int, int], thought: "Future[str | None]") -> None:
    """Play what was thought of, in the pool's own thread."""
    table, seat, version = key
    with _lock:
        _asked.discard(key)
    try:
        text = None if thought.cancelled() else thought.result()
        if text is not None:
            actions.computer_move(table, seat, text, version)
    except LudothequeError as error:
        log.info("too late", extra={"facts": {"table": table, "seat": seat, "code": error.code}})
    except Exception:
        log.exception("a computer player failed", extra={"facts": {"table": table, "seat": seat}})
    finally:
        connection.close()


def _ask(question: Question) -> "Future[str | None]":
    try:
        return _pool().submit(answer, question, settings.THINKER)
    except BrokenProcessPool:  # one of them was killed: begin anew
        _pool.cache_clear()
        return _pool().submit(answer, question, settings.THINKER)


@cache
def _pool() -> ProcessPoolExecutor:
    pool = ProcessPoolExecutor(settings.THINKERS, mp_context=get_context("spawn"))
    atexit.register(pool.shutdown, wait=False, cancel_futures=True)
    return pool
