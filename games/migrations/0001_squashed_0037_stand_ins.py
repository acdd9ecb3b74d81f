import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import games.models.table


class Migration(migrations.Migration):
    replaces = [
        ("games", "0001_initial"),
        ("games", "0002_moves_by_the_clock"),
        ("games", "0003_shared_deals"),
        ("games", "0004_ratings"),
        ("games", "0005_absence"),
        ("games", "0006_stopped_by_a_director"),
        ("games", "0007_position_version"),
        ("games", "0008_chat"),
        ("games", "0009_clocks"),
        ("games", "0010_agreements"),
        ("games", "0011_seeks"),
        ("games", "0012_looking_back"),
        ("games", "0013_presence"),
        ("games", "0014_reliability"),
        ("games", "0015_challenges"),
        ("games", "0016_vacations"),
        ("games", "0017_opened_by_agreement"),
        ("games", "0018_withdrawn_challenges"),
        ("games", "0019_counted_decks"),
        ("games", "0020_hidden_remarks"),
        ("games", "0021_vacation_time_zone"),
        ("games", "0022_events_of_tables"),
        ("games", "0023_moved_tables"),
        ("games", "0024_commit_and_reveal"),
        ("games", "0025_time_to_appear"),
        ("games", "0026_hands_seen"),
        ("games", "0027_mark_verbs_of_results"),
        ("games", "0028_pace_of_bots"),
        ("games", "0029_plain_words_of_tables"),
        ("games", "0030_reliability_plural"),
        ("games", "0031_coach_reviews"),
        ("games", "0032_expert_level"),
        ("games", "0035_lesson_path"),
        ("games", "0036_coach_questions"),
        ("games", "0037_stand_ins"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="HouseBot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="house_bot",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                (
                    "level",
                    models.CharField(
                        choices=[
                            ("first-steps", "First steps"),
                            ("club", "Club"),
                            ("strong", "Strong"),
                            ("expert", "Expert"),
                        ],
                        max_length=20,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["game", "level"], name="house_bot_game_level")],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "code",
                    models.CharField(default=games.models.table.new_code, editable=False, max_length=8, unique=True),
                ),
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
                ("position_version", models.PositiveIntegerField(default=0)),
                ("move_count", models.PositiveIntegerField(default=0)),
                ("secret", models.BinaryField(max_length=32)),
                ("commitment", models.CharField(max_length=64)),
                ("shuffle_due_at", models.DateTimeField(blank=True, null=True)),
                ("is_revealing", models.BooleanField(default=False)),
                ("shares_deals", models.BooleanField(default=False)),
                ("is_hidden", models.BooleanField(default=False)),
                ("deals", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="deals in a game")),
                ("event_name", models.CharField(blank=True, max_length=100)),
                ("event_path", models.CharField(blank=True, max_length=200)),
                ("event_round", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("is_compared", models.BooleanField(default=False)),
                (
                    "absence",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("forfeit", "the match is forfeited"),
                            ("bot", "a bot takes the seat"),
                            ("score", "the score decides"),
                            ("hold", "the game is paused, and continues from its position"),
                        ],
                        max_length=10,
                    ),
                ),
                ("hold_seconds", models.PositiveIntegerField(blank=True, null=True)),
                ("appear_by", models.DateTimeField(blank=True, null=True)),
                (
                    "after_grace",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("bot", "a club bot plays on"),
                            ("claim", "the others may claim the game"),
                            ("wait", "the game waits for the clock"),
                        ],
                        max_length=10,
                    ),
                ),
                ("first_dealer", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "is_dealer_drawn",
                    models.BooleanField(default=False, verbose_name="first dealer drawn by the shuffle"),
                ),
                ("move_seconds", models.PositiveIntegerField(blank=True, null=True, verbose_name="seconds for a move")),
                ("base_seconds", models.PositiveIntegerField(default=0, verbose_name="seconds for the whole game")),
                ("increment_seconds", models.PositiveIntegerField(default=0, verbose_name="seconds added by a turn")),
                ("clocks", models.JSONField(blank=True, default=list, editable=False)),
                ("deadline_at", models.DateTimeField(blank=True, null=True)),
                ("short_at", models.DateTimeField(blank=True, null=True)),
                ("allows_vacation", models.BooleanField(default=True, verbose_name="clocks stop during a vacation")),
                ("rests_until", models.DateTimeField(blank=True, null=True)),
                ("bot_due_at", models.DateTimeField(blank=True, null=True)),
                ("pace", models.CharField(default="normal", max_length=10, verbose_name="pace of bots")),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                ("seconds_left", models.FloatField(blank=True, null=True)),
                ("paused_by", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "allows_agreements",
                    models.BooleanField(default=True, verbose_name="players may agree on a draw, an undo or a pause"),
                ),
                ("asked", models.JSONField(blank=True, default=dict, editable=False)),
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
                ("form_key", models.CharField(blank=True, editable=False, max_length=32, null=True, unique=True)),
                ("is_private", models.BooleanField(default=False, verbose_name="only by link")),
                (
                    "chat",
                    models.CharField(
                        choices=[("free", "anything"), ("phrases", "phrases from a list only"), ("none", "no chat")],
                        default="free",
                        max_length=10,
                    ),
                ),
                ("is_rated", models.BooleanField(default=False, verbose_name="rated")),
                ("rating_due_at", models.DateTimeField(blank=True, null=True)),
                ("result", models.JSONField(blank=True, null=True)),
                (
                    "ended_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("rules", "the rules"),
                            ("resign", "resignation"),
                            ("flag", "the clock"),
                            ("left", "people leaving"),
                            ("no-show", "no-shows"),
                            ("agreement", "agreement of all"),
                            ("director", "a director"),
                        ],
                        max_length=10,
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
                ("opens_deals", models.BooleanField(default=False, verbose_name="spectators see finished deals")),
                (
                    "branch_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="branches",
                        to="games.table",
                    ),
                ),
                ("branch_at", models.PositiveIntegerField(blank=True, null=True)),
                ("offers_deal", models.BooleanField(default=False, verbose_name="others may play this deal")),
                ("lesson_path", models.CharField(blank=True, max_length=200)),
                (
                    "moved_to",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="games.table",
                    ),
                ),
                (
                    "same_deal_as",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="same_deals",
                        to="games.table",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("shown_to", models.ManyToManyField(blank=True, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["deadline_at"], name="table_deadline"),
                    models.Index(fields=["short_at"], name="table_short"),
                    models.Index(fields=["bot_due_at"], name="table_bot_due"),
                    models.Index(fields=["rating_due_at"], name="table_rating_due"),
                    models.Index(fields=["shuffle_due_at"], name="table_shuffle_due"),
                    models.Index(fields=["status", "-created_at"], name="table_status_newest"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("shares_deals", False)),
                        fields=("commitment",),
                        name="secret_deals_one_table",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="games.table"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
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
                ("entropy", models.CharField(blank=True, max_length=64)),
                (
                    "is_entropy_own",
                    models.BooleanField(default=False, verbose_name="entropy made by the player's browser"),
                ),
                ("commitment", models.CharField(blank=True, max_length=64)),
                ("has_left", models.BooleanField(default=False)),
                ("has_come", models.BooleanField(default=False)),
                ("is_waited_for", models.BooleanField(default=False)),
                ("was_waited_for", models.BooleanField(default=False)),
                ("gave_up_deal", models.BooleanField(default=False)),
                ("hands_seen", models.PositiveSmallIntegerField(default=0)),
                ("moves_before", models.PositiveIntegerField(db_default=0, default=0)),
                ("away_since", models.DateTimeField(blank=True, null=True)),
                ("is_gone", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="seat_once_at_a_table"),
                    models.UniqueConstraint(fields=("table", "user"), name="user_once_at_a_table"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Challenge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="challenges", to="games.table"
                    ),
                ),
                (
                    "to",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="challenges",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "not answered"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                            ("expired", "not answered in time"),
                            ("withdrawn", "not been waited for"),
                        ],
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("answer", "")), fields=["expires_at"], name="challenge_expires")
                ],
                "constraints": [models.UniqueConstraint(fields=("table", "to"), name="challenged_once_to_a_table")],
            },
        ),
        migrations.CreateModel(
            name="CoachReview",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="coach_reviews", to="games.table"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="coach_reviews",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("at", models.PositiveIntegerField(default=0, verbose_name="rows of the record done")),
                ("decisions", models.JSONField(blank=True, default=list)),
                ("seconds", models.FloatField(default=0, verbose_name="seconds of the processor")),
                ("asked_at", models.DateTimeField()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["due_at"], name="coach_review_due")],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "user"), name="one_review_of_a_game"),
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at", None)), fields=("user",), name="one_running_review_a_user"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CoachSetting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="coach_setting",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reviews_bot_games",
                    models.BooleanField(default=True, verbose_name="reviews games against bots by itself"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CoachQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="coach_questions", to="games.table"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("number", models.PositiveIntegerField()),
                ("move", models.CharField(blank=True, max_length=1000)),
                ("answer", models.JSONField(blank=True, default=dict)),
                ("asked_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("answered_at", None)), fields=["asked_at"], name="coach_question_open"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number", "seat", "move"), name="coach_question_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="DeckCounts",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("pack", models.CharField(max_length=600)),
                ("places", models.CharField(max_length=150)),
                ("decks", models.PositiveIntegerField(default=0)),
                ("counts", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "pack", "places"), name="way_of_dealing_once_in_a_game")
                ],
            },
        ),
        migrations.CreateModel(
            name="CountedTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="counted", to="games.table"
                    ),
                ),
                (
                    "counts",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tables", to="games.deckcounts"
                    ),
                ),
                ("shuffle", models.CharField(db_index=True, max_length=64)),
                ("first_deck", models.PositiveIntegerField()),
                ("last_deck", models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="moves", to="games.table"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("text", models.CharField(max_length=1000)),
                ("played_at", models.DateTimeField()),
                ("is_by_clock", models.BooleanField(default=False, verbose_name="made by the clock")),
                (
                    "is_by_stand_in",
                    models.BooleanField(db_default=False, default=False, verbose_name="made by a bot for the player"),
                ),
                ("takes_back_to", models.PositiveIntegerField(blank=True, null=True)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=("table", "number"), name="move_once_at_a_table")],
            },
        ),
        migrations.CreateModel(
            name="MoveNote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="move_notes", to="games.table"
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="move_notes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("text", models.CharField(max_length=600)),
                ("is_public", models.BooleanField(default=False, verbose_name="public")),
                ("is_hidden", models.BooleanField(default=False)),
                ("written_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ["number", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "author", "number"), name="one_note_of_an_author_to_a_move"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("mu", models.FloatField(default=25.0)),
                ("sigma", models.FloatField(default=8.333333333333334)),
                ("games", models.PositiveIntegerField(default=0)),
                ("updated_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["game", "-mu"], name="rating_game_best")],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "game"), name="one_rating_for_a_user_and_game")
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rating",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="changes", to="games.rating"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rating_changes",
                        to="games.table",
                    ),
                ),
                ("before", models.IntegerField()),
                ("after", models.IntegerField()),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["at", "pk"],
                "constraints": [models.UniqueConstraint(fields=("table", "rating"), name="table_rates_a_user_once")],
            },
        ),
        migrations.CreateModel(
            name="Reliability",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reliability",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("games", models.PositiveIntegerField(default=0)),
                ("finished", models.FloatField(default=0)),
                ("weight", models.FloatField(default=0)),
            ],
            options={
                "verbose_name_plural": "reliability",
            },
        ),
        migrations.CreateModel(
            name="Seek",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seek", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("seats", models.JSONField(default=list)),
                ("paces", models.JSONField(default=list)),
                ("is_rated", models.BooleanField(blank=True, null=True)),
                ("options", models.JSONField(blank=True, default=dict)),
                ("rating", models.IntegerField()),
                ("low", models.IntegerField(blank=True, null=True)),
                ("high", models.IntegerField(blank=True, null=True)),
                ("bot_level", models.CharField(blank=True, max_length=20)),
                ("bots_at", models.DateTimeField(blank=True, null=True)),
                ("shuffles", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("here_until", models.DateTimeField()),
                ("waits_unseen", models.BooleanField(default=False)),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seeks",
                        to="games.table",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("table", None)), fields=["game", "created_at"], name="seek_waiting"
                    ),
                    models.Index(condition=models.Q(("table", None)), fields=["bots_at"], name="seek_bots_due"),
                    models.Index(fields=["here_until"], name="seek_here_until"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Vacation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vacations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("begins_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("time_zone", models.CharField(default="UTC", max_length=60)),
                ("has_begun", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ["begins_at"],
                "indexes": [models.Index(fields=["has_begun", "begins_at"], name="vacation_due")],
            },
        ),
    ]
