"""Persons: guests are made when they first need a seat, and turn into accounts when they like."""

import secrets

from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from cardsite.accounts.models import User
from cardsite.accounts.signals import guest_joined

BACKEND = "django.contrib.auth.backends.ModelBackend"


def ensure_person(request: HttpRequest) -> User:
    """The person who asks, as a guest who is logged in from now on if nobody was."""
    if request.user.is_authenticated:
        return request.user
    guest = make_guest()
    login(request, guest, backend=BACKEND)
    return guest


def make_guest() -> User:
    """A guest with a free number, such as "Guest 40217", and no password."""
    while True:
        guest = User(username=f"Guest {secrets.randbelow(90_000) + 10_000}", is_guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            continue
        return guest


@transaction.atomic
def sign_up(*, username: str, password: str, email: str = "", guest: User | None = None) -> User:
    """A new account; a guest's own row becomes it.

    :raises IntegrityError: somebody took the name a moment ago.
    """
    user = guest if guest is not None and guest.is_guest else User()
    user.username, user.email, user.is_guest = username, email, False
    user.set_password(password)
    user.save()
    return user


@transaction.atomic
def join_account(*, guest: User, user: User) -> None:
    """Hands what a guest has played to the account he logs in to; what clashes stays with the guest."""
    guest_joined.send(sender=User, guest=guest, user=user)
    guest.is_active = False
    guest.save(update_fields=["is_active"])
