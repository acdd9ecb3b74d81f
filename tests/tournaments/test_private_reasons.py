"""Reasons and forbidden pairs that only directors may read."""

from __future__ import annotations

import pytest

from tests.pages import page_html
from tests.tournaments.factories import match_of, person, started
from tournaments import services
from tournaments.files.exports import event_as_json
from tournaments.models import Match
from tournaments.presentation import draw_of


@pytest.fixture
def boss(db):
    user = person("boss")
    user.is_superuser = True
    user.save()
    return user


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


def test_without_the_setting_everyone_reads_them(event, boss, client):
    noon, _ = decided(lambda **options: event(**{**options, "reasons_are_private": False}), boss)
    page = page_html(client.get(noon.get_absolute_url()))
    assert "Bob shouted" in page and "they quarrelled" in page
