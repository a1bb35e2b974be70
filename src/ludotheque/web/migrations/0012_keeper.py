from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0011_people"),
    ]

    operations = [
        migrations.CreateModel(
            name="Block",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("network", models.CharField(blank=True, max_length=50)),
                ("label", models.CharField(blank=True, max_length=20)),
                ("key", models.CharField(blank=True, max_length=64)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("made", models.DateTimeField(auto_now_add=True)),
                ("until", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Removal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=64)),
                ("made", models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
        ),
        migrations.AddField(
            model_name="table",
            name="visited",
            field=models.DateField(blank=True, null=True),
        ),
    ]
