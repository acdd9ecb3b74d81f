"""Bot leagues: bots play round robins by themselves, night after night, in chunks that any worker can take."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

from games import engines
from games.bots import LEVELS, QUICK_LEVELS
from games.core.contract import BadOption, Game
from games.models import Table
from tournaments.models.event import new_lots
from tournaments.models.series import DueQuerySet, Recurring
from tournaments.models.settings import game_choices


def all_levels() -> list[str]:
    """All levels but the experts, whose games take minutes; a league with experts names them."""
    return list(QUICK_LEVELS)


class LeagueSettings(models.Model):
    """What the bots play; a league copies its settings to each of its nights.

    levels: who meets whom. Bots of one level are one program, so all house bots of a level play for it in turn.
    deals: of each pairing, each played once for every way to turn the table.
    """

    game = models.CharField(max_length=40, choices=game_choices)
    options = models.JSONField(default=dict, blank=True, help_text="Options that differ from the game's defaults.")
    seats = models.PositiveSmallIntegerField("seats at a table", default=2)
    levels = models.JSONField("levels of the bots", default=all_levels)
    deals = models.PositiveSmallIntegerField(
        "deals of each pairing", default=50, help_text="Each deal is played once for every rotation of the seats."
    )

    class Meta:
        abstract = True

    def clean(self) -> None:
        super().clean()
        errors = {}
        self.options = self.options or {}  # an empty field is None
        try:
            self.rules.read_options(self.options, self.seats)
        except KeyError:
            errors["game"] = "There is no such game."
        except (BadOption, TypeError, ValueError) as error:
            errors["options"] = str(error)
        if not isinstance(self.levels, list) or len(set(self.levels) & LEVELS.keys()) < 2:
            errors["levels"] = "Choose at least two levels."
        if not self.deals:
            errors["deals"] = "Choose at least one deal."
        if errors:
            raise ValidationError(errors)

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)


class BotLeague(Recurring, LeagueSettings):  # noqa: DJ008 (Recurring has it)
    """A recurring round robin of bots."""

    class Meta:
        verbose_name = "bot league"
        indexes = [models.Index(fields=["due_at"], name="league_due")]  # the tick, once a second

    def get_absolute_url(self) -> str:
        return reverse("tournaments:league", args=[self.pk])


class LeagueNight(LeagueSettings):
    """One round robin. Its options are complete, so that its games keep their meaning when the league changes.

    lots: the published text that all deals and the bots' random choices come from.
    standings: None while it is played, then a list of `LevelStanding` as JSON, best first.
    """

    class Status(models.TextChoices):
        PLAYING = "playing", "being played"
        FINISHED = "finished", "finished"

    league = models.ForeignKey(BotLeague, on_delete=models.CASCADE, related_name="nights")
    starts_at = models.DateTimeField("start")
    rules_version = models.PositiveSmallIntegerField()
    lots = models.CharField("text for random draws", max_length=40, default=new_lots)
    status = models.CharField(max_length=10, choices=Status, default=Status.PLAYING)
    due_at = models.DateTimeField(null=True, blank=True)
    standings = models.JSONField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = DueQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_at"]
        constraints = [
            models.UniqueConstraint(fields=["league", "starts_at"], name="league_starts_one_night_at_a_time")
        ]
        indexes = [models.Index(fields=["due_at"], name="league_night_due")]  # the tick, once a second

    def __str__(self) -> str:
        return f"{self.league}, {self.starts_at:%d %b %Y %H:%M} UTC"

    def get_absolute_url(self) -> str:
        return reverse("tournaments:league-night", args=[self.pk])

    @property
    def channel(self) -> str:
        """The live channel of this night (`games.live`)."""
        return f"night:{self.pk}"

    @property
    def is_finished(self) -> bool:
        return self.status == self.Status.FINISHED


class LeagueChunk(models.Model):
    """Some deals of one pairing, played by one worker.

    first, second: levels; `first` sits once on every side. claimed_until: then it counts as lost.
    shares: of `first`, one a deal, from 0 (lost all) to 1 (won all). seconds: what playing it took.
    """

    class Status(models.TextChoices):
        CLAIMED = "claimed", "being played"
        DONE = "done", "done"
        GIVEN_UP = "given-up", "given up"

    night = models.ForeignKey(LeagueNight, on_delete=models.CASCADE, related_name="chunks")
    first = models.CharField(max_length=20, choices=LEVELS)
    second = models.CharField(max_length=20, choices=LEVELS)
    first_deal = models.PositiveIntegerField()
    deals = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.CLAIMED)
    claimed_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    shares = models.JSONField(default=list, blank=True)
    seconds = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["first_deal", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["night", "first", "second", "first_deal"], name="deal_in_one_chunk")
        ]

    def __str__(self) -> str:
        return f"{self.first} against {self.second}, {self.deals} deals from {self.first_deal}"

    @property
    def deal_numbers(self) -> range:
        return range(self.first_deal, self.first_deal + self.deals)


class LeagueGame(models.Model):
    """A finished game. turn: which of the game's sides `first` had. players: user ids by seat.

    moves: a line for each, the seat and the move. table: its replay, once it was opened.
    """

    chunk = models.ForeignKey(LeagueChunk, on_delete=models.CASCADE, related_name="games")
    deal = models.PositiveIntegerField()
    turn = models.PositiveSmallIntegerField()
    players = models.JSONField()
    moves = models.TextField()
    places = models.JSONField()
    scores = models.JSONField()
    table = models.OneToOneField(Table, null=True, blank=True, on_delete=models.SET_NULL, related_name="league_game")

    class Meta:
        ordering = ["deal", "turn"]
        constraints = [models.UniqueConstraint(fields=["chunk", "deal", "turn"], name="league_game_once")]

    def __str__(self) -> str:
        return f"deal {self.deal}, turn {self.turn + 1}"

    @property
    def share(self) -> float:
        """The share of the chunk's first level in the mirrored match that this game belongs to."""
        share: float = self.chunk.shares[self.deal - self.chunk.first_deal]
        return share
