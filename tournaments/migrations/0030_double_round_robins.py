"""Double round robins that have begun keep the order of their rounds; in new ones two of them change places."""

from django.db import migrations

BEGUN = ("running", "finished", "cancelled")


def keep_the_order(apps, schema_editor):
    events = apps.get_model("tournaments", "Event").objects.filter(status__in=BEGUN, format="round-robin")
    for event in events.iterator():
        event.format_options = {**event.format_options, "swaps_last": False}
        event.save(update_fields=["format_options"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0029_timetable_messages_and_notes")]
    operations = [migrations.RunPython(keep_the_order, migrations.RunPython.noop)]
