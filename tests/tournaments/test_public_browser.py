"""What the page of an event does on the screen."""

import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import advance, end_with, lose, open_tables, person, table_of
from tournaments import services
from tournaments.models import Event, Match

SIX = "ann bob cat dan eve fay".split()


def played(people: list[str], **settings: object) -> Event:
    """An event that has just started, with a table at every match."""
    return open_tables(begun(people, **settings))


def begun(people: list[str], **settings: object) -> Event:
    """An event that has just started, without a table."""
    chosen = {
        "name": "Evening cup", "game": "casino", "options": {"target": 11}, "check_in_minutes": 0,
        "starts_at": timezone.now(), "status": Event.Status.REGISTRATION,
    }  # fmt: skip
    event = services.save_event(Event(**chosen | settings), by=None, now=timezone.now())
    for name in people:
        services.enter_event(event_id=event.pk, user=person(name))
    services.start_event(event_id=event.pk, now=timezone.now())
    return event


def half_a_round_on(event: Event) -> Event:
    """Some of the matches in play end, for whoever sits first."""
    for match in event.matches.filter(status=Match.Status.PLAYING)[:2]:
        table = table_of(match)
        end_with(table, [11, *([3] * (table.seat_count - 1))])
    return advance(event)


FORMATS = [
    {"format": "single-elimination"},
    {"format": "double-elimination"},
    {"format": "swiss"},
    {"format": "round-robin"},
    {"format": "groups"},
    {"format": "arena"},
    {"format": "pods", "game": "carousel", "options": {}, "seats": 3, "format_options": {"sizes": (3,)}},
]


@pytest.mark.parametrize("settings", FORMATS, ids=lambda settings: settings["format"])
def test_every_format_fits_a_phone_and_passes_axe(new_context, live_url, axe, settings):
    event = half_a_round_on(played(SIX, **settings))
    page = new_context(viewport={"width": 360, "height": 800}).new_page()
    for path in (event.get_absolute_url(), reverse("tournaments:print", args=[event.pk])):
        page.goto(live_url + path)
        page.locator("details").evaluate_all("all => all.forEach(details => details.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        axe(page)


def test_a_forfeit_without_a_game_says_so_in_its_box(page, live_url):
    event = begun(["ann", "bob"], format="round-robin")
    match, forfeit = event.matches.get(), Match.DecidedBy.FORFEIT
    services.adjudicate(match_id=match.pk, places=[1, 2], by=person("boss"), decided_by=forfeit)
    page.goto(live_url + event.get_absolute_url())
    box, label = (page.locator(found).bounding_box() for found in (".match", ".match-watch"))
    assert box["x"] < label["x"] and label["x"] + label["width"] <= box["x"] + box["width"]
    assert box["y"] < label["y"] and label["y"] + label["height"] <= box["y"] + box["height"]


def test_a_match_that_waits_for_a_director_shows_its_names_in_full(page, live_url):
    event = begun([f"{name}-of-the-long-name" for name in "ann bob cat dan eve fay gus hal".split()])
    page.set_viewport_size({"width": 780, "height": 900})
    event.matches.update(set_aside_because="ValueError")
    page.goto(live_url + event.get_absolute_url())
    box = page.locator("#draw-main .match", has_text="waiting for a director").first
    label = box.locator(".match-watch").bounding_box()
    names = [name.bounding_box() for name in box.locator(".match-side > span:first-child").all()]
    assert all(name["x"] + name["width"] <= label["x"] for name in names)
    whole = box.bounding_box()
    assert whole["y"] <= label["y"] and label["y"] + label["height"] <= whole["y"] + whole["height"]


def test_a_draw_is_made_smaller_by_buttons_and_keys_and_stays_so(page, live_url):
    event = played(SIX)
    page.goto(live_url + event.get_absolute_url())
    draw = page.locator("#draw-main")
    height = draw.locator(".match").first.bounding_box()["height"]
    page.get_by_role("button", name="Smaller").click()
    expect(draw).to_have_attribute("data-zoom", "80")
    assert draw.locator(".match").first.bounding_box()["height"] < height
    draw.focus()
    page.keyboard.press("-")
    expect(draw).to_have_attribute("data-zoom", "65")
    lose(event, event.matches.filter(status="playing")[0].sides.first().entry.user.username)
    page.get_by_text("3 matches in play").or_(page.get_by_text("2 matches in play")).wait_for()
    event.refresh_from_db()
    page.locator(f'#event[data-seq="{event.version}"]').wait_for()
    expect(draw).to_have_attribute("data-zoom", "65")
    expect(draw).to_be_focused()
    page.keyboard.press("+")
    expect(draw).to_have_attribute("data-zoom", "80")


def test_what_is_open_and_has_the_focus_stays_while_results_come(page, live_url):
    event = played(SIX, format="swiss")
    page.goto(live_url + event.get_absolute_url())
    summary = page.locator(".match-more summary").first
    summary.focus()
    page.keyboard.press("Enter")
    why = page.get_by_text("Why this pairing?").first
    why.wait_for()
    event = half_a_round_on(event)
    page.locator(f'#event[data-seq="{event.version}"]').wait_for()
    expect(why).to_be_visible()
    expect(summary).to_be_focused()


def test_the_next_round_is_counted_down_and_said_when_it_comes(page, live_url):
    event = played(["ann", "bob"], format="swiss", format_options={"planned_rounds": 2}, break_seconds=300)
    page.goto(live_url + event.get_absolute_url())
    half_a_round_on(event)
    page.get_by_text("Round 2 starts").wait_for()
    expect(page.locator("#event-state time")).to_have_text(re.compile("^in [45] minutes$"))
    Event.objects.filter(pk=event.pk).update(next_round_at=timezone.now())
    services.advance_running_event(event_id=event.pk, now=timezone.now())
    page.get_by_text("Round 2 of 2").first.wait_for()
    expect(page.locator("#announce")).to_have_text("Round 2 of 2")


def test_a_name_in_the_address_is_open(page, live_url):
    event = half_a_round_on(played(SIX, format="swiss"))
    entry = event.entries.get(seed=3)
    page.goto(f"{live_url}{event.get_absolute_url()}#why-{entry.pk}")
    page.locator(f"#why-{entry.pk}").get_by_text("Buchholz cut 1").wait_for()


def test_days_begin_where_the_reader_is(new_context, live_url):
    for name, hour in (("Evening", 18), ("Night", 19)):
        at = datetime(2059, 7, 1, hour, tzinfo=UTC)
        services.save_event(Event(name=name, game="casino", starts_at=at), by=None, now=timezone.now())
    page = new_context(timezone_id="Asia/Kolkata", locale="en-GB").new_page()
    page.goto(live_url + reverse("tournaments:index"))
    listed = page.locator("[data-days] > li").all_inner_texts()
    assert [text.splitlines()[0] for text in listed] == ["Tuesday 1 July", "23:30", "Wednesday 2 July", "00:30"]


def test_nothing_is_cut_off_on_paper(new_context, live_url):
    """A4 less its margins; the cross table of 14 long names has 17 columns, the standings say why."""
    people = [f"{first}-of-the-{last}-house" for first in SIX for last in ("upper", "lower", "old")][:14]
    event = half_a_round_on(played(people, format="round-robin"))
    page = new_context(viewport={"width": 703, "height": 1000}).new_page()
    page.emulate_media(media="print")
    page.goto(live_url + reverse("tournaments:print", args=[event.pk]))
    cut = "all => all.filter(box => box.scrollWidth > box.clientWidth).map(box => box.getAttribute('aria-label'))"
    assert page.locator(".table-wrap").evaluate_all(cut) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
