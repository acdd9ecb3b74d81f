"""What happens on the screen."""

import re
from datetime import UTC, datetime

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import lose, match_of, open_tables, person, url
from tests.viewports import resize
from tournaments import services
from tournaments.models import Event

A4_LANDSCAPE = {"width": 1047, "height": 718}  # CSS pixels between margins of a centimetre


@pytest.fixture
def four_people(live_url) -> Event:
    event = Event(
        name="Evening cup",
        game="casino",
        options={"target": 11},
        starts_at=timezone.now(),
        status=Event.Status.REGISTRATION,
        check_in_minutes=0,
        format_options={"third_place": True},
    )
    services.save_event(event, by=None, now=timezone.now())
    for name in ("bob", "cat", "dan"):
        services.enter_event(event_id=event.pk, user=person(name))
    return event


def test_the_bracket_of_an_open_page_follows_the_event_to_its_champion(page, live_url, four_people, axe):
    page.goto(f"{live_url}{four_people.get_absolute_url()}")
    page.get_by_role("button", name="Enter").click()
    page.locator("main").get_by_text("You're in.").wait_for()
    axe(page)
    ann = four_people.entries.get(user__is_guest=True).user

    services.start_event(event_id=four_people.pk, now=timezone.now())
    open_tables(four_people)
    page.get_by_role("link", name="Go to the table").wait_for()
    page.get_by_text("Tournament log").click()
    axe(page)

    opponent = match_of(four_people, ann.username).sides.exclude(entry__user=ann).get().entry.user
    lose(four_people, opponent.username)
    page.get_by_text("Your next match: Final").wait_for()
    expect(page.locator("#event-log"), "what was opened stays open").to_have_attribute("open", "")
    expect(page.locator(".match.is-me").first).to_contain_text(ann.username)

    others = four_people.matches.get(round__number=1, status="playing").sides.all()
    lose(four_people, others[0].entry.user.username)
    page.get_by_role("link", name="Go to the table").wait_for()
    lose(four_people, others[1].entry.user.username)
    lose(four_people, opponent.username)
    page.get_by_text("You have won this tournament.").wait_for()
    page.get_by_text(f"Champion: {ann.username}").wait_for()
    axe(page)


def test_a_burst_of_changes_leaves_the_page_at_the_last_one(page, live_url, four_people):
    page.goto(live_url + four_people.get_absolute_url())
    services.enter_event(event_id=four_people.pk, user=person("early"))
    page.get_by_text("early", exact=True).wait_for()
    for number in range(25):
        services.enter_event(event_id=four_people.pk, user=person(f"player {number}"))
    page.get_by_text("player 24", exact=True).wait_for()
    four_people.refresh_from_db()
    page.locator(f'#event[data-seq="{four_people.version}"]').wait_for()


def test_the_calendar_shows_a_new_event_and_times_of_the_readers_zone(new_context, live_url, four_people, axe):
    page = new_context(timezone_id="Asia/Kolkata", locale="en-GB").new_page()
    page.goto(live_url + url("index"))
    noon = timezone.now().replace(year=2059, month=7, day=1, hour=12, minute=0)
    services.save_event(Event(name="Far away", game="casino", starts_at=noon), by=None, now=timezone.now())
    item = page.locator(".calendar-item", has_text="Far away")
    expect(item).to_contain_text("17:30")
    axe(page)


def test_no_page_is_wider_than_its_screen(page, live_url, four_people):
    services.enter_event(event_id=four_people.pk, user=person("a-name-that-is-as-long-as-a-name-may-well-be"))
    services.start_event(event_id=four_people.pk, now=timezone.now())
    for path in (url("index"), url("feeds"), four_people.get_absolute_url()):
        page.goto(live_url + path)
        for width in (360, 768, 1440):
            resize(page, width, 800)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_a_bracket_of_32_prints_on_one_page(new_context, live_url, four_people):
    for number in range(29):
        services.enter_event(event_id=four_people.pk, user=person(f"player {number}"))
    services.start_event(event_id=four_people.pk, now=timezone.now())
    page = new_context(viewport=A4_LANDSCAPE).new_page()
    page.emulate_media(media="print")
    page.goto(live_url + four_people.get_absolute_url())
    box = page.locator("#draw-main").bounding_box()
    assert box["y"] + box["height"] <= A4_LANDSCAPE["height"]
    assert page.locator("#draw-main").evaluate("e => e.scrollWidth") <= A4_LANDSCAPE["width"]


@pytest.fixture
def log_in_as_director(log_in):
    def act(page) -> None:
        director = person("director")
        director.is_staff = director.is_superuser = True
        director.save()
        log_in(page.context, "director")

    return act


def test_the_console_passes_axe(page, live_url, log_in_as_director, four_people, axe):
    log_in_as_director(page)
    for path in (url("console", four_people.pk), url("edit", four_people.pk), url("new")):
        assert page.goto(live_url + path).ok
        axe(page)


def test_another_format_comes_without_losing_what_was_typed(new_context, live_url, log_in_as_director):
    page = new_context().new_page()
    log_in_as_director(page)
    page.goto(live_url + url("new") + "?preset=knock-out")
    page.get_by_label("Name").fill("Half typed")
    expect(page.get_by_label("Match for third place")).to_have_count(1)
    page.get_by_role("radio", name="Swiss").check()
    page.get_by_role("list", name="Tie-breaks, in order").wait_for()
    expect(page.get_by_label("Name")).to_have_value("Half typed")
    expect(page.get_by_label("Match for third place")).to_have_count(0)
    page.get_by_role("button", name="Plan tournament").click()
    page.get_by_role("heading", name="Half typed").wait_for()
    assert Event.objects.get().format == "swiss"


def test_a_director_enters_the_start_in_his_own_zone(new_context, live_url, log_in_as_director):
    page = new_context(timezone_id="Asia/Kolkata").new_page()
    log_in_as_director(page)
    page.goto(live_url + url("new") + "?game=casino")
    page.get_by_label("Name").fill("Tea time")
    expect(page.get_by_label("Time zone")).to_have_value(re.compile("^Asia/(Kolkata|Calcutta)$"))
    page.get_by_label("Start").fill("2059-07-01T18:00")
    page.get_by_role("button", name="Plan tournament").click()
    page.get_by_role("heading", name="Tea time").wait_for()
    event = Event.objects.get(name="Tea time")
    assert event.starts_at == datetime(2059, 7, 1, 12, 30, tzinfo=UTC)
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Start")).to_have_value("2059-07-01T18:00")


def test_buttons_stay_legible_while_the_calendar_loads(page, live_url, four_people, axe):
    page.goto(f"{live_url}/tournaments/")
    page.locator("#calendar").evaluate("calendar => calendar.parentElement.classList.add('htmx-request')")
    axe(page)
