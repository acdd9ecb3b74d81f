"""Who asks: sessions and users as Django keeps them, read with prepared queries because every request reads both."""

from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.contrib.sessions.models import Session
from django.db.models import Exists
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import User
from infra.cache import Recent
from infra.prepared import Condition, Prepared

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
    """Whose a session is, and what that rests on: its key, its data, the password."""

    key: str
    data: str
    expires: datetime
    user_id: int
    password: str

    @property
    def still(self) -> Condition:
        """Session, password and account stand in the database as they did: nobody has ended them, by any process."""
        return Condition.found(_still.statement(self.user_id, self.password, self.key, self.data))


_logins: Recent[str, Login] = Recent(REMEMBERED)
_still = Prepared(
    lambda pk, password, key, data: User.objects.filter(
        Exists(Session.objects.filter(pk=key, session_data=data)), pk=pk, password=password, is_active=True
    ),
    like=[-1, "password", "key", "data"],
)


def remember(request: HttpRequest) -> None:
    """Keeps who has been found to ask (`known_login`), if anybody wanted to know."""
    login = login_of(request)
    if login:
        _logins.keep(login.key, login)


def login_of(request: HttpRequest) -> Login | None:
    """The login by which a request came; None for visitors who are not logged in, or if nobody wanted to know."""
    row = getattr(getattr(request, "session", None), "row", None)
    if row is None or not request.user.is_authenticated:
        return None
    return Login(row.pk, row.session_data, row.expire_date, request.user.pk, request.user.password)


def renewed(login: Login) -> Login | None:
    """Re-checks a login that was read a while ago: as it is stored now, None if session or account no longer hold.

    It takes one query while nothing has changed. Unlike a request it never deletes a session.
    """
    if login.expires > timezone.now() and _still(login.user_id, login.password, login.key, login.data):
        return login
    store, user = SessionStore(login.key), Backend().get_user(login.user_id)
    kept = store.load()
    if user is None or store.row is None or kept.get(SESSION_KEY) != str(user.pk):
        return None
    if not constant_time_compare(kept.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
        return None
    return Login(login.key, store.row.session_data, store.row.expire_date, user.pk, user.password)


def known_login(request: HttpRequest) -> Login | None:
    """Whose this session was when this process last looked; who acts on it makes sure that it is so `still`."""
    login = _logins.find(request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""))
    return login if login and login.expires > timezone.now() else None
