"""Table: the record of a game with its seats and moves. `games.record.replay` makes the position from them."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.functional import cached_property

from games import engines
from games.core.contract import Game
from games.domain.clocks import Clock, Timer
from games.models import choices
from games.models.querysets import TableQuerySet
from games.models.seat import Seat

# Read aloud and typed: nothing that looks like something else.
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 8


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Table(models.Model):
    """One game from the first deal to its end.

    version: counts everything that changes what a visitor sees; move_count: only the moves. position_version: since
    when the cards lie as they do, as the players to act see them; a move made at that version or a later one counts.
    base_seconds, increment_seconds, move_seconds: its clock (`games.domain.clocks.Clock`); none without base and move.
    clocks: by seat the time that is left (`timers`). deadline_at: when the first of the players to act is out of time,
    however slow the network was. short_at: when to warn a player that little time is left. allows_vacation: clocks stop
    during vacations. rests_until: after the end of a hand, until when the clocks of those who still look at it rest.
    bot_due_at: when a bot's move counts as lost. pace: how fast bots move, as the person alone with them prefers it.
    secret, commitment: what drives the shuffle, and its seal (`games.core.deals`). shuffle_due_at: all seats are taken,
    and until then the table waits for the players' browsers to commit to their values or, while it `is_revealing`, to
    reveal them. is_dealer_drawn: the shuffle says who deals first. form_key: of the form that opened the table; a form
    that is sent twice opens one.
    deals: the game ends after so many, None: by its rules. shares_deals: other tables play the same cards.
    is_hidden: only its players may see it, and no one can replay it yet.
    opens_deals: all players agreed that spectators see all hands of each deal once it is over.
    branch_of: "what if": this unrated table went on from move `branch_at` of that one, whose first moves it repeats.
    offers_deal: others may play its cards once more; same_deal_as: the table that offered these, when they are.
    shown_to: who has asked to see the cards of an offered deal without playing it.
    event_name, event_path, event_round: of the tournament that it belongs to, its page, and the number of the round;
    "", "" and None elsewhere. is_compared: its result is measured by those of others who hold the same cards.
    lesson_path: of the lesson step whose practice game it is, with hints open; "" elsewhere.
    moved_to: the table to which the players who waited here were moved.
    absence: the absence policy of an event; elsewhere "": with two players the other one wins, with more a club bot
    plays on. appear_by: until then the players of an event's table may come, and the clocks are stopped; None once all
    are there.
    hold_seconds: how long a held game waits; `deadline_at` says until when.
    after_grace: what happens, outside events, if a player who lost the connection does not come back; "": the default.
    paused_at: no moves, and all clocks stand; a held game waits `seconds_left` more after it. paused_by: the seat that
    asked for the pause, which then ends at `deadline_at`; None: a director.
    allows_agreements: its players may ask each other for undo, draw and the like; asked: the last such question
    (`games.services.questions`).
    chat: what may be said there.
    is_rated: its result changes ratings; rating_due_at: from the end until they are changed.
    result: None while it lasts, then {"scores": [...], "places": [...], "reason": str} by seat, with "gone", the seats
    of players who were out of it; no one has the first place where no one came.
    """

    Status = choices.TableStatus
    EndedBy = choices.EndedBy
    Absence = choices.Absence
    AfterGrace = choices.AfterGrace
    Chat = choices.Chat

    UNFINISHED = (Status.OPEN, Status.RUNNING)
    RETURNING = (Absence.BOT, Absence.SCORE, Absence.HOLD)

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    seat_count = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    version = models.PositiveIntegerField(default=0)
    position_version = models.PositiveIntegerField(default=0)
    move_count = models.PositiveIntegerField(default=0)
    secret = models.BinaryField(max_length=32)
    commitment = models.CharField(max_length=64)
    shuffle_due_at = models.DateTimeField(null=True, blank=True)
    is_revealing = models.BooleanField(default=False)
    shares_deals = models.BooleanField(default=False)
    is_hidden = models.BooleanField(default=False)
    deals = models.PositiveSmallIntegerField("deals in a game", null=True, blank=True)
    event_name = models.CharField(max_length=100, blank=True)
    event_path = models.CharField(max_length=200, blank=True)
    event_round = models.PositiveSmallIntegerField(null=True, blank=True)
    is_compared = models.BooleanField(default=False)
    absence = models.CharField(max_length=10, choices=Absence, blank=True)
    hold_seconds = models.PositiveIntegerField(null=True, blank=True)
    appear_by = models.DateTimeField(null=True, blank=True)
    after_grace = models.CharField(max_length=10, choices=AfterGrace, blank=True)
    first_dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    is_dealer_drawn = models.BooleanField("first dealer drawn by the shuffle", default=False)
    move_seconds = models.PositiveIntegerField("seconds for a move", null=True, blank=True)
    base_seconds = models.PositiveIntegerField("seconds for the whole game", default=0)
    increment_seconds = models.PositiveIntegerField("seconds added by a turn", default=0)
    clocks = models.JSONField(default=list, blank=True, editable=False)
    deadline_at = models.DateTimeField(null=True, blank=True)
    short_at = models.DateTimeField(null=True, blank=True)
    allows_vacation = models.BooleanField("clocks stop during a vacation", default=True)
    rests_until = models.DateTimeField(null=True, blank=True)
    bot_due_at = models.DateTimeField(null=True, blank=True)
    pace = models.CharField("pace of bots", max_length=10, default="normal")
    paused_at = models.DateTimeField(null=True, blank=True)
    seconds_left = models.FloatField(null=True, blank=True)
    paused_by = models.PositiveSmallIntegerField(null=True, blank=True)
    allows_agreements = models.BooleanField("players may agree on a draw, an undo or a pause", default=True)
    asked = models.JSONField(default=dict, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tables_opened",
    )
    form_key = models.CharField(max_length=32, null=True, blank=True, unique=True, editable=False)
    is_private = models.BooleanField("only by link", default=False)
    chat = models.CharField(max_length=10, choices=Chat, default=Chat.FREE)
    is_rated = models.BooleanField("rated", default=False)
    rating_due_at = models.DateTimeField(null=True, blank=True)
    result: "models.JSONField[Any, Any]" = models.JSONField(null=True, blank=True)
    ended_by = models.CharField(max_length=10, choices=EndedBy, blank=True)
    rematch_of = models.OneToOneField("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch")
    opens_deals = models.BooleanField("spectators see finished deals", default=False)
    branch_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="branches")
    branch_at = models.PositiveIntegerField(null=True, blank=True)
    offers_deal = models.BooleanField("others may play this deal", default=False)
    lesson_path = models.CharField(max_length=200, blank=True)
    moved_to = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    same_deal_as = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="same_deals"
    )
    shown_to = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TableQuerySet.as_manager()

    known_seats: list[Seat] | None = None
    """The seats, once `games.record.table_store` has read them."""

    class Meta:
        constraints = [
            # An offered secret deals one table: no one can play cards that they have seen.
            models.UniqueConstraint(
                fields=["commitment"], condition=models.Q(shares_deals=False), name="secret_deals_one_table"
            )
        ]
        indexes = [
            # The tick reads these once a second.
            models.Index(fields=["deadline_at"], name="table_deadline"),
            models.Index(fields=["short_at"], name="table_short"),
            models.Index(fields=["bot_due_at"], name="table_bot_due"),
            models.Index(fields=["rating_due_at"], name="table_rating_due"),
            models.Index(fields=["shuffle_due_at"], name="table_shuffle_due"),
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

    def refresh_from_db(self, *arguments: Any, **named: Any) -> None:
        super().refresh_from_db(*arguments, **named)
        self.known_seats = None

    @property
    def seat_rows(self) -> Sequence[Seat]:
        """The seats in order. A table that was read to be played at has them, and they may be changed."""
        return [*self.seats.all()] if self.known_seats is None else self.known_seats

    @property
    def is_over(self) -> bool:
        return self.status in (self.Status.FINISHED, self.Status.ABORTED)

    @property
    def repeats_cards(self) -> bool:
        """Whether it repeats another table's deals by a player's choice: no deals of its own for statistics."""
        return self.branch_at is not None or self.same_deal_as_id is not None

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats that win and lose together."""
        return self.rules.sides(self.options, self.seat_count)

    @property
    def has_chat(self) -> bool:
        """Its players may chat, and at least two of them are people, or may still be."""
        people = [seat for seat in self.seat_rows if seat.user is None or seat.user.is_person]
        return self.chat != self.Chat.NONE and len(people) > 1

    @property
    def has_partners(self) -> bool:
        """Some seats win and lose together, so partners may learn of each other's cards by the play alone."""
        return any(len(side) > 1 for side in self.sides)

    @property
    def missing(self) -> "list[Seat]":
        """The seats whose players have not come yet, at a table with a time to appear."""
        return [seat for seat in self.seat_rows if seat.has_person and not seat.has_come]

    @property
    def is_held(self) -> bool:
        """The game waits for a player to come back."""
        return any(seat.is_waited_for for seat in self.seat_rows)

    @cached_property
    def clock(self) -> Clock | None:
        """The time for each seat, None without a clock."""
        if not (self.base_seconds or self.move_seconds):
            return None
        return Clock(self.base_seconds, self.increment_seconds, self.move_seconds or 0)

    @property
    def is_turn_based(self) -> bool:
        """A move has an hour or more, so players do not sit and wait for each other."""
        return self.clock is not None and self.clock.is_turn_based

    @property
    def clock_stops_on_vacation(self) -> bool:
        """A player's clock stops during their vacation."""
        return self.allows_vacation and self.is_turn_based

    @property
    def timers(self) -> list[Timer]:
        """The timer of each seat, [] without a clock."""
        if self.clock is None:
            return []
        return [Timer(*left) for left in self.clocks] or [Timer.fresh(self.clock)] * self.seat_count

    @timers.setter
    def timers(self, timers: list[Timer]) -> None:
        self.clocks = [[*timer] for timer in timers]

    @property
    def is_frozen(self) -> bool:
        """No player can move now: the game is paused, or waits for a player (`services.pauses.frozen_reason`)."""
        return self.paused_at is not None or self.is_held

    def bot_is_scheduled_after(self, until: datetime) -> bool:
        """A bot moves later than that: it lets a question be answered first (`games.services.agreements`)."""
        return self.bot_due_at is not None and self.bot_due_at > until

    @property
    def has_company(self) -> bool:
        """At least two people have sat down here, so it matters to another person whether one stays."""
        return sum(seat.user is not None and seat.user.is_person for seat in self.seat_rows) > 1

    @property
    def absence_policy(self) -> str:
        """What happens after the grace time (`AfterGrace`), "" at a table of an event, which has `absence`."""
        if self.absence:
            return ""
        if self.after_grace == self.AfterGrace.WAIT and self.clock is None:
            return self.AfterGrace.CLAIM  # no clock would ever decide
        return self.after_grace or (self.AfterGrace.CLAIM if self.seat_count == 2 else self.AfterGrace.BOT)

    @property
    def allows_return(self) -> bool:
        """A player who has left may take the seat again."""
        return self.absence in self.RETURNING

    @property
    def channel(self) -> str:
        """Where this table is announced (`games.live`)."""
        return f"table:{self.code}"

    @property
    def entropy(self) -> str:
        """What the players added to the shuffle, in seat order."""
        return ",".join(seat.entropy for seat in self.seat_rows)

    @property
    def commitments(self) -> str:
        """What the seats have committed to so far, in seat order."""
        return ",".join(seat.commitment for seat in self.seat_rows)

    @property
    def is_shuffling(self) -> bool:
        """All seats are taken, and the cards are about to be dealt."""
        return self.status == self.Status.OPEN and self.shuffle_due_at is not None

    @property
    def names(self) -> list[str]:
        """By seat, for pages."""
        return [seat.name for seat in self.seat_rows]

    def seat_of(self, user_id: int | None) -> "Seat | None":
        """The seat of this user, also while a bot plays there."""
        return next((seat for seat in self.seat_rows if user_id is not None and seat.user_id == user_id), None)

    @property
    def free_seats(self) -> int:
        return sum(seat.user_id is None for seat in self.seat_rows)

    @property
    def winners(self) -> "list[Seat]":
        """Of a finished game; a game that a director stopped has none, not even in a draw."""
        if not self.result or self.ended_by == self.EndedBy.DIRECTOR:
            return []
        return [seat for seat in self.seat_rows if self.result["places"][seat.number] == 1]
