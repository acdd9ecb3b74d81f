"""Entries in a real browser: search while typing, and names that are offered."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from tests.tournaments.factories import person
from tournaments import services
from tournaments.models import Entry, Event


@pytest.fixture
def large(live_url) -> Event:
    """An event with 70 entries, directed by boss."""
    starts_at = timezone.now() + timedelta(minutes=30)
    event = Event(name="Club evening", game="casino", starts_at=starts_at, status=Event.Status.REGISTRATION)
    services.save_event(event, by=person("boss"), now=timezone.now())
    people = User.objects.bulk_create(User(username=f"player{number}") for number in range(70))
    Entry.objects.bulk_create(Entry(event=event, user=user) for user in people)
    return event


def test_a_director_finds_and_adds_an_entry(page, live_url, log_in, large, axe):
    person("annabel")
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console-tab", args=[large.pk, "entries"]))
    page.get_by_label("Search entries").press_sequentially("player42")
    expect(page.locator("#console-live tbody tr")).to_have_count(1)
    services.add_entry(event_id=large.pk, user=person("player420"), by=person("boss"))
    expect(page.locator("#console-live tbody tr"), "renewed, and still what was searched").to_have_count(2)
    page.get_by_label("Name", exact=True).press_sequentially("anna")
    expect(page.locator("#names option")).to_have_attribute("value", "annabel")
    axe(page)
    page.get_by_label("Name", exact=True).fill("annabel")
    page.get_by_role("button", name="Add an entry").click()
    page.locator("#console-log").get_by_text("annabel entered.").first.wait_for()

    page.goto(live_url + reverse("tournaments:entries", args=[large.pk]))
    axe(page)
    page.get_by_role("navigation", name="Pages of entries").get_by_role("link", name="Page 2").click()
    expect(page.locator("#entry-list tbody tr")).to_have_count(12)


def test_the_entries_of_the_console_fit_a_phone(new_context, live_url, log_in, large):
    """With long names, and a fee to note: the buttons are there without scrolling sideways."""
    Event.objects.filter(pk=large.pk).update(fee="5 €")
    services.add_entry(event_id=large.pk, user=person("Konstantina-Eleftheria_1992"), by=person("boss"))
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console-tab", args=[large.pk, "entries"]) + "?q=konst")
    expect(page.get_by_role("button", name="Check in")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    assert page.locator(".table-wrap").evaluate("box => box.scrollWidth <= box.clientWidth"), "buttons are cut off"
