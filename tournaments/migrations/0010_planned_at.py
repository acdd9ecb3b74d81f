from django.db import migrations, models
from django.db.models import F


def as_they_start(apps, schema_editor):
    apps.get_model("tournaments", "Event").objects.exclude(series=None).update(planned_at=F("starts_at"))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_announcements")]

    operations = [
        migrations.RemoveConstraint("event", "series_starts_one_event_at_a_time"),
        migrations.AddField("event", "planned_at", models.DateTimeField(blank=True, editable=False, null=True)),
        migrations.RunPython(as_they_start, migrations.RunPython.noop),
        migrations.AddConstraint(
            "event", models.UniqueConstraint(fields=("series", "planned_at"), name="series_plans_an_event_once")
        ),
    ]
