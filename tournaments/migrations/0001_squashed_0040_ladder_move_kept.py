import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import tournaments.models.calendar
import tournaments.models.event
import tournaments.models.ladders
import tournaments.models.league
import tournaments.models.season
import tournaments.models.settings


class Migration(migrations.Migration):
    replaces = [
        ("tournaments", "0001_initial"),
        ("tournaments", "0002_renamed"),
        ("tournaments", "0003_formats_and_directors"),
        ("tournaments", "0004_bot_leagues"),
        ("tournaments", "0005_waiting_list_and_check_in"),
        ("tournaments", "0006_dry_runs"),
        ("tournaments", "0007_calendar_feeds"),
        ("tournaments", "0008_league_chunks_as_they_go"),
        ("tournaments", "0009_announcements"),
        ("tournaments", "0010_planned_at"),
        ("tournaments", "0011_clocks"),
        ("tournaments", "0012_talk_and_vacations"),
        ("tournaments", "0013_events_of_tables"),
        ("tournaments", "0014_pairs_and_set_aside"),
        ("tournaments", "0015_no_shows"),
        ("tournaments", "0016_series_occurrences"),
        ("tournaments", "0017_plain_words"),
        ("tournaments", "0018_plain_words_of_tables"),
        ("tournaments", "0019_tie_breaks_of_2024"),
        ("tournaments", "0020_private_reasons"),
        ("tournaments", "0021_byes_on_request"),
        ("tournaments", "0022_series_on_the_site"),
        ("tournaments", "0025_seasons"),
        ("tournaments", "0027_expert_level"),
        ("tournaments", "0028_who_played_and_imports"),
        ("tournaments", "0029_timetable_messages_and_notes"),
        ("tournaments", "0030_double_round_robins"),
        ("tournaments", "0031_divisions"),
        ("tournaments", "0034_ladders"),
        ("tournaments", "0035_team_events"),
        ("tournaments", "0036_half_byes_of_teams"),
        ("tournaments", "0037_director_calls"),
        ("tournaments", "0038_closed_calls"),
        ("tournaments", "0039_cancelled_calls"),
        ("tournaments", "0040_ladder_move_kept"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0001_squashed_0037_stand_ins"),
    ]

    operations = [
        migrations.CreateModel(
            name="Series",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(choices=tournaments.models.settings.game_choices, max_length=40)),
                (
                    "options",
                    models.JSONField(
                        blank=True, default=dict, help_text="Options that differ from the game's defaults."
                    ),
                ),
                ("seats", models.PositiveSmallIntegerField(default=2, verbose_name="seats at a table")),
                (
                    "format",
                    models.CharField(
                        choices=tournaments.models.settings.format_choices, default="single-elimination", max_length=40
                    ),
                ),
                (
                    "format_options",
                    models.JSONField(blank=True, default=dict, help_text='Such as {"third_place": true}.'),
                ),
                (
                    "match_games",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="Seats change each game.", verbose_name="games in a match"
                    ),
                ),
                (
                    "match_rule",
                    models.CharField(
                        choices=[
                            ("best-of", "the player who wins more than half of the games"),
                            ("all-games", "all games are played, most games won decides"),
                            ("points", "all games are played, most points decides"),
                        ],
                        default="best-of",
                        max_length=20,
                        verbose_name="the match goes to",
                    ),
                ),
                (
                    "deals",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Leave empty to play to the game's own target. Otherwise it ends after this many deals, and points decide.",
                        null=True,
                        verbose_name="deals in a game",
                    ),
                ),
                (
                    "dealing",
                    models.CharField(
                        choices=[
                            ("own", "every table has its own deals"),
                            ("same", "every table of a round plays the same deals"),
                        ],
                        default="own",
                        max_length=10,
                        verbose_name="the cards",
                    ),
                ),
                (
                    "is_mirrored",
                    models.BooleanField(
                        default=False,
                        help_text="Each deal of a match is played twice, the second time with seats swapped. Needs an even number of games. Players may recognize a deal, so this is best with several games in a match, or for bots.",
                        verbose_name="mirrored",
                    ),
                ),
                (
                    "compared_by",
                    models.CharField(
                        choices=[
                            ("table", "the score at your own table"),
                            ("matchpoints", "matchpoints against everyone with the same cards"),
                            ("differences", "score differences against everyone with the same cards"),
                        ],
                        default="table",
                        max_length=20,
                        verbose_name="a result is compared by",
                    ),
                ),
                (
                    "move_seconds",
                    models.PositiveIntegerField(
                        default=60,
                        help_text="Starts again for each move. 0: only the time for the whole game counts.",
                        verbose_name="seconds for a move",
                    ),
                ),
                (
                    "base_minutes",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="For each player, in addition to the seconds for a move.",
                        verbose_name="minutes for a game",
                    ),
                ),
                (
                    "increment_seconds",
                    models.PositiveSmallIntegerField(default=0, verbose_name="seconds added by each turn"),
                ),
                (
                    "allows_vacation",
                    models.BooleanField(
                        default=False,
                        help_text="Only with an hour or more for a move. A vacation then delays the round.",
                        verbose_name="clocks stop during a vacation",
                    ),
                ),
                (
                    "chat",
                    models.CharField(
                        choices=[("free", "anything"), ("phrases", "phrases from a list only"), ("none", "no chat")],
                        default="phrases",
                        max_length=10,
                        verbose_name="chat",
                    ),
                ),
                (
                    "absence",
                    models.CharField(
                        choices=[
                            ("forfeit", "the match is forfeited"),
                            ("bot", "a bot takes the seat"),
                            ("score", "the score decides"),
                            ("hold", "the game is paused, and continues from its position"),
                        ],
                        default="forfeit",
                        max_length=10,
                        verbose_name="if a player leaves or runs out of time",
                    ),
                ),
                (
                    "hold_minutes",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="A player who isn't back by then forfeits the match.",
                        verbose_name="minutes a game is held",
                    ),
                ),
                (
                    "appear_minutes",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="The clocks start when everyone is there, or after this time. Players who aren't there by then forfeit the match. Where a move has an hour or more, only the clock counts.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="minutes to appear at the table",
                    ),
                ),
                (
                    "missed_matches",
                    models.PositiveSmallIntegerField(
                        choices=[(1, "1 missed match"), (2, "2 missed matches")],
                        default=1,
                        verbose_name="no-show after",
                    ),
                ),
                (
                    "no_shows",
                    models.CharField(
                        choices=[("sit-out", "sits out until back"), ("withdraw", "is withdrawn")],
                        default="sit-out",
                        help_text="Players who sit out aren't paired. Where the schedule is fixed, they forfeit their matches until they are back.",
                        max_length=10,
                        verbose_name="a no-show",
                    ),
                ),
                (
                    "team_boards",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        choices=[
                            (None, "no teams"),
                            (2, "teams of 2"),
                            (3, "teams of 3"),
                            (4, "teams of 4"),
                            (5, "teams of 5"),
                            (6, "teams of 6"),
                        ],
                        help_text="Teams meet at as many tables at the same time, called boards.",
                        null=True,
                        verbose_name="teams",
                    ),
                ),
                ("team_substitutes", models.PositiveSmallIntegerField(default=2, verbose_name="substitutes of a team")),
                (
                    "team_scoring",
                    models.CharField(
                        choices=[
                            ("match", "match points, then board points"),
                            ("board", "board points, then match points"),
                        ],
                        default="match",
                        max_length=10,
                        verbose_name="teams are ranked by",
                    ),
                ),
                (
                    "min_entries",
                    models.PositiveSmallIntegerField(
                        default=2,
                        help_text="With fewer at the start, including bots, the tournament is cancelled.",
                        verbose_name="fewest entries",
                    ),
                ),
                (
                    "max_entries",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Later entries join the waiting list.",
                        null=True,
                        verbose_name="most entries",
                    ),
                ),
                ("fill_to", models.PositiveSmallIntegerField(default=0, verbose_name="bots fill up to")),
                ("is_evened", models.BooleanField(default=False, verbose_name="a bot makes the number even")),
                ("bots_only", models.BooleanField(default=False, verbose_name="only bots play")),
                (
                    "bot_level",
                    models.CharField(
                        choices=[
                            ("first-steps", "First steps"),
                            ("club", "Club"),
                            ("strong", "Strong"),
                            ("expert", "Expert"),
                        ],
                        default="club",
                        max_length=20,
                        verbose_name="level of these bots",
                    ),
                ),
                (
                    "seeding",
                    models.CharField(
                        choices=[
                            ("lot", "at random"),
                            ("rating", "by rating, then at random"),
                            ("hand", "by the director, then at random"),
                        ],
                        default="lot",
                        max_length=10,
                    ),
                ),
                ("min_rating", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="lowest rating")),
                ("max_rating", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="highest rating")),
                ("min_account_days", models.PositiveSmallIntegerField(default=0, verbose_name="days since signing up")),
                ("min_games", models.PositiveSmallIntegerField(default=0, verbose_name="games of this kind played")),
                ("needs_course", models.BooleanField(default=False, verbose_name="must have finished the course")),
                ("invited_only", models.BooleanField(default=False, verbose_name="by invitation only")),
                (
                    "password",
                    models.CharField(
                        blank=True, help_text="Stored as a hash. Leave empty for no password.", max_length=128
                    ),
                ),
                (
                    "registration_minutes",
                    models.PositiveIntegerField(
                        default=60, help_text="Minutes before the start.", verbose_name="registration opens"
                    ),
                ),
                (
                    "check_in_minutes",
                    models.PositiveIntegerField(
                        default=5, help_text="Minutes before the start. 0: no check-in.", verbose_name="check-in opens"
                    ),
                ),
                (
                    "late_rounds",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="0: no late entries.", verbose_name="late entries until round"
                    ),
                ),
                ("break_seconds", models.PositiveIntegerField(default=0, verbose_name="seconds between rounds")),
                (
                    "publishes_by_hand",
                    models.BooleanField(default=False, verbose_name="a director publishes each round"),
                ),
                (
                    "half_byes",
                    models.PositiveSmallIntegerField(
                        default=1,
                        help_text="How many rounds a player may sit out for half a point each, or a team for as much as a draw gives. Further ones, and the last, give none.",
                        verbose_name="half-point byes on request",
                    ),
                ),
                (
                    "fee",
                    models.CharField(
                        blank=True,
                        help_text='Such as "5 euros". Directors note who has paid.',
                        max_length=60,
                        verbose_name="fee",
                    ),
                ),
                (
                    "questions",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="One a line. For a choice, add the answers after a colon: Club: North, South, none. Only directors see the answers.",
                        validators=[tournaments.models.settings.validate_questions],
                        verbose_name="questions at entry",
                    ),
                ),
                (
                    "reasons_are_private",
                    models.BooleanField(
                        default=False,
                        help_text="Everyone still reads in the log what a director did.",
                        verbose_name="reasons and forbidden pairings are for directors only",
                    ),
                ),
                ("name", models.CharField(max_length=100, unique=True)),
                ("first_start_at", models.DateTimeField(verbose_name="first start")),
                ("rrule", models.CharField(default="FREQ=DAILY", max_length=200, verbose_name="comes again by")),
                ("time_zone", models.CharField(default="UTC", max_length=60)),
                ("is_active", models.BooleanField(default=True, verbose_name="active")),
                ("due_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="looks again at")),
                ("ahead", models.PositiveSmallIntegerField(default=2, verbose_name="tournaments planned ahead")),
                ("skipped", models.JSONField(blank=True, default=list)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="series",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "series",
                "indexes": [models.Index(fields=["due_at"], name="series_due")],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(choices=tournaments.models.settings.game_choices, max_length=40)),
                (
                    "options",
                    models.JSONField(
                        blank=True, default=dict, help_text="Options that differ from the game's defaults."
                    ),
                ),
                ("seats", models.PositiveSmallIntegerField(default=2, verbose_name="seats at a table")),
                (
                    "format",
                    models.CharField(
                        choices=tournaments.models.settings.format_choices, default="single-elimination", max_length=40
                    ),
                ),
                (
                    "format_options",
                    models.JSONField(blank=True, default=dict, help_text='Such as {"third_place": true}.'),
                ),
                (
                    "match_games",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="Seats change each game.", verbose_name="games in a match"
                    ),
                ),
                (
                    "match_rule",
                    models.CharField(
                        choices=[
                            ("best-of", "the player who wins more than half of the games"),
                            ("all-games", "all games are played, most games won decides"),
                            ("points", "all games are played, most points decides"),
                        ],
                        default="best-of",
                        max_length=20,
                        verbose_name="the match goes to",
                    ),
                ),
                (
                    "deals",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Leave empty to play to the game's own target. Otherwise it ends after this many deals, and points decide.",
                        null=True,
                        verbose_name="deals in a game",
                    ),
                ),
                (
                    "dealing",
                    models.CharField(
                        choices=[
                            ("own", "every table has its own deals"),
                            ("same", "every table of a round plays the same deals"),
                        ],
                        default="own",
                        max_length=10,
                        verbose_name="the cards",
                    ),
                ),
                (
                    "is_mirrored",
                    models.BooleanField(
                        default=False,
                        help_text="Each deal of a match is played twice, the second time with seats swapped. Needs an even number of games. Players may recognize a deal, so this is best with several games in a match, or for bots.",
                        verbose_name="mirrored",
                    ),
                ),
                (
                    "compared_by",
                    models.CharField(
                        choices=[
                            ("table", "the score at your own table"),
                            ("matchpoints", "matchpoints against everyone with the same cards"),
                            ("differences", "score differences against everyone with the same cards"),
                        ],
                        default="table",
                        max_length=20,
                        verbose_name="a result is compared by",
                    ),
                ),
                (
                    "move_seconds",
                    models.PositiveIntegerField(
                        default=60,
                        help_text="Starts again for each move. 0: only the time for the whole game counts.",
                        verbose_name="seconds for a move",
                    ),
                ),
                (
                    "base_minutes",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="For each player, in addition to the seconds for a move.",
                        verbose_name="minutes for a game",
                    ),
                ),
                (
                    "increment_seconds",
                    models.PositiveSmallIntegerField(default=0, verbose_name="seconds added by each turn"),
                ),
                (
                    "allows_vacation",
                    models.BooleanField(
                        default=False,
                        help_text="Only with an hour or more for a move. A vacation then delays the round.",
                        verbose_name="clocks stop during a vacation",
                    ),
                ),
                (
                    "chat",
                    models.CharField(
                        choices=[("free", "anything"), ("phrases", "phrases from a list only"), ("none", "no chat")],
                        default="phrases",
                        max_length=10,
                        verbose_name="chat",
                    ),
                ),
                (
                    "absence",
                    models.CharField(
                        choices=[
                            ("forfeit", "the match is forfeited"),
                            ("bot", "a bot takes the seat"),
                            ("score", "the score decides"),
                            ("hold", "the game is paused, and continues from its position"),
                        ],
                        default="forfeit",
                        max_length=10,
                        verbose_name="if a player leaves or runs out of time",
                    ),
                ),
                (
                    "hold_minutes",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="A player who isn't back by then forfeits the match.",
                        verbose_name="minutes a game is held",
                    ),
                ),
                (
                    "appear_minutes",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="The clocks start when everyone is there, or after this time. Players who aren't there by then forfeit the match. Where a move has an hour or more, only the clock counts.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="minutes to appear at the table",
                    ),
                ),
                (
                    "missed_matches",
                    models.PositiveSmallIntegerField(
                        choices=[(1, "1 missed match"), (2, "2 missed matches")],
                        default=1,
                        verbose_name="no-show after",
                    ),
                ),
                (
                    "no_shows",
                    models.CharField(
                        choices=[("sit-out", "sits out until back"), ("withdraw", "is withdrawn")],
                        default="sit-out",
                        help_text="Players who sit out aren't paired. Where the schedule is fixed, they forfeit their matches until they are back.",
                        max_length=10,
                        verbose_name="a no-show",
                    ),
                ),
                (
                    "team_boards",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        choices=[
                            (None, "no teams"),
                            (2, "teams of 2"),
                            (3, "teams of 3"),
                            (4, "teams of 4"),
                            (5, "teams of 5"),
                            (6, "teams of 6"),
                        ],
                        help_text="Teams meet at as many tables at the same time, called boards.",
                        null=True,
                        verbose_name="teams",
                    ),
                ),
                ("team_substitutes", models.PositiveSmallIntegerField(default=2, verbose_name="substitutes of a team")),
                (
                    "team_scoring",
                    models.CharField(
                        choices=[
                            ("match", "match points, then board points"),
                            ("board", "board points, then match points"),
                        ],
                        default="match",
                        max_length=10,
                        verbose_name="teams are ranked by",
                    ),
                ),
                (
                    "min_entries",
                    models.PositiveSmallIntegerField(
                        default=2,
                        help_text="With fewer at the start, including bots, the tournament is cancelled.",
                        verbose_name="fewest entries",
                    ),
                ),
                (
                    "max_entries",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Later entries join the waiting list.",
                        null=True,
                        verbose_name="most entries",
                    ),
                ),
                ("fill_to", models.PositiveSmallIntegerField(default=0, verbose_name="bots fill up to")),
                ("is_evened", models.BooleanField(default=False, verbose_name="a bot makes the number even")),
                ("bots_only", models.BooleanField(default=False, verbose_name="only bots play")),
                (
                    "bot_level",
                    models.CharField(
                        choices=[
                            ("first-steps", "First steps"),
                            ("club", "Club"),
                            ("strong", "Strong"),
                            ("expert", "Expert"),
                        ],
                        default="club",
                        max_length=20,
                        verbose_name="level of these bots",
                    ),
                ),
                (
                    "seeding",
                    models.CharField(
                        choices=[
                            ("lot", "at random"),
                            ("rating", "by rating, then at random"),
                            ("hand", "by the director, then at random"),
                        ],
                        default="lot",
                        max_length=10,
                    ),
                ),
                ("min_rating", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="lowest rating")),
                ("max_rating", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="highest rating")),
                ("min_account_days", models.PositiveSmallIntegerField(default=0, verbose_name="days since signing up")),
                ("min_games", models.PositiveSmallIntegerField(default=0, verbose_name="games of this kind played")),
                ("needs_course", models.BooleanField(default=False, verbose_name="must have finished the course")),
                ("invited_only", models.BooleanField(default=False, verbose_name="by invitation only")),
                (
                    "password",
                    models.CharField(
                        blank=True, help_text="Stored as a hash. Leave empty for no password.", max_length=128
                    ),
                ),
                (
                    "registration_minutes",
                    models.PositiveIntegerField(
                        default=60, help_text="Minutes before the start.", verbose_name="registration opens"
                    ),
                ),
                (
                    "check_in_minutes",
                    models.PositiveIntegerField(
                        default=5, help_text="Minutes before the start. 0: no check-in.", verbose_name="check-in opens"
                    ),
                ),
                (
                    "late_rounds",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="0: no late entries.", verbose_name="late entries until round"
                    ),
                ),
                ("break_seconds", models.PositiveIntegerField(default=0, verbose_name="seconds between rounds")),
                (
                    "publishes_by_hand",
                    models.BooleanField(default=False, verbose_name="a director publishes each round"),
                ),
                (
                    "half_byes",
                    models.PositiveSmallIntegerField(
                        default=1,
                        help_text="How many rounds a player may sit out for half a point each, or a team for as much as a draw gives. Further ones, and the last, give none.",
                        verbose_name="half-point byes on request",
                    ),
                ),
                (
                    "fee",
                    models.CharField(
                        blank=True,
                        help_text='Such as "5 euros". Directors note who has paid.',
                        max_length=60,
                        verbose_name="fee",
                    ),
                ),
                (
                    "questions",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="One a line. For a choice, add the answers after a colon: Club: North, South, none. Only directors see the answers.",
                        validators=[tournaments.models.settings.validate_questions],
                        verbose_name="questions at entry",
                    ),
                ),
                (
                    "reasons_are_private",
                    models.BooleanField(
                        default=False,
                        help_text="Everyone still reads in the log what a director did.",
                        verbose_name="reasons and forbidden pairings are for directors only",
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("description", models.TextField(blank=True, help_text="What players should know before they enter.")),
                (
                    "series",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="events",
                        to="tournaments.series",
                    ),
                ),
                ("planned_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("own_settings", models.JSONField(default=list, editable=False)),
                ("starts_at", models.DateTimeField(verbose_name="start")),
                ("time_zone", models.CharField(default="UTC", max_length=60, verbose_name="the organiser's time zone")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("scheduled", "planned"),
                            ("registration", "open for entries"),
                            ("check-in", "check-in"),
                            ("running", "being played"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                        ],
                        default="scheduled",
                        editable=False,
                        max_length=20,
                    ),
                ),
                ("due_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="next step")),
                (
                    "lots",
                    models.CharField(
                        default=tournaments.models.event.new_lots,
                        editable=False,
                        max_length=40,
                        verbose_name="text for random draws",
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("is_closed", models.BooleanField(default=False, editable=False, verbose_name="closed for entries")),
                ("paused_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("cannot_go_on_because", models.CharField(blank=True, editable=False, max_length=200)),
                (
                    "next_round_at",
                    models.DateTimeField(blank=True, editable=False, null=True, verbose_name="the break ends"),
                ),
                ("ends_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="the time is up")),
                ("reminded_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("started_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("finished_at", models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["due_at"], name="event_due"),
                    models.Index(fields=["status", "starts_at"], name="event_status_start"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("series", "planned_at"), name="series_plans_an_event_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="tournaments.event"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="entries", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("is_pair", models.BooleanField(default=False)),
                (
                    "partner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="partner_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "invited",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("team_name", models.CharField(blank=True, max_length=40)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("entered", "entered"),
                            ("checked-in", "checked in"),
                            ("waiting", "on the waiting list"),
                            ("ready", "on the waiting list, checked in"),
                            ("playing", "in play"),
                            ("eliminated", "out"),
                            ("champion", "champion"),
                            ("withdrawn", "withdrawn"),
                            ("no-show", "did not check in"),
                            ("removed", "removed by a director"),
                        ],
                        default="entered",
                        max_length=20,
                    ),
                ),
                ("wanted_seed", models.PositiveIntegerField(blank=True, null=True)),
                ("rating", models.FloatField(blank=True, null=True)),
                ("first_round", models.PositiveSmallIntegerField(default=1)),
                ("seed", models.PositiveIntegerField(blank=True, null=True)),
                ("place", models.PositiveIntegerField(blank=True, null=True)),
                ("last_place", models.PositiveIntegerField(blank=True, null=True)),
                ("has_come", models.BooleanField(default=False)),
                ("missed", models.PositiveSmallIntegerField(default=0)),
                ("sits_out", models.BooleanField(default=False)),
                ("is_leaving", models.BooleanField(default=False)),
                ("wants_reminder", models.BooleanField(default=False)),
                ("answers", models.JSONField(default=dict)),
                ("has_paid", models.BooleanField(default=False)),
                ("note", models.CharField(blank=True, max_length=300)),
                ("entered_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name_plural": "entries",
                "ordering": ["seed", "entered_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "user"), name="user_enters_an_event_once"),
                    models.UniqueConstraint(fields=("event", "partner"), name="partner_enters_an_event_once"),
                    models.UniqueConstraint(fields=("event", "seed"), name="seed_once_in_an_event"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_pair", True), models.Q(("invited", None), ("partner", None)), _connector="OR"
                        ),
                        name="only_pairs_have_partners",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TeamMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="tournaments.entry"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="team_memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("has_accepted", models.BooleanField(default=False)),
                ("rests", models.BooleanField(default=False)),
                ("is_away", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ["number", "pk"],
                "constraints": [models.UniqueConstraint(fields=("entry", "user"), name="user_in_a_team_once")],
            },
        ),
        migrations.CreateModel(
            name="RequestedBye",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="requested_byes",
                        to="tournaments.entry",
                    ),
                ),
                ("round", models.PositiveSmallIntegerField()),
                ("is_half", models.BooleanField()),
            ],
            options={
                "ordering": ["round"],
                "constraints": [models.UniqueConstraint(fields=("entry", "round"), name="one_bye_request_a_round")],
            },
        ),
        migrations.CreateModel(
            name="CalendarEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calendar_entry",
                        to="tournaments.event",
                    ),
                ),
                ("sequence", models.PositiveIntegerField(default=0)),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("content", models.CharField(max_length=64)),
                ("minutes", models.PositiveIntegerField(default=60)),
            ],
            options={
                "verbose_name_plural": "calendar entries",
            },
        ),
        migrations.CreateModel(
            name="CalendarToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calendar_token",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("token", models.CharField(default=tournaments.models.calendar.new_token, max_length=40, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="EventRole",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="roles", to="tournaments.event"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="event_roles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("role", models.CharField(choices=[("director", "director"), ("helper", "helper")], max_length=10)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("event", "user"), name="one_role_in_an_event")],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="tournaments.event"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="event_invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("event", "user"), name="invited_once_to_an_event")],
            },
        ),
        migrations.CreateModel(
            name="ForbiddenPair",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="forbidden_pairs",
                        to="tournaments.event",
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("first", "second"), name="pair_forbidden_once")],
            },
        ),
        migrations.CreateModel(
            name="Announcement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="announcements",
                        to="tournaments.event",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("text", models.CharField(max_length=300)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("taken_down_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="EventMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="tournaments.event"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("to", models.CharField(max_length=120)),
                ("text", models.CharField(max_length=300)),
                ("people", models.PositiveIntegerField()),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="EventLog",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="log", to="tournaments.event"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("what", models.CharField(max_length=200)),
                ("why", models.CharField(blank=True, max_length=200)),
                ("undo", models.JSONField(blank=True, null=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "log line",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Badge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="badges", to="tournaments.event"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="badges", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("place", models.PositiveSmallIntegerField()),
                ("given_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-given_at", "-pk"],
                "constraints": [models.UniqueConstraint(fields=("event", "user"), name="one_badge_an_event")],
            },
        ),
        migrations.CreateModel(
            name="DryRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="dry_runs", to="tournaments.event"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("entries", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("report", models.JSONField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="tournaments.event"
                    ),
                ),
                ("section", models.CharField(max_length=40)),
                ("number", models.PositiveSmallIntegerField()),
                ("secret", models.BinaryField(blank=True, max_length=32, null=True)),
                ("published_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["number", "section"],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "section", "number"), name="round_once_in_an_event")
                ],
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="matches", to="tournaments.event"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="matches", to="tournaments.round"
                    ),
                ),
                ("slot", models.PositiveSmallIntegerField()),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="boards",
                        to="tournaments.match",
                    ),
                ),
                ("board", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("proposed", "not published yet"),
                            ("waiting", "about to start"),
                            ("playing", "being played"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                        ],
                        default="waiting",
                        max_length=20,
                    ),
                ),
                (
                    "decided_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("games", "the games"),
                            ("score", "the score so far"),
                            ("director", "a director"),
                            ("forfeit", "forfeit"),
                            ("bye", "bye"),
                            ("half-bye", "bye for half the points"),
                            ("zero-bye", "bye without points"),
                            ("annulled", "no one: it doesn't count"),
                        ],
                        max_length=20,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("why_paired", models.CharField(blank=True, max_length=300)),
                ("is_fixed", models.BooleanField(default=False, verbose_name="arranged by a director")),
                ("set_aside_because", models.CharField(blank=True, max_length=200)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "matches",
                "ordering": ["round__number", "slot", "board", "pk"],
                "indexes": [models.Index(fields=["event", "status"], name="match_event_status")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("parent", None)), fields=("round", "slot"), name="match_once_in_a_round"
                    ),
                    models.UniqueConstraint(fields=("parent", "board"), name="board_once_in_a_match"),
                ],
            },
        ),
        migrations.CreateModel(
            name="MatchSide",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sides", to="tournaments.match"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sides", to="tournaments.entry"
                    ),
                ),
                ("place", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("games_won", models.PositiveSmallIntegerField(default=0)),
                ("points", models.IntegerField(default=0)),
                ("compared", models.DecimalField(blank=True, decimal_places=4, max_digits=9, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "partner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("board_points", models.DecimalField(blank=True, decimal_places=1, max_digits=4, null=True)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "number"), name="side_once_in_a_match"),
                    models.UniqueConstraint(fields=("match", "entry"), name="entry_once_in_a_match"),
                ],
            },
        ),
        migrations.CreateModel(
            name="MatchGame",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="games", to="tournaments.match"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="match_game", to="games.table"
                    ),
                ),
                ("first_side", models.PositiveSmallIntegerField()),
                ("deal", models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=("match", "number"), name="game_once_in_a_match")],
            },
        ),
        migrations.CreateModel(
            name="DirectorCall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="tournaments.match"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="director_calls",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=280)),
                ("called_at", models.DateTimeField(auto_now_add=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "closed_because",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("answered", "answered"),
                            ("taken-back", "taken back"),
                            ("result", "the match has a result"),
                            ("cancelled", "the tournament is cancelled"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("reply", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at", None)), fields=("match",), name="one_open_call_in_a_match"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DivisionLeague",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60, unique=True)),
                (
                    "size",
                    models.PositiveSmallIntegerField(
                        default=8,
                        validators=[
                            django.core.validators.MinValueValidator(3),
                            django.core.validators.MaxValueValidator(40),
                        ],
                        verbose_name="players in a division",
                    ),
                ),
                (
                    "up",
                    models.PositiveSmallIntegerField(
                        default=2,
                        validators=[django.core.validators.MaxValueValidator(10)],
                        verbose_name="players who go up",
                    ),
                ),
                (
                    "down",
                    models.PositiveSmallIntegerField(
                        default=2,
                        validators=[django.core.validators.MaxValueValidator(10)],
                        verbose_name="players who go down",
                    ),
                ),
                (
                    "template",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.event",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Division",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="divisions",
                        to="tournaments.divisionleague",
                    ),
                ),
                ("stage", models.PositiveSmallIntegerField()),
                ("level", models.PositiveSmallIntegerField()),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="division", to="tournaments.event"
                    ),
                ),
            ],
            options={
                "ordering": ["-stage", "level"],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "stage", "level"), name="division_once_in_a_stage")
                ],
            },
        ),
        migrations.CreateModel(
            name="EntryImport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imports", to="tournaments.event"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("text", models.TextField()),
                ("line_count", models.PositiveIntegerField()),
                ("done", models.PositiveIntegerField(default=0)),
                ("entered", models.PositiveIntegerField(default=0)),
                ("rest", models.TextField(blank=True)),
                ("refusals", models.JSONField(default=list)),
                ("due_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["due_at"], name="import_due")],
            },
        ),
        migrations.CreateModel(
            name="Ladder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60, unique=True)),
                ("description", models.TextField(blank=True, max_length=2000)),
                ("game", models.CharField(choices=tournaments.models.ladders.ladder_games, max_length=40)),
                (
                    "pace",
                    models.CharField(
                        choices=tournaments.models.ladders.ladder_paces,
                        default="days-1",
                        max_length=10,
                        verbose_name="time control",
                    ),
                ),
                ("is_rated", models.BooleanField(default=True, verbose_name="games are rated")),
                (
                    "reach",
                    models.PositiveSmallIntegerField(
                        default=3,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(20),
                        ],
                        verbose_name="places above",
                    ),
                ),
                (
                    "answer_days",
                    models.PositiveSmallIntegerField(
                        default=3,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(30),
                        ],
                        verbose_name="days to answer",
                    ),
                ),
                (
                    "allowed_declines",
                    models.PositiveSmallIntegerField(
                        default=0,
                        validators=[django.core.validators.MaxValueValidator(10)],
                        verbose_name="challenges one may decline",
                    ),
                ),
                (
                    "rematch_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        validators=[django.core.validators.MaxValueValidator(365)],
                        verbose_name="days before a rematch",
                    ),
                ),
                (
                    "idle_weeks",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=4,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(52),
                        ],
                        verbose_name="weeks without a game",
                    ),
                ),
                ("is_open", models.BooleanField(default=True, verbose_name="takes players and challenges")),
                ("order", models.JSONField(blank=True, default=list, editable=False)),
                ("due_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "indexes": [models.Index(fields=["due_at"], name="ladder_due")],
            },
        ),
        migrations.CreateModel(
            name="LadderPlayer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ladder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="players", to="tournaments.ladder"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ladder_places",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("declines", models.PositiveSmallIntegerField(default=0)),
                ("active_at", models.DateTimeField()),
                ("drops_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("ladder", "user"), name="player_once_on_a_ladder")],
            },
        ),
        migrations.CreateModel(
            name="LadderChallenge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ladder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="challenges", to="tournaments.ladder"
                    ),
                ),
                (
                    "challenger",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.ladderplayer"
                    ),
                ),
                (
                    "challenged",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.ladderplayer"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "not answered yet"),
                            ("playing", "being played"),
                            ("won", "won by the challenger"),
                            ("lost", "won by the challenged player"),
                            ("drawn", "drawn"),
                            ("refused", "not accepted"),
                            ("withdrawn", "withdrawn"),
                            ("stopped", "stopped without a result"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ladder_challenge",
                        to="games.table",
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("answer_by", models.DateTimeField()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["due_at"], name="ladder_challenge_due")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at", None)),
                        fields=("challenger",),
                        name="one_challenge_by_a_player",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at", None)),
                        fields=("challenged",),
                        name="one_challenge_to_a_player",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LadderMove",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ladder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="moves", to="tournaments.ladder"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="moves", to="tournaments.ladderplayer"
                    ),
                ),
                ("old_place", models.PositiveIntegerField(blank=True, null=True)),
                ("place", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("joined", "joined"),
                            ("left", "left"),
                            ("won", "won a challenge"),
                            ("refused", "challenge not accepted"),
                            ("kept", "kept the place"),
                            ("idle", "didn't play"),
                            ("shifted", "others moved"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "challenge",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.ladderchallenge",
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="BotLeague",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, unique=True)),
                ("first_start_at", models.DateTimeField(verbose_name="first start")),
                ("rrule", models.CharField(default="FREQ=DAILY", max_length=200, verbose_name="comes again by")),
                ("time_zone", models.CharField(default="UTC", max_length=60)),
                ("is_active", models.BooleanField(default=True, verbose_name="active")),
                ("due_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="looks again at")),
                ("game", models.CharField(choices=tournaments.models.settings.game_choices, max_length=40)),
                (
                    "options",
                    models.JSONField(
                        blank=True, default=dict, help_text="Options that differ from the game's defaults."
                    ),
                ),
                ("seats", models.PositiveSmallIntegerField(default=2, verbose_name="seats at a table")),
                (
                    "levels",
                    models.JSONField(default=tournaments.models.league.all_levels, verbose_name="levels of the bots"),
                ),
                (
                    "deals",
                    models.PositiveSmallIntegerField(
                        default=50,
                        help_text="Each deal is played once for every rotation of the seats.",
                        verbose_name="deals of each pairing",
                    ),
                ),
            ],
            options={
                "verbose_name": "bot league",
                "indexes": [models.Index(fields=["due_at"], name="league_due")],
            },
        ),
        migrations.CreateModel(
            name="LeagueNight",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(choices=tournaments.models.settings.game_choices, max_length=40)),
                (
                    "options",
                    models.JSONField(
                        blank=True, default=dict, help_text="Options that differ from the game's defaults."
                    ),
                ),
                ("seats", models.PositiveSmallIntegerField(default=2, verbose_name="seats at a table")),
                (
                    "levels",
                    models.JSONField(default=tournaments.models.league.all_levels, verbose_name="levels of the bots"),
                ),
                (
                    "deals",
                    models.PositiveSmallIntegerField(
                        default=50,
                        help_text="Each deal is played once for every rotation of the seats.",
                        verbose_name="deals of each pairing",
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="nights", to="tournaments.botleague"
                    ),
                ),
                ("starts_at", models.DateTimeField(verbose_name="start")),
                ("rules_version", models.PositiveSmallIntegerField()),
                (
                    "lots",
                    models.CharField(
                        default=tournaments.models.event.new_lots, max_length=40, verbose_name="text for random draws"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("playing", "being played"), ("finished", "finished")],
                        default="playing",
                        max_length=10,
                    ),
                ),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("standings", models.JSONField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-starts_at"],
                "indexes": [models.Index(fields=["due_at"], name="league_night_due")],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "starts_at"), name="league_starts_one_night_at_a_time")
                ],
            },
        ),
        migrations.CreateModel(
            name="LeagueChunk",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "night",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chunks", to="tournaments.leaguenight"
                    ),
                ),
                (
                    "first",
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
                (
                    "second",
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
                ("first_deal", models.PositiveIntegerField()),
                ("deals", models.PositiveSmallIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[("claimed", "being played"), ("done", "done"), ("given-up", "given up")],
                        default="claimed",
                        max_length=10,
                    ),
                ),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("shares", models.JSONField(blank=True, default=list)),
                ("seconds", models.FloatField(blank=True, null=True)),
            ],
            options={
                "ordering": ["first_deal", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("night", "first", "second", "first_deal"), name="deal_in_one_chunk")
                ],
            },
        ),
        migrations.CreateModel(
            name="LeagueGame",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "chunk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="games", to="tournaments.leaguechunk"
                    ),
                ),
                ("deal", models.PositiveIntegerField()),
                ("turn", models.PositiveSmallIntegerField()),
                ("players", models.JSONField()),
                ("moves", models.TextField()),
                ("places", models.JSONField()),
                ("scores", models.JSONField()),
                (
                    "table",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="league_game",
                        to="games.table",
                    ),
                ),
            ],
            options={
                "ordering": ["deal", "turn"],
                "constraints": [models.UniqueConstraint(fields=("chunk", "deal", "turn"), name="league_game_once")],
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, unique=True)),
                ("description", models.TextField(blank=True, max_length=2000)),
                (
                    "series",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seasons",
                        to="tournaments.series",
                    ),
                ),
                ("first_day", models.DateField(blank=True, null=True, verbose_name="first day")),
                ("last_day", models.DateField(blank=True, null=True, verbose_name="last day")),
                ("place_points", models.JSONField(blank=True, default=list)),
                (
                    "best",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(366),
                        ],
                        verbose_name="results that count",
                    ),
                ),
                (
                    "attendance",
                    models.PositiveSmallIntegerField(
                        default=0,
                        validators=[django.core.validators.MaxValueValidator(1000)],
                        verbose_name="bonus for each tournament played",
                    ),
                ),
                ("counts_bots", models.BooleanField(default=False, verbose_name="bots count")),
                ("tie_breaks", models.JSONField(blank=True, default=tournaments.models.season.usual_tie_breaks)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("events", models.ManyToManyField(blank=True, related_name="seasons", to="tournaments.event")),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="RoundTime",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="round_times", to="tournaments.event"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("starts_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=("event", "number"), name="one_time_a_round")],
            },
        ),
    ]
