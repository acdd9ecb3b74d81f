from django.db import migrations, models


def rules_of_recurrence(apps, schema_editor):
    for series in apps.get_model("tournaments", "Series").objects.all():
        series.rrule = f"FREQ=MINUTELY;INTERVAL={series.every_minutes}"
        series.save(update_fields=["rrule"])


class Migration(migrations.Migration):
    """What keeps its meaning under another name."""

    dependencies = [("tournaments", "0001_initial")]

    operations = [
        migrations.RenameField("series", "best_of", "match_games"),
        migrations.RenameField("event", "best_of", "match_games"),
        migrations.AddField(
            "series", "rrule", models.CharField("comes again by", max_length=200, default="FREQ=DAILY")
        ),
        migrations.RunPython(rules_of_recurrence, migrations.RunPython.noop),
        migrations.RemoveField("series", "every_minutes"),
    ]
