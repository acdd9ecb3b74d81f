"""Tell people things, wherever they are: on any open page of the site, by e-mail, by Web Push."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import live
from infra.after_commit import on_commit
from infra.prepared import Prepared
from infra.task_queue import enqueue
from notifications.models import MailAddress, Notice, PushSubscription

COUNTED = 99  # more unread notices than these are not counted
IN_BANNER = 3
Turns = MailAddress.Turns

_unread = Prepared(lambda pk: Notice.objects.unread().filter(user=pk)[: COUNTED + 1], like=[-1])


def tell(user: User, *, key: str, text: str, url: str, letters: Collection[str] = Turns.values) -> None:
    """As `tell_all`, to one person."""
    tell_all([user], key=key, text=text, url=url, letters=letters)


@transaction.atomic
def tell_all(users: Iterable[User], *, key: str, text: str, url: str, letters: Collection[str] = Turns.values) -> None:
    """Stores a notice for each person and spreads it on commit. Bots and closed accounts hear nothing.

    key: what it is about; a person is told the same thing once, however often this is called.
    url: path of the page where one sees to it. letters: a letter only goes to those with such a `MailAddress.turns`.
    """
    people = {user.pk for user in users if user.is_person and user.is_active}
    people -= set(Notice.objects.filter(key=key, user__in=people).values_list("user_id", flat=True))
    fresh = [Notice(user_id=pk, key=key, text=text, url=url) for pk in sorted(people)]
    Notice.objects.bulk_create(fresh, ignore_conflicts=True)
    if people:
        on_commit(_spread, key, people, letters)


def _spread(key: str, people: Collection[int], letters: Collection[str]) -> None:
    notices = dict(Notice.objects.filter(key=key, user__in=people).values_list("user_id", "pk"))
    for user_id, notice_id in notices.items():
        live.announce(live.own_channel(user_id), notice_id)
    for user_id in MailAddress.objects.filter(user__in=people, turns__in=letters).values_list("user_id", flat=True):
        enqueue("notifications.tasks.mail", notices[user_id])
    for pk, user_id in PushSubscription.objects.filter(user__in=people).values_list("pk", "user_id"):
        enqueue("notifications.tasks.push", notices[user_id], pk)


@dataclass(frozen=True, slots=True)
class Unread:
    """count: all of them, at most COUNTED + 1. news: those to interrupt with, newest first."""

    count: int = 0
    newest: int = 0
    news: tuple[Notice, ...] = ()

    @property
    def shown(self) -> str:
        return f"{COUNTED}+" if self.count > COUNTED else str(self.count)


def unread(user: User, *, here: str) -> Unread:
    """What a person has not read. here: path of the page that he looks at; what leads there counts as read."""
    found = _unread(user.pk)
    seen = [notice.pk for notice in found if notice.url == here]
    if seen:
        read(user, seen)
    open_ones = [notice for notice in found if notice.pk not in seen]
    news = [notice for notice in open_ones if notice.is_fresh]
    return Unread(len(open_ones), max((notice.pk for notice in found), default=0), tuple(news[:IN_BANNER]))


def is_past(users: Iterable[User], keys: Iterable[str]) -> None:
    """Nobody needs to see to these things any more: whoever has not read of them need not."""
    Notice.objects.unread().filter(user__in=list(users), key__in=list(keys)).update(read_at=timezone.now())


def read(user: User, pks: Collection[int] | None = None) -> None:
    """Marks these notices of a person as read; None: all of them."""
    chosen = user.notices.unread() if pks is None else user.notices.unread().filter(pk__in=pks)
    chosen.update(read_at=timezone.now())
