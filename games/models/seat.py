"""Seat: a seat at a table, and who plays there."""

from typing import Self

from django.conf import settings
from django.db import models


class SeatQuerySet(models.QuerySet["Seat"]):
    def with_players(self) -> Self:
        """In the order of the table, each with its player, and the level of a house bot."""
        return self.order_by("number").select_related("user__house_bot")


class Seat(models.Model):
    """A seat at a table.

    entropy: the value that counts in the shuffle. is_entropy_own: the player's browser makes it, or should have made
    it. commitment: to that value, bound to the seal of the table; "" in games from before there were any.
    has_left: a club bot plays on for this player. has_come: the player has been here, at a table with a time to appear,
    or has moved before a bot took over. is_waited_for: the game is held until this player is back; was_waited_for: it
    was held once, and is not again. gave_up_deal: a bot plays the deal to its end for this player.
    hands_seen: how many hands the player has seen the end of, see `games.services.hand_ends`.
    moves_before: how many rows the record had when the player took the seat: those of a player whom they substitute, or
    of the game from which a "what if" branches off.
    away_since: since when the player is not connected, as the others have been told; is_gone: for longer than the grace
    time.
    """

    table = models.ForeignKey("games.Table", on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    entropy = models.CharField(max_length=64, blank=True)
    is_entropy_own = models.BooleanField("entropy made by the player's browser", default=False)
    commitment = models.CharField(max_length=64, blank=True)
    has_left = models.BooleanField(default=False)
    has_come = models.BooleanField(default=False)
    is_waited_for = models.BooleanField(default=False)
    was_waited_for = models.BooleanField(default=False)
    gave_up_deal = models.BooleanField(default=False)
    hands_seen = models.PositiveSmallIntegerField(default=0)
    moves_before = models.PositiveIntegerField(default=0, db_default=0)
    away_since = models.DateTimeField(null=True, blank=True)
    is_gone = models.BooleanField(default=False)

    objects = SeatQuerySet.as_manager()

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
    def owes_commitment(self) -> bool:
        return self.is_entropy_own and not (self.commitment or self.entropy)

    @property
    def owes_value(self) -> bool:
        """Whether the browser has committed to a value and not revealed it yet."""
        return bool(self.commitment) and not self.entropy

    @property
    def is_played_by_bot(self) -> bool:
        return self.gave_up_deal or not self.has_person

    @property
    def has_stand_in(self) -> bool:
        """Whether a bot plays here for a player, not in a seat of its own."""
        return self.is_played_by_bot and not (self.user is not None and self.user.is_bot)

    @property
    def has_person(self) -> bool:
        """Whether a person plays here, or a bot that a person runs: one who can be asked, and for whom clocks run."""
        return not (self.has_left or self.user is None or self.user.is_bot)

    @property
    def looks_at_hand_ends(self) -> bool:
        """Whether a person plays here who is shown how a hand ended; a bot of theirs does not look."""
        return self.has_person and self.user is not None and not self.user.is_api_bot

    @property
    def may_return(self) -> bool:
        """Whether a bot plays here and the player may take the seat again."""
        return self.has_left and (self.table.allows_return or self.is_gone)

    @property
    def level(self) -> str:
        """The level of the bot that plays here.

        "club" where it stands in for a player; the lowest for a deal that was given up, which should not pay.
        """
        if self.user and self.user.is_bot:
            return self.user.house_bot.level
        return "first-steps" if self.gave_up_deal else "club"
