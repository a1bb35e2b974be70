import logging
from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from ludotheque.web.table.state import TableState, fresh_match

log = logging.getLogger("ludotheque.web.table")


def fold_running_tables(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Who is to move at tables that are being played. Every later move writes it by itself."""
    tables = apps.get_model("web", "Table").objects.using(editor.connection.alias)
    for name in list(tables.filter(status="playing").values_list("pk", flat=True)):
        table = tables.get(pk=name)
        try:
            acting = _to_act(table)
        except Exception as error:  # noqa: BLE001 - a game that is no longer installed must not keep the site closed
            log.warning("not folded", extra={"facts": {"table": name, "error": type(error).__name__}})
            continue
        tables.filter(pk=name).update(to_act=sum(1 << seat for seat in acting))


def _to_act(table: Any) -> tuple[int, ...]:
    """The fold of its log; a model of this migration knows no methods, and today's no columns of tomorrow."""
    events = list(table.events.order_by("number"))
    start = next(place for place, event in enumerate(events) if event.kind == "start")
    begun = TableState(start + 1, fresh_match(table, list(table.seats.order_by("number"))))
    return begun.after(table, events[start + 1 :]).to_act


class Migration(migrations.Migration):
    dependencies = [("web", "0007_indexes_that_moves_leave_alone")]

    operations = [
        migrations.AddField(model_name="table", name="to_act", field=models.PositiveBigIntegerField(default=0)),
        migrations.AddField(
            model_name="seat", name="put_away", field=models.PositiveIntegerField(blank=True, null=True)
        ),
        migrations.RunPython(fold_running_tables, migrations.RunPython.noop, elidable=True),
    ]
