import django.core.validators
from django.db import migrations, models


def have_come(apps, schema_editor):
    """Everybody who was seeded counts as having come to the events that run now."""
    apps.get_model("tournaments", "Entry").objects.filter(seed__isnull=False).update(has_come=True)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0014_pairs_and_set_aside"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="has_come",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="entry",
            name="missed",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="entry",
            name="sits_out",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="event",
            name="appear_minutes",
            field=models.PositiveSmallIntegerField(
                default=5,
                help_text="The clocks start when everyone is there, or after this time. Players who aren't there by then forfeit the match. Where a move has an hour or more, only the clock counts.",
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)],
                verbose_name="minutes to appear at the table",
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="missed_matches",
            field=models.PositiveSmallIntegerField(
                choices=[(1, "1 missed match"), (2, "2 missed matches")], default=1, verbose_name="no-show after"
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="no_shows",
            field=models.CharField(
                choices=[("sit-out", "sits out until back"), ("withdraw", "is withdrawn")],
                default="sit-out",
                help_text="Players who sit out aren't paired. Where the schedule is fixed, they forfeit their matches until they are back.",
                max_length=10,
                verbose_name="a no-show",
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="appear_minutes",
            field=models.PositiveSmallIntegerField(
                default=5,
                help_text="The clocks start when everyone is there, or after this time. Players who aren't there by then forfeit the match. Where a move has an hour or more, only the clock counts.",
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)],
                verbose_name="minutes to appear at the table",
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="missed_matches",
            field=models.PositiveSmallIntegerField(
                choices=[(1, "1 missed match"), (2, "2 missed matches")], default=1, verbose_name="no-show after"
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="no_shows",
            field=models.CharField(
                choices=[("sit-out", "sits out until back"), ("withdraw", "is withdrawn")],
                default="sit-out",
                help_text="Players who sit out aren't paired. Where the schedule is fixed, they forfeit their matches until they are back.",
                max_length=10,
                verbose_name="a no-show",
            ),
        ),
        migrations.RunPython(have_come, migrations.RunPython.noop),
    ]
