"""Reasons and forbidden pairs that only directors may read."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.pages import page_html
from tests.tournaments.factories import match_of, person, started
from tournaments import services
from tournaments.files.exports import event_as_json
from tournaments.models import Match
from tournaments.presentation import draw_of


def decided(event, boss):
    """Ann and Bob may not meet, and a director has decided a match; both with a reason."""
    noon = started(event(people="ann bob cat dan", format="swiss", reasons_are_private=True))
    first, second = (noon.entries.get(user__username=name).pk for name in ("ann", "bob"))
    services.forbid_pair(event_id=noon.pk, first=first, second=second, by=boss, why="they quarrelled")
    match = match_of(noon, "ann")
    services.adjudicate(match_id=match.pk, places=[1, 2], by=boss, why="Bob shouted")
    return noon, match


def test_everyone_reads_what_a_director_did_and_not_why(event, boss, client):
    noon, match = decided(event, boss)
    page = page_html(client.get(noon.get_absolute_url()))
    assert "Decided" in page
    assert "Bob shouted" not in page + str(event_as_json(draw_of(noon), site=""))
    assert "quarrelled" not in page and "may no longer be paired" not in page
    assert Match.objects.get(pk=match.pk).reason == "decided by a director"
    assert all("shouted" not in notice.text for notice in person("bob").notices.all())


def test_directors_read_the_reasons(event, boss, client):
    noon, _ = decided(event, boss)
    client.force_login(boss)
    page = page_html(client.get(f"{noon.get_absolute_url()}console/"))
    assert "Bob shouted" in page and "they quarrelled" in page


@pytest.mark.parametrize("is_private", [True, False])
def test_no_notice_tells_a_private_reason(event, boss, is_private):
    soon = timezone.now() + timedelta(hours=1)
    noon = event(people="ann bob cat dan", format="swiss", starts_at=soon, reasons_are_private=is_private)
    services.shift_time(event_id=noon.pk, minutes=10, by=boss, why="Bob is late.")
    second = soon + timedelta(days=1)
    services.set_round_times(event_id=noon.pk, times={2: second}, by=boss, why="Bob works.")
    started(noon, now=soon + timedelta(minutes=10))
    services.pause_event(event_id=noon.pk, by=boss, why="Bob fell.")
    services.cancel_event(event_id=noon.pk, by=boss, why="Bob cheated.")
    texts = " ".join(person("ann").notices.values_list("text", flat=True))
    assert all(word in texts for word in ("is now on", "round 2", "is paused", "is cancelled"))
    assert [why in texts for why in ("late", "works", "fell", "cheated")] == [not is_private] * 4


def test_without_the_setting_everyone_reads_them(event, boss, client):
    noon, _ = decided(lambda **options: event(**{**options, "reasons_are_private": False}), boss)
    page = page_html(client.get(noon.get_absolute_url()))
    assert "Bob shouted" in page and "they quarrelled" in page
