"""Looking back at finished matches, move by move, in the processes that think; what is found is kept.

It begins when somebody first opens a replay. One match is looked at after the other, one move at a time, so that
computer players at tables need never wait long. A process that begins says so in the database and says so again
while it goes on: if it falls silent, another may go on from there.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import timedelta
from functools import cache
from threading import Lock

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from ludotheque.match import Match
from ludotheque.search.analysis import Judge, Judgement, Step, walk
from ludotheque.web import thinking, work
from ludotheque.web.finished import Finished, find
from ludotheque.web.models import LEVELS, Replay
from ludotheque.web.questions import Question

log = logging.getLogger("ludotheque.web.analysing")

SECONDS = 60.0  # of thinking about one match, at most
MOMENT = 0.4  # of thinking about one move, at most
WAITING = 32  # matches that wait in this process, at most
SILENCE = timedelta(seconds=60)  # after which a process is taken to be gone
TOGETHER = 4  # moves that are written down at once


def possible(found: Finished) -> bool:
    """Whether there is anything to say: several played it to some end, and somebody here can think."""
    return bool(settings.THINKER) and found.match.seats > 1 and found.stands.over


def begin(found: Finished) -> None:
    """See to it that the match is looked back at, if nobody does so already."""
    if not possible(found) or found.replay.whole:
        return
    with _lock:
        if found.replay.id in _waiting or len(_waiting) >= WAITING or not _claimed(found.replay.id):
            return
        _waiting.add(found.replay.id)
    _desk().submit(_look_back, found.replay.id)


def steps(replay: Replay) -> list[Step]:
    """What has been found so far."""
    return [Step(**step | {"line": tuple(step["line"]), "hopes": tuple(step["hopes"])}) for step in replay.steps]


def look_back(found: Finished) -> None:
    """Judge every move that is not judged yet."""
    replay, known = found.replay, steps(found.replay)
    since = known[-1].number + 1 if known else 0
    for step in walk(found.match, _judge(min(MOMENT, SECONDS / max(found.moves, 1))), since):
        known.append(step)
        if len(known) % TOGETHER == 0:
            _keep(replay, known)
    _keep(replay, known, whole=True)


def _judge(seconds: float) -> Judge:
    def judge(match: Match, seat: int, text: str) -> Judgement:
        return thinking.judgement(Question.of(match, seat, int(LEVELS[-1])), text, seconds)

    return judge


def _keep(replay: Replay, known: list[Step], *, whole: bool = False) -> None:
    written = [asdict(step) for step in known]
    Replay.objects.filter(pk=replay.pk).update(steps=written, whole=whole, claimed=timezone.now())


_waiting: set[str] = set()
_lock = Lock()


@cache
def _desk() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "looking back")


def _claimed(name: str) -> bool:
    """Whether nobody else is at it; from now on we are."""
    now = timezone.now()
    silent = Q(claimed=None) | Q(claimed__lt=now - SILENCE)
    return bool(Replay.objects.filter(silent, pk=name, whole=False).update(claimed=now))


def _look_back(name: str) -> None:
    try:
        found = find(name)
        if found is not None:
            look_back(found)
    except Exception:
        if not work.closing.is_set():
            log.exception("could not look back", extra={"facts": {"replay": name}})
    finally:
        with _lock:
            _waiting.discard(name)
        connection.close()
