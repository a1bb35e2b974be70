"""Deleting tables, so that nothing of them is left: rows, what other tables say of them, the memory of processes.

However a table or a replay is deleted (`ludotheque keeper delete`, `/admin/`, retention), a row with the hash of its
id tells the running processes, which forget it and tell the pages that are connected (`server/keeper_sync.py`).
"""

import logging
from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver

from ludotheque.web.models import Event, Removal, Replay, Table
from ludotheque.web.visitors import hashed

log = logging.getLogger("ludotheque.web.table.removal")

listeners: list[Callable[[set[str]], None]] = []
"""Called in every process with the hashes of the ids that are gone."""


def delete(tables: Iterable[str]) -> int:
    """Delete these tables and all that belongs to them, in one transaction; how many there were."""
    with transaction.atomic():
        found = Table.objects.select_for_update().filter(pk__in=list(tables))
        return sum(table.delete()[1].get("web.Table", 0) for table in found)


def forget(names: set[str]) -> None:
    """Tell this process that tables or replays with these hashes are gone; if one listener fails, others are told."""
    for listen in listeners:
        try:
            listen(names)
        except Exception:
            log.exception("a deleted table was not forgotten", extra={"facts": {"listener": listen.__module__}})


@receiver(post_delete, sender=Table)
def _on_table_deleted(instance: Table, **_more: object) -> None:
    """The table before a rematch names the next one: then it offers a rematch again."""
    Event.objects.filter(kind=Event.Kind.REMATCH, text=instance.id).update(text="")
    before = instance.previous_id
    _announce([instance.id, before] if before else [instance.id])


@receiver(post_delete, sender=Replay)
def _on_replay_deleted(instance: Replay, **_more: object) -> None:
    if instance.table_id is None:  # else the table is announced
        _announce([instance.id])


def _announce(ids: list[str]) -> None:
    names = {hashed(name) for name in ids}
    Removal.objects.bulk_create(Removal(name=name) for name in sorted(names))
    transaction.on_commit(lambda: forget(names))
