"""Event settings: what is played, who may enter, and what happens to absent players."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.text import get_text_list

from games import engines
from games.bots import LEVELS
from games.core.contract import BadOption, Game
from games.core.deals import numbered_decks
from games.domain.clocks import MINUTE, Clock
from games.models.choices import Absence, Chat
from infra.numbers import YEARS
from tournaments import formats
from tournaments.domain.questions import check_questions
from tournaments.formats.contract import Format
from tournaments.formats.numbers import written
from tournaments.formats.team_match import TeamPoints, with_team_points
from tournaments.formats.tie_breaks import BOARD_POINTS, MATCH_POINTS, TIE_BREAKS

FEW_ENTRIES = 8
WAVE_SECONDS = 3  # between two rounds of pairing in an event with a time
APPEAR_MINUTES = 5
TEAM_BOARDS = range(2, 7)


def validate_questions(questions: Any) -> None:
    """:raises ValidationError:"""
    try:
        check_questions(questions)
    except ValueError as error:
        raise ValidationError(str(error)) from error


def format_choices() -> list[tuple[str, str]]:
    return [(kind.slug, kind.name) for kind in formats.FORMATS]


def game_choices() -> list[tuple[str, str]]:
    return [(game.slug, game.name) for game in engines.GAMES]


def seats_for_two_sides(rules: Game[Any, Any, Any]) -> int:
    """The smallest table at which two sides meet; every game has one."""
    return next(seats for seats in rules.seats if len(rules.sides(rules.read_options(None, seats), seats)) == 2)


HOUR, DAY = 60, 24 * 60  # in minutes
UPPER_LIMITS = {
    "match_games": 99,
    "deals": 999,
    "move_seconds": 30 * DAY * 60,
    "base_minutes": 30 * DAY,
    "increment_seconds": HOUR * 60,
    "hold_minutes": 30 * DAY,
    "min_entries": 10_000,
    "max_entries": 10_000,
    "team_substitutes": 6,
    "fill_to": 10_000,
    "min_rating": 10_000,
    "max_rating": 10_000,
    "min_account_days": 10_000,
    "min_games": 10_000,
    "registration_minutes": 366 * DAY,
    "check_in_minutes": 366 * DAY,
    "late_rounds": 999,
    "break_seconds": 30 * DAY * 60,
    "ahead": 100,
}
"""Upper limits of an event, or a series, by field. SQLite itself has none."""


def check_start(field: str, moment: datetime | None) -> None:
    """:raises ValidationError: the start is too far away to be planned."""
    if moment is not None and moment.year not in YEARS:
        raise ValidationError({field: f"Choose a start between {YEARS[0]} and {YEARS[-1]}."})


class EventSettings(models.Model):
    """The settings of an event; a series gives its own to each of its events.

    seats: of a table where two sides meet; with four of them partners sit across. Pods have sizes of their own, as
    an option of the format. fill_to: house bots take the places that people leave free, up to this many entries.
    """

    class MatchRule(models.TextChoices):
        BEST_OF = "best-of", "the player who wins more than half of the games"
        ALL_GAMES = "all-games", "all games are played, most games won decides"
        POINTS = "points", "all games are played, most points decides"

    class Dealing(models.TextChoices):
        OWN = "own", "every table has its own deals"
        SAME = "same", "every table of a round plays the same deals"

    class ComparedBy(models.TextChoices):
        TABLE = "table", "the score at your own table"
        MATCHPOINTS = "matchpoints", "matchpoints against everyone with the same cards"
        DIFFERENCES = "differences", "score differences against everyone with the same cards"

    class NoShows(models.TextChoices):
        """What happens to an entry that has missed as many matches as the event allows."""

        SIT_OUT = "sit-out", "sits out until back"
        WITHDRAW = "withdraw", "is withdrawn"

    class TeamScoring(models.TextChoices):
        """What ranks teams first."""

        MATCH = "match", "match points, then board points"
        BOARD = "board", "board points, then match points"

    class Seeding(models.TextChoices):
        LOT = "lot", "at random"
        RATING = "rating", "by rating, then at random"
        HAND = "hand", "by the director, then at random"

    game = models.CharField(max_length=40, choices=game_choices)
    options = models.JSONField(default=dict, blank=True, help_text="Options that differ from the game's defaults.")
    seats = models.PositiveSmallIntegerField("seats at a table", default=2)
    format = models.CharField(max_length=40, choices=format_choices, default="single-elimination")
    format_options = models.JSONField(default=dict, blank=True, help_text='Such as {"third_place": true}.')
    match_games = models.PositiveSmallIntegerField("games in a match", default=1, help_text="Seats change each game.")
    match_rule = models.CharField("the match goes to", max_length=20, choices=MatchRule, default=MatchRule.BEST_OF)
    deals = models.PositiveSmallIntegerField(
        "deals in a game",
        null=True,
        blank=True,
        help_text="Leave empty to play to the game's own target. Otherwise it ends after this many deals, and "
        "points decide.",
    )
    dealing = models.CharField("the cards", max_length=10, choices=Dealing, default=Dealing.OWN)
    is_mirrored = models.BooleanField(
        "mirrored",
        default=False,
        help_text="Each deal of a match is played twice, the second time with seats swapped. Needs an even number of "
        "games. Players may recognize a deal, so this is best with several games in a match, or for bots.",
    )
    compared_by = models.CharField(
        "a result is compared by", max_length=20, choices=ComparedBy, default=ComparedBy.TABLE
    )
    move_seconds = models.PositiveIntegerField(
        "seconds for a move",
        default=60,
        help_text="Starts again for each move. 0: only the time for the whole game counts.",
    )
    base_minutes = models.PositiveSmallIntegerField(
        "minutes for a game", default=0, help_text="For each player, in addition to the seconds for a move."
    )
    increment_seconds = models.PositiveSmallIntegerField("seconds added by each turn", default=0)
    allows_vacation = models.BooleanField(
        "clocks stop during a vacation",
        default=False,
        help_text="Only with an hour or more for a move. A vacation then delays the round.",
    )
    chat = models.CharField("chat", max_length=10, choices=Chat, default=Chat.PHRASES)
    absence = models.CharField(
        "if a player leaves or runs out of time", max_length=10, choices=Absence, default=Absence.FORFEIT
    )
    hold_minutes = models.PositiveSmallIntegerField(
        "minutes a game is held", default=5, help_text="A player who isn't back by then forfeits the match."
    )
    appear_minutes = models.PositiveSmallIntegerField(
        "minutes to appear at the table",
        default=APPEAR_MINUTES,
        validators=[MinValueValidator(1), MaxValueValidator(60)],
        help_text="The clocks start when everyone is there, or after this time. Players who aren't there by then "
        "forfeit the match. Where a move has an hour or more, only the clock counts.",
    )
    missed_matches = models.PositiveSmallIntegerField(
        "no-show after",
        default=1,
        choices=[(1, "1 missed match"), (2, "2 missed matches")],
    )
    no_shows = models.CharField(
        "a no-show",
        max_length=10,
        choices=NoShows,
        default=NoShows.SIT_OUT,
        help_text="Players who sit out aren't paired. Where the schedule is fixed, they forfeit their matches until "
        "they are back.",
    )

    team_boards = models.PositiveSmallIntegerField(
        "teams",
        null=True,
        blank=True,
        choices=[(None, "no teams"), *((boards, f"teams of {boards}") for boards in TEAM_BOARDS)],
        help_text="Teams meet at as many tables at the same time, called boards.",
    )
    team_substitutes = models.PositiveSmallIntegerField("substitutes of a team", default=2)
    team_scoring = models.CharField(
        "teams are ranked by", max_length=10, choices=TeamScoring, default=TeamScoring.MATCH
    )

    min_entries = models.PositiveSmallIntegerField(
        "fewest entries",
        default=2,
        help_text="With fewer at the start, including bots, the tournament is cancelled.",
    )
    max_entries = models.PositiveSmallIntegerField(
        "most entries", null=True, blank=True, help_text="Later entries join the waiting list."
    )
    fill_to = models.PositiveSmallIntegerField("bots fill up to", default=0)
    is_evened = models.BooleanField("a bot makes the number even", default=False)
    bots_only = models.BooleanField("only bots play", default=False)
    bot_level = models.CharField("level of these bots", max_length=20, choices=LEVELS, default="club")
    seeding = models.CharField(max_length=10, choices=Seeding, default=Seeding.LOT)

    min_rating = models.PositiveSmallIntegerField("lowest rating", null=True, blank=True)
    max_rating = models.PositiveSmallIntegerField("highest rating", null=True, blank=True)
    min_account_days = models.PositiveSmallIntegerField("days since signing up", default=0)
    min_games = models.PositiveSmallIntegerField("games of this kind played", default=0)
    needs_course = models.BooleanField("must have finished the course", default=False)
    invited_only = models.BooleanField("by invitation only", default=False)
    password = models.CharField(max_length=128, blank=True, help_text="Stored as a hash. Leave empty for no password.")

    registration_minutes = models.PositiveIntegerField(
        "registration opens", default=60, help_text="Minutes before the start."
    )
    check_in_minutes = models.PositiveIntegerField(
        "check-in opens", default=5, help_text="Minutes before the start. 0: no check-in."
    )
    late_rounds = models.PositiveSmallIntegerField(
        "late entries until round", default=0, help_text="0: no late entries."
    )
    break_seconds = models.PositiveIntegerField("seconds between rounds", default=0)
    publishes_by_hand = models.BooleanField("a director publishes each round", default=False)
    half_byes = models.PositiveSmallIntegerField(
        "half-point byes on request",
        default=1,
        help_text="How many rounds a player may sit out for half a point each, or a team for as much as a draw gives. "
        "Further ones, and the last, give none.",
    )
    fee = models.CharField(
        "fee", max_length=60, blank=True, help_text='Such as "5 euros". Directors note who has paid.'
    )
    questions = models.JSONField(
        "questions at entry",
        default=list,
        blank=True,
        validators=[validate_questions],
        help_text="One a line. For a choice, add the answers after a colon: Club: North, South, none. Only "
        "directors see the answers.",
    )
    reasons_are_private = models.BooleanField(
        "reasons and forbidden pairings are for directors only",
        default=False,
        help_text="Everyone still reads in the log what a director did.",
    )

    class Meta:
        abstract = True

    def clean(self) -> None:
        """:raises ValidationError: impossible settings."""
        errors = {}
        self.options, self.format_options = self.options or {}, self.format_options or {}  # an empty field is None
        self.questions = self.questions or []
        try:
            self.check_game()
        except KeyError:
            errors["game"] = "There is no such game."
        except (BadOption, TypeError, ValueError) as error:
            errors["options"] = str(error)
        try:
            self.check_format()
        except LookupError:
            errors["format"] = "There is no such format."
        except TypeError:
            errors["format_options"] = "This format has no such option."
        except ValueError as error:
            errors["format_options"] = str(error)
        if not {"game", "options", "format", "format_options"} & errors.keys():
            errors |= self.errors_in_match()
            errors |= self.errors_in_teams()
        errors |= self.errors_in_entries() | self.errors_in_numbers()
        if not (self.move_seconds or self.base_minutes):
            errors["move_seconds"] = "Set a time for each move, for the game, or both."
        if errors:
            raise ValidationError(errors)

    @property
    def clock(self) -> Clock:
        return Clock(self.base_minutes * MINUTE, self.increment_seconds, self.move_seconds)

    def errors_in_numbers(self) -> dict[str, str]:
        """By field."""
        numbers = {name: getattr(self, name, None) or 0 for name in UPPER_LIMITS}  # "ahead" is of a series only
        return {
            name: f"Choose at most {UPPER_LIMITS[name]:,}."
            for name, number in numbers.items()
            if number > UPPER_LIMITS[name]
        }

    def errors_in_entries(self) -> dict[str, str]:
        """By field."""
        errors, fewest, bots = {}, self.min_entries or 0, self.fill_to or 0
        if self.max_entries is not None and self.max_entries < max(fewest, bots):
            errors["max_entries"] = "This is lower than the fewest entries or the number bots fill up to."
        if self.bots_only and bots < max(fewest, 2):
            errors["fill_to"] = "Enter how many bots play: the site's bots take what people's bots leave free."
        if self.min_rating is not None and self.max_rating is not None and self.min_rating > self.max_rating:
            errors["max_rating"] = "This is lower than the lowest rating."
        if (self.check_in_minutes or 0) > (self.registration_minutes or 0):
            errors["check_in_minutes"] = "Check-in can't open before registration."
        return errors

    def errors_in_match(self) -> dict[str, str]:
        """By field; game and format are valid."""
        errors = {}
        is_best_of, games = self.match_rule == self.MatchRule.BEST_OF, self.match_games or 1
        if is_best_of and games % 2 == 0:
            errors["match_games"] = "Choose an odd number, so one side wins more than half of the games."
        if self.is_mirrored and games % 2:
            errors["match_games"] = "Choose an even number, because each deal is played twice."
        if is_best_of and (self.is_mirrored or self.is_compared):
            errors["match_rule"] = "All games have to be played, because each of them is compared."
        if self.deals and not self.has_scores:
            errors["deals"] = f"{self.rules.name} has no running score, so it can't end after a number of deals."
        if self.dealing == self.Dealing.SAME and not self.has_rounds:
            errors["dealing"] = "This format has no rounds, so tables can't share deals."
        if self.is_compared and self.dealing != self.Dealing.SAME:
            errors["compared_by"] = "Results can only be compared if every table plays the same deals."
        if self.has_pods and (self.is_mirrored or self.is_compared):
            errors["is_mirrored" if self.is_mirrored else "compared_by"] = (
                "This only works for matches between two sides."
            )
        return errors

    def errors_in_teams(self) -> dict[str, str]:
        """By field; game and format are valid."""
        if not self.has_teams:
            return {}
        if not self.plan.suits_teams:
            suitable = get_text_list([kind.name for kind in formats.FORMATS if kind.suits_teams], "or")
            return {"team_boards": f"Teams can't play in this format. Choose {suitable}."}
        if self.entry_size != 1:
            return {"team_boards": "At a board one player meets another. Choose a table of two seats."}
        if self.is_compared:
            return {"compared_by": "Teams score at their own boards. Choose the score at your own table."}
        return {}

    def check_game(self) -> None:
        """:raises KeyError: no such game. :raises BadOption: options, or seats, that it does not have."""
        for seats in self.table_sizes:
            if seats not in self.rules.seats:
                raise BadOption(f"{self.rules.name} can't be played by {seats}.")
            self.rules.read_options(self.options, seats)

    def check_format(self) -> None:
        """:raises LookupError: :raises TypeError: :raises ValueError: sides or tie-breaks that do not fit."""
        unknown = set(getattr(self.plan, "tie_breaks", ())) - set(TIE_BREAKS)
        if unknown:
            raise ValueError(f"There is no tie-break {', '.join(sorted(unknown))}.")
        sides = len(self.rules.sides(self.rules.read_options(self.options, self.seats), self.seats))
        if not self.has_pods and sides != 2:
            raise ValueError(f"This format needs two sides, and {self.rules.name} for {self.seats} has {sides}.")

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)

    @property
    def plan(self) -> Format:
        """The format with its options. Teams that are level are first told apart by their other points."""
        plan = formats.make_format(self.format, self.format_options)
        return with_team_points(plan, self.other_points) if self.has_teams else plan

    @property
    def team_points(self) -> TeamPoints | None:
        """What matches of teams are worth; None where everyone plays for themselves."""
        if self.team_boards is None:
            return None
        return TeamPoints(self.team_boards, by_boards=self.team_scoring == self.TeamScoring.BOARD)

    @property
    def half_bye_worth(self) -> str:
        """What a bye for half the points gives, in words."""
        if self.team_points is None:
            return "half a point"
        points, kind = self.team_points.draw, "board" if self.team_points.by_boards else "match"
        return f"{written(points)} {kind} point{'s' if points > 1 else ''}"

    @property
    def other_points(self) -> str:
        """Of teams: the tie-break that counts the points which do not rank first."""
        return BOARD_POINTS if self.team_scoring == self.TeamScoring.MATCH else MATCH_POINTS

    @property
    def has_teams(self) -> bool:
        """Entries are teams, and a match has boards."""
        return self.team_boards is not None

    @property
    def has_pods(self) -> bool:
        """Tables of more than two players, each for themselves."""
        return self.plan.sides != (2,)

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """How many can sit at a table."""
        sizes: tuple[int, ...] = getattr(self.plan, "sizes", (self.seats,))
        return sizes

    def seats_for(self, sides: int) -> int:
        """The seats of a table for so many sides."""
        return sides if self.has_pods else self.seats

    @property
    def shares_deals(self) -> bool:
        """The same cards are dealt more than once, so nobody may watch before the last time."""
        return self.dealing == self.Dealing.SAME or self.is_mirrored

    @property
    def is_compared(self) -> bool:
        """A match is decided once its round is over, against everyone who held the same cards."""
        return self.compared_by != self.ComparedBy.TABLE

    @property
    def has_rounds(self) -> bool:
        return self.plan.rounds(FEW_ENTRIES) > 0

    @property
    def waits_for_rounds(self) -> bool:
        """A round is paired as a whole once everything before it is decided, even if the format needs no round."""
        wants = self.dealing == self.Dealing.SAME or self.break_seconds > 0 or self.publishes_by_hand
        return wants and self.has_rounds

    @property
    def minutes(self) -> int | None:
        """The length of an event with a time, such as an arena."""
        return getattr(self.plan, "minutes", None)

    @property
    def has_scores(self) -> bool:
        """The game counts points from deal to deal."""
        seats = self.table_sizes[0]
        options = self.rules.read_options(self.options, seats)
        state = self.rules.start(numbered_decks(self.rules.deck(options)), seats=seats, options=options)
        return bool(state.view(None).has_scores)

    @property
    def fewer_is_better(self) -> bool:
        return self.rules.fewer_is_better(self.rules.read_options(self.options, self.table_sizes[0]))

    @property
    def appear_seconds(self) -> int | None:
        """How long the clocks of a table wait for its players; None if they need not be there at a certain time."""
        return None if self.clock.is_turn_based else self.appear_minutes * MINUTE

    @property
    def entry_size(self) -> int:
        """Persons in an entry: 2 where partners play."""
        if self.has_pods:
            return 1
        options = self.rules.read_options(self.options, self.seats)
        return len(self.rules.sides(options, self.seats)[0])

    @property
    def has_pairs(self) -> bool:
        return self.entry_size == 2

    def setting_values(self) -> dict[str, Any]:
        """Every setting by its name."""
        return {field.name: getattr(self, field.name) for field in EventSettings._meta.local_fields}
