"""Session check: whose login a request came by, and whether that login still holds a while later.

Sessions are Django's `cached_db`: the database has them, and Redis spares most requests the query.
"""

import logging
from typing import Any, NamedTuple

import redis
from django.contrib.sessions.models import Session
from django.core.cache.backends.redis import RedisCache
from django.db.models import Exists
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import User

logger = logging.getLogger(__name__)


class SessionCache(RedisCache):
    """Redis cache of the sessions. While it cannot be written, pages work with the sessions of the database.

    Django handles the other failures itself, and a log-out that does not reach the cache has to fail.
    """

    def set(self, *arguments: Any, **named: Any) -> None:
        try:
            super().set(*arguments, **named)
        except redis.RedisError:
            logger.warning("a session is not cached", exc_info=True)


class Login(NamedTuple):
    """A login: the key of its session, its user, and the hash of the password that Django keeps in the session."""

    key: str
    user_id: int
    password_hash: str


def login_of(request: HttpRequest) -> Login | None:
    """The login by which a request came; None for visitors who are not logged in."""
    if not request.user.is_authenticated:
        return None
    key = request.session.session_key
    return Login(key, request.user.pk, request.user.get_session_auth_hash()) if key else None


def still_holds(login: Login) -> bool:
    """Asks the database, in one query, whether session, password and account are as they were at the login.

    Unlike a request it never deletes a session.
    """
    session = Session.objects.filter(pk=login.key, expire_date__gt=timezone.now())
    user = User.objects.filter(Exists(session), pk=login.user_id, is_active=True).first()
    return user is not None and constant_time_compare(user.get_session_auth_hash(), login.password_hash)
