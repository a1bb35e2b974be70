"""What is kept, and for how long: a job deletes what nobody has touched, a few rows at a time.

`LUDOTHEQUE_RETENTION` changes the days of single kinds, `unfinished=90 records=30`; 0 is for ever. A table counts as
touched by everything that happens at it, and by every page that is connected to it.
"""

import fcntl
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection, transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from ludotheque.web import secret_keys
from ludotheque.web.jobs import pool
from ludotheque.web.live import subscriptions
from ludotheque.web.models import Block, Removal, Replay, Table
from ludotheque.web.replays import uploads
from ludotheque.web.table import removal

log = logging.getLogger("ludotheque.web.server.retention")

DAYS = {"waiting": 30, "unfinished": 365, "finished": 0, "records": 30, "analyses": 180}
"""Days after which each kind is deleted; 0 is never. An analysis is made again for whoever opens the replay."""

MAX_DAYS = 36_500
BATCH_ROWS = 10  # deleted in one transaction: on SQLite nobody moves meanwhile
PAUSE_S = 0.2  # between transactions, for those who play
RUN_EVERY_S = 3600.0
MAX_ROWS_A_RUN = 20_000  # of each kind
FIRST_RUN_AFTER_S = 300.0  # after a start, when there is much else to do
NOTICES = timedelta(hours=1)  # for which running processes can learn of a deletion
TIDY_LOCK = 7_060_410  # key of our PostgreSQL advisory lock


def read(wanted: str) -> dict[str, int]:
    """The days as a keeper wants them."""
    found = dict(DAYS)
    for word in wanted.replace(",", " ").split():
        kind, _, days = word.partition("=")
        if kind not in DAYS or not (days.isascii() and days.isdecimal() and int(days[:9]) <= MAX_DAYS):
            raise ImproperlyConfigured(
                f"LUDOTHEQUE_RETENTION: {word!r} is nothing to keep; write KIND=DAYS, with {', '.join(DAYS)}"
            )
        found[kind] = int(days)
    return found


# What is due


def _tables(before: datetime, **wanted: object) -> "QuerySet[Table]":
    """Tables at which nothing has happened, and to which nobody was connected, since then."""
    untouched = Q(visited=None) | Q(visited__lt=before.date())
    return Table.objects.filter(untouched, changed__lt=before, **wanted)


def _waiting(before: datetime) -> "QuerySet[Table]":
    return _tables(before, status=Table.Status.WAITING)


def _unfinished(before: datetime) -> "QuerySet[Table]":
    return _tables(before, status=Table.Status.PLAYING)


def _finished(before: datetime) -> "QuerySet[Table]":
    return _tables(before, status=Table.Status.OVER)


def _records(before: datetime) -> "QuerySet[Replay]":
    return uploads.expired(before)


def _analyses(before: datetime) -> "QuerySet[Replay]":
    """Of tables, from the day when they were made: nobody writes down who looks at them."""
    return Replay.objects.filter(table__isnull=False, claimed__lt=before).exclude(steps=[])


def _delete_tables(found: "QuerySet[Table]") -> int:
    watched = set(subscriptions.watched())
    return removal.delete(name for name in found.values_list("pk", flat=True) if name not in watched)


def _delete_records(found: "QuerySet[Replay]") -> int:
    return sum(replay.delete()[1].get("web.Replay", 0) for replay in found)


def _empty_analyses(found: "QuerySet[Replay]") -> int:
    return Replay.objects.filter(pk__in=[replay.pk for replay in found]).update(steps=[], whole=False, claimed=None)


Due = Callable[[datetime], "QuerySet[Model]"]
KINDS: dict[str, tuple[Due, Callable[[QuerySet[Model]], int]]] = {
    "waiting": (_waiting, _delete_tables),  # type: ignore[dict-item]  # each takes what the other finds
    "unfinished": (_unfinished, _delete_tables),  # type: ignore[dict-item]
    "finished": (_finished, _delete_tables),  # type: ignore[dict-item]
    "records": (_records, _delete_records),  # type: ignore[dict-item]
    "analyses": (_analyses, _empty_analyses),  # type: ignore[dict-item]
}


def due() -> dict[str, int]:
    """How much of each kind would be deleted now."""
    return {kind: KINDS[kind][0](before).count() for kind, before in _limits().items()}


def _limits() -> dict[str, datetime]:
    now = timezone.now()
    return {kind: now - timedelta(days=days) for kind, days in read(settings.RETENTION).items() if days}


# The job


def run() -> dict[str, int] | None:
    """Delete what is due; how much that was, or None if another process is at it."""
    with _alone() as alone:
        if not alone:
            return None
        done = {kind: _delete(kind, before) for kind, before in _limits().items()}
        _forget_orders()
    if any(done.values()):
        log.info("deleted what nobody has touched", extra={"facts": done})
    return done


def _delete(kind: str, before: datetime) -> int:
    """Everything of a kind, a few at a time. Each batch is locked and looked at again before it goes."""
    find, delete = KINDS[kind]
    names = list(find(before).values_list("pk", flat=True)[:MAX_ROWS_A_RUN])
    done = 0
    for begin in range(0, len(names), BATCH_ROWS):
        with transaction.atomic():
            done += delete(find(before).filter(pk__in=names[begin : begin + BATCH_ROWS]).select_for_update())
        if pool.closing.wait(PAUSE_S):
            break
    return done


def _forget_orders() -> None:
    """Blocks that have ended, keys that count no more, and deletions that everybody has heard of."""
    now = timezone.now()
    Block.objects.filter(until__lt=now).delete()
    Removal.objects.filter(made__lt=now - NOTICES).delete()
    secret_keys.forget_ended(settings.SECRET_FILE, now.timestamp())


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether no other process tidies up: none on this machine, and none with the same PostgreSQL."""
    with (settings.DATA / "tidy").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        if connection.vendor != "postgresql":
            yield True
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [TIDY_LOCK])
            locked = bool(cursor.fetchone()[0])
            try:
                yield locked
            finally:
                if locked:
                    cursor.execute("SELECT pg_advisory_unlock(%s)", [TIDY_LOCK])


def keep_tidying() -> None:
    """Delete what is due every hour, until the server stops."""
    wait = FIRST_RUN_AFTER_S
    while not pool.closing.wait(wait):
        wait = RUN_EVERY_S
        try:
            run()
        except (DatabaseError, OSError) as error:
            log.warning("could not tidy up", extra={"facts": {"error": type(error).__name__}})
        except Exception:
            log.exception("could not tidy up")
        finally:
            connection.close()
