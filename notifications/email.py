"""Notices by e-mail. A person asks with an address, and follows the link in a first letter to it."""

from dataclasses import dataclass

from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.preferences import SITE_NAME
from notifications.models import MailAddress, Notice

CONFIRM = "notices.confirm-address"
STOP = "notices.stop-letters"
CONFIRM_SECONDS = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Wish:
    """Somebody wants notices at an address. site: as in `MailAddress`."""

    user_id: int
    address: str
    site: str


def send_first_letter(wish: Wish) -> None:
    token = signing.dumps([wish.user_id, wish.address, wish.site], salt=CONFIRM, compress=True)
    url = wish.site + reverse("notifications:confirm-mail", args=[token])
    text = (
        f"Somebody, probably you, wants {SITE_NAME} to send notices to this address.\n"
        f"If you do, open this page within a day:\n\n{url}\n\nIf not, do nothing; no other letter will come.\n"
    )
    EmailMessage(f"Notices from {SITE_NAME}", text, to=[wish.address]).send()


def read_token(token: str) -> Wish | None:
    """The wish that a first letter was about; None if its link is damaged or too old."""
    try:
        return Wish(*signing.loads(token, salt=CONFIRM, max_age=CONFIRM_SECONDS))
    except signing.BadSignature:
        return None


@transaction.atomic
def fulfil(wish: Wish) -> None:
    """The address is right: it becomes that of the account, and notices go there from now on."""
    user = User.objects.get(pk=wish.user_id)
    user.email = wish.address
    user.save(update_fields=["email"])
    mail, _ = MailAddress.objects.update_or_create(user=user, defaults={"address": wish.address, "site": wish.site})
    mail.daily_due_at = mail.next_daily(after=timezone.now())
    mail.save(update_fields=["daily_due_at"])


def send(notice: Notice, to: MailAddress) -> None:
    post(to, notice.text, f"{notice.text}\n\n{to.site}{notice.url}")


def post(to: MailAddress, subject: str, text: str) -> None:
    """Any letter but the first: it says how to get no more of them (RFC 8058)."""
    stop = to.site + reverse("notifications:stop-mail", args=[signing.dumps(to.user_id, salt=STOP)])
    body = f"{text}\n\n-- \nYou asked {SITE_NAME} for these letters. No more of them:\n{stop}\n"
    headers = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    EmailMessage(subject, body, to=[to.address], headers=headers).send()


def stop(token: str) -> bool:
    """No more letters to whoever got this link; False if it is damaged."""
    try:
        user_id = signing.loads(token, salt=STOP)
    except signing.BadSignature:
        return False
    MailAddress.objects.filter(user_id=user_id).delete()
    return True
