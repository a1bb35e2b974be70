"""Computer players at tables: asked in other processes, so that the site stays quick while they think.

`LUDOTHEQUE_THINKER` names the function that answers a `Question` with the text of a move, or with None to wait. A
question is asked whenever a table has changed and again after a restart; an answer that comes twice, or too late,
counts for nothing. The processes are few, and give way to the site. What they compile for a game is kept on disk; it
takes up to a minute, once, so it is done ahead: one game after the other, in a process that gives way to everything.
"""

import logging
import os
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import active_children, get_context
from threading import Event, Lock
from typing import NamedTuple

from django.conf import settings
from django.db import connection

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.match import Match
from ludotheque.search.analysis import Judgement
from ludotheque.shelf import Box
from ludotheque.web import actions
from ludotheque.web.models import LEVELS, Seat, Table
from ludotheque.web.questions import Advice, Question, advise, answer, begin, judge, warm_up
from ludotheque.web.standing import standing

log = logging.getLogger("ludotheque.web.thinking")

TRIES = 2  # at a question that fails
TABLES = 64  # at which computer players are busy at once, most of them waiting for a process
HINT = 1.5  # seconds to think about one
POLITE, LAST = 5, 19  # how far the processes step back


class Turn(NamedTuple):
    """Computer players of one table, asked one after the other until one of them moves."""

    table: str
    version: int
    seats: tuple[int, ...]


def levels(box: Box) -> tuple[str, ...]:
    """The levels at which computer players play a game; none alone, or where nobody thinks."""
    return LEVELS if settings.THINKER and max(box.seats) > 1 else ()


def wake(table: str, _version: int) -> None:
    """Ask the computer players who are to move at this table."""
    seats = list(Seat.objects.filter(table=table).select_related("table"))
    computers = {seat.number for seat in seats if seat.kind == Seat.Kind.COMPUTER}
    if not settings.THINKER or not computers:
        return
    stands = standing(seats[0].table)
    if stands.match is None or stands.over:
        return
    due = tuple(number for number in _order(stands.match) if number in computers)
    together = bool(stands.match.game.sealed(stands.match.state))
    for group in [(number,) for number in due] if together else [due] if due else []:
        turn = Turn(table, stands.version, group)
        if _begin(turn):
            _desk().submit(_take, turn)


def wake_all() -> None:
    """After a start: go on wherever a computer player is to move."""
    for table in Table.objects.filter(status=Table.Status.PLAYING, seats__kind=Seat.Kind.COMPUTER).distinct():
        wake(table.id, table.version)
    connection.close()


def _order(match: Match) -> list[int]:
    """Who may act, the next player last: those who may speak up first, with an objection say, are asked before."""
    seats = [seat for seat in match.to_act if isinstance(seat, int)]
    return sorted(seats, key=lambda seat: -_distance(match, seat))


def _distance(match: Match, seat: int) -> int:
    """How many seats after the one who acted last."""
    last = next((actor for actor, _ in reversed(match.events) if isinstance(actor, int)), -1)
    return (seat - last - 1) % match.seats


_busy: set[tuple[str, tuple[int, ...]]] = set()
_lock = Lock()
_closing = Event()


def _begin(turn: Turn) -> bool:
    """Whether these computer players are free; if not, they look again when they are."""
    who = turn.table, turn.seats
    with _lock:
        free = who not in _busy
        _busy.add(who)
        return free


def _take(turn: Turn) -> None:
    """Think and move, in a thread of its own."""
    try:
        _move(turn)
    except LudothequeError as error:
        log.info("too late", extra={"facts": {"table": turn.table, "code": error.code}})
    except Exception:
        if not _closing.is_set():
            log.exception("a computer player failed", extra={"facts": {"table": turn.table}})
    finally:
        with _lock:
            _busy.discard((turn.table, turn.seats))
        _look_again(turn)
        connection.close()


def _look_again(turn: Turn) -> None:
    """Something may have happened meanwhile, the move itself for one."""
    if not _closing.is_set() and Table.objects.filter(pk=turn.table).exclude(version=turn.version).exists():
        wake(turn.table, turn.version)


def _move(turn: Turn) -> None:
    table = Table.objects.get(pk=turn.table)
    seats, stands = list(table.seats.all()), standing(table)
    if stands.match is None or stands.version != turn.version:
        return  # and look again
    for number in turn.seats:
        since = time.monotonic()
        text = _ask(Question.of(stands.match, number, int(seats[number].level)))
        if text is not None:
            _closing.wait(max(0.0, _pause(stands.match, seats, number) - (time.monotonic() - since)))
            actions.computer_move(turn.table, number, text, turn.version)
            return


def _pause(match: Match, seats: list[Seat], number: int) -> float:
    """Seconds from turn to move at least: time to see what happened, and to object to it where that is possible."""
    others = [seat for seat in match.to_act if isinstance(seat, int) and seats[seat].kind == Seat.Kind.PERSON]
    if others and _distance(match, number) == 0 and not match.game.sealed(match.state):
        return settings.PACE * 8
    return settings.PACE


def _ask(question: Question) -> str | None:
    for left in reversed(range(TRIES if settings.THINKER else 0)):
        try:
            text = _pool().submit(answer, question, settings.THINKER).result()
        except BrokenProcessPool:  # one of them was killed: begin anew
            _pool.cache_clear()
            if not left or _closing.is_set():
                raise
        else:
            _awake.add(question.game)
            return text
    return None


def advice(table: Table, match: Match, seat: int) -> Advice | None:
    """What a strong player would do here; nothing while the table is being thought about already."""
    turn = Turn(table.id, table.version, (seat,))
    if not _begin(turn):
        return None
    try:
        return _pool().submit(advise, Question.of(match, seat, 5), HINT).result()
    finally:
        with _lock:
            _busy.discard((turn.table, turn.seats))


def judgement(question: Question, text: str, seconds: float) -> Judgement:
    """What a strong player thinks of a move that was made in a match that is over."""
    return _pool().submit(judge, question, text, seconds).result()


# Processes


@cache
def _desk() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(TABLES, "computer players")


@cache
def _pool() -> ProcessPoolExecutor:
    return _processes(settings.THINKERS, POLITE)


def _processes(number: int, nice: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(number, get_context("spawn"), begin, (os.getpid(), nice))


def close() -> None:
    """Let nobody think any more; it goes on after the next start."""
    _closing.set()
    for process in active_children():
        process.terminate()


# Warming up

_awake: set[str] = set()
_warming = Event()


def asleep(game: str) -> bool:
    """Whether this game's computer players have yet to wake up."""
    return _warming.is_set() and game not in _awake


def warm_all() -> None:
    """Compile ahead, in the background, what computer players need."""
    games = [box.key for box in ludotheque.games() if levels(box)]
    _warming.set()
    for key in games:
        since = time.monotonic()
        try:
            _warmer().submit(warm_up, key).result()
        except Exception:
            if _closing.is_set():
                return
            _warmer.cache_clear()
            log.exception("could not warm up", extra={"facts": {"game": key}})
        else:
            log.info("warm", extra={"facts": {"game": key, "seconds": round(time.monotonic() - since, 1)}})
        _awake.add(key)
    _warmer().shutdown()


@cache
def _warmer() -> ProcessPoolExecutor:
    return _processes(1, LAST)
