import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(default=games.models.new_code, editable=False, max_length=8, unique=True)),
                ("game", models.CharField(max_length=40)),
                ("rules_version", models.PositiveSmallIntegerField()),
                ("options", models.JSONField(default=dict)),
                ("seat_count", models.PositiveSmallIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("running", "Running"),
                            ("finished", "Finished"),
                            ("aborted", "Aborted"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("move_count", models.PositiveIntegerField(default=0)),
                ("secret", models.BinaryField(max_length=32)),
                ("commitment", models.CharField(max_length=64, unique=True)),
                ("first_dealer", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("move_seconds", models.PositiveIntegerField(blank=True, null=True, verbose_name="seconds for a move")),
                ("deadline_at", models.DateTimeField(blank=True, null=True)),
                ("bot_due_at", models.DateTimeField(blank=True, null=True)),
                ("is_private", models.BooleanField(default=False, verbose_name="only by link")),
                ("result", models.JSONField(blank=True, null=True)),
                (
                    "ended_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("rules", "the rules"),
                            ("resign", "resignation"),
                            ("flag", "the clock"),
                            ("left", "nobody staying"),
                        ],
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tables_opened",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rematch_of",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rematch",
                        to="games.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("entropy", models.CharField(blank=True, max_length=64)),
                (
                    "is_entropy_own",
                    models.BooleanField(default=False, verbose_name="entropy made by the player's browser"),
                ),
                ("has_left", models.BooleanField(default=False)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="games.table"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("text", models.CharField(max_length=1000)),
                ("played_at", models.DateTimeField()),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="moves", to="games.table"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="HouseBot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                (
                    "level",
                    models.CharField(
                        choices=[("first-steps", "First steps"), ("club", "Club"), ("strong", "Strong")], max_length=20
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="house_bot",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["game", "level"], name="house_bot_game_level")],
            },
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["deadline_at"], name="table_deadline"),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["bot_due_at"], name="table_bot_due"),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["status", "-created_at"], name="table_status_newest"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("table", "number"), name="seat_once_at_a_table"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("table", "user"), name="user_once_at_a_table"),
        ),
        migrations.AddConstraint(
            model_name="move",
            constraint=models.UniqueConstraint(fields=("table", "number"), name="move_once_at_a_table"),
        ),
    ]
