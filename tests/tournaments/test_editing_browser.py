"""The form of an event in a real browser, while others enter and edit."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import person
from tournaments import services
from tournaments.models import Event

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture
def swiss(live_url) -> Event:
    """A Swiss with two entries, in two hours."""
    starts_at = (timezone.now() + timedelta(hours=2)).replace(second=0, microsecond=0)
    event = Event(
        name="Evening Swiss", game="casino", format="swiss", starts_at=starts_at, status=Event.Status.REGISTRATION
    )
    services.save_event(event, by=person("boss"), now=timezone.now())
    for name in ("ann", "bob"):
        services.enter_event(event_id=event.pk, user=person(name))
    return event


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_stale_form_shows_what_somebody_else_changed_and_keeps_what_was_typed(
    new_context, log_in, live_url, swiss, axe, viewport
):
    page = new_context(viewport=viewport).new_page()
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:edit", args=[swiss.pk]))
    page.get_by_label("Name", exact=True).fill("My Swiss")
    services.shift_time(event_id=swiss.pk, minutes=30, by=person("director"))
    page.get_by_role("button", name="Save").click()
    alert = page.get_by_role("main").get_by_role("alert")
    expect(alert).to_contain_text("Someone else changed this tournament while you edited it. Nothing is saved yet.")
    expect(alert).to_contain_text("Start:")
    expect(page.get_by_label("Name", exact=True)).to_have_value("My Swiss")
    later = swiss.starts_at + timedelta(minutes=30)
    expect(page.get_by_label("Start", exact=True)).to_have_value(f"{later:%Y-%m-%dT%H:%M}")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(live_url + reverse("tournaments:console", args=[swiss.pk]))
    swiss.refresh_from_db()
    assert (swiss.name, swiss.starts_at) == ("My Swiss", later)


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no-script"])
def test_another_game_is_confirmed_with_a_tick(new_context, log_in, live_url, swiss, axe, viewport, has_script):
    page = new_context(viewport=viewport, java_script_enabled=has_script).new_page()
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:edit", args=[swiss.pk]))
    kind = page.get_by_role("form", name="Game and format")
    kind.get_by_label("Game").select_option("gin-rummy")
    if not has_script:
        kind.get_by_role("button", name="Show options").click()
    expect(page.get_by_text("Rules of Gin Rummy")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    alert = page.get_by_role("main").get_by_role("alert")
    expect(alert).to_contain_text("2 entries stay entered. Change the game anyway?")
    if has_script:
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Yes, change it and notify all entrants").check()
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(live_url + reverse("tournaments:console", args=[swiss.pk]))
    swiss.refresh_from_db()
    assert swiss.game == "gin-rummy"


def test_a_wrong_number_in_a_closed_group_opens_it_and_has_the_focus(new_context, log_in, live_url, swiss):
    page = new_context(viewport=WIDE).new_page()
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:edit", args=[swiss.pk]))
    field = page.locator("#event-form details:not([open]) input[type=number][min]").first
    name = field.get_attribute("name")
    field.evaluate("field => { field.value = Number(field.min) - 1; }")
    page.locator("#event-form").evaluate("form => form.requestSubmit()")
    expect(page.locator(f"#event-form [name={name}]")).to_be_focused()
