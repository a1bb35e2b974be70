"""Records that somebody brought, to be looked at here: what is accepted, how much is stored, and for how long.

Nobody owns a record, and nobody is asked who they are. So what is stored gives way by itself: whatever nobody came
back to for a time (`server/retention.py`), and, when all of them together are too large, first those that nobody
ever came back to.
"""

import hashlib
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

import ludotheque
from ludotheque import records
from ludotheque.errors import BadRecord
from ludotheque.match import Match
from ludotheque.web.guard import disk_space
from ludotheque.web.models import Replay

MAX_RECORD_CHARS = 60_000  # of a record that somebody brings; that of a long match has a third of them
MAX_RECORD_ENTRIES = 2500  # of its log: a series of a hundred legs of Hepta has about 2000, any other game 1000
MAX_STORED_BYTES = 100_000_000  # of all of them, analyses included
COMES_BACK_AFTER = timedelta(days=1)  # who looks earlier is whoever brought it, or was there just now


def read(text: str) -> Match:
    """The match of a record, if that is sound and not too long."""
    if len(text) > MAX_RECORD_CHARS:
        raise BadRecord(f"This is too long for a record: {len(text):,} characters.", records.TOO_LONG)
    return ludotheque.load(text, max_entries=MAX_RECORD_ENTRIES)


def keep(match: Match) -> Replay:
    """Store a record, and make room for it; the same record is stored once."""
    record = match.save()
    data = record.encode()
    name = hashlib.sha256(data).hexdigest()[:22]
    with transaction.atomic():  # nobody brings it a second time to make room
        replay, is_new = Replay.objects.get_or_create(pk=name, defaults={"record": record, "size": len(data)})
        if is_new:
            _make_room(replay)
    return replay


def come_back(replay: Replay) -> None:
    """Remember that somebody has looked at it again; written once a day at most."""
    now = timezone.now()
    if replay.table_id is None and now - (replay.looked or replay.made) >= COMES_BACK_AFTER:
        disk_space.store_if_possible(lambda: Replay.objects.filter(pk=replay.pk).update(looked=now), 0)


def expired(before: datetime) -> "QuerySet[Replay]":
    """The records that nobody has come back to since then."""
    return _brought().filter(Q(looked__lt=before) | Q(looked=None, made__lt=before))


def _make_room(newest: Replay) -> None:
    """Delete as many others as are too many: the oldest of those that nobody came back to, then the least recent."""
    too_many = (_brought().aggregate(bytes=Sum("size"))["bytes"] or 0) - MAX_STORED_BYTES
    oldest_first = _brought().exclude(pk=newest.pk).order_by(F("looked").asc(nulls_first=True), "made")
    going = []
    for name, size in oldest_first.values_list("pk", "size") if too_many > 0 else ():
        if too_many <= 0:
            break
        going.append(name)
        too_many -= size
    Replay.objects.filter(pk__in=going).delete()


def _brought() -> "QuerySet[Replay]":
    return Replay.objects.filter(table=None)
