"""Rounds that begin at a time of their own, and events that a director starts before theirs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages import page_html, page_words
from tests.tournaments.factories import entry_of, lose, person, started, status_of
from tournaments import services
from tournaments.domain.wall_clock import wall_time_of
from tournaments.models import Event, Match

pytestmark = pytest.mark.django_db


def swiss(event, **settings: object) -> Event:
    """Three rounds, which began a minute ago."""
    at = timezone.now() - timedelta(minutes=1)
    return event(
        people="ann bob cat dan", format="swiss", format_options={"planned_rounds": 3}, starts_at=at, **settings
    )


def play_round(event: Event) -> None:
    for match in event.matches.filter(status=Match.Status.PLAYING):
        lose(event, match.sides.get(number=1).entry.user.username)
    event.refresh_from_db()


def last_paired(event: Event) -> int:
    return event.matches.order_by("-round__number")[0].round.number


def test_a_round_does_not_begin_before_its_time(event, boss, client):
    noon = started(swiss(event), now=timezone.now())
    at = timezone.now() + timedelta(days=7)
    services.set_round_times(event_id=noon.pk, times={2: at}, by=boss)
    play_round(noon)
    assert last_paired(noon) == 1
    assert noon.next_round_at == at
    assert "Round 2 starts" in page_words(client.get(noon.get_absolute_url()))
    noon.round_times.update(starts_at=timezone.now() - timedelta(seconds=1))
    services.advance_running_event(event_id=noon.pk, now=timezone.now())
    assert last_paired(noon) == 2


def test_a_time_that_is_taken_away_lets_the_round_begin(event, boss):
    noon = started(swiss(event), now=timezone.now())
    services.set_round_times(event_id=noon.pk, times={2: timezone.now() + timedelta(days=7)}, by=boss)
    play_round(noon)
    services.set_round_times(event_id=noon.pk, times={2: None}, by=boss)
    services.advance_running_event(event_id=noon.pk, now=timezone.now())
    assert last_paired(noon) == 2


def test_a_round_with_a_time_of_its_own_has_no_break_before_it(event, boss):
    noon = started(swiss(event, break_seconds=3600), now=timezone.now())
    services.set_round_times(event_id=noon.pk, times={2: timezone.now() + timedelta(days=7)}, by=boss)
    noon.round_times.update(starts_at=timezone.now() - timedelta(seconds=1))
    play_round(noon)
    assert last_paired(noon) == 2


def test_shifting_the_next_round_shifts_its_time(event, boss):
    noon = started(swiss(event), now=timezone.now())
    at = timezone.now() + timedelta(days=7)
    services.set_round_times(event_id=noon.pk, times={2: at}, by=boss)
    play_round(noon)
    services.shift_time(event_id=noon.pk, minutes=30, by=boss)
    assert noon.round_times.get().starts_at == at + timedelta(minutes=30)
    services.advance_running_event(event_id=noon.pk, now=timezone.now())
    noon.refresh_from_db()
    assert noon.next_round_at == at + timedelta(minutes=30)


def test_a_round_is_not_published_by_hand_before_its_time(event, boss):
    noon = started(swiss(event, publishes_by_hand=True), now=timezone.now())
    round1 = noon.rounds.get()
    noon.round_times.create(number=1, starts_at=timezone.now() + timedelta(days=1))
    with pytest.raises(services.EventError, match="Round 1 begins on"):
        services.publish_round(event_id=noon.pk, section=round1.section, number=1, by=boss)


@pytest.mark.parametrize(
    ("days", "message"), [({2: 7, 3: 6}, "before the round before it"), ({2: -1}, "in the past"), ({1: 3}, "has begun")]
)
def test_a_timetable_that_cannot_be_is_refused(event, boss, days, message):
    noon = swiss(event)
    times = {number: timezone.now() + timedelta(days=after) for number, after in days.items()}
    with pytest.raises(services.EventError, match=message):
        services.set_round_times(event_id=noon.pk, times=times, by=boss)


def test_a_director_fills_the_timetable_week_by_week(director, event):
    noon = swiss(event, time_zone="Europe/Vienna")
    noon.starts_at = (timezone.now() + timedelta(days=1)).replace(hour=12)  # an hour that comes on every day
    noon.save()
    page = director.post(reverse("tournaments:act", args=[noon.pk, "timetable"]), {"days": "7"})
    assert page.status_code == 302
    first, *others = [
        wall_time_of(at, noon.time_zone) for at in (noon.starts_at, *(row.starts_at for row in noon.round_times.all()))
    ]
    assert others == [first + timedelta(days=7), first + timedelta(days=14)]
    assert person("ann").notices.filter(text__contains="round 2: ").exists()
    assert "Round 3" in page_words(director.get(noon.get_absolute_url()))
    director.post(reverse("tournaments:act", args=[noon.pk, "timetable"]), {"round-2": "2059-01-02T19:00"})
    assert [(row.number, row.starts_at.year) for row in noon.round_times.all()] == [(2, 2059)]


# Start now


def test_a_director_starts_an_event_before_its_time(director, event):
    noon = event(people="ann bob", starts_at=timezone.now() + timedelta(hours=3), check_in_minutes=30)
    start = reverse("tournaments:act", args=[noon.pk, "start-now"])
    said = page_words(director.get(start))
    assert "registration was open until" in said
    assert "Check-in is skipped, so all 2 entries play." in said
    director.post(start, {"why": "Everyone is here."})
    noon.refresh_from_db()
    assert (noon.status, noon.started_at is not None) == (Event.Status.RUNNING, True)
    assert abs(noon.starts_at - timezone.now()) < timedelta(minutes=5)


def test_who_has_not_checked_in_does_not_play_in_an_event_that_is_started_now(director, event):
    at = timezone.now() + timedelta(hours=3)
    noon = event(people="ann bob cat", starts_at=at, check_in_minutes=30, status=Event.Status.CHECK_IN)
    noon.entries.filter(user__username="cat").update(status="entered")
    start = reverse("tournaments:act", args=[noon.pk, "start-now"])
    assert "1 of 3 entries haven" in page_words(director.get(start))
    director.post(start)
    assert status_of(noon, "cat") == "no-show"


def test_an_event_without_enough_players_is_not_started_and_not_cancelled(director, event):
    noon = event(people="ann", starts_at=timezone.now() + timedelta(hours=3))
    page = director.post(reverse("tournaments:act", args=[noon.pk, "start-now"]))
    assert "enough players: it needs 2" in page_words(page)
    noon.refresh_from_db()
    assert noon.status == Event.Status.REGISTRATION


# The door


def test_a_helper_checks_in_at_the_door(director, event):
    noon = event(people="ann bob cat", check_in_minutes=30)
    door = reverse("tournaments:door-list", args=[noon.pk])
    assert "0 of 3 are here" in page_words(director.get(door))
    director.post(reverse("tournaments:act", args=[noon.pk, "check-in"]), {"entry": entry_of(noon, "bob").pk})
    assert "1 of 3 are here" in page_words(director.get(door))
    assert [row.entry.name for row in director.get(door, {"q": "A"}).context["rows"]] == ["ann", "cat"]
    director.post(reverse("tournaments:act", args=[noon.pk, "all-here"]))
    assert "3 of 3 are here" in page_words(director.get(door))
    assert "Everyone has checked in" in page_words(
        director.post(reverse("tournaments:act", args=[noon.pk, "all-here"]), follow=True)
    )


def test_the_code_at_the_door_checks_its_reader_in_before_check_in_opens(director, event):
    noon = event(people="ann bob", check_in_minutes=30)
    address = director.get(reverse("tournaments:door-list", args=[noon.pk])).context["address"]
    code = director.get(reverse("tournaments:door-code", args=[noon.pk]))
    assert (code["Content-Type"], code.content[:5]) == ("image/svg+xml", b"<?xml")
    director.force_login(person("ann"))
    assert "You play as" in page_words(director.get(address))
    assert status_of(noon, "ann") == "entered", "looking is not checking in"
    director.post(address)
    assert status_of(noon, "ann") == "checked-in"
    director.force_login(person("eve"))
    assert "You haven't entered this tournament" in page_words(director.get(address))
    other = reverse("tournaments:door", args=[noon.pk, "made-up"])
    assert director.post(other).status_code == 403


def test_who_comes_after_the_start_is_admitted_at_the_door(director, event):
    noon = swiss(event, check_in_minutes=30, status=Event.Status.CHECK_IN)
    door = director.get(reverse("tournaments:door-list", args=[noon.pk]))
    noon.entries.filter(user__username="dan").update(status="entered")
    started(noon, now=timezone.now())
    assert status_of(noon, "dan") == "no-show"
    page = director.get(reverse("tournaments:door-list", args=[noon.pk]))
    assert "3 of 4 are here" in page_words(page) and "Admit late dan" in page_words(page)
    assert reverse("tournaments:console-tab", args=[noon.pk, "entries"]) + "#add-title" in page_html(page)
    client = Client()
    client.force_login(person("dan"))
    assert "The tournament started before you checked in, dan." in page_words(client.get(door.context["address"]))
    director.post(reverse("tournaments:act", args=[noon.pk, "let-in"]), {"entry": entry_of(noon, "dan").pk})
    assert status_of(noon, "dan") == "playing"
    assert "4 of 4 are here" in page_words(director.get(reverse("tournaments:door-list", args=[noon.pk])))


def test_the_code_of_one_door_opens_no_other(director, event):
    noon, other = event(people="ann"), event(people="ann", name="Other")
    address = director.get(reverse("tournaments:door-list", args=[noon.pk])).context["address"]
    director.force_login(person("ann"))
    assert director.post(address.replace(f"/{noon.pk}/door/", f"/{other.pk}/door/")).status_code == 403


# The best of an event


def test_the_best_of_a_swiss_play_a_knock_out_seeded_by_their_places(director, event):
    noon = started(event(people="ann bob cat dan eve fay", format="swiss", format_options={"planned_rounds": 2}))
    play_round(noon)
    play_round(noon)
    assert noon.is_finished
    order = [entry.name for entry in services.best_entries(noon, 4)]
    best = reverse("tournaments:act", args=[noon.pk, "best"])
    page = director.post(best, {"count": "4", "plan": "single-elimination", "minutes": "10"})
    final = Event.objects.get(name="Noon knock-out: the best 4")
    assert page.url == reverse("tournaments:console", args=[final.pk])
    assert (final.format, final.game, final.created_by) == ("single-elimination", noon.game, person("director"))
    started(final, now=timezone.now() + timedelta(minutes=11))
    assert [entry.name for entry in final.entries.order_by("seed")] == order
    assert person(order[0]).notices.filter(text__startswith="You play in Noon knock-out: the best 4").exists()


def test_only_who_may_plan_tournaments_is_offered_one_of_the_best(director, client, event):
    noon = started(event(people="ann bob"))
    lose(noon, "ann")
    services.name_role(event_id=noon.pk, user_id=person("eve").pk, role="director", by=person("director"))
    client.force_login(person("eve"))
    best, console = (
        reverse(f"tournaments:{name}", args=[noon.pk, *more]) for name, *more in (["act", "best"], ["console"])
    )
    assert best not in client.get(console).text
    assert client.get(best).status_code == 403
    client.force_login(person("director"))
    assert best in client.get(console).text


def test_there_are_not_more_best_than_entries(director, event):
    noon = started(event(people="ann bob"))
    lose(noon, "ann")
    page = director.post(
        reverse("tournaments:act", args=[noon.pk, "best"]), {"count": "4", "plan": "swiss", "minutes": "10"}
    )
    assert "There are only 2 entries" in page_words(page)
