"""Notices by e-mail: confirm an address, send, unsubscribe (RFC 8058)."""

from dataclasses import dataclass
from hashlib import sha256

from django.core import signing
from django.core.cache import cache
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator

from accounts.log_in_changes import email_log_in_change
from accounts.models import User
from accounts.preferences import SITE_NAME
from notifications.models import MailAddress, Notice

CONFIRM_SALT = "notices.confirm-address"
UNSUBSCRIBE_SALT = "notices.stop-letters"
CONFIRM_SECONDS = 24 * 60 * 60
LONGEST_SUBJECT = 100


@dataclass(frozen=True, slots=True)
class AddressConfirmation:
    """A request for notices at an address, not confirmed yet. site: as in `MailAddress`."""

    user_id: int
    address: str
    site: str


def send_confirmation_email(confirmation: AddressConfirmation) -> None:
    """Sends a link by which the owner of the address confirms it."""
    token = signing.dumps(
        [confirmation.user_id, confirmation.address, confirmation.site], salt=CONFIRM_SALT, compress=True
    )
    url = confirmation.site + reverse("notifications:confirm-mail", args=[token])
    user = User.objects.get(pk=confirmation.user_id)
    text = (
        f"The player {user} of {SITE_NAME} has asked us to use this address for their account and its notifications.\n"
        f"To confirm, open this page within a day:\n\n{url}\n\nIf this wasn't you, ignore this e-mail. Your address "
        "won't be used.\n"
    )
    EmailMessage(f"Confirm your e-mail address for {SITE_NAME}", text, to=[confirmation.address]).send()


def read_confirmation_token(token: str) -> AddressConfirmation | None:
    """The request behind the link of a confirmation e-mail; None if the link is damaged or expired."""
    try:
        return AddressConfirmation(*signing.loads(token, salt=CONFIRM_SALT, max_age=CONFIRM_SECONDS))
    except signing.BadSignature:
        return None


def use_confirmation_token(token: str, confirmation: AddressConfirmation) -> bool:
    """Confirms the address of a link, which works once; False if the account was closed."""
    is_done = confirm_address(confirmation)
    if is_done:
        cache.set(_used_key(token), True, CONFIRM_SECONDS)
    return is_done


def is_confirmation_used(token: str) -> bool:
    return cache.get(_used_key(token)) is not None


def _used_key(token: str) -> str:
    return f"confirmed-address:{sha256(token.encode()).hexdigest()}"


@transaction.atomic
def confirm_address(confirmation: AddressConfirmation) -> bool:
    """Makes the address the account's own and sends notices there from now on; False if the account was closed."""
    user = User.objects.select_for_update(no_key=True).filter(pk=confirmation.user_id, is_active=True).first()
    if user is None:
        return False
    if user.email.lower() != confirmation.address.lower():
        email_log_in_change(user, f"The e-mail address is now {confirmation.address}.", to=user.email)
    user.email = confirmation.address
    user.save(update_fields=["email"])
    mail, _ = MailAddress.objects.update_or_create(
        user=user, defaults={"address": confirmation.address, "site": confirmation.site}
    )
    mail.daily_due_at = mail.next_daily(after=timezone.now())
    mail.save(update_fields=["daily_due_at"])
    return True


def send_notice_email(notice: Notice, to: MailAddress) -> None:
    subject = " ".join(notice.text.split())  # directors write messages of several lines, which no header may have
    send_email(to, subject, f"{notice.text}\n\n{to.site}{notice.url}")


def send_email(to: MailAddress, subject: str, text: str) -> None:
    """Sends any e-mail but the confirmation, as text and as HTML, with a link to unsubscribe (RFC 8058)."""
    stop = to.site + reverse("notifications:stop-mail", args=[signing.dumps(to.user_id, salt=UNSUBSCRIBE_SALT)])
    why = f"{to.user}, you get these e-mails because you turned them on at {SITE_NAME}."
    body = f"{text}\n\n-- \n{why} Unsubscribe:\n{stop}\n"
    headers = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    subject = Truncator(subject).chars(LONGEST_SUBJECT)
    email = EmailMultiAlternatives(subject, body, to=[to.address], headers=headers)
    context = {"site_name": SITE_NAME, "subject": subject, "text": text, "why": why, "stop": stop}
    email.attach_alternative(render_to_string("notifications/email.html", context), "text/html")
    email.send()


def read_unsubscribe_token(token: str) -> int | None:
    """The id of the user whom the link of an e-mail is for; None if the link is damaged."""
    try:
        user_id: int = signing.loads(token, salt=UNSUBSCRIBE_SALT)
    except signing.BadSignature:
        return None
    return user_id


def unsubscribe_email(user_id: int) -> None:
    MailAddress.objects.filter(user_id=user_id).delete()
