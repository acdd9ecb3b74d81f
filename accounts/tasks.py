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
def mail_log_in_change(user_id: int, change: str, address: str = "") -> None:
    """E-mail about a change of the log-in, without a link, so that people don't get used to logging in by one.

    address: that of the account if empty.
    """
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is not None:
        text = (
            f"The log-in of {user} at {SITE_NAME} has changed: {change}\n\n"
            "If this wasn't you, log in now and press your name at the top of the page. Change your password there, "
            'then check your e-mail address and "Two-factor log-in". '
            "If you can't log in, ask the people who run the site.\n\n"
            "We always send this e-mail when the log-in of an account changes.\n"
        )
        EmailMessage(f"Your log-in at {SITE_NAME} has changed", text, to=[address or user.email]).send()


@shared_task
def prune() -> None:
    """Once a day: deletes expired sessions, and records of logins whose session has ended; closes forgotten guests."""
    SessionStore.clear_expired()
    logins.delete_ended()
    services.close_forgotten_guests(now=timezone.now())
