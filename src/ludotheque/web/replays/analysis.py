"""Looking back at finished matches, move by move, wherever thinking is done; what is found is kept.

It begins when somebody first opens a replay. Few matches are looked at together, each one move at a time, so that
computer players at tables need never wait long. Whoever begins says so in the database, and says so again while it
goes on: if that falls silent, another may go on from there.
"""

import logging
from dataclasses import asdict
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from ludotheque.match import Match
from ludotheque.search.analysis import Judge, Judgement, Step, walk
from ludotheque.web.jobs import pool
from ludotheque.web.models import LEVELS, Replay
from ludotheque.web.players import turns
from ludotheque.web.players.questions import Question
from ludotheque.web.replays.finished import Finished, find

log = logging.getLogger("ludotheque.web.replays.analysis")

SECONDS = 60.0  # of thinking about one match, at most
MOMENT = 0.4  # of thinking about one move, at most
AT_ONCE = 2  # matches that are looked at together
SILENCE = timedelta(minutes=3)  # after which whoever began is taken to be gone; compiling for a game takes a while
TOGETHER = 4  # moves that are written down at once


def possible(found: Finished) -> bool:
    """Whether there is anything to say: several played it to some end, and somebody here can think."""
    return bool(settings.THINKER) and found.match.seats > 1 and found.stands.over


def begin(found: Finished) -> None:
    """See to it that the match is looked back at, if nobody does so already; if many are, it must be asked again."""
    if possible(found) and not found.replay.whole and _claimed(found.replay.id):
        pool.thinking.post(look_back_at, found.replay.id)


def _claimed(name: str) -> bool:
    """Whether nobody else is at it; from now on we are."""
    now = timezone.now()
    unfinished = Replay.objects.filter(whole=False)
    if unfinished.filter(claimed__gte=now - SILENCE).count() >= AT_ONCE:
        return False
    silent = Q(claimed=None) | Q(claimed__lt=now - SILENCE)
    return bool(unfinished.filter(silent, pk=name).update(claimed=now))


def look_back_at(name: str) -> None:
    """Judge every move of a finished match."""
    found = find(name)
    if found is None:
        return
    try:
        look_back(found)
    except Exception:
        if not pool.closing.is_set():
            log.exception("could not look back", extra={"facts": {"replay": name}})


def look_back(found: Finished) -> None:
    """Judge every move that is not judged yet."""
    known = steps(found.replay)
    since = known[-1].number + 1 if known else 0
    for step in walk(found.match, _judge(min(MOMENT, SECONDS / max(found.moves, 1))), since):
        known.append(step)
        if len(known) % TOGETHER == 0:
            _keep(found.replay, known)
    _keep(found.replay, known, whole=True)


def steps(replay: Replay) -> list[Step]:
    """What has been found so far."""
    return [Step(**step | {"line": tuple(step["line"]), "hopes": tuple(step["hopes"])}) for step in replay.steps]


def _judge(seconds: float) -> Judge:
    def judge(match: Match, seat: int, text: str) -> Judgement:
        return turns.judgement(Question.of(match, seat, int(LEVELS[-1])), text, seconds)

    return judge


def _keep(replay: Replay, known: list[Step], *, whole: bool = False) -> None:
    written = [asdict(step) for step in known]
    Replay.objects.filter(pk=replay.pk).update(steps=written, whole=whole, claimed=timezone.now())
