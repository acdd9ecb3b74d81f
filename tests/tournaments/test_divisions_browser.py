"""Divisions in a real browser: a director makes the next stage with one press."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import person
from tournaments.models import Division, DivisionLeague, Entry, Event

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
LEVELS = ("ann bob cat dan", "Maximilian-of-Vienna eve fay gus", "hal ian joe kim")


@pytest.fixture
def league(live_url) -> DivisionLeague:
    """Three divisions of four after their first stage."""
    dora = person("dora")
    dora.groups.add(Group.objects.get(name="Directors"))
    made = DivisionLeague.objects.create(name="City league", size=4, up=1, down=1, created_by=dora)
    for level, names in enumerate(LEVELS, start=1):
        event = Event.objects.create(
            name=f"City league 1, division {level}", game="casino", format="round-robin", created_by=dora,
            starts_at=datetime(2026, 10, 2, 17, 30, tzinfo=UTC), status=Event.Status.FINISHED,
        )  # fmt: skip
        for place, name in enumerate(names.split(), start=1):
            Entry.objects.create(event=event, user=person(name), seed=place, place=place, last_place=place)
        Division.objects.create(league=made, stage=1, level=level, event=event)
    return made


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_director_looks_at_the_next_stage_and_makes_it(new_context, log_in, live_url, league, axe, viewport):
    page = new_context(viewport=viewport).new_page()
    log_in(page.context, "dora")
    page.goto(live_url + league.get_absolute_url())
    axe(page)
    page.get_by_role("link", name="Plan the next stage").click()
    start = timezone.now() + timedelta(days=9)
    page.get_by_label("Start", exact=True).fill(f"{start:%Y-%m-%dT19:30}")
    page.get_by_role("button", name="Show the divisions").click()
    expect(page.get_by_role("region", name="Division 1").get_by_role("listitem").last).to_contain_text("▲ up")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Create the divisions").click()
    expect(page.get_by_role("heading", name="Stage 2")).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_stage_and_a_series_propose_the_visitors_zone(new_context, log_in, live_url, league):
    page = new_context(timezone_id="Europe/Vienna", locale="en-GB").new_page()
    log_in(page.context, "dora")
    page.goto(live_url + reverse("tournaments:next-stage", args=[league.pk]))
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Vienna")
    event = Division.objects.get(level=1).event
    page.goto(live_url + reverse("tournaments:repeat", args=[event.pk]))
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Vienna")
    expect(page.get_by_label("First start")).to_have_value(re.compile("T1[89]:30"))  # 17:30 UTC, in summer or winter
