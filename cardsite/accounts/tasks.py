"""What happens without a visitor. Every task may run twice or be lost."""

from celery import shared_task

from cardsite.accounts.sessions import SessionStore


@shared_task
def prune() -> None:
    """Once a day: sessions that have run out."""
    SessionStore.clear_expired()
