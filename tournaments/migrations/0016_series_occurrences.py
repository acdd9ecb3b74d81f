from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_no_shows")]

    operations = [
        migrations.AddField("event", "own_settings", models.JSONField(default=list, editable=False)),
    ]
