from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget_analyses(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Earlier ones contradicted themselves; each is made again when somebody opens its replay."""
    replays = apps.get_model("web", "Replay").objects.using(editor.connection.alias)  # maybe a backup's
    replays.exclude(steps=[]).update(steps=[], whole=False, claimed=None)


class Migration(migrations.Migration):
    dependencies = [("web", "0014_analysed_matches")]

    operations = [migrations.RunPython(forget_analyses, migrations.RunPython.noop, elidable=True)]
