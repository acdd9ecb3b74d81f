"""Travellers in a real browser."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import end_with, person, running_tables, started
from tournaments import services
from tournaments.models import Event

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture
def duplicate(live_url) -> Event:
    """A duplicate Swiss of six, after its first round."""
    event = Event(
        name="Evening duplicate", game="casino", options={"target": 11}, format="swiss", dealing="same", match_games=2,
        compared_by="matchpoints", match_rule="points", starts_at=timezone.now() + timedelta(minutes=5),
        check_in_minutes=0, status=Event.Status.REGISTRATION,
    )  # fmt: skip
    event.full_clean()
    services.save_event(event, by=person("boss"), now=timezone.now())
    for name in ("ann", "bob", "cat", "dan", "Maximilian-of-Vienna", "fay"):
        services.enter_event(event_id=event.pk, user=person(name))
    now = event.starts_at
    started(event, now=now)
    for scores in ([(11, 5), (11, 2), (4, 11)], [(3, 11), (11, 9), (3, 11)]):
        for table, points in zip(running_tables(event), scores, strict=True):
            end_with(table, points)
        services.advance_running_event(event_id=event.pk, now=now)
    event.refresh_from_db()
    return event


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_player_goes_from_the_standings_to_a_deal_and_its_replays(
    new_context, log_in, live_url, duplicate, axe, viewport
):
    page = new_context(viewport=viewport).new_page()
    log_in(page.context, "ann")
    page.goto(live_url + reverse("tournaments:event", args=[duplicate.pk]))
    page.get_by_role("link", name="Every deal, with the results of all tables").click()
    expect(page.get_by_role("columnheader", name="Your score")).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Round 1, deal 2").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1, deal 2")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Replay ").first.click()
    expect(page).to_have_url(re.compile("/replay"))
