"""Reminders before the start."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.pages import page_words
from tests.tournaments.factories import entry_of, person
from tournaments import services
from tournaments.models import Event
from tournaments.services import reminders

pytestmark = pytest.mark.django_db

BEFORE = timedelta(minutes=15)


@pytest.fixture
def soon(event) -> Event:
    """Ann, who wants to be reminded, and bob, in an event that starts in two hours."""
    noon = event(people="ann bob", starts_at=timezone.now() + timedelta(hours=2))
    services.want_reminder(event_id=noon.pk, user=person("ann"), is_wanted=True)
    return noon


def notices_of(name: str) -> int:
    return person(name).notices.filter(text__contains=" starts ").count()


def due(at) -> list[int]:
    return list(reminders.events_to_remind(at).values_list("pk", flat=True))


def test_who_wants_it_is_reminded_once_shortly_before_the_start(soon):
    assert due(soon.starts_at - timedelta(minutes=16)) == []
    assert due(soon.starts_at - timedelta(minutes=14)) == [soon.pk]
    for _ in range(2):
        reminders.remind(event_id=soon.pk, now=soon.starts_at - timedelta(minutes=14))
    assert (notices_of("ann"), notices_of("bob")) == (1, 0)
    assert due(soon.starts_at - timedelta(minutes=13)) == []


def test_an_event_that_is_shifted_is_told_of_again(soon):
    reminders.remind(event_id=soon.pk, now=soon.starts_at - BEFORE)
    services.shift_time(event_id=soon.pk, minutes=60, by=person("boss"))
    soon.refresh_from_db()
    reminders.remind(event_id=soon.pk, now=soon.starts_at - BEFORE)
    assert notices_of("ann") == 2


def test_an_event_that_is_edited_to_start_much_later_is_told_of_again(soon):
    now = soon.starts_at - BEFORE
    reminders.remind(event_id=soon.pk, now=now)
    soon.refresh_from_db()
    soon.name = "Another name"
    services.save_event(soon, by=person("boss"), now=now)
    assert due(now) == []
    soon.starts_at += timedelta(days=1)
    services.save_event(soon, by=person("boss"), now=now)
    reminders.remind(event_id=soon.pk, now=soon.starts_at - BEFORE)
    assert notices_of("ann") == 2


def test_a_player_chooses_it_on_the_page_and_takes_it_back(client, soon):
    client.force_login(person("bob"))
    page, choose = soon.get_absolute_url(), reverse("tournaments:reminder", args=[soon.pk])
    assert "Remind me 15 minutes before" in page_words(client.get(page))
    client.post(choose, {"on": "1"})
    assert entry_of(soon, "bob").wants_reminder
    client.post(choose, {"off": "1"})
    assert not entry_of(soon, "bob").wants_reminder


def test_nobody_else_is_reminded(client, soon):
    client.force_login(person("eve"))
    page = client.post(reverse("tournaments:reminder", args=[soon.pk]), {"on": "1"}, follow=True)
    assert "nothing to remind you of" in page_words(page)


def test_a_reminder_is_not_offered_once_its_time_is_over(soon, client):
    client.force_login(person("bob"))
    assert "Remind me" in page_words(client.get(soon.get_absolute_url()))
    reminders.remind(event_id=soon.pk, now=soon.starts_at - BEFORE)
    for name in ("ann", "bob"):
        client.force_login(person(name))
        page = page_words(client.get(soon.get_absolute_url()))
        assert "You're in." in page and "emind me" not in page
