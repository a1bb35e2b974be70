"""Running processes take over what the keeper changes from outside, within seconds: blocks, deletions, a new key.

A thread looks into the database and at the key file, and writes down for the keeper what this process has counted.
While the database is away everything stays as it was.
"""

import logging
import time
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from ludotheque.web import secret_keys
from ludotheque.web.guard import blocks
from ludotheque.web.jobs import pool
from ludotheque.web.live import subscriptions
from ludotheque.web.models import Removal
from ludotheque.web.monitor import space, usage
from ludotheque.web.table import cache, removal, visits

log = logging.getLogger("ludotheque.web.server.keeper_sync")

LOOK_EVERY_S = 2.0
STAY_EVERY_S = 3600.0
OVERLAP = timedelta(minutes=1)  # rows may be committed a while after they got their time


class KeeperSync:
    """What this process has learnt already."""

    def __init__(self) -> None:
        self.since = timezone.now()
        self.forgotten: set[int] = set()
        self.wrote = self.stayed = -STAY_EVERY_S

    def look(self) -> None:
        """Learn what is new."""
        use_keys()
        blocks.read()
        self._forget_removed()

    def _forget_removed(self) -> None:
        now = timezone.now()
        found = Removal.objects.filter(made__gte=self.since - OVERLAP).values_list("pk", "name")
        new = {pk: name for pk, name in found if pk not in self.forgotten}
        if new:
            removal.forget(set(new.values()))
        self.forgotten = {pk for pk, _ in found}
        self.since = now

    def tell(self) -> None:
        """Write down what was counted, and that people are still there."""
        if time.monotonic() - self.wrote >= usage.WRITE_EVERY_S:
            self.wrote = time.monotonic()
            usage.write({"web.table.cache": len(cache.tables()), **space.caches()})
        if time.monotonic() - self.stayed >= STAY_EVERY_S:
            self.stayed = time.monotonic()
            visits.stay(subscriptions.watched())


def use_keys() -> None:
    """Sign with the key that is in force now, and accept the others, unless the key is kept elsewhere."""
    keys = secret_keys.load(settings.SECRET_FILE)
    if not keys or secret_keys.from_environment():
        return
    found = secret_keys.in_force(keys, time.time())
    if found != (settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS):
        settings.SECRET_KEY_FALLBACKS = found.accepted
        settings.SECRET_KEY = found.signing
        log.info("the secret keys have changed", extra={"facts": {"accepted": len(found.accepted)}})


def keep_looking() -> None:
    """Look every few seconds, until the server stops."""
    sync = KeeperSync()
    while True:
        try:
            sync.look()
            sync.tell()
        except (DatabaseError, OSError) as error:
            log.warning("could not look for the keeper's orders", extra={"facts": {"error": type(error).__name__}})
            connection.close()
        except Exception:
            log.exception("the keeper's orders were not followed")
        if pool.closing.wait(LOOK_EVERY_S):
            return
