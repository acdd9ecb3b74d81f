"""Access tokens of the HTTP API: making, finding and revoking them.

A token has 256 random bits, so the database keeps only its hash, and nobody can guess one.
"""

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.locking import lock_user
from accounts.models import ApiToken, User
from accounts.signals import token_revoked

SCOPES = {
    "read": "See your tables, cards and ratings, and follow them live",
    "play": "Open tables, join, move, ask, resign",
    "chat": "Write in the chat of tables",
    "enter": "Enter tournaments, check in, withdraw; join ladders, challenge and answer",
    "direct": "Create and direct tournaments, as far as you may",
    "learn": "Answer puzzles",
}
TOKEN_START = "fs_"
SHOWN_LENGTH = len(TOKEN_START) + 6
MOST_TOKENS = 20  # of one user
USED_EVERY = timedelta(minutes=10)


class TooManyTokens(ValueError):
    """The user has as many tokens as are allowed."""


@transaction.atomic
def make_token(
    *, user: User, name: str, scopes: Collection[str], expires_at: datetime | None = None
) -> tuple[ApiToken, str]:
    """A new token, and its text, which can't be read again. :raises TooManyTokens:"""
    lock_user(user.pk)
    if own_tokens(user).count() >= MOST_TOKENS:
        raise TooManyTokens(f"You have {MOST_TOKENS} tokens. Revoke one of them first.")
    text = TOKEN_START + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        start=text[:SHOWN_LENGTH],
        digest=_digest(text),
        scopes=[scope for scope in SCOPES if scope in scopes],
        expires_at=expires_at,
    )
    return token, text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def own_tokens(user: User) -> QuerySet[ApiToken]:
    """The tokens of a user that work, newest first."""
    return _working().filter(user=user)


def find_token(text: str) -> ApiToken | None:
    """The token with this text, with its user; None if it does not work, or no longer."""
    return _working().filter(digest=_digest(text)).select_related("user__owner").first()


def still_works(token: ApiToken) -> bool:
    """Whether a token still works, as the database has it now."""
    return _working().filter(pk=token.pk).exists()


def _working() -> QuerySet[ApiToken]:
    """Tokens that are neither revoked nor expired, of users who may log in; those of bots, if their owners may."""
    lasts = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    owned = Q(user__owner=None) | Q(user__owner__is_active=True)
    return ApiToken.objects.filter(lasts, owned, revoked_at=None, user__is_active=True)


def as_json(token: ApiToken) -> dict[str, Any]:
    """What is stored about a token, without its hash."""
    names = ("name", "start", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at")
    return {name: getattr(token, name) for name in names}


def note_use(token: ApiToken) -> None:
    """Stores that a token was used, at most once in `USED_EVERY`."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def revoke_token(token: ApiToken) -> None:
    """Revokes a token; its open streams end at once."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    token_revoked.send(sender=User, user=token.user)
