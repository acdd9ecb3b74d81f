"""Celery tasks of accounts. Each may run twice or be lost."""

from smtplib import SMTPException

from celery import shared_task
from django.contrib.sessions.backends.cached_db import SessionStore

from accounts import password_reset
from infra.task_queue import RETRY


@shared_task(autoretry_for=(SMTPException, OSError), **RETRY)
def mail_password_reset(address: str, site: str) -> None:
    for email in password_reset.password_reset_emails(address, site=site):
        email.send()


@shared_task
def prune() -> None:
    """Once a day: deletes expired sessions."""
    SessionStore.clear_expired()
