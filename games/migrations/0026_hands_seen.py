from django.db import migrations, models

ALL = 32_767
"""More hands than a game has: nothing of a game that is over is left to be seen."""


def mark_finished_games_seen(apps, schema_editor):
    Seat = apps.get_model("games", "Seat")
    Seat.objects.filter(table__status__in=["finished", "aborted"]).update(hands_seen=ALL)


class Migration(migrations.Migration):
    dependencies = [("games", "0025_time_to_appear")]

    operations = [
        migrations.AddField("seat", "hands_seen", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("table", "rests_until", models.DateTimeField(blank=True, null=True)),
        migrations.RunPython(mark_finished_games_seen, migrations.RunPython.noop),
    ]
