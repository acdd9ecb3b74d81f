"""A match that cannot be opened waits for its director; an event that cannot go on is tried rarely."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import services as games
from games.models import Table
from tests.pages import page_html, page_words
from tests.tournaments.factories import NOON, lose, match_of, open_tables, person, started, table_of
from tournaments import services, tasks
from tournaments.models import Event, Match, Series
from tournaments.services.setting_aside import RETRY_AFTER, back_off_event

NOT_OPENED = "no table could be opened. The match is waiting for a director."


@pytest.fixture
def doubles(event: Callable) -> Callable:
    """A knock-out of two matches between pairs, ann & ANN and so on; its director is dora."""

    def make(**settings: object) -> Event:
        noon = event(game="push", options={}, seats=4, **settings)
        for name in ("ann", "bob", "cat", "dan"):
            pair = {"user": person(name), "partner": person(f"{name}-2")}
            services.add_entry(event_id=noon.pk, **pair, by=person("director"))
        noon.roles.create(user=person("dora"), role="director")
        return noon

    return make


def lose_partner(event: Event, name: str) -> None:
    """Nobody sits across any more, which no page allows, so that no table can be opened."""
    event.entries.filter(user=person(name)).update(partner=None)


def find_partner(event: Event, name: str) -> None:
    event.entries.filter(user=person(name)).update(partner=person(f"{name}-2"))


def with_one_set_aside(event: Event) -> Match:
    services.start_event(event_id=event.pk, now=NOON)
    lose_partner(event, "ann")
    open_tables(event)
    return match_of(event, "ann")


def lines(event: Event) -> list[str]:
    return [line.what for line in event.log.all()]


def tick(event: Event) -> None:
    """The event is looked at again, and whatever waits for its table is opened."""
    services.run_due_steps(event_id=event.pk, now=NOON)
    for match in event.matches.filter(status=Match.Status.WAITING):
        services.start_match(match_id=match.pk, now=NOON)


def console(event: Event, as_user: Callable) -> str:
    return page_words(as_user(person("dora")).get(reverse("tournaments:console", args=[event.pk])))


def test_a_match_without_a_table_is_set_aside_once_and_the_other_one_is_played(doubles, caplog):
    noon = doubles()
    match = with_one_set_aside(noon)
    other = noon.matches.exclude(pk=match.pk).get()
    for _ in range(3):
        tick(noon)
    match.refresh_from_db()
    assert (match.status, match.started_at, match.games.count()) == (Match.Status.WAITING, None, 0)
    assert match.set_aside_because.startswith("ValueError: zip()")
    assert other.status == Match.Status.PLAYING
    assert [NOT_OPENED in line for line in lines(noon)].count(True) == 1
    assert [record.exc_info is not None for record in caplog.records if "set aside" in record.message] == [True]
    lose(noon, other.sides.first().entry.user.username)
    other.refresh_from_db()
    assert other.is_over


def test_a_table_that_was_half_opened_leaves_nothing(doubles):
    noon = doubles()
    services.start_event(event_id=noon.pk, now=NOON)
    match = match_of(noon, "ann")
    own, other = sorted((side.entry for side in match.sides.all()), key=lambda entry: entry.user.username != "ann")
    noon.entries.filter(pk=own.pk).update(partner=other.user)  # who would sit on both sides
    open_tables(noon)
    match.refresh_from_db()
    assert match.set_aside_because.startswith("IntegrityError")
    assert Table.objects.count() == 1, "that of the other match"


def test_the_director_sees_the_reason_and_is_told(doubles, as_user):
    noon = doubles()
    match = with_one_set_aside(noon)
    page = console(noon, as_user)
    assert "Needs your attention" in page
    assert match.set_aside_because.split("(")[0] in page
    html = page_html(as_user(person("dora")).get(reverse("tournaments:console", args=[noon.pk])))
    assert html.count(f'id="do-try-again-{match.pk}"') == 1
    (notice,) = person("dora").notices.filter(text__contains="no table could be opened")
    assert notice.url == reverse("tournaments:console", args=[noon.pk])
    assert "waiting for a director" in page_words(Client().get(noon.get_absolute_url()))
    assert "waiting for a director to open your table" in page_words(
        as_user(person("ann")).get(noon.get_absolute_url())
    )


def test_the_director_tries_again_once_the_cause_is_gone(doubles, as_user):
    noon = doubles()
    match = with_one_set_aside(noon)
    find_partner(noon, "ann")
    path = reverse("tournaments:act", args=[noon.pk, "try-again"])
    as_user(person("dora")).post(path, {"match": match.pk})
    tick(noon)
    match.refresh_from_db()
    assert (match.status, match.set_aside_because) == (Match.Status.PLAYING, "")
    assert "Needs your attention" not in console(noon, as_user)
    with pytest.raises(services.EventError, match="waiting for a director"):
        services.retry_match(match_id=match.pk, by=person("dora"))


def test_what_fails_again_is_set_aside_again(doubles):
    noon = doubles()
    match = with_one_set_aside(noon)
    services.retry_match(match_id=match.pk, by=person("dora"))
    tick(noon)
    match.refresh_from_db()
    assert match.is_set_aside
    assert [NOT_OPENED in line for line in lines(noon)].count(True) == 2


def test_a_director_decides_a_match_that_was_set_aside(doubles, as_user):
    noon = doubles()
    match = with_one_set_aside(noon)
    services.adjudicate(match_id=match.pk, places=[1, 2], by=person("dora"))
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert not match.is_set_aside
    assert "Needs your attention" not in console(noon, as_user)


def test_who_leaves_forfeits_a_match_that_was_set_aside(doubles):
    noon = doubles()
    match = with_one_set_aside(noon)
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    match.refresh_from_db()
    assert match.decided_by == Match.DecidedBy.FORFEIT


def test_a_match_is_set_aside_between_its_games_and_goes_on_with_the_next(doubles):
    noon = started(doubles(match_games=3))
    lose_partner(noon, "ann")
    lose(noon, "ann")
    tick(noon)
    match = match_of(noon, "ann")
    assert (match.status, match.is_set_aside, match.games.count()) == (Match.Status.PLAYING, True, 1)
    assert [NOT_OPENED in line for line in lines(noon)].count(True) == 1
    find_partner(noon, "ann")
    services.retry_match(match_id=match.pk, by=person("dora"))
    assert match.games.count() == 2
    assert not table_of(match).is_over


def test_an_event_that_cannot_go_on_is_tried_again_after_a_while_and_says_why(event, as_user, caplog):
    noon = started(event(people="ann bob"))
    noon.roles.create(user=person("dora"), role="director")
    noon.badges.create(user=person("ann"), place=3)  # so that the event cannot end with another one
    games.resign(table_id=table_of(match_of(noon, "bob")).pk, user=person("bob"))
    for _ in range(3):
        tasks.run_due_steps(noon.pk)
    noon.refresh_from_db()
    assert noon.cannot_go_on_because.startswith("IntegrityError")
    assert services.claim_due_events(until=noon.due_at - services.CLAIM_TIMEOUT) == []
    assert noon.due_at - RETRY_AFTER > NOON
    assert [line for line in lines(noon) if "couldn't continue" in line] == [
        "The tournament couldn't continue automatically. We try again every minute."
    ]
    assert [record.exc_info is not None for record in caplog.records if "cannot go on" in record.message] == [True]
    assert "The tournament couldn't continue automatically." in console(noon, as_user)
    noon.badges.all().delete()
    tasks.run_due_steps(noon.pk)
    noon.refresh_from_db()
    assert (noon.status, noon.cannot_go_on_because) == (Event.Status.FINISHED, "")
    assert "Needs your attention" not in console(noon, as_user)


@pytest.mark.parametrize("act", [services.cancel_event, services.pause_event])
def test_an_event_that_has_stopped_meanwhile_is_not_tried_again(event, act):
    noon = started(event(people="ann bob"))
    act(event_id=noon.pk, by=person("director"), why="")
    back_off_event(event_id=noon.pk, error=ValueError("so it was"), now=NOON)
    noon.refresh_from_db()
    assert noon.due_at is None


def test_an_event_that_cannot_start_is_cancelled_in_the_end_and_says_why(event):
    noon = event(people="ann bob")
    Event.objects.update(seeding="nonsense")
    services.run_due_steps(event_id=noon.pk, now=NOON)
    noon.refresh_from_db()
    assert noon.cannot_go_on_because == "KeyError: 'nonsense'"
    services.run_due_steps(event_id=noon.pk, now=NOON + 11 * RETRY_AFTER)
    noon.refresh_from_db()
    assert noon.status == Event.Status.CANCELLED
    assert noon.log.latest("pk").why == "It couldn't be started, even after several tries."


def test_a_series_that_cannot_plan_its_events_is_not_tried_every_second(db):
    series = Series(name="Fridays", game="casino", first_start_at=NOON)
    services.save_series(series, now=NOON)
    tasks.tick()
    assert not Series.objects.due(timezone.now()).exists()
    assert Series.objects.due(timezone.now() + RETRY_AFTER).exists()
