"""The draw of groups from pots: it starts with the event, and first matches wait until everyone has seen it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages import page_html, page_words
from tests.tournaments.factories import person
from tournaments import services
from tournaments.models import Entry, Event, Match
from tournaments.queries.group_draws import STEP_SECONDS

POTS = {"format": "groups", "format_options": {"group_size": 3, "qualifiers": 1, "drawn": "pots"}, "seeding": "hand"}


@pytest.fixture
def drawn(event) -> Event:
    """Six entries in two groups, seeded by name."""
    noon = event(people="ann bob cat dan eve fay", **POTS)
    order = list(noon.entries.order_by("user__username").values_list("pk", flat=True))
    services.set_seeds(event_id=noon.pk, order=order, by=person("director"))
    return noon


def start(event: Event, seconds_ago: float) -> Event:
    """The event as if it had started so long ago."""
    now = timezone.now()
    Event.objects.filter(pk=event.pk).update(starts_at=now)
    services.start_event(event_id=event.pk, now=now)
    Event.objects.filter(pk=event.pk).update(started_at=now - timedelta(seconds=seconds_ago))
    event.refresh_from_db()
    return event


def draw_page(client: Client, event: Event) -> HttpResponse:
    return client.get(reverse("tournaments:group-draw", args=[event.pk]))


def by_title(found: list[tuple[str, list[Entry]]]) -> dict[str, str]:
    return {title: " ".join(entry.name for entry in entries) for title, entries in found}


def members(event: Event) -> dict[str, set[str]]:
    """Names by group, as its matches say."""
    found: dict[str, set[str]] = {}
    for match in Match.objects.filter(event=event).prefetch_related("sides__entry__user"):
        found.setdefault(match.round.section, set()).update(side.entry.name for side in match.sides.all())
    return found


def test_before_the_start_the_page_shows_the_pots(client, drawn):
    page = draw_page(client, drawn)
    assert by_title(page.context["draw"].pots) == {"Pot 1": "ann bob", "Pot 2": "cat dan", "Pot 3": "eve fay"}
    assert "The draw begins with the tournament" in page_words(page)
    assert page.context["draw"].steps == []
    assert "Watch the draw of the groups" in page_words(client.get(drawn.get_absolute_url()))


def test_directors_see_the_pot_of_each_seed(director, drawn):
    rows = director.get(reverse("tournaments:seeds", args=[drawn.pk])).context["rows"]
    assert [(entry.name, pot) for entry, pot in rows] == [
        ("ann", 1), ("bob", 1), ("cat", 2), ("dan", 2), ("eve", 3), ("fay", 3),
    ]  # fmt: skip


def test_steps_show_one_after_the_other_and_the_first_matches_wait(client, drawn):
    start(drawn, 3 * STEP_SECONDS)
    assert drawn.log.filter(what="The groups are being drawn from pots.").count() == 1
    page = draw_page(client, drawn)
    draw = page.context["draw"]
    assert "The groups are being drawn, pot by pot." in page_words(page)
    assert [step.pot for step in draw.steps] == [1, 1, 2]
    assert {step.entry.name for step in draw.steps[:2]} == {"ann", "bob"}
    latest = draw.steps[2].entry.name
    assert latest in {"cat", "dan"} and latest not in by_title(draw.pots)["Pot 2"]
    assert by_title(draw.pots)["Pot 1"] == "" and by_title(draw.groups)["Group A"].endswith(latest)
    services.advance_running_event(event_id=drawn.pk, now=timezone.now())
    assert not drawn.matches.exists()
    assert "Group A" not in page_words(client.get(drawn.get_absolute_url()))


def test_entrants_see_their_pages_while_the_groups_are_drawn(ann, drawn):
    start(drawn, 1)
    assert drawn.entries.filter(user=person("ann")).exists() and not drawn.matches.exists()
    for address in (drawn.get_absolute_url(), reverse("tournaments:mine")):
        assert drawn.name in page_words(ann.get(address))


def test_after_the_draw_the_groups_play_as_they_were_drawn(client, drawn):
    start(drawn, 6 * STEP_SECONDS)
    services.advance_running_event(event_id=drawn.pk, now=timezone.now())
    assert not drawn.matches.exists()
    Event.objects.update(started_at=timezone.now() - timedelta(seconds=7 * STEP_SECONDS))
    services.advance_running_event(event_id=drawn.pk, now=timezone.now())
    drawn.refresh_from_db()
    assert drawn.matches.exists() and drawn.next_round_at is None
    page = draw_page(client, drawn)
    assert "The groups are drawn." in page_words(page) and "Show the newest step" not in page_words(page)
    groups = by_title(page.context["draw"].groups)
    assert groups.keys() == {"Group A", "Group B"}
    assert members(drawn) == {"group-a": {*groups["Group A"].split()}, "group-b": {*groups["Group B"].split()}}
    assert "Group A" in page_words(client.get(drawn.get_absolute_url()))


def test_the_page_asks_again_only_as_long_as_the_draw_goes_on(client, drawn):
    address = reverse("tournaments:group-draw", args=[drawn.pk])
    start(drawn, STEP_SECONDS)
    assert 'hx-trigger="every 2s"' in page_html(client.get(address))
    Event.objects.update(started_at=timezone.now() - timedelta(hours=1))
    assert 'hx-trigger="every 2s"' not in page_html(client.get(address))


def test_groups_by_seed_have_no_draw(client, event):
    noon = event(people="ann bob cat dan", format="groups", format_options={"group_size": 2})
    assert client.get(reverse("tournaments:group-draw", args=[noon.pk])).status_code == 404
    assert "Watch the draw" not in page_words(client.get(noon.get_absolute_url()))
    start(noon, 0)
    assert noon.matches.exists()
