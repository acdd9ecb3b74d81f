"""Who asks: sessions and users as Django keeps them, read with prepared queries because every request reads both."""

from collections import OrderedDict
from datetime import datetime
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.contrib.sessions.models import Session
from django.db.models import Exists
from django.http import HttpRequest
from django.utils import timezone

from cardsite.accounts.models import User
from cardsite.prepared import Prepared

REMEMBERED = 10_000

_sessions = Prepared(lambda key: Session.objects.filter(pk=key), like=["?"])
_users = Prepared(lambda pk: User.objects.filter(pk=pk), like=[-1])


class SessionStore(DatabaseSessions):
    row: Session | None = None
    """As it was read, None before that."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def _get_session_from_db(self) -> Session | None:
        for session in _sessions(self.session_key):
            if session.expire_date > timezone.now():
                self.row = session
                return session
        self._session_key = None
        return None


class Backend(ModelBackend):
    def get_user(self, user_id: int) -> User | None:
        users = [user for user in _users(user_id) if self.user_can_authenticate(user)]
        return users[0] if users else None


class Login(NamedTuple):
    """Whose a session is, and what that rests on."""

    user_id: int
    password: str
    data: str
    expires: datetime


_logins: OrderedDict[str, Login] = OrderedDict()
_lock = Lock()
_still = Prepared(
    lambda pk, password, key, data: User.objects.filter(
        Exists(Session.objects.filter(pk=key, session_data=data)), pk=pk, password=password, is_active=True
    ),
    like=[-1, "password", "key", "data"],
)


def remember(request: HttpRequest) -> None:
    """Keeps who has been found to ask (`known`)."""
    row = getattr(request.session, "row", None)
    if row is None or not request.user.is_authenticated:
        return
    with _lock:
        _logins[row.pk] = Login(request.user.pk, request.user.password, row.session_data, row.expire_date)
        if len(_logins) > REMEMBERED:
            _logins.popitem(last=False)


def known(request: HttpRequest) -> User | None:
    """Who asks, in one query, if this process has found that before; None if it takes Django's middlewares to find out.

    What was found counts while session, password and account stand in the database as they did then: not once the
    person has logged out, the password is another, or the account is shut, by whatever process.
    """
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    login = _logins.get(key)
    if login is None or login.expires <= timezone.now():
        return None
    users = _still(login.user_id, login.password, key, login.data)
    return users[0] if users else None
