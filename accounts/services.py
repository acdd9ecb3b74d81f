"""Account services: guests, sign-up, merge, data export, closing, suspension."""

import json
import logging
import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts import blocking, bots, second_factors, tokens
from accounts.locking import lock_accounts
from accounts.models import FORMER, ApiToken, LoginRecord, RecoveryCode, SecondFactor, User
from accounts.signals import (
    account_closed,
    account_suspended,
    data_export_requested,
    guest_joined,
    sessions_ended,
)

GUEST_NAME_LENGTH = 18
GUESTS_KEPT = timedelta(days=30)
GUESTS_AT_ONCE = 500
NOT_IN_NAMES = re.compile(r"[^\w.+@-]+")

logger = logging.getLogger(__name__)


def ensure_person(request: HttpRequest, *, name: str = "") -> User:
    """The logged-in user; a visitor is logged in as a new guest. name: see `name_guest`."""
    if request.user.is_authenticated:
        return request.user
    guest = make_guest(name)
    login(request, guest)
    return guest


def make_guest(name: str = "") -> User:
    """A guest without a password. name: see `name_guest`."""
    guest = User(is_guest=True)
    guest.set_unusable_password()
    name_guest(guest, name)
    return guest


def name_guest(guest: User, name: str) -> None:
    """Names and saves a guest: "Guest Ann" for the name Ann; with a number if it is taken, or without a name."""
    named = " ".join(["Guest", *NOT_IN_NAMES.sub(" ", name)[:GUEST_NAME_LENGTH].split()])
    is_free = named != "Guest" and not User.objects.filter(username__iexact=named).exclude(pk=guest.pk).exists()
    while True:
        number = "" if is_free else f" {secrets.randbelow(90_000) + 10_000}"
        guest.username = f"{named}{number}"
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            is_free = False
            continue
        return


@transaction.atomic
def sign_up(*, username: str, password: str, email: str = "", guest: User | None = None) -> User:
    """Creates an account; a guest's own row becomes it.

    :raises IntegrityError: the name was taken a moment ago.
    """
    user = guest if guest is not None and guest.is_guest else User()
    user.username, user.email, user.is_guest = username, email, False
    user.set_password(password)
    user.save()
    return user


@transaction.atomic
def join_account(*, guest: User, user: User) -> None:
    """Merges a guest into the account that the guest logs in to; what clashes stays with the guest."""
    lock_accounts(guest)
    blocking.hand_over_blocks(guest=guest, user=user)
    guest_joined.send(sender=User, guest=guest, user=user)
    guest.is_active = False
    guest.save(update_fields=["is_active"])


def export_account_data(user: User) -> dict[str, Any]:
    """Data export: everything that the site stores about a user, by section."""
    data: dict[str, Any] = {
        "account": {
            "name": user.username,
            "first name": user.first_name,
            "last name": user.last_name,
            "e-mail": user.email,
            "guest": user.is_guest,
            "since": user.date_joined,
            "last login": user.last_login,
            "groups": list(user.groups.values_list("name", flat=True)),
            "permissions": list(user.user_permissions.values_list("codename", flat=True)),
        },
        "people you have blocked": [str(person) for person in blocking.users_blocked_by(user)],
        "access tokens": [tokens.as_json(token) for token in user.api_tokens.all()],
        "second factors": [second_factors.as_json(factor) for factor in user.second_factors.all()],
        "logins": list(user.logins.values("device", "network", "created_at", "last_seen_at")),
        "recovery codes left": user.recovery_codes.count(),
        "bots": [bot.username for bot in user.bots.order_by("username")],
        "actions as an admin": list(user.logentry_set.values("action_time", "object_repr", "change_message")),
    }
    answers: Sequence[tuple[object, Any]] = data_export_requested.send(sender=User, user=user)
    for _, part in answers:
        data |= part
    return data


@transaction.atomic
def close_account(*, user: User) -> None:
    """Closes an account and those of its bots: it can't log in, and nothing leads to its owner.

    Games, which others share, stay.
    """
    everyone = [*user.bots.filter(is_former=False), user]
    lock_accounts(*everyone)
    for one in everyone:
        _close(one)


def _close(user: User) -> None:
    for model in (ApiToken, SecondFactor, RecoveryCode, LoginRecord):
        model.objects.filter(user=user).delete()
    name = user.username
    user.username = f"Former player {user.pk}"  # nobody can sign up with a space in the name
    user.email = user.first_name = user.last_name = ""
    user.is_former, user.is_active, user.is_staff, user.is_superuser = True, False, False, False
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    blocking.delete_blocks(user)
    anonymize(LogEntry.objects.all(), "object_repr", name)
    LogEntry.objects.filter(change_message__contains=json.dumps(name)).update(change_message="")
    account_closed.send(sender=User, user=user, name=name)


def close_forgotten_guests(*, now: datetime) -> None:
    """Closes guests who came `GUESTS_KEPT` ago and whose logins have ended: without a password they can't come back.

    Rows to which nothing refers, as a game would, are deleted.
    """
    forgotten = User.objects.filter(is_guest=True, is_former=False, last_login__lte=now - GUESTS_KEPT, logins=None)
    for guest in forgotten.order_by("pk")[:GUESTS_AT_ONCE]:
        try:
            close_account(user=guest)
            if not _is_referred_to(guest):
                guest.delete()
        except Exception:  # of one guest; the others are closed all the same
            logger.exception("the guest %s could not be closed", guest.pk)


def _is_referred_to(user: User) -> bool:
    return any(
        relation.related_model._base_manager.filter(**{relation.field.name: user}).exists()
        for relation in User._meta.related_objects
    )


@transaction.atomic
def suspend_account(*, user: User, why: str) -> None:
    """A moderator suspends an account until further notice. It leaves its games, as its bots do; its data stays."""
    everyone = [user, *bots.own_bots(user)]
    lock_accounts(*everyone)
    user.is_active, user.shut_because = False, why
    user.save(update_fields=["is_active", "shut_because"])
    for one in everyone:
        account_suspended.send(sender=User, user=one)


def lift_suspension(*, user: User) -> None:
    user.is_active, user.shut_because = True, ""
    user.save(update_fields=["is_active", "shut_because"])


def log_out_everywhere(*, user: User, password: str = "") -> None:
    """Ends all sessions: they hold a hash of the stored password, which gets a new salt. password: "" without one."""
    user.set_password(password or None)
    user.save(update_fields=["password"])
    sessions_ended.send(sender=User, user=user)


def name_pattern(name: str) -> re.Pattern[str]:
    """Finds a user name in a text, except as a part of longer names."""
    return re.compile(rf"(?<![\w.+@-]){re.escape(name)}(?![\w+@-]|\.\w)")


def anonymize(rows: QuerySet[Any], field: str, name: str) -> None:
    """Replaces a user name in stored texts by `FORMER`, except as a part of longer names."""
    word = name_pattern(name)
    longest = rows.model._meta.get_field(field).max_length
    found = list(rows.filter(**{f"{field}__contains": name}))
    for row in found:
        setattr(row, field, word.sub(FORMER, getattr(row, field))[:longest])
    rows.model.objects.bulk_update(found, [field], batch_size=500)
