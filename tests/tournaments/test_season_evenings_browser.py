"""A season of four weekly evenings across the change of the clocks, planned by a director who is no admin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import NOON, end_in_favour, open_tables, person, table_of
from tournaments import services
from tournaments.models import Event, Match, Series

PEOPLE = ("ann", "bob", "cat", "dan")
FRIDAYS = [datetime(2059, 10, day, hour, 30, tzinfo=UTC) for day, hour in ((10, 17), (17, 17), (24, 17), (31, 18))]
WORDS = ["10 Oct", "17 Oct", "24 Oct", "31 Oct"]
OPEN_ALL = "all => all.forEach(details => details.open = true)"


@pytest.fixture
def page(new_context, log_in):
    """The browser of dora in Vienna, who is in the group Directors."""
    dora = person("dora")
    dora.groups.add(Group.objects.get(name="Directors"))
    assert not dora.is_staff
    page = new_context(timezone_id="Europe/Vienna", locale="en-GB").new_page()
    log_in(page.context, "dora")
    return page


def plan_first_evening(page, live_url) -> None:
    page.goto(f"{live_url}/tournaments/new/")
    page.get_by_role("link", name="Swiss", exact=True).click()
    page.wait_for_load_state()  # a click on a link waits only for the first bytes of its page
    page.locator("#event-form details").evaluate_all(OPEN_ALL)
    page.get_by_label("Name", exact=True).fill("Club Friday")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Vienna")
    page.get_by_label("Start", exact=True).fill("2059-10-10T19:30")
    page.get_by_label("Rounds", exact=True).fill("2")
    page.get_by_label("Check-in opens").fill("0")
    page.get_by_label("Seconds between rounds").fill("0")
    page.get_by_role("button", name="Plan tournament").click()
    page.get_by_role("heading", name="Club Friday").first.wait_for()


def repeat_weekly(page) -> None:
    page.get_by_role("link", name="Repeat").click()
    page.get_by_label("Name", exact=True).fill("Club Fridays")
    page.get_by_label("Tournaments planned ahead").fill("4")
    page.get_by_label("Last day").fill("2059-10-31")
    page.get_by_role("button", name="Show the next dates").click()
    dates = page.locator("section", has=page.get_by_role("heading", name="The next dates")).locator("li")
    expect(dates).to_have_count(4)
    assert all("19:30" in text for text in dates.all_inner_texts()), "the hour stays when the clocks change"
    page.get_by_role("button", name="Save the series").click()
    page.get_by_role("heading", name="Club Fridays").wait_for()
    services.plan_series(series_id=Series.objects.get().pk, now=timezone.now())


def play_evening(event: Event, winners: tuple[str, ...]) -> None:
    """Everyone is there; winners: in this order of strength."""
    for name in PEOPLE:
        services.enter_event(event_id=event.pk, user=person(name))
    services.start_event(event_id=event.pk, now=event.starts_at)
    open_tables(event)
    while matches := [*event.matches.filter(status=Match.Status.PLAYING)]:
        for match in matches:
            names = match.sides.values_list("entry__user__username", flat=True)
            end_in_favour(table_of(match), min(names, key=winners.index))
        services.advance_running_event(event_id=event.pk, now=NOON)
        open_tables(event)
    event.refresh_from_db()
    assert event.status == Event.Status.FINISHED


def test_a_season_of_four_weekly_evenings(page, new_context, live_url, log_in, axe):
    plan_first_evening(page, live_url)
    repeat_weekly(page)
    events = list(Event.objects.order_by("starts_at"))
    assert [event.starts_at for event in events] == FRIDAYS
    assert {event.series for event in events} == {Series.objects.get()}
    assert {event.created_by for event in events} == {person("dora")}
    page.reload()
    listed = page.locator(".calendar-item")
    expect(listed).to_have_count(4)
    for item in listed.all():
        expect(item).to_contain_text("19:30")
    axe(page)

    page.get_by_role("link", name="New season").click()
    page.get_by_label("Name", exact=True).fill("October season")
    page.get_by_label("Best results that count").fill("3")
    page.get_by_role("button", name="Save the season").click()
    page.get_by_role("heading", name="October season").wait_for()
    season = page.url

    ann = new_context(timezone_id="Europe/Vienna", locale="en-GB").new_page()
    log_in(ann.context, "ann")
    for event, best in zip(events, ("ann", "bob", "ann", "cat"), strict=True):
        services.open_registration(event_id=event.pk, now=event.starts_at - timedelta(minutes=30))
        ann.goto(live_url + event.get_absolute_url())
        ann.get_by_role("button", name="Enter", exact=True).click()
        ann.locator("main").get_by_text("You're in.").wait_for()
        expect(ann.get_by_text("19:30").first).to_be_visible()
        play_evening(event, (best, *(name for name in PEOPLE if name != best)))
        page.goto(season)
        expect(page.locator("table.standings thead").get_by_role("link")).to_have_count(events.index(event) + 1)
    axe(page)
    rows = page.locator("table.standings tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("ann")
    for words in WORDS:
        expect(page.get_by_role("link", name=words, exact=True)).to_be_visible()
    assert events[-1].starts_at - events[-2].starts_at == timedelta(weeks=1, hours=1)
