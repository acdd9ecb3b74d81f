from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0025_seasons"),
    ]

    operations = [
        migrations.AlterField(
            model_name="event",
            name="bot_level",
            field=models.CharField(
                choices=[("first-steps", "First steps"), ("club", "Club"), ("strong", "Strong"), ("expert", "Expert")],
                default="club",
                max_length=20,
                verbose_name="level of these bots",
            ),
        ),
        migrations.AlterField(
            model_name="leaguechunk",
            name="first",
            field=models.CharField(
                choices=[("first-steps", "First steps"), ("club", "Club"), ("strong", "Strong"), ("expert", "Expert")],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="leaguechunk",
            name="second",
            field=models.CharField(
                choices=[("first-steps", "First steps"), ("club", "Club"), ("strong", "Strong"), ("expert", "Expert")],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="series",
            name="bot_level",
            field=models.CharField(
                choices=[("first-steps", "First steps"), ("club", "Club"), ("strong", "Strong"), ("expert", "Expert")],
                default="club",
                max_length=20,
                verbose_name="level of these bots",
            ),
        ),
    ]
