"""Celery tasks of tutorials. Each may run twice or be lost; the tick finds what is still due."""

from celery import shared_task
from django.utils import timezone

from accounts.models import User
from tutorials import drill_stock, practice, puzzle_search, reviews
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


@shared_task
def finish_practice(table_id: int) -> None:
    """A game is over, perhaps the practice game of a course."""
    practice.finish_practice(table_id)


@shared_task
def find_puzzles() -> None:
    """Once a night: searches the games that were finished since the last one."""
    puzzle_search.start_night(now=timezone.now())


@shared_task
def tick() -> None:
    """Once a minute: queues slices of a night that are due, and the first night of a new site."""
    for night_id in puzzle_search.claim_due_nights(now=timezone.now()):
        search_slice.delay(night_id)


@shared_task
def search_slice(night_id: int) -> None:
    puzzle_search.search_slice(night_id=night_id, now=timezone.now())
