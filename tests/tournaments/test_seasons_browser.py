"""Seasons in a real browser: the form of a director, and a wide table on a phone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from playwright.sync_api import expect

from tests.tournaments.factories import person
from tournaments.models import Entry, Event, Series

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
NAMES = ("ann", "bob", "cat", "Maximilian-of-Vienna", "eve", "fay", "gus", "hal", "ian")


@pytest.fixture
def series(live_url) -> Series:
    """Eight finished evenings of nine players."""
    start = datetime(2026, 9, 4, 17, 30, tzinfo=UTC)
    made = Series.objects.create(name="Friday Casino", game="casino", first_start_at=start, time_zone="Europe/Vienna")
    for week in range(8):
        at = start + timedelta(weeks=week)
        event = Event.objects.create(
            name=made.name, series=made, game="casino", starts_at=at, planned_at=at, status=Event.Status.FINISHED,
            time_zone="Europe/Vienna", format="swiss",
        )  # fmt: skip
        order = NAMES[week:] + NAMES[:week]
        for place, name in enumerate(order, start=1):
            Entry.objects.create(
                event=event, user=person(name), seed=place, place=place, last_place=place, has_come=True
            )
    return made


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_director_makes_a_season_and_everyone_reads_its_table(new_context, log_in, live_url, series, axe, viewport):
    dora = person("dora")
    dora.groups.add(Group.objects.get(name="Directors"))
    page = new_context(viewport=viewport).new_page()
    log_in(page.context, "dora")
    page.goto(live_url + series.get_absolute_url())
    page.get_by_role("link", name="New season").click()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Name", exact=True).fill("Autumn season")
    page.get_by_label("Best results that count").fill("6")
    page.get_by_label("Bonus for each tournament played").fill("1")
    page.get_by_role("button", name="Save the season").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Autumn season")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="4 Sep", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Friday Casino")
    page.goto(live_url + reverse("tournaments:seasons"))
    axe(page)
