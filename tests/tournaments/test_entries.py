"""Who may enter, leave, add and remove."""

import pytest
from django.core.exceptions import ValidationError

from cardsite.accounts import services as accounts
from tests.tournaments.factories import NOON, match_of, names, person, started, status_of
from tournaments import services
from tournaments.models import Entry, Event, Match


@pytest.mark.parametrize("status", ["scheduled", "running", "finished", "cancelled"])
def test_nobody_enters_while_registration_is_closed(event, status):
    noon = event(status=Event.Status.REGISTRATION)
    Event.objects.filter(pk=noon.pk).update(status=status)
    with pytest.raises(services.EventError, match="not open"):
        services.enter(event_id=noon.pk, user=person("ann"))
    assert not noon.entries.exists()


def test_entering_twice_is_entering_once(event):
    noon = event()
    services.enter(event_id=noon.pk, user=person("ann"))
    services.enter(event_id=noon.pk, user=person("ann"))
    assert noon.entries.count() == 1


def test_who_comes_to_a_full_event_waits_for_a_place(event):
    noon = event(people="ann bob", max_entries=2)
    services.enter(event_id=noon.pk, user=person("cat"))
    assert status_of(noon, "cat") == Entry.Status.WAITING
    assert set(names(noon.entries.present())) == {"ann", "bob"}


def test_a_place_that_is_given_back_is_free_and_one_may_return(event):
    noon = event(people="ann bob", max_entries=2)
    services.withdraw(event_id=noon.pk, user=person("ann"))
    assert names(noon.entries.present()) == ["bob"]
    services.enter(event_id=noon.pk, user=person("ann"))
    assert status_of(noon, "ann") == Entry.Status.ENTERED


def test_a_stranger_can_neither_check_in_nor_withdraw(event):
    noon = event(people="ann")
    for act in (services.check_in, services.withdraw):
        with pytest.raises(services.EventError, match="not entered"):
            act(event_id=noon.pk, user=person("charlie"))


def test_nobody_checks_in_before_it_is_time(event):
    noon = event(people="ann", check_in_minutes=5)
    with pytest.raises(services.EventError, match="not open"):
        services.check_in(event_id=noon.pk, user=person("ann"))


def test_a_director_adds_somebody_before_registration_opens(event):
    noon = event(status="scheduled")
    services.add_entry(event_id=noon.pk, user=person("ann"), by=person("director"))
    assert names(noon.entries.all()) == ["ann"]
    assert noon.log.first().by == person("director")


def test_nobody_is_added_after_the_start(event):
    noon = started(event(people="ann bob"))
    with pytest.raises(services.EventError):
        services.add_entry(event_id=noon.pk, user=person("cat"), by=person("director"))


def test_who_was_removed_cannot_enter_again(event):
    noon = event(people="ann bob")
    entry = noon.entries.get(user__username="ann")
    services.remove_entry(entry_id=entry.pk, by=person("director"), why="asked for it")
    with pytest.raises(services.EventError, match="removed"):
        services.enter(event_id=noon.pk, user=person("ann"))
    line = noon.log.first()
    assert (line.what, line.why, line.by) == ("Removed ann.", "asked for it", person("director"))


def test_who_is_removed_during_play_forfeits(event):
    noon = started(event(people="ann bob"))
    entry = noon.entries.get(user__username="ann")
    services.remove_entry(entry_id=entry.pk, by=person("director"), why="")
    assert match_of(noon, "ann").decided_by == Match.DecidedBy.FORFEIT
    assert status_of(noon, "bob") == Entry.Status.CHAMPION


def test_a_cancelled_event_stops_with_its_reason(event):
    noon = started(event(people="ann bob"))
    services.cancel(event_id=noon.pk, by=person("director"), why="power cut")
    noon.refresh_from_db()
    assert (noon.status, noon.due_at) == (Event.Status.CANCELLED, None)
    assert noon.matches.get().status == Match.Status.CANCELLED
    assert noon.log.first().why == "power cut"
    with pytest.raises(services.EventError, match="over already"):
        services.cancel(event_id=noon.pk, by=person("director"), why="")


def test_the_settings_of_a_running_event_stay(event):
    noon = event(people="ann bob")
    noon.match_games = 3
    services.start(event_id=noon.pk, now=NOON)
    with pytest.raises(services.EventError, match="has started"):
        services.save_event(noon, by=person("director"), now=NOON)


def test_an_edited_start_moves_the_next_step(event):
    noon = event(people="ann", check_in_minutes=0)
    noon.starts_at = NOON.replace(hour=15)
    services.save_event(noon, by=person("director"), now=NOON)
    assert Event.objects.get(pk=noon.pk).due_at == NOON.replace(hour=15)


def test_check_in_closes_again_when_the_start_is_put_off(event):
    noon = event(people="ann", check_in_minutes=5)
    services.open_check_in(event_id=noon.pk, now=NOON.replace(hour=11, minute=56))
    noon.starts_at = NOON.replace(hour=15)
    services.save_event(noon, by=person("director"), now=NOON.replace(hour=11, minute=57))
    noon.refresh_from_db()
    assert (noon.status, noon.due_at) == ("registration", NOON.replace(hour=14, minute=55))


def test_a_guest_keeps_the_entry_when_logging_in(event):
    noon = event()
    guest, ann = accounts.make_guest(), person("ann")
    services.enter(event_id=noon.pk, user=guest)
    accounts.join_account(guest=guest, user=ann)
    assert names(noon.entries.all()) == ["ann"]


@pytest.mark.parametrize(
    ("field", "settings"),
    [
        ("match_games", {"match_games": 2}),
        ("options", {"options": {"target": 12}}),
        ("options", {"options": {"speed": 1}}),
        ("format_options", {"format_options": {"coin": True}}),
        ("max_entries", {"max_entries": 4, "fill_to": 8}),
        ("check_in_minutes", {"check_in_minutes": 90, "registration_minutes": 60}),
    ],
)
def test_settings_that_cannot_be_played_are_refused(event, field, settings):
    with pytest.raises(ValidationError) as refusal:
        event(**settings)
    assert field in refusal.value.message_dict


def test_an_entry_is_kept_when_the_live_channel_is_down(transactional_db, event, settings):
    noon = event()
    settings.LIVE_REDIS_URL = "unix:///nowhere.sock"
    services.enter(event_id=noon.pk, user=person("ann"))
    assert status_of(noon, "ann") == Entry.Status.ENTERED
