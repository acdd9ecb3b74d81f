"""A club evening from the door to the first match, in real browsers."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from notifications.services import notify
from tests.tournaments.factories import open_tables, person, status_of
from tournaments import services
from tournaments.models import Event


@pytest.fixture
def evening(live_url) -> Event:
    """A Swiss of four with check-in, which boss directs."""
    starts_at = timezone.now() + timedelta(hours=1)
    settings = {"format": "swiss", "check_in_minutes": 5, "publishes_by_hand": True, "fee": "5 euros"}
    event = Event(name="Club evening", game="casino", starts_at=starts_at, status=Event.Status.REGISTRATION, **settings)
    services.save_event(event, by=person("boss"), now=timezone.now())
    for name in ("ann", "bob", "cat", "dan"):
        services.enter_event(event_id=event.pk, user=person(name))
    return event


LONG_LIST = """() => {
    document.querySelector(".projector-lists").innerHTML =
        `<ol class="projector-list" aria-labelledby="x">${"<li>one</li>".repeat(300)}</ol>`;
}"""


def test_players_check_in_at_the_door_and_the_director_starts_at_once(new_context, live_url, log_in, evening, axe):
    boss, ann, projector = (new_context().new_page() for _ in range(3))
    log_in(boss.context, "boss")
    log_in(ann.context, "ann")
    boss.goto(live_url + reverse("tournaments:door-list", args=[evening.pk]))
    axe(boss)
    ann.goto(boss.locator("#code-title ~ p.small").inner_text())
    ann.get_by_role("button", name="Check in").click()
    ann.get_by_text("You're checked in.").first.wait_for()
    boss.locator("main").get_by_text("1 of 4 are here").wait_for()
    boss.get_by_role("button", name="Check in bob").click()
    boss.locator("main").get_by_text("2 of 4 are here").wait_for()
    boss.get_by_role("button", name="All here").click()
    boss.locator("main").get_by_text("4 of 4 are here").wait_for()
    assert status_of(evening, "dan") == "checked-in"

    boss.goto(live_url + reverse("tournaments:console-tab", args=[evening.pk, "entries"]))
    boss.get_by_role("button", name="Note as paid cat").click()
    boss.locator("main").get_by_text("1 of 4 have paid.").wait_for()
    axe(boss)
    projector.goto(live_url + reverse("tournaments:projector", args=[evening.pk]))
    boss.get_by_role("link", name="Start now").click()
    boss.locator("main").get_by_text("Check-in is skipped").wait_for()
    boss.get_by_role("button", name="Start now").click()
    boss.get_by_role("navigation", name="Console").get_by_role("link", name="Rounds").click()
    boss.get_by_role("button", name="Publish round 1").click()
    boss.locator("main").get_by_text("The next round needs more results").wait_for()
    open_tables(Event.objects.get(pk=evening.pk))
    expect(projector.locator(".projector-list").first.locator("li")).to_have_count(2)
    expect(projector.locator(".projector-now")).to_have_text(re.compile("Round 1"))


def test_a_projector_shows_no_notice_of_whoever_is_logged_in(page, live_url, log_in, evening):
    log_in(page.context, "boss")
    notify(person("boss"), key="secret", text="A secret of boss", url="/")
    page.goto(live_url + evening.get_absolute_url())
    expect(page.get_by_text("A secret of boss").first).to_be_visible()
    page.goto(live_url + reverse("tournaments:projector", args=[evening.pk]))
    expect(page.get_by_role("heading", name="Entries: 4")).to_be_visible()
    expect(page.get_by_text("A secret of boss").first).to_be_hidden()


def test_a_projector_scrolls_as_fast_on_every_screen(new_context, live_url, log_in, evening):
    page = new_context().new_page()
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto(live_url + reverse("tournaments:projector", args=[evening.pk]))
    page.evaluate(LONG_LIST)
    page.clock.run_for(6_000)  # it rests
    page.clock.run_for(5_000)
    assert 150 <= page.locator(".projector-list").evaluate("list => list.scrollTop") <= 250
