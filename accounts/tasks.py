"""Celery tasks of accounts. Each may run twice or be lost."""

from smtplib import SMTPException

from celery import shared_task
from django.contrib.sessions.backends.cached_db import SessionStore
from django.core.mail import EmailMessage
from django.utils import timezone

from accounts import logins, password_reset, services
from accounts.models import User
from accounts.preferences import SITE_NAME
from infra.task_queue import RETRY


@shared_task(autoretry_for=(SMTPException, OSError), **RETRY)
def mail_password_reset(address: str, site: str) -> None:
    for email in password_reset.password_reset_emails(address, site=site):
        email.send()


@shared_task(autoretry_for=(SMTPException, OSError), **RETRY)
def mail_log_in_change(user_id: int, change: str) -> None:
    """An e-mail about a second factor, to the address by which the password can be reset."""
    user = User.objects.filter(pk=user_id).exclude(email="").first()
    if user is not None:
        text = (
            f"The log-in of {user} at {SITE_NAME} has changed: {change}\n"
            "If this wasn't you, change your password now, then look at your second factors in the settings.\n"
        )
        EmailMessage(f"Your log-in at {SITE_NAME} has changed", text, to=[user.email]).send()


@shared_task
def prune() -> None:
    """Once a day: deletes expired sessions, and records of logins whose session has ended; closes forgotten guests."""
    SessionStore.clear_expired()
    logins.delete_ended()
    services.close_forgotten_guests(now=timezone.now())
