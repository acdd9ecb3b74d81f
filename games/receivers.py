"""Receivers of signals: what games do when an account joins, changes or goes, and when a table has ended."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db.models import F
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.signals import (
    account_changes,
    account_closed,
    account_suspended,
    data_export_requested,
    guest_joined,
    sessions_ended,
    token_revoked,
)
from games import live, services
from games.models import Challenge, CoachSetting, Reliability, Seat, Seek, Table
from games.queries import personal_data
from games.signals import table_finished
from infra.after_commit import on_commit
from infra.task_queue import enqueue


@receiver(account_changes)
def lock_seeks_and_tables(users: Sequence[User], **kwargs: Any) -> None:
    """Locks seeks before tables, as matching does, each in the order in which others lock several."""
    list(Seek.objects.filter(user__in=users).select_for_update().order_by("created_at", "pk").values_list("pk"))
    seats = Seat.objects.filter(user__in=users)
    own = Table.objects.filter(pk__in=seats.values("table"), status__in=Table.UNFINISHED)
    list(own.select_for_update().order_by("pk").values_list("pk"))


@receiver(guest_joined)
def hand_over_seats(sender: object, guest: User, user: User, **kwargs: Any) -> None:
    """The account takes the guest's seats, except at tables where it has a seat itself; its seeks start again.

    The version tells processes that remember one of these tables (`games.record.table_store`) that it has changed.
    """
    seats = Seat.objects.filter(user=guest).exclude(table__seats__user=user)
    Table.objects.filter(pk__in=[*seats.values_list("table", flat=True)]).update(version=F("version") + 1)
    seats.update(user=user)
    guest.tables_opened.update(created_by=user)
    services.cancel_seek(user=guest)


@receiver(guest_joined)
def show_the_account_its_seats(sender: object, guest: User, **kwargs: Any) -> None:
    """Closes the guest's streams, which would show a spectator's boards; they reconnect as the account's."""
    on_commit(live.end_streams, guest.pk)


@receiver(guest_joined)
def hand_over_ratings(sender: object, guest: User, user: User, **kwargs: Any) -> None:
    """The account takes the guest's ratings in games in which it has none itself."""
    guest.ratings.exclude(game__in=user.ratings.values("game")).update(user=user)


@receiver(guest_joined)
def hand_over_reliability(sender: object, guest: User, user: User, **kwargs: Any) -> None:
    """The account takes the guest's reliability if it has none itself."""
    if not Reliability.objects.filter(user=user).exists():
        Reliability.objects.filter(user=guest).update(user=user)


@receiver(data_export_requested)
def list_games(user: User, **kwargs: Any) -> dict[str, object]:
    return {
        "games": personal_data.games_of(user),
        "ratings": personal_data.ratings_of(user),
        "reliability": personal_data.reliability_of(user),
        "notes": personal_data.notes_of(user),
        "looking for a game": personal_data.seeks_of(user),
        "challenges": personal_data.challenges_of(user),
        "reviews by the coach": personal_data.reviews_of(user),
        "coach": personal_data.coach_setting_of(user),
        "tables opened": personal_data.tables_opened_by(user),
        "deals seen without playing": personal_data.deals_shown_to(user),
        "vacations": list(user.vacations.values("begins_at", "ends_at", "time_zone")),
    }


@receiver([account_closed, account_suspended])
def wait_for_nothing(user: User, **kwargs: Any) -> None:
    """Cancels the user's seek and declines their challenges."""
    services.cancel_seek(user=user)
    for challenge_id in list(Challenge.objects.waiting().filter(to=user).values_list("pk", flat=True)):
        with suppress(services.TableError):  # it was withdrawn meanwhile, or has run out
            services.decline_challenge(challenge_id=challenge_id, user=user)


@receiver([account_closed, account_suspended])
def leave_tables(user: User, **kwargs: Any) -> None:
    """Gives up all the user's games; seats and ratings stay, for the opponents' sake."""
    going_on = Table.objects.of(user).filter(status__in=Table.UNFINISHED).order_by("pk")
    for table_id in list(going_on.values_list("pk", flat=True)):
        with suppress(services.TableError):  # a bot plays in their seat
            services.leave_table(table_id=table_id, user=user)


@receiver(table_finished)
def queue_review(table_id: int, **kwargs: Any) -> None:
    """The coach looks at games against bots by itself; a lost review can still be asked for."""
    enqueue("games.tasks.review_bot_game", table_id)


@receiver(guest_joined)
def hand_over_reviews(sender: object, guest: User, user: User, **kwargs: Any) -> None:
    services.hand_over_reviews(guest=guest, user=user, now=timezone.now())


@receiver(account_closed)
def delete_what_is_theirs_alone(user: User, **kwargs: Any) -> None:
    """Deletes notes, reviews, settings and vacations; those of a suspended account stay, since it may be restored."""
    user.coach_reviews.all().delete()
    for model in (CoachSetting, Seek, Table.shown_to.through):
        model.objects.filter(user=user).delete()
    user.move_notes.all().delete()
    user.vacations.all().delete()


@receiver(account_closed)
def forget_reliability(user: User, **kwargs: Any) -> None:
    """Deletes the reliability, after the games were given up, which count too."""
    Reliability.objects.filter(user=user).delete()


@receiver([user_logged_out, sessions_ended, token_revoked, account_closed, account_suspended])
def show_no_more_cards(sender: object, user: User, request: HttpRequest | None = None, **kwargs: Any) -> None:
    """Streams show the cards of the reader who opened them. They ask at once whether the session still holds."""
    if request is not None:
        request.session.flush()  # which Django does only after its signal that a user logs out
    if user is not None:
        on_commit(live.end_streams, user.pk)
