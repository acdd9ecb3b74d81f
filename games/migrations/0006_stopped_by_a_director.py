from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_absence"),
    ]

    operations = [
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
                    ("director", "a director"),
                ],
                max_length=10,
            ),
        ),
    ]
