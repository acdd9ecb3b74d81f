"""Who asks: sessions and users as Django keeps them, read with prepared queries because every request reads both."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.contrib.sessions.models import Session
from django.utils import timezone

from cardsite.accounts.models import User
from cardsite.prepared import Prepared

_sessions = Prepared(lambda key: Session.objects.filter(pk=key), like="?")
_users = Prepared(lambda pk: User.objects.filter(pk=pk), like=-1)


class SessionStore(DatabaseSessions):
    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def _get_session_from_db(self) -> Session | None:
        for session in _sessions(self.session_key):
            if session.expire_date > timezone.now():
                return session
        self._session_key = None
        return None


class Backend(ModelBackend):
    def get_user(self, user_id: int) -> User | None:
        users = [user for user in _users(user_id) if self.user_can_authenticate(user)]
        return users[0] if users else None
