"""Puzzles: positions with one clearly best move, what people answered, and their ratings."""

from collections import defaultdict
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Abs
from django.urls import reverse

from games import engines
from games.core.contract import Game, State
from games.domain.rating_math import Skill
from games.models import Table

NEWCOMER = Skill()


class PuzzleSource(models.Model):
    """A game that was searched for puzzles. Every game is searched once.

    name: "table 12", or the name of a game that bots have played. table: of people's games.
    """

    name = models.CharField(max_length=60, unique=True)
    game = models.CharField(max_length=40)
    table = models.OneToOneField(Table, models.SET_NULL, null=True, blank=True, related_name="puzzle_source")
    searched_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class PuzzleQuerySet(models.QuerySet["Puzzle"]):
    def open(self) -> Self:
        """Puzzles that may be shown: by today's rules, and not of a deal that others may still play."""
        games: defaultdict[int, list[str]] = defaultdict(list)
        for game in engines.GAMES:
            games[game.rules_version].append(game.slug)
        by_rules = models.Q()
        for version, slugs in games.items():
            by_rules |= models.Q(rules_version=version, game__in=slugs)
        return self.filter(by_rules).exclude(source__table__offers_deal=True)

    def nearest(self, skill: Skill) -> Self:
        """In the order of how close their difficulty is to this skill."""
        return self.order_by(Abs(models.F("mu") - skill.mu), "pk")


class Puzzle(models.Model):
    """A position, as its seat sees it, with the solution. It says nothing of who played the game.

    number: how many moves of its source come before it. position: all cards, also those that nobody may see.
    best: texts of the equally good moves. gain: what they bring more than the next one, in points, or in percent of
    games won (`in_percent`). values: the other moves that were tried, best first: {"move", "behind", "error"}.
    checks: two, with other seeds: {"seed", "worlds", "gain", "error"}. chosen: by level of the bots, how often each
    move was chosen. mu, sigma: its rating, which moves with every first attempt. day: on which it is the puzzle of
    the day.
    """

    source = models.ForeignKey(PuzzleSource, models.CASCADE, related_name="puzzles")
    number = models.PositiveIntegerField("moves before it")
    game = models.CharField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    position = models.JSONField()
    seat = models.PositiveSmallIntegerField()
    best = models.JSONField()
    gain = models.FloatField()
    in_percent = models.BooleanField(default=False)
    values = models.JSONField()
    checks = models.JSONField()
    chosen = models.JSONField()
    reason = models.TextField()
    rule = models.CharField(max_length=80, blank=True)
    mu = models.FloatField()
    sigma = models.FloatField(default=NEWCOMER.sigma)
    day = models.DateField("puzzle of the day", null=True, blank=True, unique=True)
    found_at = models.DateTimeField()

    objects = PuzzleQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "number"], name="puzzle_found_once")]
        indexes = [models.Index(fields=["game", "mu"], name="puzzle_game_difficulty")]  # the next one of a stream

    def __str__(self) -> str:
        return f"{self.rules.name} puzzle {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("tutorials:puzzle", args=[self.pk])

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)

    @property
    def state(self) -> State:
        """The whole position. Only the view of its seat may be shown."""
        state: State = self.rules.load(self.position)
        return state

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)


class PuzzleAttempt(models.Model):
    """The first and only answer of a user to a puzzle. day: in the user's time zone. before, after: shown ratings."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="puzzle_attempts")
    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="attempts")
    move = models.TextField()
    is_right = models.BooleanField()
    before = models.IntegerField()
    after = models.IntegerField()
    day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "puzzle"], name="puzzle_tried_once")]
        indexes = [models.Index(fields=["user", "-day"], name="puzzle_attempt_days")]  # the streak

    def __str__(self) -> str:
        return f"{self.user}: {self.puzzle}, {'right' if self.is_right else 'wrong'}"


class PuzzleRating(models.Model):
    """A user's rating in the puzzles of a game (`games.domain.rating_math`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="puzzle_ratings")
    game = models.CharField(max_length=40)
    mu = models.FloatField(default=NEWCOMER.mu)
    sigma = models.FloatField(default=NEWCOMER.sigma)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="one_puzzle_rating_a_game")]

    def __str__(self) -> str:
        return str(self.skill.number)

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)


class PuzzleNight(models.Model):
    """One search for puzzles. due_at: when the next part of it counts as lost; None once it is over."""

    day = models.DateField(unique=True)
    due_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField("seconds of the processor", default=0)

    class Meta:
        indexes = [models.Index(fields=["due_at"], name="puzzle_night_due")]  # the tick, once a minute

    def __str__(self) -> str:
        return str(self.day)
