"""Logins of a user: where they are logged in, and ending one of them.

A record is made at the log-in, for older sessions at their next use, and written at most once in `SEEN_EVERY` after
that. Whether a login still holds is not in the record: its session says it.
"""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from ipaddress import IPv6Network, ip_network
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.cached_db import SessionStore
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.devices import device_name
from accounts.models import LoginRecord, User
from accounts.signals import sessions_ended
from accounts.throttle import address_of
from infra.cache import LRUCache

SEEN_EVERY = timedelta(minutes=10)
NOTED_SESSIONS = 50_000

logger = logging.getLogger(__name__)
_noted: LRUCache[str, float] = LRUCache(NOTED_SESSIONS)  # when this process has last noted a session


class NoteLogins:
    """Middleware: notes the use of a session once the answer is made."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        session = getattr(request, "session", None)
        if session is not None and session.accessed and session.session_key and SESSION_KEY in session:
            try:
                _note(request, session.session_key, int(session[SESSION_KEY]))
            except DatabaseError:
                logger.warning("the use of a login is not noted", exc_info=True)
        return response


def note_log_in(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Receiver of `user_logged_in`. A session that has no key yet is noted by the middleware, once it is stored."""
    if key := request.session.session_key:
        _note(request, key, user.pk)


def _note(request: HttpRequest, key: str, user_id: int) -> None:
    now, noted_at = timezone.now(), _noted.get(key)
    if noted_at is not None and time.monotonic() - noted_at < SEEN_EVERY.total_seconds():
        return
    first = {"device": device_name(request.headers.get("User-Agent", "")), "network": rough_address(request)}
    record, is_new = LoginRecord.objects.get_or_create(session_key=key, defaults={"user_id": user_id, **first})
    if not is_new and record.last_seen_at < now - SEEN_EVERY:
        LoginRecord.objects.filter(pk=record.pk).update(last_seen_at=now)
    _noted.set(key, time.monotonic())


def rough_address(request: HttpRequest) -> str:
    """The network of a visitor, such as 192.0.2.x or 2001:db8:12::x; "" without an address."""
    try:
        network = ip_network(address_of(request))
    except ValueError:
        return ""
    if isinstance(network, IPv6Network):
        return f"{network.supernet(new_prefix=48).network_address}x"
    return f"{str(network.network_address).rpartition('.')[0]}.x"


def holding_logins(user: User) -> list[LoginRecord]:
    """The logins of a user whose session holds, last used first."""
    records = {record.session_key: record for record in user.logins.all()}
    sessions = Session.objects.filter(pk__in=records, expire_date__gt=timezone.now())
    holding = {session.pk for session in sessions if _is_of(session, user)}
    return [record for key, record in records.items() if key in holding]


def _is_of(session: Session, user: User) -> bool:
    """Whether the session is the user's, with the password of today."""
    content = session.get_decoded()
    is_theirs = content.get(SESSION_KEY) == str(user.pk)
    return is_theirs and constant_time_compare(content.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())


def end_login(record: LoginRecord) -> None:
    """Ends the session of a login, and its open streams."""
    SessionStore(session_key=record.session_key).delete()
    record.delete()
    sessions_ended.send(sender=User, user=record.user)


def delete_ended() -> None:
    """Deletes the records whose session is no longer there."""
    LoginRecord.objects.exclude(Exists(Session.objects.filter(pk=OuterRef("session_key")))).delete()
