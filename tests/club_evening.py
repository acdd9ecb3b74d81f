"""A club evening of sixty in Chromium, from the planning to the champion of the knock-out. `make evening` runs it.

Eight people, a director and a projector have browsers of their own, and 52 bots fill the field. What workers do by
their clock is done here at once, by the same services; games end without their moves once everyone has come. Pictures
and sheets as PDF are kept in EVENING_DIR, where it is set. It takes some minutes and is no part of the tests.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from games import services as games
from games.models import Seat
from tests.tournaments.factories import end_in_favour, open_tables, person, running_tables
from tests.waiting import wait_until
from tournaments import services
from tournaments.models import Entry, Event, Match

PEOPLE = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")
IN_TIME, LATE = PEOPLE[:-1], PEOPLE[-1]
BOTS, ROUNDS, BEST = 52, 5, 8
WIDE, BEAMER = {"width": 1440, "height": 900}, {"width": 1920, "height": 1080}
PHONES = ({"width": 390, "height": 844}, {"width": 844, "height": 390})
OPEN_ALL = "all => all.forEach(details => details.open = true)"
NO_OVERFLOW = "document.documentElement.scrollWidth <= innerWidth"


class Evening:
    """The browsers of an evening. pages: by person. out: where pictures and PDFs are kept."""

    def __init__(self, live_url: str, new_context: Any, log_in: Any, out: Path) -> None:
        self.url, self.out, self.rng = live_url, out, Random(18)
        self.boss = new_context(viewport=WIDE).new_page()
        self.projector = new_context(viewport=BEAMER).new_page()
        self.pages = {name: new_context(viewport=PHONES[number % 2]).new_page() for number, name in enumerate(PEOPLE)}
        boss = person("boss")
        boss.groups.add(Group.objects.get(name="Directors"))
        log_in(self.boss.context, "boss")
        for name, page in self.pages.items():
            log_in(page.context, name)
        self.event = Event()

    def path(self, name: str, *more: object) -> str:
        return self.url + reverse(f"tournaments:{name}", args=[self.event.pk, *more])

    def follow(self, event: Event) -> None:
        """From now on everyone looks at this event."""
        self.event = event
        self.projector.goto(self.path("projector"))
        for page in self.pages.values():
            page.goto(self.path("event"))

    def keep(self, page: Any, name: str, *, whole: bool = True) -> None:
        assert page.evaluate(NO_OVERFLOW), f"{name} scrolls sideways"
        page.screenshot(path=self.out / f"{name}.png", full_page=whole)

    def print_sheet(self, sheet: str, name: str, least: int = 2_000) -> None:
        """A sheet as the director's browser prints it."""
        self.boss.goto(self.path("sheet", sheet))
        self.boss.pdf(path=self.out / f"{name}.pdf", format="A4")
        assert (self.out / f"{name}.pdf").stat().st_size > least

    def console(self, tab: str = "now") -> None:
        self.boss.goto(self.path("console-tab", tab))

    def act(self, slug: str, button: str, **fields: str) -> None:
        """An action of the console that has a page of its own. fields: by label, with _ for a space."""
        self.boss.goto(self.path("act", slug))
        for label, value in fields.items():
            self.boss.get_by_label(label.replace("_", " "), exact=True).fill(value)
        self.boss.get_by_role("button", name=button).click()

    def entry(self, name: str) -> Entry:
        return self.event.entries.get(user__username=name)

    # A round

    def publish(self, number: int) -> None:
        self.console("rounds")
        self.boss.get_by_role("button", name=f"Publish round {number}").click()
        self.boss.get_by_role("button", name=f"Publish round {number}").wait_for(state="detached")
        open_tables(self.event)

    def sit_down(self, *absent: str) -> set[str]:
        """Everyone who is paired goes to their table, except these. Returns who did."""
        paired = set()
        for table in running_tables(self.event):
            for name in {seat.user.username for seat in table.seats.all()} & {*PEOPLE} - {*absent}:
                page = self.pages[name]
                page.get_by_role("link", name="Go to the table").click()
                page.locator("#board").wait_for()
                paired.add(name)
        wait_until(lambda: self.have_come(paired), "everyone to be at their table")
        return paired

    def have_come(self, names: set[str]) -> bool:
        """Takes in who has come to a table, and says whether all of these have."""
        now = timezone.now()
        for table_id in games.tables_with_arrivals(now=now):
            games.note_arrivals(table_id=table_id, now=now)
        playing = Seat.objects.filter(table__in=running_tables(self.event), user__username__in=names)
        return not playing.filter(has_come=False).exists()

    def finish(self, *, resigns: str = "") -> None:
        """The games end: one by a press, where people stayed away by the clock, the others with a random winner."""
        if resigns:
            page = self.pages[resigns]
            page.set_viewport_size(WIDE)
            page.get_by_text("At the table", exact=True).click()
            page.get_by_text("Resign", exact=True).click()
            page.get_by_role("button", name="Resign this game").click()
            page.get_by_role("button", name="Resign this game").wait_for(state="detached")
        for table in running_tables(self.event):
            table.refresh_from_db()
            if table.status != table.Status.RUNNING:
                continue
            if table.appear_by:
                games.flag_overdue(table_id=table.pk, now=table.appear_by + timedelta(seconds=1))
            else:
                end_in_favour(table, self.rng.choice([seat.user.username for seat in table.seats.all()]))
        self.advance()
        for page in self.pages.values():
            page.goto(self.path("event"))

    def advance(self) -> None:
        services.record_result(event_id=self.event.pk, now=timezone.now())
        self.event.refresh_from_db()


@pytest.fixture
def evening(live_url, new_context, log_in, tmp_path) -> Iterator[Evening]:
    call_command("make_house_bots", verbosity=0)
    out = Path(os.environ.get("EVENING_DIR") or tmp_path)
    out.mkdir(parents=True, exist_ok=True)
    yield Evening(live_url, new_context, log_in, out)


def plan(evening: Evening) -> Event:
    page = evening.boss
    page.goto(f"{evening.url}/tournaments/new/?preset=swiss")
    page.wait_for_load_state()  # a click on a link waits only for the first bytes of its page
    page.locator("#event-form details").evaluate_all(OPEN_ALL)
    for label, value in {
        "Name": "Club evening",
        "Rounds": str(ROUNDS),
        "Bots fill up to": str(len(IN_TIME) + BOTS),
        "Check-in opens": "0",
        "Late entries until round": "3",
        "Seconds between rounds": "0",
        "Half-point byes on request": "1",
    }.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("A bot makes the number even").uncheck()
    page.get_by_label("A director publishes each round").check()
    page.get_by_role("button", name="Plan tournament").click()
    page.get_by_role("heading", name="Club evening").first.wait_for()
    return Event.objects.get()


def test_a_club_evening(evening, axe):
    boss, pages = evening.boss, evening.pages
    evening.event = plan(evening)
    boss.get_by_role("button", name="Open entries").click()
    boss.get_by_role("button", name="Close entries").wait_for()
    evening.follow(evening.event)
    for name in IN_TIME:
        pages[name].get_by_role("button", name="Enter", exact=True).click()
        pages[name].locator("main").get_by_text("You're in.").wait_for()
    bob = pages["bob"]
    bob.get_by_text("Take a bye").click()
    bob.get_by_label("Round").select_option("3")
    bob.get_by_role("button", name="Request a bye").click()
    evening.print_sheet("entries", "entries")
    evening.act("start-now", "Start now")
    boss.get_by_text("Publish round 1").or_(boss.get_by_role("link", name="Rounds")).first.wait_for()
    evening.event.refresh_from_db()
    assert evening.event.entries.present().count() == 59

    first_round(evening, axe)
    for number in range(2, ROUNDS + 1):
        later_round(evening, number, axe)
    assert evening.event.status == Event.Status.FINISHED
    assert evening.event.entries.exclude(seed=None).count() == 60
    expect(evening.projector.locator(".projector-now")).to_contain_text("Finished")
    evening.keep(pages["ann"], "swiss-over-390")
    evening.keep(pages["bob"], "swiss-over-844")
    for sheet in ("wall-chart", "pairings"):
        evening.print_sheet(sheet, f"{sheet}-at-the-end")
    boss.goto(evening.path("event"))
    evening.keep(boss, "swiss-over-1440")

    knock_out_of_the_best(evening, axe)


def first_round(evening: Evening, axe: Any) -> None:
    """dan does not come, fay resigns, hal enters late."""
    boss, pages = evening.boss, evening.pages
    evening.console("rounds")
    axe(boss)
    evening.keep(boss, "rounds-console")
    evening.publish(1)
    evening.print_sheet("pairings", "pairings-1")
    evening.print_sheet("slips", "slips-1")
    expect(evening.projector.locator(".projector-now")).to_contain_text("Round 1 of 5")
    hal = pages[LATE]
    hal.locator("main").get_by_text("You play from round 2.").wait_for()
    hal.get_by_role("button", name="Enter", exact=True).click()
    hal.get_by_text(re.compile("You're in|round 2")).first.wait_for()
    paired = evening.sit_down("dan")
    assert len(paired) in (5, 6), "one of them may have the bye"
    axe(evening.projector)
    evening.keep(evening.projector, "projector-1", whole=False)
    evening.console()
    evening.keep(boss, "now-console")
    evening.finish(resigns="fay" if "fay" in paired else "")
    assert evening.entry("dan").sits_out or "dan" not in names_in_round(evening.event, 1)


def later_round(evening: Evening, number: int, axe: Any) -> None:
    """bob has his bye in round 3, gus leaves after round 2, and dan is back for round 3.

    Before round 4 a result is corrected.
    """
    pages = evening.pages
    if number == 3 and evening.entry("dan").sits_out:
        pages["dan"].get_by_role("button", name="I'm back").click()
        pages["dan"].get_by_text("You missed your match").wait_for(state="detached")
    if number == 4:
        correct_a_result(evening, axe)
    evening.publish(number)
    expect(evening.projector.locator(".projector-now")).to_contain_text(f"Round {number} of {ROUNDS}")
    playing = names_in_round(evening.event, number)
    if number == 2 and evening.entry("dan").sits_out:
        assert "dan" not in playing
    if number == 3:
        assert evening.event.matches.filter(decided_by="half-bye", sides__entry=evening.entry("bob")).exists()
        evening.print_sheet("pairings", "pairings-3")
    evening.sit_down()
    if number == 2:
        gus = pages["gus"]
        gus.goto(evening.path("event"))
        gus.get_by_text("Withdraw", exact=True).click()
        gus.get_by_role("button", name="Leave after this round").click()
        wait_until(lambda: evening.entry("gus").is_leaving, "gus to leave after the round")
    if number >= 3:
        assert evening.entry("gus").status == Entry.Status.WITHDRAWN and "gus" not in playing
    evening.finish()


def names_in_round(event: Event, number: int) -> set[str]:
    """Everyone with an opponent in this round."""
    played = event.matches.filter(round__number=number).exclude(decided_by__in=["bye", "half-bye", "zero-bye"])
    return {*played.values_list("sides__entry__user__username", flat=True)}


def correct_a_result(evening: Evening, axe: Any) -> None:
    """The other side has won a match of round 3, 11 : 7; the unpublished round 4 follows."""
    boss = evening.boss
    match = evening.event.matches.filter(round__number=3, decided_by=Match.DecidedBy.GAMES).first()
    loser = match.sides.get(place=2)
    boss.goto(f"{evening.path('act', 'correct')}?match={match.pk}")
    boss.get_by_label(f"{loser.entry.name} wins").check()
    for side in match.sides.all():
        boss.get_by_label(f"Points of {side.name}").fill("11" if side.pk == loser.pk else "7")
    boss.get_by_label("Reason").fill("The slip says otherwise")
    boss.get_by_role("button", name="Preview changes").click()
    boss.get_by_role("heading", name="Changes").wait_for()
    axe(boss)
    evening.keep(boss, "correction")
    boss.get_by_role("button", name="Correct the result").click()
    boss.locator("#console-log").get_by_text("The slip says otherwise").first.wait_for()
    loser.refresh_from_db()
    assert (loser.place, loser.points) == (1, 11)


def knock_out_of_the_best(evening: Evening, axe: Any) -> None:
    boss = evening.boss
    best = [entry.name for entry in services.best_entries(evening.event, BEST)]
    evening.act("best", "New event of the best", How_many=str(BEST))
    boss.get_by_text(f"Entered the best {BEST} of Club evening").first.wait_for()
    evening.follow(Event.objects.latest("pk"))
    assert {entry.name for entry in evening.event.entries.all()} == {*best}
    evening.act("start-now", "Start now")
    for title, count in (("Quarter-finals", 4), ("Semi-finals", 2), ("Final", 1)):
        evening.event.refresh_from_db()
        while proposed := evening.event.matches.filter(status=Match.Status.PROPOSED).first():
            evening.console("rounds")
            with boss.expect_response(lambda answer: "/do/publish/" in answer.url):
                boss.locator("#console-live").get_by_role("button", name=re.compile("^Publish ")).first.click()
            assert not Match.objects.filter(pk=proposed.pk, status=Match.Status.PROPOSED).exists()
        open_tables(evening.event)
        tables = running_tables(evening.event)
        assert len(tables) == count, title
        evening.sit_down()
        expect(evening.projector.locator(".projector-now")).to_contain_text(title)
        evening.keep(evening.projector, f"projector-{title.lower()}", whole=False)
        evening.finish()
    assert evening.event.status == Event.Status.FINISHED
    champion = evening.event.entries.get(place=1)
    boss.goto(evening.path("event"))
    boss.get_by_text(f"Champion: {champion.name}").first.wait_for()
    axe(boss)
    evening.keep(boss, "knock-out-1440")
    for name, page in [*evening.pages.items()][:2]:
        evening.keep(page, f"knock-out-{name}")
