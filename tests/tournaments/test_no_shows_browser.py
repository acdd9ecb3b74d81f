"""Somebody who missed a match, in a real browser."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services as games
from tests.tournaments.factories import advance, open_tables, person, running_tables
from tournaments import services
from tournaments.models import Event


@pytest.fixture
def swiss(live_url) -> Event:
    """A Swiss of four that has just begun."""
    event = Event(
        name="Evening Swiss",
        game="casino",
        options={"target": 11},
        format="swiss",
        starts_at=timezone.now(),
        status=Event.Status.REGISTRATION,
        check_in_minutes=0,
    )
    services.save_event(event, by=person("boss"), now=timezone.now())
    for name in ("ann", "bob", "cat", "dan"):
        services.enter_event(event_id=event.pk, user=person(name))
    services.start_event(event_id=event.pk, now=event.starts_at)
    return open_tables(event)


def test_the_clock_starts_when_both_have_opened_the_table(page, new_context, live_url, log_in, swiss, axe):
    table = running_tables(swiss)[0]
    log_in(page.context, table.names[0])
    page.goto(live_url + table.get_absolute_url())
    page.get_by_text("The clocks start when everyone is here").wait_for()
    axe(page)
    other = new_context().new_page()
    log_in(other.context, table.names[1])
    other.goto(live_url + table.get_absolute_url())
    assert games.tables_with_arrivals(now=timezone.now()) == [table.pk]
    games.note_arrivals(table_id=table.pk, now=timezone.now())
    page.get_by_text("The clocks start when everyone is here").wait_for(state="detached")
    page.locator(".seat .clock, .plate .clock").first.wait_for()


def test_who_sits_out_says_that_they_are_back(page, live_url, log_in, swiss, axe):
    table = running_tables(swiss)[0]
    log_in(page.context, table.names[0])
    page.goto(live_url + swiss.get_absolute_url())
    page.get_by_role("link", name="Go to the table").wait_for()
    games.flag_overdue(table_id=table.pk, now=table.appear_by + timedelta(seconds=1))
    advance(swiss)
    page.get_by_text("You missed your match, so you sit out.").wait_for()
    axe(page)
    page.get_by_role("button", name="I'm back").click()
    page.locator("main").get_by_text("You're in.").wait_for()
    assert not swiss.entries.get(user=person(table.names[0])).sits_out
