"""Entering on the screen."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import person
from tests.viewports import resize
from tournaments import services
from tournaments.models import Event


@pytest.fixture
def evening(live_url) -> Event:
    """A pairs event with a password, in which cat looks for a partner and bob has asked ann."""
    event = Event(
        name="Evening pairs", game="push", seats=4, starts_at=timezone.now(), status="registration",
        check_in_minutes=0, password="open sesame",
    )  # fmt: skip
    services.save_event(event, by=None, now=timezone.now())
    for name in ("bob", "cat"):
        services.enter_event(event_id=event.pk, user=person(name), password="open sesame")
    services.invite_partner(event_id=event.pk, user=person("bob"), partner=person("ann"))
    return event


def test_what_is_typed_in_stays_while_others_enter(page, live_url, evening):
    page.goto(live_url + evening.get_absolute_url())
    page.get_by_label("Tournament password").fill("open se")
    services.enter_event(event_id=evening.pk, user=person("dan"), password="open sesame")
    page.get_by_role("button", name="Play with dan").wait_for()
    page.keyboard.type("same")
    expect(page.get_by_label("Tournament password"), "where one was writing").to_have_value("open sesame")
    page.get_by_role("button", name="Play with dan").click()
    page.get_by_text("You play together").wait_for()


def test_one_enters_with_a_partner_without_scripts(new_context, live_url, evening):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(live_url + evening.get_absolute_url())
    page.get_by_label("Tournament password").fill("open sesame")
    page.get_by_label("Your partner's name").fill("nobdy")
    page.keyboard.press("Enter")
    page.locator("main").get_by_text("There is no player with this name.").wait_for()
    page.get_by_label("Your partner's name").fill("cat")
    page.keyboard.press("Enter")
    page.get_by_text("cat hasn't answered yet.").wait_for()


def test_the_pages_of_entering_pass_axe_on_any_screen(page, live_url, log_in, evening, axe):
    def check():
        for width in (360, 1280):
            resize(page, width, 800)
            axe(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width

    director = person("director")
    director.is_superuser = True
    director.save()
    services.enter_event(event_id=evening.pk, user=person("eve"), password="open sesame")
    for name, paths in {
        "ann": (evening.get_absolute_url(), "/tournaments/mine/"),
        "eve": (evening.get_absolute_url(), "/tournaments/mine/"),
        "director": (f"{evening.get_absolute_url()}entries/import/",),
    }.items():
        log_in(page.context, name)
        for path in paths:
            page.goto(live_url + path)
            check()
    page.get_by_label("Names").fill("ann,bob\nnobody")
    page.get_by_role("button", name="Check the list").click()
    page.locator("main").get_by_text("no player is called nobody").wait_for()
    check()


def test_the_menu_for_a_bye_is_seen_whole_on_a_phone(page, live_url, log_in):
    event = Event(
        name="Swiss", game="casino", format="swiss", format_options={"planned_rounds": 3},
        status="registration", starts_at=timezone.now() + timedelta(hours=1),
    )  # fmt: skip
    services.save_event(event, by=None, now=timezone.now())
    for name in ("ann", "bob", "cat", "dan", "eve"):
        services.enter_event(event_id=event.pk, user=person(name))
    log_in(page.context, "ann")
    resize(page, 390, 844)
    page.goto(live_url + event.get_absolute_url())
    page.locator("#bye-event > summary").click()
    menu = page.locator("#bye-event .menu-body").bounding_box()
    assert menu["x"] >= 0 and menu["x"] + menu["width"] <= 390
