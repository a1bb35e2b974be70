from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def ask_everywhere(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Where a computer player sits one may be due; the first look tells."""
    apps.get_model("web", "Table").objects.filter(status="playing", seats__kind="computer").update(due=True)


class Migration(migrations.Migration):
    dependencies = [("web", "0002_replay")]

    operations = [
        migrations.AddField(model_name="table", name="due", field=models.BooleanField(default=False)),
        migrations.RunPython(ask_everywhere, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(model_name="table", index=models.Index(fields=["changed"], name="lately_changed")),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["changed"], name="computers_due", condition=models.Q(due=True)),
        ),
    ]
