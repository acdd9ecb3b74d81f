"""A director at work, in a real browser."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import come, match_of, open_tables, person, table_of
from tests.viewports import resize
from tournaments import services
from tournaments.models import Event

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}


@pytest.fixture
def swiss(live_url) -> Event:
    """A Swiss of four, half an hour before its start."""
    event = Event(
        name="Evening Swiss",
        game="casino",
        options={"target": 11},
        format="swiss",
        starts_at=timezone.now() + timedelta(minutes=30),
        status=Event.Status.REGISTRATION,
        check_in_minutes=0,
        publishes_by_hand=True,
    )
    services.save_event(event, by=person("boss"), now=timezone.now())
    for name in ("ann", "bob", "cat", "dan"):
        services.enter_event(event_id=event.pk, user=person(name))
    return event


@pytest.fixture
def page(new_context):
    """Wide, and htmx must not complain."""
    page, complaints = new_context(viewport=WIDE).new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if "htmx" in message.text else None)
    yield page
    assert not complaints


def tab(page, name: str) -> None:
    page.get_by_role("navigation", name="Console").get_by_role("link", name=name).click()


def test_a_director_walks_through_a_round(page, live_url, log_in, swiss, axe):
    log_in(page.context, "boss")
    console = live_url + reverse("tournaments:console", args=[swiss.pk])
    page.goto(console)
    axe(page)

    page.get_by_role("button", name="Close entries").click()
    page.locator("main").get_by_text("closed for entries").wait_for()
    expect(page, "a press leaves the page where it is").to_have_url(console)

    tab(page, "Entries")
    page.get_by_role("link", name="Seeds").click()
    page.get_by_label("Seed of dan").fill("1")
    page.get_by_role("button", name="Save order").last.click()
    page.get_by_text("by the director, then at random").first.wait_for()
    expect(page.locator(".console-rows > li").first).to_have_text(re.compile(r"^\s*dan"))
    axe(page)

    services.start_event(event_id=swiss.pk, now=swiss.starts_at)
    page.goto(console)
    tab(page, "Rounds")
    page.get_by_role("heading", name="Round 1, not published yet").wait_for()
    axe(page)
    pairs = [[side.entry for side in match.sides.all()] for match in swiss.matches.all()]
    (one, other), (third, _) = pairs
    services.forbid_pair(event_id=swiss.pk, first=one.pk, second=third.pk, by=person("boss"))
    page.get_by_role("heading", name="Forbidden pairings").wait_for()

    page.get_by_role("link", name=f"Swap {other.name}").click()
    page.get_by_label("The other").select_option(label=third.name)
    page.get_by_role("button", name="Swap two entries").click()
    page.locator("main").get_by_text("This breaks a pairing rule").wait_for()
    axe(page)
    page.get_by_role("button", name="Swap anyway").click()
    page.get_by_text("manual", exact=True).first.wait_for()
    page.locator("#console-log").get_by_role("button", name=f"Undo Swapped {other.name} and {third.name}").click()
    page.locator("#console-log .is-undone").first.wait_for()
    page.get_by_role("button", name="Publish round 1").click()
    page.locator("main").get_by_text("The next round needs more results before it can be paired.").wait_for()

    open_tables(swiss)
    tab(page, "Now")
    page.get_by_role("link", name=f"Watch {one.name} against {other.name}").or_(
        page.get_by_role("link", name=f"Watch {other.name} against {one.name}")
    ).wait_for()
    for match in swiss.matches.all():
        services.adjudicate(match_id=match.pk, places=[1, 2], by=person("boss"))
    tab(page, "Results")
    page.get_by_role("link", name=f"Correct… {one.name} against {other.name}").click()
    page.get_by_label(f"{other.name} wins").check()
    page.get_by_label("Reason").fill("wrong seat")
    page.get_by_role("button", name="Preview changes").click()
    page.get_by_role("heading", name="Changes").wait_for()
    axe(page)
    page.get_by_role("button", name="Correct the result").click()
    page.locator("#console-log").get_by_text("by boss: wrong seat").wait_for()
    assert swiss.matches.get(round__number=1, sides__entry=other).sides.get(entry=other).place == 1

    tab(page, "Announcements")
    page.get_by_label("Message").fill("Tea at four.")
    page.get_by_role("button", name="Announce").click()
    page.get_by_role("button", name="Take down Tea at four.").wait_for()
    page.locator("#console-log").get_by_role("button", name="Undo Announced: Tea at four.").click()
    page.locator("#console-live").get_by_text("taken down").wait_for()
    axe(page)
    assert not swiss.announcements.shown()


def test_the_console_renews_itself_and_keeps_what_is_typed(page, live_url, log_in, swiss):
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console-tab", args=[swiss.pk, "entries"]))
    page.get_by_label("Name").fill("half a na")
    page.get_by_label("Name").focus()
    services.enter_event(event_id=swiss.pk, user=person("eve"))
    page.get_by_role("link", name="eve", exact=True).wait_for()
    page.locator("#console-log").get_by_text("eve entered.").wait_for()
    expect(page.get_by_label("Name")).to_have_value("half a na")
    expect(page.get_by_label("Name")).to_be_focused()


def test_the_console_sees_who_comes_to_a_table(page, live_url, log_in, swiss):
    services.start_event(event_id=swiss.pk, now=swiss.starts_at)
    services.publish_round(event_id=swiss.pk, section=swiss.rounds.get().section, number=1, by=person("boss"))
    open_tables(swiss)
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console", args=[swiss.pk]))
    waiting = page.locator("#console-live").get_by_text("Not at the table yet")
    expect(waiting).to_have_count(2)
    come(swiss, *table_of(match_of(swiss, "ann")).names)
    expect(waiting).to_have_count(1, timeout=15_000)


def test_a_button_that_is_pressed_by_key_keeps_the_focus(page, live_url, log_in, swiss):
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console-tab", args=[swiss.pk, "entries"]))
    button = page.get_by_role("button", name="Check in ann")
    button.focus()
    page.keyboard.press("Enter")
    page.locator("button:focus", has_text="Not here ann").wait_for()


def test_a_phone_shows_a_tab_before_what_the_tab_now_shows_anyway(page, live_url, log_in, swiss):
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console-tab", args=[swiss.pk, "entries"]))
    close = page.get_by_role("button", name="Close entries")
    expect(close).to_be_visible()
    resize(page, **PHONE)
    expect(close).to_be_hidden()
    expect(page.locator("#console-state .tag").first).to_be_visible()
    expect(page.get_by_role("link", name="Check-in at the door")).to_be_in_viewport()
    tab(page, "Now")
    expect(close).to_be_visible()


def test_the_keyboard_goes_on_where_the_pressed_button_was(page, live_url, log_in, swiss):
    services.start_event(event_id=swiss.pk, now=swiss.starts_at)
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console-tab", args=[swiss.pk, "rounds"]))
    page.get_by_role("button", name="Publish round 1").focus()
    page.keyboard.press("Enter")
    page.locator("#console-live:focus", has_text="needs more results before").wait_for()


def test_a_link_keeps_the_focus_while_the_console_renews_itself(page, live_url, log_in, swiss):
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console-tab", args=[swiss.pk, "entries"]))
    page.get_by_role("link", name="bob", exact=True).focus()
    services.enter_event(event_id=swiss.pk, user=person("eve"))
    page.get_by_role("link", name="eve", exact=True).wait_for()
    page.locator("a:focus", has_text="bob").wait_for()


def test_presses_in_quick_succession_all_count(page, live_url, log_in, swiss):
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console-tab", args=[swiss.pk, "entries"]))
    for button in page.get_by_role("button", name="Check in").element_handles():
        button.evaluate("e => e.click()")
    for name in ("ann", "bob", "cat", "dan"):
        page.get_by_role("button", name=f"Not here {name}").wait_for()
    assert swiss.entries.filter(status="checked-in").count() == 4


def test_a_refused_press_is_said_and_changes_nothing(page, live_url, log_in, swiss):
    log_in(page.context, "boss")
    page.goto(live_url + reverse("tournaments:console", args=[swiss.pk]))
    page.route("**/stream/**", lambda route: route.abort())  # the page is older than the event
    page.reload()
    services.close_entries(event_id=swiss.pk, by=person("boss"))
    page.get_by_role("button", name="Close entries").click()
    page.locator("main").get_by_text("Entries aren't open.").wait_for()
    page.get_by_role("button", name="Open entries").click()
    page.get_by_role("button", name="Close entries").wait_for()
    expect(page.locator("main").get_by_text("Entries aren't open."), "what was refused is forgotten").to_have_count(0)


def test_no_page_of_the_console_is_wider_than_its_screen(page, live_url, log_in, swiss):
    long_one = person("a-name-that-is-as-long-as-a-name-may-well-be")
    services.add_entry(event_id=swiss.pk, user=long_one, by=person("boss"))
    services.start_event(event_id=swiss.pk, now=swiss.starts_at)
    log_in(page.context, "boss")
    entry = swiss.entries.get(user__username="ann")
    paths = [reverse("tournaments:console-tab", args=[swiss.pk, name]) for name in ("now", "entries", "rounds")]
    paths += [reverse("tournaments:console-entry", args=[swiss.pk, entry.pk])]
    paths += [reverse("tournaments:act", args=[swiss.pk, "disqualify"]) + f"?entry={entry.pk}"]
    for path in paths:
        page.goto(live_url + path)
        for size in (PHONE, WIDE):
            resize(page, **size)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], path
