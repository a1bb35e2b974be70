from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0008_my_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="pencilled",
            field=models.JSONField(default=list),
        ),
    ]
