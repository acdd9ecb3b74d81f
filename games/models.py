"""The record of a game: a table, its seats, its moves. `games.replay` makes the position from them."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.functional import cached_property

from games import engines
from games.board import with_names
from games.bots import LEVELS
from games.core.contract import Game
from games.skill import Skill

# Read aloud and typed: nothing that looks like something else.
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 8


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class TableQuerySet(models.QuerySet["Table"]):
    def with_seats(self) -> "TableQuerySet":
        return self.prefetch_related(
            models.Prefetch("seats", Seat.objects.order_by("number").select_related("user__house_bot"))
        )

    def open(self) -> "TableQuerySet":
        """Tables anybody may join."""
        return self.filter(status=Table.Status.OPEN, is_private=False)

    def running(self) -> "TableQuerySet":
        return self.filter(status=Table.Status.RUNNING)

    def overdue(self, now: datetime) -> "TableQuerySet":
        """Somebody's time is up."""
        return self.running().filter(deadline_at__lte=now)

    def of(self, user: Any) -> "TableQuerySet":
        return self.filter(seats__user=user)

    def public(self) -> "TableQuerySet":
        """Finished games that belong on a page about somebody who played: not those that were only for friends."""
        listed = models.Q(is_private=False) | models.Q(is_rated=True)
        return self.filter(listed, status=Table.Status.FINISHED, is_hidden=False)

    def claim(self, due_field: str, *, now: datetime, patience: timedelta) -> list[int]:
        """Tables where this is due, each put off by `patience` so that a second tick leaves it alone."""
        return [
            pk
            for pk, due_at in self.filter(**{f"{due_field}__lte": now}).values_list("pk", due_field)
            if Table.objects.filter(pk=pk, **{due_field: due_at}).update(**{due_field: now + patience})
        ]


class Table(models.Model):
    """One game from the first deal to its end.

    version: counts everything that changes what a visitor sees; move_count: only the moves.
    deadline_at: when the persons to act run out of time. bot_due_at: when a bot's move counts as lost.
    deals: the game ends after so many, None: by its rules. shares_deals: other tables play the same cards.
    is_hidden: only who sits there may see it, and nobody replay it yet.
    absence: what happens without somebody, in an event; elsewhere "": of two the other wins, of more a club bot plays
    on. hold_seconds: how long a held game waits; `deadline_at` says until when.
    paused_at: no moves, and its clock stands at `seconds_left`.
    is_rated: its result changes ratings; rating_due_at: from the end until they are changed.
    result: None while it lasts, then {"scores": [...], "places": [...], "reason": str} by seat, with "gone", the seats
    of those without whom it ended.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        RUNNING = "running"
        FINISHED = "finished"
        ABORTED = "aborted"

    class EndedBy(models.TextChoices):
        RULES = "rules", "the rules"
        RESIGN = "resign", "resignation"
        FLAG = "flag", "the clock"
        LEFT = "left", "people leaving"
        DIRECTOR = "director", "a director"

    class Absence(models.TextChoices):
        """What happens when somebody's time is up, or somebody leaves, in the middle of a match."""

        FORFEIT = "forfeit", "the match is forfeited"
        BOT = "bot", "a bot takes the seat"
        SCORE = "score", "the score decides"
        HOLD = "hold", "the game is held, and goes on from its position"

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    seat_count = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    version = models.PositiveIntegerField(default=0)
    move_count = models.PositiveIntegerField(default=0)
    secret = models.BinaryField(max_length=32)
    commitment = models.CharField(max_length=64)
    shares_deals = models.BooleanField(default=False)
    is_hidden = models.BooleanField(default=False)
    deals = models.PositiveSmallIntegerField("deals in a game", null=True, blank=True)
    absence = models.CharField(max_length=10, choices=Absence, blank=True)
    hold_seconds = models.PositiveIntegerField(null=True, blank=True)
    first_dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    move_seconds = models.PositiveIntegerField("seconds for a move", null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    bot_due_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    seconds_left = models.FloatField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tables_opened",
    )
    is_private = models.BooleanField("only by link", default=False)
    is_rated = models.BooleanField("rated", default=False)
    rating_due_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    ended_by = models.CharField(max_length=10, choices=EndedBy, blank=True)
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TableQuerySet.as_manager()

    class Meta:
        constraints = [
            # An offered secret deals one table: nobody sits down to cards that he has seen.
            models.UniqueConstraint(
                fields=["commitment"], condition=models.Q(shares_deals=False), name="secret_deals_one_table"
            )
        ]
        indexes = [
            # The tick reads these once a second.
            models.Index(fields=["deadline_at"], name="table_deadline"),
            models.Index(fields=["bot_due_at"], name="table_bot_due"),
            models.Index(fields=["rating_due_at"], name="table_rating_due"),
            # The lobby reads this.
            models.Index(fields=["status", "-created_at"], name="table_status_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.rules.name} {self.code}"

    def get_absolute_url(self) -> str:
        return reverse("games:table", args=[self.code])

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)

    def know_seats(self, seats: "list[Seat]") -> None:
        """What `seats.all()` is from now on, as if it had been prefetched."""
        known = self.seats.all()
        known._result_cache, known._prefetch_done = seats, True
        self._prefetched_objects_cache = {"seats": known}

    @property
    def is_over(self) -> bool:
        return self.status in (self.Status.FINISHED, self.Status.ABORTED)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats that win and lose together."""
        return self.rules.sides(self.options, self.seat_count)

    @property
    def is_held(self) -> bool:
        """It waits for somebody to come back."""
        return any(seat.is_waited_for for seat in self.seats.all())

    @property
    def stands(self) -> bool:
        """Nobody can move now."""
        return self.paused_at is not None or self.is_held

    @property
    def lets_return(self) -> bool:
        """Whoever has left may take the seat again."""
        return self.absence not in ("", self.Absence.FORFEIT)

    def goes_on_without(self, *, is_resigned: bool) -> bool:
        """Whether a club bot plays on for somebody who gives up, or is gone; otherwise the game ends."""
        if len(self.sides) > 2:
            return True
        if self.absence == self.Absence.BOT:
            return self.seat_count > 2 or not is_resigned
        return not self.absence and self.seat_count > 2

    def may_wait_for(self, seats: Iterable["Seat"]) -> bool:
        """Whether the game is held until these are back: once for each of them, and not where others wait as well."""
        may_hold = self.absence == self.Absence.HOLD and len(self.sides) == 2
        return may_hold and not any(seat.was_waited_for for seat in seats)

    @property
    def channel(self) -> str:
        """Where this table is announced (`games.live`)."""
        return f"table:{self.code}"

    @property
    def entropy(self) -> str:
        """What the persons added to the shuffle, in seat order."""
        return ",".join(seat.entropy for seat in self.seats.all())

    @property
    def names(self) -> list[str]:
        """By seat, for pages."""
        return [seat.name for seat in self.seats.all()]

    @property
    def free_seats(self) -> int:
        return sum(seat.user_id is None for seat in self.seats.all())

    @cached_property
    def next_table(self) -> "Table | None":
        """The rematch, once somebody has asked for it."""
        return Table.objects.filter(rematch_of=self).first()

    # Words for pages

    @property
    def rated_seats(self) -> "list[tuple[Seat, RatingChange]]":
        """Who sits here, with what the game has done to the rating; [] before that, or if it does nothing."""
        changes = {change.rating.user_id: change for change in self.rating_changes.select_related("rating")}
        return [(seat, changes[seat.user_id]) for seat in self.seats.all() if seat.user_id in changes]

    @property
    def winners(self) -> "list[Seat]":
        return [seat for seat in self.seats.all() if self.result and self.result["places"][seat.number] == 1]

    @property
    def headline(self) -> str:
        """Who won: "Ada wins, 21 to 14"."""
        if not self.result:
            return "Nobody finished this game"
        names = [seat.name for seat in self.winners]
        scores = sorted(self.result["scores"], reverse=True)
        verb = "wins" if len(names) == 1 else "win" if len(names) < self.seat_count else "share the game"
        told = (
            f", {' to '.join(map(str, scores))}"
            if self.ended_by == self.EndedBy.RULES and any(scores)
            else ""
        )
        return f"{' and '.join(names)} {verb}{told}"

    @property
    def reason(self) -> str:
        return with_names(self.result["reason"], self.names) if self.result else ""

    @property
    def standstill(self) -> str:
        """Why nobody can move now, "" if that is not so."""
        if self.paused_at is not None:
            return "A director has paused the event. Your clock stands, and you lose nothing."
        names = [seat.name for seat in self.seats.all() if seat.is_waited_for]
        return f"{' and '.join(names)} ran out of time. The game waits, and goes on from here." if names else ""

    @property
    def absence_in_words(self) -> str:
        """What happens at this table of an event without somebody."""
        return absence_in_words(self.absence, sides=len(self.sides), hold_seconds=self.hold_seconds)

    @property
    def terms(self) -> list[tuple[str, str]]:
        """What goes for this table beyond the rules of its game: label and text."""
        terms = []
        if self.move_seconds:
            terms.append(("Clock", f"{self.clock_label} a move"))
        if self.deals:
            terms.append(("Ends after", f"{self.deals} deal{'s' if self.deals != 1 else ''}"))
        if self.absence:
            terms.append(("Who is away", self.absence_in_words))
        return terms

    @property
    def clock_label(self) -> str:
        return clock_label(self.move_seconds)

    @property
    def unusual_options(self) -> list[tuple[str, str]]:
        """Label and value of every option that is not at its default."""
        return [
            (option.label, option.choices[self.options[option.name]])
            for option in self.rules.open_options
            if self.options.get(option.name, option.default) != option.default
        ]


def clock_label(seconds: int | None) -> str:
    """A clock in words: "45 seconds", "2 minutes", "1 day" or "no clock"."""
    if seconds is None:
        return "no clock"
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        if seconds % size == 0:
            return f"{seconds // size} {unit}{'s' if seconds != size else ''}"
    raise AssertionError("a second divides everything")


def absence_in_words(absence: str, *, sides: int, hold_seconds: int | None) -> str:
    """What happens at a table without somebody, for the players to know beforehand."""
    if sides > 2:
        end = "comes in last at the table" if absence == Table.Absence.FORFEIT else "may take it again"
        return f"a club bot plays on in the seat; whoever left {end}"
    return {
        Table.Absence.FORFEIT: "who never comes, or leaves the event, forfeits the match; "
        "who runs out of time later on loses the game",
        Table.Absence.BOT: "a club bot plays on in the seat, and its owner may take it again",
        Table.Absence.SCORE: "the score so far decides the match, and a level one is for who stayed; "
        "who never comes forfeits the match",
        Table.Absence.HOLD: f"the game waits {clock_label(hold_seconds)}, once for each player; "
        "who is not back by then, is late again or leaves the event forfeits the match",
    }[Table.Absence(absence)]


class Seat(models.Model):
    """A place at a table.

    has_left: a club bot plays on for the person who sat here. is_waited_for: the game is held until this person is
    back; was_waited_for: it has been, and is not again.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    entropy = models.CharField(max_length=64, blank=True)
    is_entropy_own = models.BooleanField("entropy made by the player's browser", default=False)
    has_left = models.BooleanField(default=False)
    is_waited_for = models.BooleanField(default=False)
    was_waited_for = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_once_at_a_table"),
            models.UniqueConstraint(fields=["table", "user"], name="user_once_at_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, seat {self.number}"

    @property
    def name(self) -> str:
        return self.user.display_name if self.user else "an empty seat"

    @property
    def has_page(self) -> bool:
        """There is a page about who sits here."""
        return self.user is not None and self.user.has_page

    @property
    def is_played_by_bot(self) -> bool:
        return self.has_left or self.user is None or self.user.is_bot

    @property
    def note(self) -> str:
        """What the others should know about who plays here."""
        if self.has_left:
            return "left: a club bot plays on"
        if self.is_waited_for:
            return "away: the game waits"
        return f"{LEVELS[self.level]} bot" if self.user and self.user.is_bot else ""

    @property
    def level(self) -> str:
        """The level of the bot that plays here, "club" where it stands in for a person."""
        return self.user.house_bot.level if self.user and self.user.is_bot else "club"


class Move(models.Model):
    """A move as it was written. Append-only; `number` counts from 1. is_by_clock: the player's time was up."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=1000)
    played_at = models.DateTimeField()
    is_by_clock = models.BooleanField("made by the clock", default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="move_once_at_a_table")]

    def __str__(self) -> str:
        return f"{self.number}. {self.text}"


class HouseBot(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="house_bot")
    game = models.CharField(max_length=40)
    level = models.CharField(max_length=20, choices=LEVELS)

    class Meta:
        indexes = [models.Index(fields=["game", "level"], name="house_bot_game_level")]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_level_display()})"

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)


class Rating(models.Model):
    """How strong somebody is in a game (`games.skill`). games: how many results it rests on."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings")
    game = models.CharField(max_length=40)
    mu = models.FloatField(default=Skill().mu)
    sigma = models.FloatField(default=Skill().sigma)
    games = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="one_rating_for_a_user_and_game")]
        indexes = [models.Index(fields=["game", "-mu"], name="rating_game_best")]  # ranking lists

    def __str__(self) -> str:
        return f"{self.number}{'?' if self.is_provisional else ''}"

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)

    @property
    def number(self) -> int:
        return self.skill.number

    @property
    def is_provisional(self) -> bool:
        return self.skill.is_provisional

    def take(self, skill: Skill) -> None:
        """What one more result has made of it; not stored yet."""
        self.mu, self.sigma, self.games = skill.mu, skill.sigma, self.games + 1


class RatingChange(models.Model):
    """What a table, or a night of a bot league (table None), did to a rating. before, after: shown numbers."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes")
    table = models.ForeignKey(Table, null=True, on_delete=models.SET_NULL, related_name="rating_changes")
    before = models.IntegerField()
    after = models.IntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["table", "rating"], name="table_rates_a_user_once")]

    def __str__(self) -> str:
        return f"{self.before} to {self.after}"

    @property
    def signed(self) -> str:
        """The difference: "+9", "−9" or "±0"."""
        difference = self.after - self.before
        return f"{difference:+d}".replace("-", "−") if difference else "±0"
