"""Ladders: a standing order of players, who move up by winning challenges."""

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse

from games import engines
from games.core.contract import Game
from games.domain.clocks import PACES, Pace
from games.models import Table
from tournaments.models.series import DueQuerySet

LADDER_PACES = ("days-1", "days-3")


def ladder_games() -> list[tuple[str, str]]:
    """The games that two can play."""
    return [(game.slug, game.name) for game in engines.GAMES if 2 in game.seats]


def ladder_paces() -> list[tuple[str, str]]:
    """The time controls for games over days: a challenge starts when the other player is elsewhere."""
    return [(name, PACES[name].choice) for name in LADDER_PACES]


class Ladder(models.Model):
    """A ladder of one game.

    reach: how many places above one may challenge. answer_days: for the answer to a challenge. allowed_declines: how
    many challenges in a row one may decline, or leave unanswered, and keep the place. rematch_days: after a challenger
    has not won or was declined, until the same challenge is possible again. idle_weeks: without a game, before a player
    drops a place each week; None: never. order: the ids of its players (`LadderPlayer`), the top first. due_at: when to
    look for idle players. created_by: may change it.
    """

    name = models.CharField(max_length=60, unique=True)
    description = models.TextField(blank=True, max_length=2000)
    game = models.CharField(max_length=40, choices=ladder_games)
    pace = models.CharField("time control", max_length=10, choices=ladder_paces, default=LADDER_PACES[0])
    is_rated = models.BooleanField("games are rated", default=True)
    reach = models.PositiveSmallIntegerField(
        "places above", default=3, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    answer_days = models.PositiveSmallIntegerField(
        "days to answer", default=3, validators=[MinValueValidator(1), MaxValueValidator(30)]
    )
    allowed_declines = models.PositiveSmallIntegerField(
        "challenges one may decline", default=0, validators=[MaxValueValidator(10)]
    )
    rematch_days = models.PositiveSmallIntegerField(
        "days before a rematch", default=7, validators=[MaxValueValidator(365)]
    )
    idle_weeks = models.PositiveSmallIntegerField(
        "weeks without a game",
        default=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(52)],
    )
    is_open = models.BooleanField("takes players and challenges", default=True)
    order = models.JSONField(default=list, blank=True, editable=False)
    due_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )

    objects = DueQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(fields=["due_at"], name="ladder_due")]  # the tick, once a second

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:ladder", args=[self.pk])

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)

    @property
    def time_control(self) -> Pace:
        return PACES[self.pace]


class LadderPlayer(models.Model):
    """A player who is, or was, on a ladder.

    declines: challenges declined in a row. active_at: when they last joined, challenged or played. drops_at: when they
    drop a place if they don't play before; None: never, or they have left.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="players")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ladder_places")
    declines = models.PositiveSmallIntegerField(default=0)
    active_at = models.DateTimeField()
    drops_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ladder", "user"], name="player_once_on_a_ladder")]

    def __str__(self) -> str:
        return self.user.display_name


class LadderChallenge(models.Model):
    """A challenge on a ladder.

    answer_by: after it the challenge counts as declined. due_at: when the tick looks at it, also while it is played, in
    case that the end of the game got lost.
    """

    class Status(models.TextChoices):
        OPEN = "open", "not answered yet"
        PLAYING = "playing", "being played"
        WON = "won", "won by the challenger"
        LOST = "lost", "won by the challenged player"
        DRAWN = "drawn", "drawn"
        REFUSED = "refused", "not accepted"
        WITHDRAWN = "withdrawn", "withdrawn"
        STOPPED = "stopped", "stopped without a result"

    WITHOUT_A_WIN = (Status.LOST, Status.DRAWN)

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="challenges")
    challenger = models.ForeignKey(LadderPlayer, on_delete=models.CASCADE, related_name="+")
    challenged = models.ForeignKey(LadderPlayer, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    table = models.OneToOneField(
        Table, null=True, blank=True, on_delete=models.PROTECT, related_name="ladder_challenge"
    )
    made_at = models.DateTimeField()
    answer_by = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = DueQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["due_at"], name="ladder_challenge_due")]  # the tick, once a second
        constraints = [
            models.UniqueConstraint(
                fields=["challenger"], condition=models.Q(finished_at=None), name="one_challenge_by_a_player"
            ),
            models.UniqueConstraint(
                fields=["challenged"], condition=models.Q(finished_at=None), name="one_challenge_to_a_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenger} against {self.challenged}"


class LadderMove(models.Model):
    """A line of a ladder's history: a player's place before and after, from 1. None: not on the ladder.

    The place stays where a player keeps it although they haven't accepted a challenge.
    """

    class Why(models.TextChoices):
        JOINED = "joined", "joined"
        LEFT = "left", "left"
        WON = "won", "won a challenge"
        REFUSED = "refused", "challenge not accepted"
        KEPT = "kept", "kept the place"
        IDLE = "idle", "didn't play"
        SHIFTED = "shifted", "others moved"

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="moves")
    player = models.ForeignKey(LadderPlayer, on_delete=models.CASCADE, related_name="moves")
    old_place = models.PositiveIntegerField(null=True, blank=True)
    place = models.PositiveIntegerField(null=True, blank=True)
    why = models.CharField(max_length=10, choices=Why)
    challenge = models.ForeignKey(LadderChallenge, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.player}: {self.old_place or '–'} to {self.place or '–'}"

    @property
    def why_in_words(self) -> str:
        """The one whose place a challenger has taken was not just shifted."""
        if self.why != self.Why.SHIFTED or self.challenge is None or self.challenge.challenged_id != self.player_id:
            return self.get_why_display()
        is_beaten = self.challenge.status == LadderChallenge.Status.WON
        return "lost a challenge" if is_beaten else self.Why.REFUSED.label
