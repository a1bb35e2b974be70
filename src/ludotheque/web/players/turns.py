"""Turns of computer players at tables: noticed after every change, thought about elsewhere, played here.

`LUDOTHEQUE_THINKER` names the function that answers a `Question` with the text of a move, or with None to wait. It is
asked whenever a table has changed, after a restart, and again when nobody took the turn; an answer that comes twice
or too late counts for nothing. Where it thinks is up to `jobs/`.
"""

import logging
import time
from datetime import timedelta
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache as shared_cache
from django.db import DatabaseError, connection
from django.db.models import Q
from django.utils import timezone

from ludotheque.errors import LudothequeError
from ludotheque.match import Match
from ludotheque.web.jobs import pool
from ludotheque.web.models import Seat, Table
from ludotheque.web.players import warm_up
from ludotheque.web.players.questions import Question, answer
from ludotheque.web.table import cache, moves

log = logging.getLogger("ludotheque.web.players")

RETRY_AFTER_FAILURE_S = 60
WAITING_S = 24 * 3600  # for which it is remembered that a computer player leaves the move to others
OBJECTION_PACES = 8  # pauses that people have to object before the next computer player moves


class Turn(NamedTuple):
    """Computer players of one table, asked one after the other until one of them moves."""

    table: str
    version: int
    seats: tuple[int, ...]


def wake(tables: list[Table]) -> None:
    """Ask the computer players who are to move at these tables."""
    for table in tables if settings.THINKER else ():
        if table.due:
            with _asker(table).asking():
                _post(table)


def _post(table: Table) -> None:
    for turn in _turns(table):
        if pool.scaled() or _begin(turn):
            pool.thinking.post(take, *turn)


def _asker(table: Table) -> pool.Asker:
    """Whose turns wait for one another: those of one person, at the address from which the table was last changed."""
    known = cache.read(table)
    address = table.changed_from or known.table.changed_from
    person = next((seat.visitor for seat in known.seats if seat.kind == Seat.Kind.PERSON), table.id)
    return pool.Asker(address or person, person, pool.Urgency.TURN)


def _turns(table: Table) -> list[Turn]:
    """Who is to be asked: those who choose in secret at the same time, others one after the other."""
    state = cache.state_of(table)
    if state.match is None or state.over:
        return []
    computers = {seat.number for seat in table.seats.all() if seat.kind == Seat.Kind.COMPUTER}
    due = tuple(number for number in _order(state.match) if number in computers)
    together = bool(state.match.game.sealed(state.match.state))
    groups = [(number,) for number in due] if together else [due] if due else []
    return [Turn(table.id, state.version, group) for group in groups]


def _order(match: Match) -> list[int]:
    """Who may act, the next player last: those who may object, say, are asked before."""
    seats = [seat for seat in match.to_act if isinstance(seat, int)]
    return sorted(seats, key=lambda seat: -_distance(match, seat))


def _distance(match: Match, seat: int) -> int:
    """How many seats after the one who acted last."""
    last = next((actor for actor, _ in reversed(match.events) if isinstance(actor, int)), -1)
    return (seat - last - 1) % match.seats


# Taking a turn


def take(table: str, version: int, seats: list[int] | tuple[int, ...]) -> None:
    """Think and move, in a thread of a job queue."""
    turn = Turn(table, version, tuple(seats))
    try:
        _move(turn)
    except LudothequeError as error:
        log.info("too late", extra={"facts": {"table": turn.table, "code": error.code}})
    except Table.DoesNotExist:
        log.info("the table was deleted")
    except DatabaseError:
        log.warning("database unavailable", extra={"facts": {"table": turn.table}})
    except Exception:
        if not pool.closing.is_set():
            log.exception("a computer player failed", extra={"facts": {"table": turn.table}})
            shared_cache.set(_waiting_key(turn), 1, RETRY_AFTER_FAILURE_S)
    finally:
        if not pool.scaled() and _end(turn):
            _look_again(turn)


def _move(turn: Turn) -> None:
    table = Table.objects.get(pk=turn.table)
    seats, state = list(table.seats.all()), cache.state_of(table)
    if state.match is None or state.version != turn.version:
        return  # whoever changed it has asked anew
    for number in turn.seats:
        since = time.monotonic()
        text = _ask(Question.of(state.match, number, int(seats[number].level)))
        if text is not None:
            connection.close()  # others can use it during the pause
            pool.closing.wait(max(0.0, _pause(state.match, seats, number) - (time.monotonic() - since)))
            moves.play_for_computer(turn.table, number, text, turn.version)
            return
    shared_cache.set(_waiting_key(turn), 1, WAITING_S)


def _ask(question: Question) -> str | None:
    if not settings.THINKER:
        return None
    text = pool.thinking.compute(answer, question, settings.THINKER)
    warm_up.mark_warm(question.game)
    return text


def _pause(match: Match, seats: list[Seat], number: int) -> float:
    """Seconds from turn to move at least: time to see what happened, and to object where that is possible."""
    others = [seat for seat in match.to_act if isinstance(seat, int) and seats[seat].kind == Seat.Kind.PERSON]
    if others and _distance(match, number) == 0 and not match.game.sealed(match.state):
        return settings.PACE * OBJECTION_PACES
    return settings.PACE


# Without Redis: each computer player thinks about one thing at a time in this process

_busy: dict[tuple[str, tuple[int, ...]], bool] = {}  # and whether they were asked again meanwhile
_lock = Lock()


def _begin(turn: Turn) -> bool:
    """Whether these computer players are free; if not, they look again when they are."""
    who = turn.table, turn.seats
    with _lock:
        free = who not in _busy
        _busy[who] = not free
        return free


def _end(turn: Turn) -> bool:
    """Whether they were asked again meanwhile."""
    with _lock:
        return _busy.pop((turn.table, turn.seats), False)


def _look_again(turn: Turn) -> None:
    """Wake whoever is next after a change that came meanwhile, the move itself for one."""
    changed = Table.objects.filter(pk=turn.table).exclude(version=turn.version).first()
    if changed is not None and not pool.closing.is_set():
        wake([changed])


def idle() -> bool:
    """Whether no computer player thinks about a move."""
    return not _busy and not pool.thinking.all_waiting()


# Turns that nobody took


def keep_sweeping() -> None:
    """Take everything that is due, then whatever gets lost on the way, until the server stops."""
    look = wake_all
    while True:
        try:
            look()
            look = sweep
        except (DatabaseError, OSError) as error:
            log.warning("could not look for turns", extra={"facts": {"error": type(error).__name__}})
        if pool.closing.wait(settings.SWEEP):
            return


def wake_all() -> None:
    """After a start: go on wherever a computer player is to move."""
    wake(list(Table.objects.filter(due=True)))
    connection.close()


def sweep() -> None:
    """Take the turns that nobody took, since their process or the queue was killed."""
    now, patience = timezone.now(), timedelta(seconds=settings.SWEEP)
    lately = Q(
        changed__range=(now - patience, now + patience)
    )  # what is to come, by a clock that was put back, is old
    for table in Table.objects.exclude(lately).filter(due=True):
        if shared_cache.add(f"swept:{table.id}:{table.version}", 1, max(1, int(settings.SWEEP))):
            _sweep(table)
    connection.close()


def _sweep(table: Table) -> None:
    turns = _turns(table)
    if not turns:
        Table.objects.filter(pk=table.pk, version=table.version).update(due=False)
    elif not all(shared_cache.get(_waiting_key(turn)) for turn in turns):
        wake([table])


def _waiting_key(turn: Turn) -> str:
    """The cache key under which it is remembered that these computer players leave the move to others."""
    return f"waits:{turn.table}:{turn.version}:{'-'.join(map(str, turn.seats))}"
