"""Embedded pages in a browser: in a frame of another site, by buttons and keys, without script, in light and dark."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.models import Table
from tests.tournaments.factories import NOON, started, win
from tests.tournaments.test_api import planned
from tournaments import services

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]
NARROW = {"width": 320, "height": 600}
FITS = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture
def replay_path(table_of, play_on):
    table = play_on(table_of("alice", "bob", options={"target": 11}), 12)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.FINISHED)
    return reverse("embed-replay", args=[table.code])


@pytest.fixture
def cup(person):
    event = planned(starts_at=NOON)
    for name in ("ann", "bob", "cat", "dan"):
        services.add_entry(event_id=event.pk, user=person(name), by=person("director"))
    win(started(event), "ann")
    return event


@pytest.fixture
def other_site(browser, live_url):
    """A page of another site: `other_site(html)`. It is local, too: a frame may not lead into a nearer network."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(live_url.replace("127.0.0.1", "localhost") + "/static/cardsite/css/embed.css")  # has no policy

    def show(html):
        page.set_content(html)
        return page

    yield show
    context.close()


def test_a_replay_in_a_frame_of_another_site_goes_by_buttons_and_keys(live_url, other_site, replay_path):
    page = other_site(f'<iframe src="{live_url}{replay_path}" width="640" height="560"></iframe>')
    frame = page.frame_locator("iframe")
    number = frame.locator(".replay-at")
    expect(number).to_have_text("move 0 of 12")
    before = page.evaluate("() => history.length")
    frame.get_by_role("link", name="Next move").click()
    expect(number).to_have_text("move 1 of 12")
    expect(frame.locator("#announce")).not_to_be_empty()
    page.keyboard.press("ArrowRight")  # the link keeps the focus
    expect(number).to_have_text("move 2 of 12")
    page.keyboard.press("End")
    expect(number).to_have_text("move 12 of 12")
    page.keyboard.press("ArrowLeft")
    expect(number).to_have_text("move 11 of 12")
    assert page.evaluate("() => history.length") == before
    assert not page.context.cookies()


def test_a_replay_goes_without_script(live_url, new_context, replay_path):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(live_url + replay_path)
    page.get_by_role("link", name="Last move").click()
    expect(page.locator(".replay-at")).to_have_text("move 12 of 12")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_embedded_pages_fit_a_narrow_frame(live_url, new_context, replay_path, cup, axe, scheme):
    page = new_context(viewport=NARROW, color_scheme=scheme).new_page()
    parts = [reverse(f"embed-{part}", args=[cup.pk]) for part in ("bracket", "standings")]
    for path in (f"{replay_path}?at=6", *parts):
        page.goto(live_url + path)
        assert page.evaluate(FITS), path
        axe(page)


@pytest.mark.parametrize("width", [720, 1440])
def test_a_replay_fills_a_wide_frame_and_covers_nothing(live_url, new_context, replay_path, width):
    page = new_context(viewport={"width": width, "height": 800}).new_page()
    page.goto(live_url + replay_path)
    assert page.evaluate(FITS)
    name = page.locator(".seat").get_by_text("bob")
    assert name.evaluate(
        """(node) => {
            const {left, top, width, height} = node.getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2) === node;
        }"""
    )
