from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Length
from django.utils import timezone


def count_records(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """What is stored already counts, and nobody knows when it was last looked at: its month begins today."""
    replays = apps.get_model("web", "Replay").objects.using(editor.connection.alias)
    replays.filter(table=None).update(size=Length("record"), looked=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("web", "0009_pencil_marks")]

    operations = [
        migrations.AddField(model_name="replay", name="size", field=models.PositiveIntegerField(default=0)),
        migrations.AddField(model_name="replay", name="looked", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            model_name="replay",
            index=models.Index(
                fields=["looked", "made", "size"],
                name="brought_records",
                condition=models.Q(table=None),
            ),
        ),
        migrations.RunPython(count_records, migrations.RunPython.noop, elidable=True),
    ]
