"""Password reset: e-mail with a link to set a new password."""

from collections.abc import Iterator

from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import User
from accounts.preferences import SITE_NAME


def password_reset_emails(address: str, *, site: str) -> Iterator[EmailMessage]:
    """An e-mail for each account with this address that has a password. site: origin, such as https://cards.example.

    The link expires with its first use, a new password, the next login, and after `PASSWORD_RESET_TIMEOUT`.
    """
    for user in PasswordResetForm().get_users(address):
        text = (
            f"We received a request to reset the password for {user} at {SITE_NAME}.\n"
            f"Set a new one within a day:\n\n{site}{_path(user)}\n\n"
            "If this wasn't you, ignore this e-mail. Your password stays the same.\n"
        )
        yield EmailMessage(f"Reset your password at {SITE_NAME}", text, to=[user.email])


def _path(user: User) -> str:
    known_as = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("accounts:new-password", args=[known_as, default_token_generator.make_token(user)])
