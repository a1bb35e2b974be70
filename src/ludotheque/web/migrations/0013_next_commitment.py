from django.db import migrations, models


class Migration(migrations.Migration):
    """What was added before this is no longer counted: nobody knows to which commitment. Open pages add again."""

    dependencies = [("web", "0012_keeper")]

    operations = [
        migrations.AddField(
            model_name="seat", name="next_commitment", field=models.CharField(blank=True, max_length=64)
        ),
    ]
