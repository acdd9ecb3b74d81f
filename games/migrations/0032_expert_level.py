from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0031_coach_reviews"),
    ]

    operations = [
        migrations.AlterField(
            model_name="housebot",
            name="level",
            field=models.CharField(
                choices=[("first-steps", "First steps"), ("club", "Club"), ("strong", "Strong"), ("expert", "Expert")],
                max_length=20,
            ),
        ),
    ]
