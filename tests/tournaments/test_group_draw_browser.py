"""The draw of groups in a real browser: steps appear by themselves, and the page fits and is accessible."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import person
from tournaments import services
from tournaments.models import Event
from tournaments.queries.group_draws import STEP_SECONDS

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_draw_goes_on_while_people_watch(new_context, live_url, axe, viewport):
    now = timezone.now()
    event = Event(
        name="Cup", game="casino", format="groups", status=Event.Status.REGISTRATION, check_in_minutes=0, starts_at=now,
        format_options={"group_size": 3, "qualifiers": 1, "drawn": "pots"},
    )  # fmt: skip
    services.save_event(event, by=None, now=now)
    for name in ("ann", "bob", "cat", "Maximilian-of-Vienna", "eve", "fay"):
        services.add_entry(event_id=event.pk, user=person(name), by=person("director"))
    page = new_context(viewport=viewport).new_page()
    page.goto(f"{live_url}{event.get_absolute_url()}draw/")
    expect(page.get_by_role("region", name="Pot 3").get_by_role("listitem")).to_have_count(2)
    axe(page)
    services.start_event(event_id=event.pk, now=timezone.now())
    drawn = page.get_by_role("region", name="Group A").get_by_role("listitem")
    expect(drawn).to_have_count(1, timeout=20_000)
    expect(page.get_by_role("status").filter(has_text="Pot 1:")).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    Event.objects.update(started_at=timezone.now() - timedelta(seconds=6 * STEP_SECONDS))
    expect(page.get_by_text("Step by step").last).to_be_visible(timeout=20_000)
    expect(drawn).to_have_count(3)
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
