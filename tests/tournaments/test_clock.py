"""The steps that an event takes by itself."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from games.models import Table
from notifications.models import Notice
from tests.connections import in_own_connection, wait_for_a_lock
from tests.pages import page_words
from tests.tournaments.factories import NOON, names, person, started, status_of, table_of
from tournaments import services, tasks
from tournaments.models import Entry, Event, Match

MINUTE = timedelta(minutes=1)


def walk(event: Event, minutes: int) -> str:
    """The status after the step that is due so many minutes from noon."""
    services.run_due_steps(event_id=event.pk, now=NOON + minutes * MINUTE)
    event.refresh_from_db()
    return event.status


def test_an_event_opens_checks_in_and_starts_at_its_minutes(event):
    noon = event(people="ann bob", status="scheduled", registration_minutes=30, check_in_minutes=5)
    assert [walk(noon, at) for at in (-31, -30, -6, -5)] == [
        "scheduled", "registration", "registration", "check-in",
    ]  # fmt: skip
    for name in ("ann", "bob"):
        services.check_in_player(event_id=noon.pk, user=person(name))
    services.run_due_steps(event_id=noon.pk, now=NOON - timedelta(milliseconds=1))
    assert Event.objects.get().status == "check-in"
    assert walk(noon, 0) == "running"


def test_the_next_step_is_always_on_the_calendar(event):
    noon = event(people="ann bob", status="scheduled", registration_minutes=30, check_in_minutes=5)
    assert noon.due_at == NOON - 30 * MINUTE
    walk(noon, -30)
    assert noon.due_at == NOON - 5 * MINUTE
    walk(noon, -5)
    assert noon.due_at == NOON


def test_every_step_taken_twice_changes_nothing_twice(event):
    noon = event(people="ann bob cat", status="scheduled", registration_minutes=30, check_in_minutes=5)
    for name in ("ann", "bob", "cat"):
        services.add_entry(event_id=noon.pk, user=person(name), by=person("director"))
    for minutes in (-30, -5):
        walk(noon, minutes)
        before = noon.version
        walk(noon, minutes)
        assert noon.version == before
    for name in ("ann", "bob", "cat"):
        services.check_in_player(event_id=noon.pk, user=person(name))
    walk(noon, 0)
    counts = (noon.matches.count(), noon.log.count(), noon.version)
    walk(noon, 0)
    assert (noon.matches.count(), noon.log.count(), noon.version) == counts == (2, counts[1], counts[2])


def test_the_second_claim_of_a_due_event_loses(event):
    noon = event(people="ann bob")
    assert services.claim_due_events(until=NOON) == [(noon.pk, NOON)]
    assert services.claim_due_events(until=NOON) == []


def test_a_claimed_step_that_was_lost_is_due_again(event):
    noon = event(people="ann bob")
    services.claim_due_events(until=NOON)
    later = NOON + services.CLAIM_TIMEOUT
    assert services.claim_due_events(until=later) == [(noon.pk, later)]


def test_an_event_that_is_shifted_at_this_very_moment_does_not_start(transactional_db, event):
    """On SQLite whoever starts it can read only once the other one has written: it locks before it reads."""
    noon = event(people="ann bob", starts_at=timezone.now())
    begins = threading.Event()

    def start():
        with connection.execute_wrapper(lambda execute, *rest: begins.set() or execute(*rest)):
            services.start_event(event_id=noon.pk, now=noon.starts_at)

    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            services.shift_time(event_id=noon.pk, minutes=30, by=person("director"))
            starting = thread.submit(in_own_connection, start)
            assert begins.wait(30)
            if connection.vendor == "postgresql":
                wait_for_a_lock()
            assert not starting.done()
        starting.result()
    noon.refresh_from_db()
    assert noon.status == Event.Status.REGISTRATION


def test_a_match_that_was_paired_again_since_is_not_started(event):
    noon = event(people="ann bob")
    services.start_event(event_id=noon.pk, now=NOON)
    match = noon.matches.get()
    match.delete()
    services.start_match(match_id=match.pk, now=NOON)
    assert not Table.objects.exists()


def test_a_match_is_given_one_table_however_often_it_is_started(event):
    noon = started(event(people="ann bob"))
    match = noon.matches.get()
    services.start_match(match_id=match.pk, now=NOON)
    assert match.games.count() == 1


def test_the_tick_starts_an_event_through_its_tasks(event, eager_tasks, django_capture_on_commit_callbacks):
    noon = event(people="ann bob", starts_at=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        tasks.tick()
    assert Event.objects.get(pk=noon.pk).is_running
    assert noon.matches.get().status in (Match.Status.WAITING, Match.Status.PLAYING)


def test_who_does_not_check_in_does_not_play(event):
    noon = event(people="ann bob cat", check_in_minutes=5)
    walk(noon, -5)
    for name in ("ann", "bob"):
        services.check_in_player(event_id=noon.pk, user=person(name))
    walk(noon, 0)
    assert status_of(noon, "cat") == Entry.Status.NO_SHOW
    assert set(names(noon.entries.filter(seed__isnull=False))) == {"ann", "bob"}


def test_who_enters_during_check_in_is_checked_in(event):
    noon = event(check_in_minutes=5)
    walk(noon, -5)
    assert services.enter_event(event_id=noon.pk, user=person("ann")).status == Entry.Status.CHECKED_IN


def test_a_check_in_that_the_site_slept_through_keeps_nobody_out(event):
    noon = event(people="ann bob", check_in_minutes=5)
    assert walk(noon, 1) == "running"
    assert set(names(noon.entries.present())) == {"ann", "bob"}


def test_an_event_that_the_site_slept_through_is_cancelled_if_nobody_directs_it(event):
    noon = event(people="ann bob")
    assert walk(noon, 11) == "cancelled"
    assert "was down" in noon.log.first().why


@pytest.fixture
def missed(event):
    """An event of dora's that the site has slept through."""
    noon = event(people="ann bob")
    Event.objects.filter(pk=noon.pk).update(created_by=person("dora"))
    assert walk(noon, 11) == "registration"
    return Event.objects.get(pk=noon.pk)


def test_an_event_that_the_site_slept_through_waits_for_its_director(missed, client):
    line = missed.log.latest("pk")
    assert (line.what, line.why) == (
        "Missed its start and waits for a director.",
        "The site was down at the start time.",
    )
    assert missed.waits_for_director and services.claim_due_events(until=NOON + timedelta(days=9)) == []
    told = dict(Notice.objects.filter(key__contains=":missed:").values_list("user__username", "text"))
    assert sorted(told) == ["ann", "bob", "dora"]
    assert "Start it now" in told["dora"] and "A director decides when it starts." in told["ann"]
    assert "It has missed its start." in page_words(client.get(missed.get_absolute_url()))
    client.force_login(person("ann"))
    words = page_words(client.get(missed.get_absolute_url()))
    assert "You're in. A director decides when it starts." in words and "It starts" not in words
    client.force_login(person("dora"))
    console = page_words(client.get(reverse("tournaments:console", args=[missed.pk])))
    assert "The tournament has missed its start." in console


def test_a_director_starts_an_event_that_has_missed_its_start(missed):
    services.start_now(event_id=missed.pk, by=person("dora"))
    missed.refresh_from_db()
    assert missed.is_running and not missed.waits_for_director


def test_a_director_shifts_an_event_that_has_missed_its_start(missed):
    minutes = int((timezone.now() - NOON).total_seconds() // 60) + 30
    services.shift_time(event_id=missed.pk, minutes=minutes, by=person("dora"))
    missed.refresh_from_db()
    assert missed.due_at == missed.starts_at > timezone.now() and not missed.waits_for_director


@pytest.mark.parametrize(("people", "status"), [("ann bob", "running"), ("ann", "cancelled")])
def test_the_call_to_check_in_ends_for_whoever_did_and_for_all_with_the_start(event, people, status):
    noon = event(people=f"{people} cat", check_in_minutes=5)
    open_calls = Notice.objects.unread().filter(key__contains=":check-in:").order_by("user__username")
    services.open_check_in(event_id=noon.pk, now=noon.check_in_at)
    for name in people.split():
        services.check_in_player(event_id=noon.pk, user=person(name))
    assert [call.user for call in open_calls] == [person("cat")]
    assert walk(noon, 0) == status
    assert not open_calls.all()


def test_a_check_in_that_opens_again_for_a_later_start_calls_again(event):
    noon = event(people="ann bob", check_in_minutes=5, starts_at=timezone.now() + timedelta(minutes=4))
    calls = person("ann").notices.filter(text__startswith="Check-in for ")
    services.open_check_in(event_id=noon.pk, now=noon.check_in_at)
    services.check_in_player(event_id=noon.pk, user=person("bob"))
    services.shift_time(event_id=noon.pk, minutes=60, by=person("dora"))
    assert calls.count() == 1
    assert not calls.unread(), "check-in isn't open for now"
    noon.refresh_from_db()
    services.open_check_in(event_id=noon.pk, now=noon.check_in_at)
    assert calls.unread().count() == 1
    assert person("bob").notices.filter(text__startswith="Check-in for ").count() == 1, "bob has checked in"


def test_too_few_entries_cancel_an_event_and_the_log_says_so(event):
    noon = event(people="ann")
    assert walk(noon, 0) == "cancelled"
    assert noon.log.first().why == "Only 1 came, and it needs 2."
    assert noon.due_at is None


def test_an_uneven_field_has_byes_and_starts_all_other_matches(event):
    noon = started(event(people="ann bob cat dan eve"))
    byes = noon.matches.filter(decided_by=Match.DecidedBy.BYE)
    assert {match.sides.get().entry.seed for match in byes} == {1, 2, 3}
    playing = noon.matches.filter(status=Match.Status.PLAYING)
    assert sorted(sorted(side.entry.seed for side in match.sides.all()) for match in playing) == [
        [2, 3],
        [4, 5],
    ]
    assert all(table_of(match).status == "running" for match in playing)


@pytest.mark.parametrize("status", ["finished", "cancelled"])
def test_an_event_that_is_over_takes_no_step(event, status):
    noon = event(people="ann bob")
    Event.objects.filter(pk=noon.pk).update(status=status)
    assert walk(noon, 0) == status
    assert not noon.matches.exists()
