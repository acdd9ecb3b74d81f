from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0024_commit_and_reveal"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="has_come",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="table",
            name="appear_by",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="table",
            name="ended_by",
            field=models.CharField(
                blank=True,
                choices=[
                    ("rules", "the rules"),
                    ("resign", "resignation"),
                    ("flag", "the clock"),
                    ("left", "people leaving"),
                    ("no-show", "people who did not come"),
                    ("agreement", "agreement of all"),
                    ("director", "a director"),
                ],
                max_length=10,
            ),
        ),
    ]
