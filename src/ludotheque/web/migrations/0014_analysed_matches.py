from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0013_next_commitment")]

    operations = [
        migrations.AddIndex(
            model_name="replay",
            index=models.Index(
                fields=["claimed"],
                name="analysed_matches",
                condition=models.Q(table__isnull=False),
            ),
        ),
    ]
