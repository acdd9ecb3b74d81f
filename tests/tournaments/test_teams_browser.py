"""A team on the screen: entered, joined by its link, lined up, and followed through a match."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import open_tables, person
from tests.tournaments.team_events import win
from tests.viewports import resize
from tournaments import services
from tournaments.models import Event


@pytest.fixture
def cup(live_url, boss) -> Event:
    """A Swiss of teams of two boards, open for entries, with the team Blues of cat and dan."""
    event = Event(
        name="Team cup", game="casino", options={"target": 11}, format="swiss", team_boards=2, starts_at=timezone.now(),
        status="registration", check_in_minutes=0,
    )  # fmt: skip
    services.save_event(event, by=boss, now=timezone.now())
    blues = services.add_entry(event_id=event.pk, user=person("cat"), team="Blues", by=boss)
    services.invite_member(entry_id=blues.pk, member=person("dan"), by=boss)
    return event


def test_a_captain_makes_a_team_and_a_player_joins_by_its_link(page, new_context, live_url, log_in, cup):
    log_in(page.context, "ann")
    page.goto(live_url + cup.get_absolute_url())
    page.get_by_label("Name of your team").fill("Reds")
    page.get_by_role("button", name="Enter a team").click()
    page.get_by_role("link", name="Your team").click()
    link = page.get_by_label("Link to join this team").input_value()
    other = new_context().new_page()
    log_in(other.context, "bob")
    other.goto(link)
    other.get_by_role("button", name="Join Reds").click()
    other.get_by_role("button", name="Leave the team").wait_for()
    page.reload()
    page.get_by_role("button", name="Down ann").click()
    expect(page.locator("tbody th").first).to_contain_text("bob")


def test_the_pages_of_a_team_match_pass_axe_on_any_screen(page, live_url, log_in, cup, axe):
    boss = person("director")
    reds = services.add_entry(event_id=cup.pk, user=person("ann"), team="Reds", by=boss)
    for name in ("bob", "eve", "Maximilian-of-Vienna_92"):
        services.invite_member(entry_id=reds.pk, member=person(name), by=boss)
    services.start_now(event_id=cup.pk, by=boss)
    open_tables(cup)
    log_in(page.context, "ann")
    for width in (360, 1280):
        resize(page, width, 800)
        page.goto(live_url + cup.get_absolute_url())
        expect(page.locator(".board-list li")).to_have_count(2)
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.goto(f"{live_url}/tournaments/{cup.pk}/teams/{reds.pk}/")
        axe(page)
        assert page.locator(".table-wrap").evaluate("box => box.scrollWidth <= box.clientWidth"), "results are cut off"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("ann", exact=True).uncheck()
    page.get_by_label("eve", exact=True).check()
    page.get_by_role("button", name="Save line-up").click()
    page.locator("main").get_by_text("The line-up is saved.").wait_for()
    expect(page.get_by_label("ann", exact=True)).not_to_be_checked()
    page.goto(live_url + cup.get_absolute_url())
    win(cup, "bob")
    expect(page.locator(".board-list li .is-winner")).to_have_text(["bob 1"])


BROKEN_WORDS = """cells => cells.flatMap(cell => cell.firstChild.data.matchAll(/\\S+/g).filter(word => {
    const range = document.createRange();
    range.setStart(cell.firstChild, word.index);
    range.setEnd(cell.firstChild, word.index + word[0].length);
    return range.getClientRects().length > 1;
}).map(String).toArray())"""
"""The words of cells that go on in another line."""


def test_the_page_for_paper_keeps_names_whole_on_a_phone_and_links_off_paper(page, live_url, cup):
    boss = person("director")
    for name, team in [("ann", "Greenhouses"), ("eve", "The Whitewater Wanderers")]:
        services.add_entry(event_id=cup.pk, user=person(name), team=team, by=boss)
    services.start_now(event_id=cup.pk, by=boss)
    open_tables(cup)
    resize(page, 360, 800)
    page.goto(live_url + reverse("tournaments:print", args=[cup.pk]))
    expect(page.locator(".standings tbody th")).to_have_count(3)
    assert page.locator(".standings tbody th").evaluate_all(BROKEN_WORDS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    replay = page.locator(".board-list a").first
    expect(replay).to_be_visible()
    page.emulate_media(media="print")
    expect(replay).to_be_hidden()
