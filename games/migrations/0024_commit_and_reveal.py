from django.db import migrations, models


def mark_drawn_dealers(apps, schema_editor):
    """As the pages said of these games until now."""
    started = apps.get_model("games", "Table").objects.filter(started_at__isnull=False, created_by__isnull=False)
    started.filter(rematch_of=None, branch_at=None, same_deal_as=None).update(is_dealer_drawn=True)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0023_moved_tables"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="seek",
            name="entropy",
        ),
        migrations.RemoveField(
            model_name="seek",
            name="secret",
        ),
        migrations.AddField(
            model_name="seat",
            name="commitment",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="seek",
            name="shuffles",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="table",
            name="form_key",
            field=models.CharField(blank=True, editable=False, max_length=32, null=True, unique=True),
        ),
        migrations.AddField(
            model_name="table",
            name="is_dealer_drawn",
            field=models.BooleanField(default=False, verbose_name="first dealer drawn by the shuffle"),
        ),
        migrations.AddField(
            model_name="table",
            name="is_revealing",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="table",
            name="shuffle_due_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["shuffle_due_at"], name="table_shuffle_due"),
        ),
        migrations.RunPython(mark_drawn_dealers, migrations.RunPython.noop, elidable=True),
    ]
