from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

KINDS = "sit leave start move undo offer agree decline draw resign quit rematch"


def name_creators(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """At tables that still wait: the first who sat down and still sits there. Later it decides nothing."""
    tables = apps.get_model("web", "Table").objects.using(editor.connection.alias)
    for table in tables.filter(status="waiting"):
        people = {str(seat.number): seat.visitor for seat in table.seats.filter(kind="person")}
        seated = table.events.filter(kind="sit").order_by("number").values_list("actor", flat=True)
        creator = next((people[actor] for actor in seated if actor in people), "")
        tables.filter(pk=table.pk).update(creator=creator)


class Migration(migrations.Migration):
    dependencies = [("web", "0010_brought_records")]

    operations = [
        migrations.AddField(model_name="table", name="creator", field=models.CharField(blank=True, max_length=64)),
        migrations.AddField(model_name="seat", name="added", field=models.BooleanField(null=True)),
        migrations.AlterField(model_name="seat", name="added", field=models.BooleanField(default=False, null=True)),
        migrations.AddField(
            model_name="seat", name="next_entropy", field=models.CharField(blank=True, max_length=64)
        ),
        migrations.AlterField(
            model_name="event",
            name="kind",
            field=models.CharField(choices=[(kind, kind.title()) for kind in KINDS.split()], max_length=8),
        ),
        migrations.RunPython(name_creators, migrations.RunPython.noop, elidable=True),
    ]
