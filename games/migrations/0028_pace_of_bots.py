from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0027_mark_verbs_of_results")]

    operations = [
        migrations.AddField("table", "pace", models.CharField("pace of bots", default="normal", max_length=10)),
    ]
