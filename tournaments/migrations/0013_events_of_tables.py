from django.db import migrations
from django.urls import reverse


def name_events(apps, schema_editor):
    """Tells the tables of matches to which event they belong, as `open_game` does."""
    Table = apps.get_model("games", "Table")
    for match in apps.get_model("tournaments", "Match").objects.select_related("event", "round").iterator():
        Table.objects.filter(match_game__match=match).update(
            event_name=match.event.name,
            event_path=reverse("tournaments:event", args=[match.event_id]),
            event_round=match.round.number,
            is_compared=match.event.compared_by != "table",
        )


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0022_events_of_tables"),
        ("tournaments", "0012_talk_and_vacations"),
    ]

    operations = [migrations.RunPython(name_events, migrations.RunPython.noop)]
