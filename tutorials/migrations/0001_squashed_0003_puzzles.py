import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("tutorials", "0001_initial"), ("tutorials", "0002_reviews"), ("tutorials", "0003_puzzles")]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0001_squashed_0037_stand_ins"),
    ]

    operations = [
        migrations.CreateModel(
            name="LessonProgress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lesson_progress",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("step", models.CharField(max_length=60)),
                ("line", models.JSONField(blank=True, default=list)),
                ("is_first_try", models.BooleanField(default=True, verbose_name="first try")),
                ("done_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "lesson progress",
                "constraints": [
                    models.UniqueConstraint(fields=("user", "game", "step"), name="tutorials_one_row_a_step")
                ],
            },
        ),
        migrations.CreateModel(
            name="PuzzleSource",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60, unique=True)),
                ("game", models.CharField(max_length=40)),
                (
                    "table",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="puzzle_source",
                        to="games.table",
                    ),
                ),
                ("searched_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Puzzle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="puzzles", to="tutorials.puzzlesource"
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="moves before it")),
                ("game", models.CharField(max_length=40)),
                ("rules_version", models.PositiveSmallIntegerField()),
                ("position", models.JSONField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("best", models.JSONField()),
                ("gain", models.FloatField()),
                ("in_percent", models.BooleanField(default=False)),
                ("values", models.JSONField()),
                ("checks", models.JSONField()),
                ("chosen", models.JSONField()),
                ("reason", models.TextField()),
                ("rule", models.CharField(blank=True, max_length=80)),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField(default=8.333333333333334)),
                ("day", models.DateField(blank=True, null=True, unique=True, verbose_name="puzzle of the day")),
                ("found_at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["game", "mu"], name="puzzle_game_difficulty")],
                "constraints": [models.UniqueConstraint(fields=("source", "number"), name="puzzle_found_once")],
            },
        ),
        migrations.CreateModel(
            name="PuzzleAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_attempts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "puzzle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="attempts", to="tutorials.puzzle"
                    ),
                ),
                ("move", models.TextField()),
                ("is_right", models.BooleanField()),
                ("before", models.IntegerField()),
                ("after", models.IntegerField()),
                ("day", models.DateField()),
                ("at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["user", "-day"], name="puzzle_attempt_days")],
                "constraints": [models.UniqueConstraint(fields=("user", "puzzle"), name="puzzle_tried_once")],
            },
        ),
        migrations.CreateModel(
            name="PuzzleRating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_ratings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("mu", models.FloatField(default=25.0)),
                ("sigma", models.FloatField(default=8.333333333333334)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "game"), name="one_puzzle_rating_a_game")],
            },
        ),
        migrations.CreateModel(
            name="PuzzleNight",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(unique=True)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("seconds", models.FloatField(default=0, verbose_name="seconds of the processor")),
            ],
            options={
                "indexes": [models.Index(fields=["due_at"], name="puzzle_night_due")],
            },
        ),
        migrations.CreateModel(
            name="ReviewItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="review_items",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("rule", models.CharField(max_length=60)),
                ("due_at", models.DateTimeField()),
                ("reviewed_at", models.DateTimeField(blank=True, null=True)),
                ("stability", models.FloatField(blank=True, null=True)),
                ("difficulty", models.FloatField(blank=True, null=True)),
                ("answers", models.PositiveIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["user", "due_at"], name="tutorials_reviews_due")],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "game", "rule"), name="tutorials_one_review_a_rule")
                ],
            },
        ),
        migrations.CreateModel(
            name="ReviewAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="history", to="tutorials.reviewitem"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("review", "Review"),
                            ("lesson", "Lesson"),
                            ("table", "Table"),
                            ("puzzle", "Puzzle"),
                            ("test", "Test"),
                        ],
                        max_length=10,
                    ),
                ),
                ("is_right", models.BooleanField()),
            ],
        ),
        migrations.CreateModel(
            name="Drill",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("rule", models.CharField(max_length=60)),
                ("seed", models.PositiveIntegerField()),
                ("source", models.JSONField()),
            ],
            options={
                "indexes": [models.Index(fields=["game", "rule"], name="tutorials_drills_of_a_rule")],
            },
        ),
        migrations.CreateModel(
            name="DrillStock",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40, unique=True)),
                ("seed", models.PositiveIntegerField(default=1)),
                ("due_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="CourseTest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="course_tests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("chapter", models.CharField(blank=True, max_length=60)),
                ("questions", models.JSONField()),
                ("answers", models.JSONField(blank=True, default=list)),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("passed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["user", "game", "chapter"], name="tutorials_tests_of_a_user")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at", None)),
                        fields=("user", "game", "chapter"),
                        name="tutorials_one_open_test",
                    )
                ],
            },
        ),
    ]
