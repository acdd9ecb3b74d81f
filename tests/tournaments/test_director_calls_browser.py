"""Calling the director, in a real browser: the call, the console and the answer come without a reload."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import match_of, open_tables, person, table_of
from tests.viewports import resize
from tournaments import services
from tournaments.models import Event, Match

PHONE, WIDE = (390, 844), (1440, 900)


@pytest.fixture
def match(live_url) -> Match:
    """The match of ann and bob in a running event of boss."""
    event = Event(
        name="Evening knock-out",
        game="casino",
        options={"target": 11},
        starts_at=timezone.now(),
        status=Event.Status.REGISTRATION,
        check_in_minutes=0,
    )
    services.save_event(event, by=person("boss"), now=timezone.now())
    for name in ("ann", "bob"):
        services.enter_event(event_id=event.pk, user=person(name))
    services.start_event(event_id=event.pk, now=event.starts_at)
    return match_of(open_tables(event), "ann")


def unfold(page: object) -> None:
    """Opens the form to call the director; the side column is a sheet on a phone."""
    if page.viewport_size["width"] < WIDE[0]:
        page.locator(".side-open").click()
    page.locator("#call-director > summary").click()


def news_of(page: object, text: str) -> object:
    return page.locator("#notices").get_by_role("link", name=text)


def test_a_call_is_seen_answered_and_read_without_a_reload(new_context, live_url, log_in, match, axe):
    ann, bob, boss = (new_context().new_page() for _ in range(3))
    table = live_url + table_of(match).get_absolute_url()
    pages = {"ann": ann, "bob": bob, "boss": boss}
    for name, page in pages.items():
        log_in(page.context, name)
        page.goto(live_url + reverse("tournaments:console", args=[match.event_id]) if page is boss else table)
    resize(ann, *PHONE)
    resize(bob, *WIDE)
    unfold(bob)
    bob.get_by_label("Reason (optional)").fill("My own rea")
    unfold(ann)
    axe(ann)
    ann.get_by_label("Reason (optional)").fill("A card fell.")
    ann.keyboard.press("Tab")
    ann.keyboard.press("Enter")
    ann.locator("main").get_by_text("The director has been called.").wait_for()

    bob.locator("#director").get_by_text("ann has called the director").wait_for()
    news_of(bob, "ann has called the director to your table.").wait_for()
    expect(bob.locator("#call-director"), "one call at a time").to_have_count(0)
    axe(bob)
    boss.locator("#console-calls").get_by_text("A card fell.").wait_for()
    news_of(boss, "ann has called the director").wait_for()
    for size in (PHONE, WIDE):
        resize(boss, *size)
        axe(boss)
        assert boss.evaluate("document.documentElement.scrollWidth") <= size[0]

    boss.locator("#console-calls").get_by_role("link", name="Answer").click()
    boss.get_by_label("Reply (optional)").fill("Show it to both.")
    boss.get_by_role("button", name="Answer").click()
    boss.locator("#console-log").get_by_text("Answered the call of ann").wait_for()
    expect(boss.locator("#console-calls")).to_be_empty()
    for page in (ann, bob):
        news_of(page, "Show it to both.").wait_for()
    bob.locator("#director").get_by_text("boss has answered the call for the director").wait_for()
    bob.locator("#call-director").wait_for()


def test_what_is_typed_stays_while_the_page_of_the_event_renews_itself(page, live_url, log_in, match):
    log_in(page.context, "ann")
    page.goto(live_url + match.event.get_absolute_url())
    page.locator("#call-director > summary").click()
    page.get_by_label("Reason (optional)").fill("A card")
    services.post_announcement(event_id=match.event_id, text="Tea at four.", by=person("boss"))
    page.get_by_text("Tea at four.").first.wait_for()
    expect(page.get_by_label("Reason (optional)")).to_have_value("A card")


def test_a_player_calls_and_takes_back_without_scripts(new_context, live_url, log_in, match):
    page = new_context(java_script_enabled=False).new_page()
    log_in(page.context, "ann")
    page.goto(live_url + table_of(match).get_absolute_url())
    page.locator("#call-director > summary").click()
    page.get_by_role("button", name="Call the director").click()
    page.locator("main").get_by_text("You have called the director").wait_for()
    page.get_by_role("button", name="Take back the call").click()
    page.locator("main").get_by_text("You have taken your call back.").wait_for()
