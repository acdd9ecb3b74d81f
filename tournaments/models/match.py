"""Rounds, their matches, and the games of a match."""

from django.conf import settings
from django.db import models

from accounts.models import User
from games.models import Table
from tournaments.models.event import Entry, Event, joined_names


class Round(models.Model):
    """A round of one section of the event.

    secret: 32 bytes that all its tables deal from, where they play the same deals; published once it is over.
    published_at: None while only directors see its pairings.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    section = models.CharField(max_length=40)
    number = models.PositiveSmallIntegerField()
    secret = models.BinaryField(max_length=32, null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number", "section"]
        constraints = [models.UniqueConstraint(fields=["event", "section", "number"], name="round_once_in_an_event")]

    def __str__(self) -> str:
        return f"{self.section}, round {self.number}"


class MatchQuerySet(models.QuerySet["Match"]):
    def between_entries(self) -> "MatchQuerySet":
        """Without the boards of team matches: the matches that formats know."""
        return self.filter(parent=None)

    def published(self) -> "MatchQuerySet":
        """Matches that everyone may see."""
        return self.exclude(status=Match.Status.PROPOSED)

    def to_start(self) -> "MatchQuerySet":
        """Matches whose table can be opened."""
        return self.filter(status=Match.Status.WAITING, set_aside_because="")

    def set_aside(self) -> "MatchQuerySet":
        """Open matches that wait for a director."""
        return self.filter(status__in=Match.OPEN).exclude(set_aside_because="")


class Match(models.Model):
    """A match between entries, of one game or more. The unique spot keeps it from being paired twice.

    A match between teams has no games of its own. It is played at its `boards`, which are matches as well: each between
    a player of one team and a player of the other. Formats, draws and standings know only the match between the teams;
    tables, clocks, forfeits and directors' decisions only its boards. Boards are made when the match is published, with
    the line-ups of that moment, and it is decided once the last of them is (`services.team_matches`).

    parent, board: of a board, its team match and its number, from 1.

    is_fixed: a director has arranged it, and the rest of its round is paired around it. set_aside_because: why no table
    could be opened for its next game; while there is a reason, an open match waits for a director.
    """

    class Status(models.TextChoices):
        PROPOSED = "proposed", "not published yet"
        WAITING = "waiting", "about to start"
        PLAYING = "playing", "being played"
        FINISHED = "finished", "finished"
        CANCELLED = "cancelled", "cancelled"

    OPEN = (Status.PROPOSED, Status.WAITING, Status.PLAYING)

    class DecidedBy(models.TextChoices):
        GAMES = "games", "the games"
        SCORE = "score", "the score so far"
        DIRECTOR = "director", "a director"
        FORFEIT = "forfeit", "forfeit"
        BYE = "bye", "bye"
        HALF_BYE = "half-bye", "bye for half the points"
        ZERO_BYE = "zero-bye", "bye without points"
        ANNULLED = "annulled", "no one: it doesn't count"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="matches")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    slot = models.PositiveSmallIntegerField()
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="boards")
    board = models.PositiveSmallIntegerField(null=True, blank=True)
    status = models.CharField(max_length=20, choices=Status, default=Status.WAITING)
    decided_by = models.CharField(max_length=20, choices=DecidedBy, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    why_paired = models.CharField(max_length=300, blank=True)
    is_fixed = models.BooleanField("arranged by a director", default=False)
    set_aside_because = models.CharField(max_length=200, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        ordering = ["round__number", "slot", "board", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "slot"], condition=models.Q(parent=None), name="match_once_in_a_round"
            ),
            models.UniqueConstraint(fields=["parent", "board"], name="board_once_in_a_match"),
        ]
        indexes = [models.Index(fields=["event", "status"], name="match_event_status")]

    def __str__(self) -> str:
        names = " against ".join(side.name for side in self.sides.all())
        return f"{names} on board {self.board}" if self.board else names

    @property
    def is_over(self) -> bool:
        return self.status in (self.Status.FINISHED, self.Status.CANCELLED)

    @property
    def is_between_teams(self) -> bool:
        """Played at its boards, without a table of its own."""
        return self.parent_id is None and self.event.has_teams

    @property
    def needs_winner(self) -> bool:
        """Cannot be drawn; a board of a team match can."""
        return self.parent_id is None and self.event.plan.needs_winner_in(self.round.section)

    @property
    def is_set_aside(self) -> bool:
        return bool(self.set_aside_because) and not self.is_over


class MatchSide(models.Model):
    """An entry in a match. place: 1 is first, None until it is decided. points: of all its games together.

    compared: its result against all who held the same cards, where the event compares results.
    player, partner: who played it, where a substitute has taken over the entry since; else None. At a board the player
    of the team, None where it had none left.
    board_points: of a team, boards won; a drawn one counts half.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="sides")
    number = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="sides")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    games_won = models.PositiveSmallIntegerField(default=0)
    points = models.IntegerField(default=0)
    compared = models.DecimalField(max_digits=9, decimal_places=4, null=True, blank=True)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    board_points = models.DecimalField(max_digits=4, decimal_places=1, null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="side_once_in_a_match"),
            models.UniqueConstraint(fields=["match", "entry"], name="entry_once_in_a_match"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def players(self) -> list[User]:
        """Those who play or played it."""
        if self.player is None:
            return [] if self.is_at_board else self.entry.players
        return [self.player, self.partner] if self.partner else [self.player]

    @property
    def is_at_board(self) -> bool:
        """A player of a team, not the team."""
        return self.match.parent_id is not None

    @property
    def name(self) -> str:
        """Of those who played it; at a board with their team."""
        if self.is_at_board:
            return f"{joined_names(self.players) or 'no one'} ({self.entry.name})"
        return self.entry.name if self.player is None else joined_names(self.players)


class MatchGame(models.Model):
    """A game of a match at its table. first_side: the side in seat 0; the others follow.

    deal: which of the round's numbered deals it plays, where tables share them or the match is mirrored.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="match_game")
    first_side = models.PositiveSmallIntegerField()
    deal = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="game_once_in_a_match")]

    def __str__(self) -> str:
        return f"game {self.number}"

    @property
    def side_of_seat(self) -> dict[int, int]:
        """By seat, the number of the side of the match."""
        groups = self.table.sides
        return {seat: (self.first_side + at) % len(groups) for at, group in enumerate(groups) for seat in group}
