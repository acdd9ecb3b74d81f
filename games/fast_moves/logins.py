"""Known logins: who sent a request with this session, as the normal path found out a while ago.

A known login is not believed: the statement that stores a move asks the database whether it still holds
(`games.fast_moves.store`).
"""

from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.sessions.backends.cached_db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from infra.cache import LRUCache

CACHED_LOGINS = 10_000


class KnownLogin(NamedTuple):
    """A session as it is stored, and its user. content: what `data` says."""

    key: str
    data: str
    expires: datetime
    content: dict[str, Any]
    user_id: int
    password: str


_logins: LRUCache[str, KnownLogin] = LRUCache(CACHED_LOGINS)


def remember_login(request: HttpRequest) -> None:
    """Keeps the login of a request, if a page asked who sent it. A new session or a changed one takes one query."""
    session = getattr(request, "session", None)
    if session is None or not (session.accessed and session.session_key) or not request.user.is_authenticated:
        return
    key, content, user = session.session_key, dict(session.items()), request.user
    known = _logins.get(key)
    if known and (known.content, known.user_id, known.password) == (content, user.pk, user.password):
        return
    row = Session.objects.filter(pk=key).first()
    if row is not None and SessionStore().decode(row.session_data) == content:
        _logins.set(key, KnownLogin(key, row.session_data, row.expire_date, content, user.pk, user.password))


def known_login(request: HttpRequest) -> KnownLogin | None:
    """The login of this session when this process last looked, None if it does not know it."""
    login = _logins.get(request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""))
    return login if login and login.expires > timezone.now() else None
