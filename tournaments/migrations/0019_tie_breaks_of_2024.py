"""Events that have begun keep the tie-breaks of 2024 for unplayed rounds; new ones have the limit of 2026."""

from django.db import migrations

BEGUN = ("running", "finished", "cancelled")
WITH_DUMMIES = ("swiss", "pods")


def keep_the_text_of_2024(apps, schema_editor):
    events = apps.get_model("tournaments", "Event").objects.filter(status__in=BEGUN, format__in=WITH_DUMMIES)
    for event in events.iterator():
        event.format_options = {**event.format_options, "unplayed": "2024"}
        event.save(update_fields=["format_options"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0018_plain_words_of_tables")]
    operations = [migrations.RunPython(keep_the_text_of_2024, migrations.RunPython.noop)]
