import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0022_events_of_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="moved_to",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="games.table",
            ),
        ),
    ]
