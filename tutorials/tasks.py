"""Celery tasks of tutorials. Each may run twice or be lost."""

from celery import shared_task
from django.utils import timezone

from accounts.models import User
from tutorials import drill_stock, reviews
from tutorials.models import ReviewAnswer


@shared_task
def restock_drills() -> None:
    """Every half minute, if a stock is due: one game between bots, for fresh positions."""
    drill_stock.restock(now=timezone.now())


@shared_task
def note_refused_move(user_id: int, rule: str) -> None:
    """A move at a table was refused. rule: full id."""
    game, _, short = rule.partition(":")
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is not None:
        reviews.note_missed_rule(user, game, short, source=ReviewAnswer.Source.TABLE, now=timezone.now())
