from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0021_vacation_time_zone"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="event_name",
            field=models.CharField(blank=True, default="", max_length=100),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="table",
            name="event_path",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="table",
            name="event_round",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="table",
            name="is_compared",
            field=models.BooleanField(default=False),
        ),
    ]
