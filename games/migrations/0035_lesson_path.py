from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0032_expert_level"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="lesson_path",
            field=models.CharField(blank=True, max_length=200),
        ),
    ]
