"""Notify users wherever they are: on any open page of the site, by e-mail, by Web Push."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils.text import Truncator

from accounts.models import User
from games import live
from infra.after_commit import on_commit
from infra.task_queue import enqueue
from notifications.models import LONGEST_NOTICE, MailAddress, Notice, PushSubscription

MOST_COUNTED = 99  # more unread notices than these are not counted
BANNER_NOTICES = 3
Turns = MailAddress.Turns


def notify(user: User, *, key: str, text: str, url: str, email_turns: Collection[str] = Turns.values) -> None:
    """As `notify_all`, for one user."""
    notify_all([user], key=key, text=text, url=url, email_turns=email_turns)


def notify_all(
    users: Iterable[User], *, key: str, text: str, url: str, email_turns: Collection[str] = Turns.values
) -> None:
    """As `notify_each`, with one text for all."""
    notify_each(dict.fromkeys(users, text), key=key, url=url, email_turns=email_turns)


@transaction.atomic
def notify_each(texts: Mapping[User, str], *, key: str, url: str, email_turns: Collection[str] = Turns.values) -> None:
    """Stores a notice for each person and sends it on commit. Bots and closed accounts get none.

    key: what it is about; a user gets one notice for a key, however often this is called. texts: cut at LONGEST_NOTICE.
    url: path of the page it is about. email_turns: e-mail goes only to addresses with such a `MailAddress.turns`.
    """
    people = {
        user.pk: Truncator(text.strip()).chars(LONGEST_NOTICE)
        for user, text in texts.items()
        if user.is_person and user.is_active
    }
    for pk in Notice.objects.filter(key=key, user__in=people).values_list("user_id", flat=True):
        del people[pk]
    fresh = [Notice(user_id=pk, key=key, text=text, url=url) for pk, text in sorted(people.items())]
    Notice.objects.bulk_create(fresh, ignore_conflicts=True)
    if people:
        on_commit(_announce_and_send, key, list(people), email_turns)


def _announce_and_send(key: str, people: Collection[int], email_turns: Collection[str]) -> None:
    notices = dict(Notice.objects.filter(key=key, user__in=people).values_list("user_id", "pk"))
    for user_id, notice_id in notices.items():
        live.announce(live.own_channel(user_id), notice_id)
    for user_id in MailAddress.objects.filter(user__in=people, turns__in=email_turns).values_list("user_id", flat=True):
        enqueue("notifications.tasks.mail_notice", notices[user_id])
    for pk, user_id in PushSubscription.objects.filter(user__in=people).values_list("pk", "user_id"):
        enqueue("notifications.tasks.push_notice", notices[user_id], pk)


@dataclass(frozen=True, slots=True)
class UnreadNotices:
    """count: all of them, at most MOST_COUNTED + 1. news: those for the banner, newest first."""

    count: int = 0
    newest: int = 0
    news: tuple[Notice, ...] = ()

    @property
    def shown(self) -> str:
        return f"{MOST_COUNTED}+" if self.count > MOST_COUNTED else str(self.count)


def unread_notices(user: User, *, here: str) -> UnreadNotices:
    """The unread notices of a user. here: path of the page being looked at; notices about it count as read."""
    found = list(Notice.objects.unread().filter(user=user)[: MOST_COUNTED + 1])
    seen = [notice.pk for notice in found if notice.url == here]
    if seen:
        mark_read(user, seen)
    open_ones = [notice for notice in found if notice.pk not in seen]
    news = [notice for notice in open_ones if notice.is_fresh]
    return UnreadNotices(len(open_ones), max((notice.pk for notice in found), default=0), tuple(news[:BANNER_NOTICES]))


def withdraw_notices(users: Iterable[User], keys: Iterable[str]) -> None:
    """Marks notices as read that no longer matter."""
    Notice.objects.filter(user__in=list(users), key__in=list(keys)).mark_read()


def mark_read(user: User, pks: Collection[int] | None = None) -> None:
    """Marks these notices of a user as read; None: all of them."""
    (user.notices.all() if pks is None else user.notices.filter(pk__in=pks)).mark_read()
