from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0026_hands_seen")]

    operations = [
        migrations.AddField("table", "pace", models.CharField("pace of bots", default="normal", max_length=10)),
    ]
