"""Computer players at tables: asked in other processes, so that the site stays quick while they think.

`LUDOTHEQUE_THINKER` names the function that answers a `Question` with the text of a move, or with None to wait. A
question is asked whenever a table has changed, after a restart, and again when nobody took the turn; an answer that
comes twice, or too late, counts for nothing. Where it is thought about is `work.py`'s affair. What the processes
compile for a game is kept on disk; it takes up to a minute, once, so it is done ahead: one game after the other, in a
process that gives way to everything.
"""

import logging
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from datetime import timedelta
from functools import cache
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache as memory
from django.db import DatabaseError, connection
from django.utils import timezone

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.game import Json
from ludotheque.hints import MoveHint
from ludotheque.match import Match
from ludotheque.search.analysis import Judgement
from ludotheque.shelf import Box
from ludotheque.web.jobs import pool
from ludotheque.web.models import LEVELS, Seat, Table
from ludotheque.web.players.questions import Question, advise, answer, judge, warm_up
from ludotheque.web.table import actions
from ludotheque.web.table.state import standing

log = logging.getLogger("ludotheque.web.players.turns")

HINT = 1.5  # seconds to think about one
MINUTE, DAY = 60, 24 * 3600


class Turn(NamedTuple):
    """Computer players of one table, asked one after the other until one of them moves."""

    table: str
    version: int
    seats: tuple[int, ...]


def levels(box: Box) -> tuple[str, ...]:
    """The levels at which computer players play a game; none alone, or where nobody thinks."""
    return LEVELS if settings.THINKER and max(box.seats) > 1 else ()


def wake(tables: list[Table]) -> None:
    """Ask the computer players who are to move at these tables."""
    for table in tables if settings.THINKER else ():
        for turn in _turns(table) if table.due else ():
            if pool.scaled() or _begin(turn):
                pool.thinking.post(take, *turn)


def _turns(table: Table) -> list[Turn]:
    """Who is to be asked: those who choose in secret at the same time, others one after the other."""
    stands = standing(table)
    if stands.match is None or stands.over:
        return []
    computers = {seat.number for seat in table.seats.all() if seat.kind == Seat.Kind.COMPUTER}
    due = tuple(number for number in _order(stands.match) if number in computers)
    together = bool(stands.match.game.sealed(stands.match.state))
    groups = [(number,) for number in due] if together else [due] if due else []
    return [Turn(table.id, stands.version, group) for group in groups]


def wake_all() -> None:
    """After a start: go on wherever a computer player is to move."""
    wake(list(Table.objects.filter(due=True)))
    connection.close()


def sweep() -> None:
    """Take the turns that nobody took: their process was killed, or the queue was. Those who wait are left alone."""
    since = timezone.now() - timedelta(seconds=settings.SWEEP)
    for table in Table.objects.filter(due=True, changed__lt=since):
        if memory.add(f"swept:{table.id}:{table.version}", 1, max(1, int(settings.SWEEP))):
            _sweep(table)
    connection.close()


def _sweep(table: Table) -> None:
    turns = _turns(table)
    if not turns:
        Table.objects.filter(pk=table.pk, version=table.version).update(due=False)
    elif not all(memory.get(_waits(turn)) for turn in turns):
        wake([table])


def keep_sweeping() -> None:
    """First everything that is due, then whatever was lost on the way, until the house closes."""
    look = wake_all
    while True:
        try:
            look()
            look = sweep
        except (DatabaseError, OSError) as error:
            log.warning("could not look for turns", extra={"facts": {"error": type(error).__name__}})
        if pool.closing.wait(settings.SWEEP):
            return


def _waits(turn: Turn) -> str:
    """The name under which it is remembered that these computer players leave the move to others."""
    return f"waits:{turn.table}:{turn.version}:{'-'.join(map(str, turn.seats))}"


def _order(match: Match) -> list[int]:
    """Who may act, the next player last: those who may speak up first, with an objection say, are asked before."""
    seats = [seat for seat in match.to_act if isinstance(seat, int)]
    return sorted(seats, key=lambda seat: -_distance(match, seat))


def _distance(match: Match, seat: int) -> int:
    """How many seats after the one who acted last."""
    last = next((actor for actor, _ in reversed(match.events) if isinstance(actor, int)), -1)
    return (seat - last - 1) % match.seats


_busy: dict[tuple[str, tuple[int, ...]], bool] = {}  # and whether they were asked again; not if it goes by the queue
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


def idle() -> bool:
    """Whether nobody thinks about a move."""
    return not _busy and not pool.thinking.waiting()


def take(table: str, version: int, seats: list[int] | tuple[int, ...]) -> None:
    """Think and move, in a thread of its own."""
    turn = Turn(table, version, tuple(seats))
    try:
        _move(turn)
    except LudothequeError as error:
        log.info("too late", extra={"facts": {"table": turn.table, "code": error.code}})
    except DatabaseError:
        log.warning("the database is away", extra={"facts": {"table": turn.table}})
    except Exception:
        if not pool.closing.is_set():
            log.exception("a computer player failed", extra={"facts": {"table": turn.table}})
            memory.set(_waits(turn), 1, MINUTE)
    finally:
        if not pool.scaled() and _end(turn):
            _look_again(turn)


def _look_again(turn: Turn) -> None:
    """Something has happened meanwhile, the move itself for one. What other processes do, they see to."""
    changed = Table.objects.filter(pk=turn.table).exclude(version=turn.version).first()
    if changed is not None and not pool.closing.is_set():
        wake([changed])


def _move(turn: Turn) -> None:
    table = Table.objects.get(pk=turn.table)
    seats, stands = list(table.seats.all()), standing(table)
    if stands.match is None or stands.version != turn.version:
        return  # whoever changed it has asked anew
    for number in turn.seats:
        since = time.monotonic()
        text = _ask(Question.of(stands.match, number, int(seats[number].level)))
        if text is not None:
            connection.close()  # others can use it during the pause
            pool.closing.wait(max(0.0, _pause(stands.match, seats, number) - (time.monotonic() - since)))
            actions.computer_move(turn.table, number, text, turn.version)
            return
    memory.set(_waits(turn), 1, DAY)


def _pause(match: Match, seats: list[Seat], number: int) -> float:
    """Seconds from turn to move at least: time to see what happened, and to object to it where that is possible."""
    others = [seat for seat in match.to_act if isinstance(seat, int) and seats[seat].kind == Seat.Kind.PERSON]
    if others and _distance(match, number) == 0 and not match.game.sealed(match.state):
        return settings.PACE * 8
    return settings.PACE


def _ask(question: Question) -> str | None:
    if not settings.THINKER:
        return None
    text = pool.thinking.compute(answer, question, settings.THINKER)
    _wakes(question.game)
    return text


def advice(table: Table, seat: int) -> MoveHint | None:
    """What a strong player would do here; nothing while the table is being thought about already."""
    if not memory.add(f"advice:{table.id}:{seat}", 1, pool.PATIENCE):
        return None
    try:
        given = pool.thinking.ask(advise_at, table.id, seat)
    finally:
        memory.delete(f"advice:{table.id}:{seat}")
    return MoveHint.read(given)


def advise_at(table: str, seat: int) -> dict[str, Json]:
    """A hint, thought about here."""
    match = standing(Table.objects.get(pk=table)).match
    assert match is not None
    return asdict(pool.thinking.compute(advise, Question.of(match, seat, 5), HINT))


def judgement(question: Question, text: str, seconds: float) -> Judgement:
    """What a strong player thinks of a move that was made in a match that is over."""
    return pool.thinking.compute(judge, question, text, seconds)


# Warming up


def asleep(game: str) -> bool:
    """Whether this game's computer players have yet to wake up."""
    return game in memory.get("asleep", ())


def _wakes(game: str) -> None:
    if asleep(game):
        memory.set("asleep", [other for other in memory.get("asleep", ()) if other != game], DAY)


def warm_all() -> None:
    """Compile ahead, in the background, what computer players need."""
    games = [box.key for box in ludotheque.games() if levels(box)]
    memory.set("asleep", games, DAY)
    for key in games:
        since = time.monotonic()
        try:
            _warmer().submit(warm_up, key).result()
        except Exception:
            if pool.closing.is_set():
                return
            _warmer.cache_clear()
            log.exception("could not warm up", extra={"facts": {"game": key}})
        else:
            log.info("warm", extra={"facts": {"game": key, "seconds": round(time.monotonic() - since, 1)}})
        _wakes(key)
    _warmer().shutdown()


@cache
def _warmer() -> ProcessPoolExecutor:
    return pool.processes(1, pool.LAST)
