"""Celery tasks: send notices by e-mail and Web Push, and messages to webhooks.

Each may run twice or be lost; the notice stays on the site.
"""

from smtplib import SMTPException

from celery import shared_task
from django.utils import timezone

from infra.task_queue import RETRY
from notifications import digest, email, web_push, webhooks
from notifications.models import MailAddress, Notice, PushSubscription


@shared_task(autoretry_for=(SMTPException, OSError), **RETRY)
def mail_notice(notice_id: int) -> None:
    """Sends nothing if the notice is read, old or gone by now, or e-mail is no longer wanted."""
    notice = Notice.objects.filter(pk=notice_id).first()
    address = notice and MailAddress.objects.filter(user=notice.user_id).first()
    if notice and address and notice.is_fresh:
        email.send_notice_email(notice, address)


@shared_task(autoretry_for=(SMTPException, OSError), **RETRY)
def mail_confirmation(user_id: int, address: str, site: str) -> None:
    email.send_confirmation_email(email.AddressConfirmation(user_id, address, site))


@shared_task(autoretry_for=(web_push.PushFailed, OSError), **RETRY)
def push_notice(notice_id: int, subscription_id: int) -> None:
    """Sends nothing if the notice is read, old or gone by now, or the browser is no longer subscribed."""
    notice = Notice.objects.filter(pk=notice_id).first()
    subscription = PushSubscription.objects.filter(pk=subscription_id).first()
    if notice and subscription and notice.is_fresh:
        web_push.send_push(notice, subscription)


@shared_task
def tick() -> None:
    """Once a minute: queues the digests and deliveries that are due."""
    for address_id in digest.claim_due_digests(now=timezone.now()):
        mail_digest.delay(address_id)
    for delivery_id in webhooks.due_deliveries(now=timezone.now()):
        deliver_webhook.delay(delivery_id)


@shared_task(autoretry_for=(SMTPException, OSError), **RETRY)
def mail_digest(address_id: int) -> None:
    to = MailAddress.objects.select_related("user").filter(pk=address_id).first()
    if to:
        digest.send_digest(to, now=timezone.now())


@shared_task
def prune() -> None:
    digest.prune_notices(now=timezone.now())
    webhooks.prune_deliveries(now=timezone.now())


@shared_task
def deliver_webhook(delivery_id: int) -> None:
    """Retries are due rows, not retries of the task."""
    webhooks.deliver(delivery_id, now=timezone.now())
