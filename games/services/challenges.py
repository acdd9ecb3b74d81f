"""Challenges: a player invites another one to a table that was opened for them."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import blocking
from accounts.models import User
from games.models import Challenge, Table
from games.models.challenge import ANSWER_SLOWLY_WITHIN, ANSWER_WITHIN
from games.services.common import TableError, lock_table, store
from games.services.opening import leave_table, open_and_sit, sit_down
from games.signals import challenge_answered, challenged
from infra.after_commit import on_commit

CHALLENGES_KEPT = timedelta(days=30)


@transaction.atomic
def send_challenge(*, user: User, to: User, shuffles: bool = False, **table: Any) -> Challenge:
    """Opens a private table (see `open_table`), takes a seat, and invites a player.

    :raises TableError: this player cannot be challenged; it does not say why, unless they challenge themselves.
    """
    if user == to:
        raise TableError("You can't challenge yourself.")
    if not (to.has_account and to.is_active) or blocking.is_blocked_between(user, to):
        raise TableError(f"You can't challenge {to}.")
    opened = open_and_sit(user=user, shuffles=shuffles, is_private=True, **table)
    is_slow = opened.clock is not None and opened.clock.is_turn_based
    expires_at = timezone.now() + (ANSWER_SLOWLY_WITHIN if is_slow else ANSWER_WITHIN)
    asked = Challenge.objects.create(table=opened, to=to, expires_at=expires_at)
    on_commit(challenged.send_robust, sender=Challenge, challenge_id=asked.pk)
    return asked


@transaction.atomic
def accept_challenge(*, challenge_id: int, user: User, shuffles: bool = False) -> Table:
    """Takes a seat at its table. :raises TableError: the challenge is for another player, or too late."""
    asked = _open_challenge(challenge_id, user)
    table = sit_down(table_id=asked.table_id, user=user, shuffles=shuffles)
    _answer(asked, Challenge.Answer.ACCEPTED)
    return table


@transaction.atomic
def decline_challenge(*, challenge_id: int, user: User) -> None:
    """:raises TableError: the challenge is for another player, or too late."""
    _end(_open_challenge(challenge_id, user), Challenge.Answer.DECLINED)


@transaction.atomic
def expire_challenge(*, challenge_id: int) -> None:
    """Ends a challenge that was not answered in time, or whose table has started or was closed."""
    asked = Challenge.objects.select_related("table").get(pk=challenge_id)
    lock_table(asked.table_id)
    asked.refresh_from_db()
    if asked.answer == Challenge.Answer.NONE and not asked.table.is_shuffling:
        is_open = asked.table.status == Table.Status.OPEN
        _end(asked, Challenge.Answer.EXPIRED if is_open else Challenge.Answer.WITHDRAWN)


def prune_challenges(*, now: datetime) -> None:
    """Deletes challenges that ended more than `CHALLENGES_KEPT` ago; their games stay."""
    past = Challenge.objects.exclude(answer=Challenge.Answer.NONE)
    past.filter(expires_at__lte=now - CHALLENGES_KEPT).delete()


def _open_challenge(challenge_id: int, user: User) -> Challenge:
    """The challenge, with its table locked. :raises TableError:"""
    asked = Challenge.objects.filter(pk=challenge_id, to=user).first()
    if asked is None:
        raise TableError("This challenge is not for you.")
    lock_table(asked.table_id)
    asked = Challenge.objects.with_table().get(pk=challenge_id)
    if not asked.is_open:
        raise TableError("This challenge is no longer open. It was answered or withdrawn, or it expired.")
    return asked


def _end(asked: Challenge, answer: str) -> None:
    """Ends a challenge without a game. A table for two is closed; a larger one stays open for the others."""
    table = lock_table(asked.table_id)
    if table.status == Table.Status.OPEN:
        opener = table.created_by
        if table.seat_count == 2 and opener and any(seat.user_id == opener.pk for seat in table.seat_rows):
            leave_table(table_id=table.pk, user=opener)
        else:
            store(table)
    _answer(asked, answer)


def _answer(asked: Challenge, answer: str) -> None:
    asked.answer = answer
    asked.save(update_fields=["answer"])
    on_commit(challenge_answered.send_robust, sender=Challenge, challenge_id=asked.pk)
