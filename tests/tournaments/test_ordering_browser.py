"""Lists that are put in order by drag and by keys: tie-breaks, seeds; formats as cards."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import names, person
from tournaments import services
from tournaments.models import Event


@pytest.fixture
def evening(live_url) -> Event:
    """Four entries; boss directs it, and is an admin."""
    boss = person("boss")
    boss.is_staff = boss.is_superuser = True
    boss.save()
    starts_at = timezone.now() + timedelta(minutes=30)
    event = Event(name="Club evening", game="casino", starts_at=starts_at, status=Event.Status.REGISTRATION)
    services.save_event(event, by=boss, now=timezone.now())
    for name in ("ann", "bob", "cat", "dan"):
        services.enter_event(event_id=event.pk, user=person(name))
    return event


def test_tie_breaks_are_ticked_and_ordered(page, live_url, log_in, evening, axe):
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:new") + "?game=casino")
    page.get_by_role("radio", name="Round robin").check()
    codes = page.locator("[name=format-tie_breaks]")
    expect(codes).to_have_value("DE, SB, WON, DIFF, LOTS")
    rows = page.get_by_role("list", name="Tie-breaks, in order")
    rows.get_by_role("button", name="Down head to head").click()
    expect(codes).to_have_value("SB, DE, WON, DIFF, LOTS")
    rows.get_by_role("checkbox", name="Random draw").uncheck()
    expect(codes).to_have_value("SB, DE, WON, DIFF")
    rows.get_by_role("button", name="Move Head to head with the arrow keys").press("ArrowUp")
    expect(codes).to_have_value("DE, SB, WON, DIFF")
    axe(page)
    page.locator("#id_name").fill("By drag")
    page.get_by_role("button", name="Plan tournament").click()
    page.wait_for_url("**/console/")
    assert Event.objects.get(name="By drag").plan.tie_breaks == ("DE", "SB", "WON", "DIFF")


def test_seeds_are_dragged_and_saved(page, live_url, log_in, evening, axe):
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:seeds", args=[evening.pk]))
    rows = page.locator("#seed-order > li")
    expect(rows.locator(".order-handle")).to_have_count(4)
    order = [row.get_attribute("data-name") for row in rows.all()]
    axe(page)
    start, end = rows.nth(3).locator(".order-handle").bounding_box(), rows.nth(0).bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(start["x"] + 10, end["y"] + 5, steps=12)
    page.mouse.up()
    dragged = [order[3], *order[:3]]
    expect(rows.first).to_have_attribute("data-name", order[3])
    assert [row.get_attribute("data-name") for row in rows.all()] == dragged
    rows.nth(0).locator(".order-handle").press("ArrowDown")
    page.get_by_role("button", name="Save order").last.click()
    expect(page.locator("p > b", has_text="by the director")).to_be_visible()
    wanted = [dragged[1], dragged[0], *dragged[2:]]
    assert names(evening.entries.order_by("wanted_seed").select_related("user")) == wanted


def test_only_the_main_button_of_the_mouse_drags_a_row(page, live_url, log_in, evening):
    """The menu of another one takes its release to itself, and the row would follow the mouse from then on."""
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:seeds", args=[evening.pk]))
    rows = page.locator("#seed-order > li")
    order = [row.get_attribute("data-name") for row in rows.all()]
    rows.nth(3).locator(".order-handle").hover()
    page.mouse.down(button="right")
    rows.nth(0).hover(position={"x": 5, "y": 5})
    assert [row.get_attribute("data-name") for row in rows.all()] == order
