"""Calls for the director say why they are closed."""

from django.db import migrations, models


def say_why(apps, schema_editor):
    closed = apps.get_model("tournaments", "DirectorCall").objects.exclude(closed_at=None)
    closed.filter(answered_by=None).update(closed_because="taken-back")
    closed.exclude(answered_by=None).update(closed_because="answered")


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0037_director_calls"),
    ]

    operations = [
        migrations.AddField(
            model_name="directorcall",
            name="closed_because",
            field=models.CharField(
                blank=True,
                choices=[
                    ("answered", "answered"),
                    ("taken-back", "taken back"),
                    ("result", "the match has a result"),
                ],
                max_length=20,
            ),
        ),
        migrations.RunPython(say_why, migrations.RunPython.noop),
    ]
