"""The privacy page says what the daily clean-up does."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.html import strip_tags

from accounts import tasks as accounts
from accounts.models import User
from games import tasks as games
from games.models import Challenge, Seek, Table
from games.services.seeking import delete_forgotten_seeks
from notifications import tasks as notifications
from notifications.models import Notice, Webhook, WebhookDelivery
from tests.pages import page_html
from tournaments import tasks as tournaments
from tournaments.models import EntryImport, Event

pytestmark = pytest.mark.django_db
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def numbers_of(html: str) -> dict[str, list[int]]:
    """The numbers of the page, by what they are about."""
    rows = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html, re.DOTALL)
    return {strip_tags(what): [int(number) for number in re.findall(r"\d+", text)] for what, text in rows}


@pytest.fixture
def kept(client) -> dict[str, list[int]]:
    return numbers_of(page_html(client.get("/privacy/")))


def left_after(prune: Callable[[], None], model: type, make: Callable[[timedelta], object], kept: timedelta) -> int:
    """How many of two rows are left: of one that is almost old enough, and one that is."""
    make(kept - HOUR)
    make(kept + HOUR)
    prune()
    return model.objects.count()


def test_notices_go_after_the_days_of_the_page(kept, person) -> None:
    read, unread = kept["Notifications"]
    user, now = person("ann"), timezone.now()

    def make(days: int, is_read: bool) -> Callable[[timedelta], Notice]:
        return lambda age: Notice.objects.create(
            user=user,
            key=f"{days} {age}",
            text=".",
            url="/",
            created_at=now - age,
            read_at=now - age if is_read else None,
        )

    assert left_after(notifications.prune, Notice, make(read, True), read * DAY) == 1
    Notice.objects.all().delete()
    assert left_after(notifications.prune, Notice, make(unread, False), unread * DAY) == 1


def test_challenges_go_after_the_days_of_the_page(kept, person) -> None:
    [days] = kept["Challenges"]
    table = Table.objects.create(game="casino", rules_version=1, seat_count=2, status=Table.Status.ABORTED)

    def make(age: timedelta) -> Challenge:
        to, then = person(f"to {age}"), timezone.now() - age
        return Challenge.objects.create(table=table, to=to, expires_at=then, answer=Challenge.Answer.DECLINED)

    assert left_after(games.prune, Challenge, make, days * DAY) == 1


def test_lists_of_names_go_after_the_days_of_the_page(kept, person) -> None:
    [days] = kept["Import lists"]
    event, by = Event.objects.create(name="Cup", game="casino", starts_at=timezone.now()), person("ann")

    def make(age: timedelta) -> EntryImport:
        ended = timezone.now() - age
        return EntryImport.objects.create(event=event, by=by, text="bob", line_count=1, finished_at=ended)

    assert left_after(tournaments.prune, EntryImport, make, days * DAY) == 1
    EntryImport.objects.create(event=event, by=by, text="bob", line_count=1)
    tournaments.prune()
    assert EntryImport.objects.filter(finished_at=None).exists()


def test_logins_and_searches_end_after_the_times_of_the_page(kept, client, person) -> None:
    client.force_login(person("ann"))
    [days], [minutes] = kept["Logins"], kept["Game searches"]
    ends = Session.objects.get(pk=client.cookies[settings.SESSION_COOKIE_NAME].value).expire_date
    assert abs(ends - timezone.now() - days * DAY) < HOUR
    Session.objects.update(expire_date=timezone.now() - HOUR)
    accounts.prune()
    assert not Session.objects.exists()

    def make(age: timedelta) -> Seek:
        here_until = timezone.now() - age
        return Seek.objects.create(user=person(f"at {age}"), game="casino", rating=1500, here_until=here_until)

    make(timedelta(minutes=minutes, seconds=-30))
    make(timedelta(minutes=minutes, seconds=30))
    delete_forgotten_seeks(now=timezone.now())
    assert Seek.objects.count() == 1


def test_messages_to_webhooks_go_after_the_days_of_the_page(kept, person) -> None:
    [days], hook = kept["Webhooks"], Webhook.objects.create(user=person("ann"), url="https://ann.example/")

    def make(age: timedelta) -> WebhookDelivery:
        return WebhookDelivery.objects.create(webhook=hook, kind="test", body="{}", created_at=timezone.now() - age)

    assert left_after(notifications.prune, WebhookDelivery, make, days * DAY) == 1


def test_guests_are_closed_after_the_days_of_the_page(kept, person) -> None:
    [days] = kept["Guests"]

    def make(age: timedelta) -> User:
        return User.objects.create(username=f"Guest {age}", is_guest=True, last_login=timezone.now() - age)

    assert left_after(accounts.prune, User, make, days * DAY) == 1


def test_every_daily_clean_up_is_looked_at_here() -> None:
    tasks = {one["task"] for one in settings.CELERY_BEAT_SCHEDULE.values() if one["task"].endswith(".prune")}
    assert tasks == {task.name for task in (accounts.prune, games.prune, notifications.prune, tournaments.prune)}
