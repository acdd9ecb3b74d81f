"""Pending log-in: between the right password and the second factor, kept in the session of the visitor."""

import time

from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from accounts.models import User

PENDING = "pending_log_in"
LASTS_SECONDS = 600


def begin(request: HttpRequest, user: User) -> None:
    request.session[PENDING] = [user.pk, user.get_session_auth_hash(), time.time()]


def user_of(request: HttpRequest) -> User | None:
    """Whose password was right a while ago, if it still is and the account is open."""
    pk, password_hash, since = request.session.get(PENDING, (0, "", 0))
    user = User.objects.filter(pk=pk, is_active=True).first()
    if user is None or time.time() - since > LASTS_SECONDS:
        return None
    return user if constant_time_compare(user.get_session_auth_hash(), password_hash) else None


def end(request: HttpRequest) -> None:
    del request.session[PENDING]
