"""What happens without a visitor. Every task may run twice or be lost; the tick finds what is still due."""

import logging

from celery import shared_task
from django.utils import timezone

from games import ratings, services
from games.models import Table

logger = logging.getLogger(__name__)


@shared_task
def tick() -> None:
    """Once a second: people who ran out of time, bot moves and ratings that were lost."""
    now = timezone.now()
    for table_id in Table.objects.overdue(now).values_list("pk", flat=True):
        flag_overdue.delay(table_id)
    for table_id in services.claim_lost_bot_moves(now=now):
        play_bot.delay(table_id)
    for table_id in ratings.claim_lost(now=now):
        rate_table.delay(table_id)


@shared_task
def flag_overdue(table_id: int) -> None:
    services.flag_overdue(table_id=table_id, now=timezone.now())


@shared_task
def play_bot(table_id: int) -> None:
    services.play_bot(table_id=table_id)


@shared_task
def rate_table(table_id: int) -> None:
    ratings.rate_table(table_id=table_id)
