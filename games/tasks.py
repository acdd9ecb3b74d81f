"""Celery tasks of games. Every task may run twice or be lost; the tick finds what is still due."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from games import services
from games.models import Challenge, Table, Vacation
from games.services import ratings

logger = logging.getLogger(__name__)

COUNTED_AT_ONCE = 100  # tables


@shared_task
def tick() -> None:
    """Once a second: people who run out of time, are not connected or have waited for a game; browsers that add nothing
    to a shuffle in time; bot moves and ratings that were lost."""
    now = timezone.now()
    for due, task in (
        (Table.objects.shuffle_overdue(now), end_overdue_shuffle),
        (Table.objects.overdue(now), flag_overdue),
        (Table.objects.short_of_time(now), tell_short_of_time),
        (Vacation.objects.due(now), begin_vacation),
        (Challenge.objects.overdue(now), expire_challenge),
    ):
        for pk in due.values_list("pk", flat=True):
            task.delay(pk)
    lost = services.claim_lost_bot_moves(now=now)
    experts = set(Table.objects.filter(pk__in=lost).with_experts().values_list("pk", flat=True))
    for table_id in lost:
        (play_expert if table_id in experts else play_bot).delay(table_id)
    for table_id in ratings.claim_lost(now=now):
        rate_table.delay(table_id)
    for seek_id in services.claim_seeks_for_bots(now=now):
        fill_with_bots.delay(seek_id)
    services.delete_forgotten_seeks(now=now)
    for table_id in services.tables_with_arrivals(now=now):
        note_arrivals.delay(table_id)
    for table_id in services.tables_with_presence_changes(now=now):
        settle_presence.delay(table_id)


@shared_task
def bring_pairs_together() -> None:
    """Matches pairs of partners of which a player was away when the later pair came; every ten seconds."""
    for table_id in services.waiting_pairs():
        services.complete_attended_table(table_id=table_id)


@shared_task
def prune() -> None:
    """Once a day: challenges that were answered long ago. Seeks go by themselves."""
    services.prune_challenges(now=timezone.now())


@shared_task
def expire_challenge(challenge_id: int) -> None:
    services.expire_challenge(challenge_id=challenge_id)


@shared_task
def note_arrivals(table_id: int) -> None:
    services.note_arrivals(table_id=table_id, now=timezone.now())


@shared_task
def settle_presence(table_id: int) -> None:
    services.settle_presence(table_id=table_id, now=timezone.now())


@shared_task
def end_overdue_shuffle(table_id: int) -> None:
    services.end_overdue_shuffle(table_id=table_id, now=timezone.now())


@shared_task
def flag_overdue(table_id: int) -> None:
    services.flag_overdue(table_id=table_id, now=timezone.now())


@shared_task
def tell_short_of_time(table_id: int) -> None:
    services.tell_short_of_time(table_id=table_id, now=timezone.now())


@shared_task
def begin_vacation(vacation_id: int) -> None:
    services.begin_vacation(vacation_id=vacation_id, now=timezone.now())


@shared_task
def play_bot(table_id: int) -> None:
    services.play_bot(table_id=table_id)


@shared_task
def play_expert(table_id: int) -> None:
    """An expert's move, in a queue of its own: it takes up to two seconds, for which no other bot should wait."""
    services.play_bot(table_id=table_id)


@shared_task
def rate_table(table_id: int) -> None:
    ratings.rate_table(table_id=table_id)


@shared_task
def fill_with_bots(seek_id: int) -> None:
    services.fill_with_bots(seek_id=seek_id)


@shared_task
def count_new_decks() -> None:
    """Once a minute: decks of tables that are over. What waits too long for a worker is found again."""
    for table_id in services.uncounted_tables().values_list("pk", flat=True)[:COUNTED_AT_ONCE]:
        count_decks.apply_async((table_id,), expires=60)


@shared_task
def count_decks(table_id: int) -> None:
    services.count_decks(table_id=table_id)


@shared_task
def answer_coach_question(question_id: int) -> None:
    services.answer_coach_question(question_id=question_id, now=timezone.now())


@shared_task
def review_bot_game(table_id: int) -> None:
    services.review_bot_game(table_id=table_id, now=timezone.now())


@shared_task
def review_rated_games() -> None:
    """Every night, where the site wants it (`settings.REVIEW_RATED_GAMES`)."""
    if settings.REVIEW_RATED_GAMES:
        services.review_rated_games(now=timezone.now())


@shared_task
def review_slice(review_id: int) -> None:
    services.review_slice(review_id=review_id, now=timezone.now())


@shared_task
def resume_reviews() -> None:
    """Once a minute: reviews of which a slice was lost."""
    for review_id in services.claim_lost_reviews(now=timezone.now()):
        review_slice.delay(review_id)
