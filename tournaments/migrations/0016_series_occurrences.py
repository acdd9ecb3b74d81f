from django.db import migrations, models

BEFORE_START = ("scheduled", "registration", "check-in")
NOT_OF_A_DIRECTOR = {"id", "due_at"}


def find_own_settings(apps, schema_editor):
    """What differs from the series was changed by a director, where the log knows of one."""
    Event, Series = (apps.get_model("tournaments", name) for name in ("Event", "Series"))
    names = {field.name for field in Event._meta.concrete_fields} & {
        field.name for field in Series._meta.concrete_fields
    }
    planned = Event.objects.filter(status__in=BEFORE_START, series__isnull=False, planned_at__isnull=False)
    directed = planned.filter(log__by__isnull=False).distinct().select_related("series")
    for event in directed:
        own = [name for name in names - NOT_OF_A_DIRECTOR if getattr(event, name) != getattr(event.series, name)]
        event.own_settings = sorted(own)
        event.save(update_fields=["own_settings"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_no_shows")]

    operations = [
        migrations.AddField("event", "own_settings", models.JSONField(default=list, editable=False)),
        migrations.RunPython(find_own_settings, migrations.RunPython.noop),
    ]
