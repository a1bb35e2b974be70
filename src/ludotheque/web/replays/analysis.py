"""Analysis of finished matches: every move judged by a strong player, in the background, and stored.

It begins when somebody first opens a replay. Few matches are analysed at a time, each one move at a time, so that
computer players at tables never wait long. The process that analyses claims the replay in the database and renews its
claim; when that has expired, another process goes on from there. Each
evaluation has a fixed number of simulations and no clock, so that the same record gives the same page everywhere.
"""

import json
import logging
from dataclasses import asdict
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Q
from django.utils import timezone

from ludotheque.match import Match
from ludotheque.search.analysis import Judge, JudgedMove, Judgement, simulations_for, walk
from ludotheque.web.guard import disk_space
from ludotheque.web.jobs import pool
from ludotheque.web.models import Replay
from ludotheque.web.models.table import LEVELS
from ludotheque.web.players.questions import Question, judge
from ludotheque.web.refusals import WorkerUnavailable
from ludotheque.web.replays.finished import Finished, find

log = logging.getLogger("ludotheque.web.replays.analysis")

MAX_CONCURRENT = 2  # matches
MAX_BROUGHT = 1  # of them, records that somebody brought: matches that were played here never wait for those alone
CLAIM_EXPIRES_AFTER = timedelta(minutes=3)  # compiling for a game takes a while
MOVES_A_WRITE = 4
MAX_WRITES = 50  # of a match, each of all that is known: those of a long one would fill the write-ahead log


def possible(found: Finished) -> bool:
    """Whether there is anything to say: several played it to some end, and somebody here can think."""
    return bool(settings.THINKER) and found.match.seats > 1 and found.state.over


def begin(found: Finished) -> None:
    """Have the match analysed, unless that is under way; while too many are, or room is short, ask again later."""
    if not possible(found) or found.replay.whole or not disk_space.is_enough():
        return
    if not disk_space.store_if_possible(lambda: _claimed(found.replay), otherwise=False):
        return
    try:
        pool.thinking.post(analyse_replay, found.replay.id)
    except WorkerUnavailable:  # it can be read without
        Replay.objects.filter(pk=found.replay.pk).update(claimed=None)


def _claimed(replay: Replay) -> bool:
    """Whether nobody else analyses it; from now on this process does."""
    now = timezone.now()
    unfinished = Replay.objects.filter(whole=False)
    # A claim far in the future was made before the clock was put back.
    good = Q(claimed__range=(now - CLAIM_EXPIRES_AFTER, now + CLAIM_EXPIRES_AFTER))
    under_way = unfinished.filter(good)
    if under_way.count() >= MAX_CONCURRENT:
        return False
    if replay.table_id is None and under_way.filter(table=None).count() >= MAX_BROUGHT:
        return False
    return bool(unfinished.exclude(good).filter(pk=replay.pk).update(claimed=now))


def analyse_replay(name: str) -> None:
    """Judge every move of a finished match."""
    found = find(name)
    if found is None:
        return
    try:
        analyse(found)
    except DatabaseError:
        log.warning("the database is away", extra={"facts": {"replay": name}})
    except Exception:
        if not pool.closing.is_set():
            log.exception("analysis failed", extra={"facts": {"replay": name}})


def analyse(found: Finished) -> None:
    """Judge every move that is not judged yet."""
    known = steps(found.replay)
    since = known[-1].number + 1 if known else 0
    moves_a_write = max(MOVES_A_WRITE, found.moves // MAX_WRITES)
    for step in walk(found.match, _judge(simulations_for(found.match)), since):
        known.append(step)
        if len(known) % moves_a_write == 0:
            _keep(found.replay, known)
    _keep(found.replay, known, whole=True)


def steps(replay: Replay) -> list[JudgedMove]:
    """What has been found so far."""
    return [
        JudgedMove(**step | {name: tuple(step.get(name, ())) for name in ("line", "hopes", "after")})
        for step in replay.steps
    ]


def _judge(simulations: int) -> Judge:
    def judged(match: Match, seat: int, text: str) -> Judgement:
        return judgement(Question.of(match, seat, int(LEVELS[-1])), text, simulations)

    return judged


def judgement(question: Question, text: str, simulations: int) -> Judgement:
    """What a strong player thinks of a move, computed in a worker process."""
    return pool.thinking.compute(judge, question, text, simulations)


def _keep(replay: Replay, known: list[JudgedMove], *, whole: bool = False) -> None:
    written = [asdict(step) for step in known]
    size = len(replay.record.encode()) + len(json.dumps(written)) if replay.table_id is None else 0
    Replay.objects.filter(pk=replay.pk).update(steps=written, whole=whole, claimed=timezone.now(), size=size)
