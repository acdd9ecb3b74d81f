"""Sends notices beyond the site. Every task may run twice or be lost; the notice itself stays on the site."""

from smtplib import SMTPException

from celery import shared_task
from django.utils import timezone
from requests.exceptions import RequestException

from infra.task_queue import RETRY
from notifications import digest, email, web_push
from notifications.models import MailAddress, Notice, PushSubscription


@shared_task(autoretry_for=(SMTPException, OSError), **RETRY)
def mail(notice_id: int) -> None:
    """Nothing if the notice is read or old by now, or letters are no longer wanted."""
    notice = Notice.objects.get(pk=notice_id)
    address = MailAddress.objects.filter(user=notice.user_id).first()
    if address and notice.is_fresh:
        email.send(notice, address)


@shared_task(autoretry_for=(SMTPException, OSError), **RETRY)
def mail_first_letter(user_id: int, address: str, site: str) -> None:
    email.send_first_letter(email.Wish(user_id, address, site))


@shared_task(autoretry_for=(web_push.PushFailed, RequestException), **RETRY)
def push(notice_id: int, subscription_id: int) -> None:
    """Nothing if the notice is read or old by now, or the browser is no longer subscribed."""
    notice = Notice.objects.get(pk=notice_id)
    subscription = PushSubscription.objects.filter(pk=subscription_id).first()
    if subscription and notice.is_fresh:
        web_push.send(notice, subscription)


@shared_task
def tick() -> None:
    """Once a minute: letters that are due."""
    for address_id in digest.claim_due(now=timezone.now()):
        mail_waiting_games.delay(address_id)


@shared_task(autoretry_for=(SMTPException, OSError), **RETRY)
def mail_waiting_games(address_id: int) -> None:
    to = MailAddress.objects.select_related("user").filter(pk=address_id).first()
    if to:
        digest.write(to, now=timezone.now())


@shared_task
def prune() -> None:
    digest.prune(now=timezone.now())
