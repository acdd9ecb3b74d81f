"""Ladder queries: the order with what each player is doing, and who may challenge whom."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Q

from accounts import blocking
from accounts.models import User
from games.models import Vacation
from tournaments.domain.ladder import in_reach
from tournaments.models import Ladder, LadderChallenge, LadderMove, LadderPlayer


@dataclass(frozen=True)
class LadderState:
    """A ladder as it is now, for one of its players or, with own None, for others.

    players: by id, the top first. challenges: those that are not over, by each of their players. away_until: ends of
    vacations, by user id. refused: players whom the own player can't challenge yet, or ever, with the reason.
    """

    ladder: Ladder
    players: dict[int, LadderPlayer]
    challenges: dict[int, LadderChallenge]
    away_until: dict[int, datetime]
    own: LadderPlayer | None = None
    refused: dict[int, str] = field(default_factory=dict)

    @property
    def order(self) -> list[int]:
        return [*self.players]

    @property
    def keep_by(self) -> datetime | None:
        """When the own player drops a place if they don't play before; None: never, or no place is below theirs."""
        if self.own is None or not self.ladder.is_open or self.own.pk == self.order[-1]:
            return None
        return self.own.drops_at

    def objection(self, challenged: int) -> str:
        """Why the own player can't challenge this one now, "" if they can."""
        if self.own is None:
            return "Join the ladder first."
        if not self.ladder.is_open:
            return "This ladder takes no challenges now."
        other = self.players.get(challenged)
        if other is None or challenged not in in_reach(self.order, self.own.pk, self.ladder.reach):
            places = f"{self.ladder.reach} place{'s' if self.ladder.reach > 1 else ''}"
            return f"You can only challenge players up to {places} above you."
        if self.own.pk in self.challenges:
            return "You have a challenge already. Finish it first."
        if challenged in self.challenges:
            return f"{other} has a challenge already."
        if other.user_id in self.away_until:
            return f"{other} is on vacation."
        return self.refused.get(challenged, "")


def ladder_state(ladder: Ladder, user: User | None, *, now: datetime) -> LadderState:
    """user: the visitor, None for an anonymous one."""
    found = {row.pk: row for row in ladder.players.filter(pk__in=ladder.order).select_related("user")}
    players = {pk: found[pk] for pk in ladder.order if pk in found}
    running = LadderChallenge.objects.filter(ladder=ladder, finished_at=None)
    running = running.select_related("challenger__user", "challenged__user", "table")
    challenges = {pk: row for row in running for pk in (row.challenger_id, row.challenged_id)}
    users = [row.user_id for row in players.values()]
    away = dict(Vacation.objects.current(now).filter(user__in=users).values_list("user", "ends_at"))
    own = next((row for row in players.values() if user and row.user_id == user.pk), None)
    refused = _refused(ladder, own, players, now) if own else {}
    return LadderState(ladder, players, challenges, away, own, refused)


def _refused(ladder: Ladder, own: LadderPlayer, players: dict[int, LadderPlayer], now: datetime) -> dict[int, str]:
    wait = timedelta(days=ladder.rematch_days)
    kept = LadderMove.objects.filter(ladder=ladder, why=LadderMove.Why.KEPT).values("challenge")
    in_vain = Q(status__in=LadderChallenge.WITHOUT_A_WIN) | Q(pk__in=kept)
    made = LadderChallenge.objects.filter(in_vain, challenger=own, finished_at__gt=now - wait)
    ended = dict(made.order_by("finished_at").values_list("challenged", "finished_at"))
    refused = {
        pk: f"You can challenge {row} again {_in_days(ended[pk] + wait - now)}."
        for pk, row in players.items()
        if pk in ended
    }
    blocked = blocking.blocked_user_ids(own.user)
    return refused | {pk: f"You can't challenge {row}." for pk, row in players.items() if row.user_id in blocked}


def _in_days(left: timedelta) -> str:
    days = max(-(-left // timedelta(days=1)), 1)
    return f"in {days} day{'s' if days > 1 else ''}"


def ladders_of(user: User) -> list[tuple[Ladder, int | None]]:
    """Ladders that the user has ever joined, each with their place; None: they have left."""
    rows = LadderPlayer.objects.filter(user=user).select_related("ladder").order_by("pk")
    return [(row.ladder, row.ladder.order.index(row.pk) + 1 if row.pk in row.ladder.order else None) for row in rows]


def unfinished_challenge(player: LadderPlayer) -> LadderChallenge | None:
    rows = LadderChallenge.objects.filter(Q(challenger=player) | Q(challenged=player), finished_at=None)
    return rows.select_related("challenger__user", "challenged__user", "table").first()
