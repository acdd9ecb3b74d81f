"""Who may enter, leave, add and remove."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts import services as accounts
from tests.tournaments.factories import NOON, at_once, lose, match_of, names, person, started, status_of, table_of
from tournaments import services
from tournaments.models import Entry, Event, Match
from tournaments.services.waiting_list import waiting_number


@pytest.mark.parametrize("status", ["scheduled", "running", "finished", "cancelled"])
def test_nobody_enters_while_registration_is_closed(event, status):
    noon = event(status=Event.Status.REGISTRATION)
    Event.objects.filter(pk=noon.pk).update(status=status)
    with pytest.raises(services.EventError, match="open"):
        services.enter_event(event_id=noon.pk, user=person("ann"))
    assert not noon.entries.exists()


def test_entering_twice_is_entering_once(event):
    noon = event()
    services.enter_event(event_id=noon.pk, user=person("ann"))
    services.enter_event(event_id=noon.pk, user=person("ann"))
    assert noon.entries.count() == 1


def test_who_comes_to_a_full_event_waits_for_a_place(event):
    noon = event(people="ann bob", max_entries=2)
    services.enter_event(event_id=noon.pk, user=person("cat"))
    assert status_of(noon, "cat") == Entry.Status.WAITING
    assert set(names(noon.entries.present())) == {"ann", "bob"}


def test_a_place_that_is_given_back_is_free_and_one_may_return(event):
    noon = event(people="ann bob", max_entries=2)
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert names(noon.entries.present()) == ["bob"]
    services.enter_event(event_id=noon.pk, user=person("ann"))
    assert status_of(noon, "ann") == Entry.Status.ENTERED


def test_a_stranger_can_neither_check_in_nor_withdraw(event):
    noon = event(people="ann")
    for act in (services.check_in_player, services.withdraw_entry):
        with pytest.raises(services.EventError, match="haven't entered"):
            act(event_id=noon.pk, user=person("charlie"))


def test_nobody_checks_in_before_it_is_time(event):
    noon = event(people="ann", check_in_minutes=5)
    with pytest.raises(services.EventError, match="open"):
        services.check_in_player(event_id=noon.pk, user=person("ann"))


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
        services.enter_event(event_id=noon.pk, user=person("ann"))
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
    services.cancel_event(event_id=noon.pk, by=person("director"), why="power cut")
    noon.refresh_from_db()
    assert (noon.status, noon.due_at) == (Event.Status.CANCELLED, None)
    assert noon.matches.get().status == Match.Status.CANCELLED
    assert noon.log.first().why == "power cut"
    with pytest.raises(services.EventError, match="already"):
        services.cancel_event(event_id=noon.pk, by=person("director"), why="")


def test_the_settings_of_a_running_event_stay(event):
    noon = event(people="ann bob")
    noon.match_games = 3
    services.start_event(event_id=noon.pk, now=NOON)
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
    services.enter_event(event_id=noon.pk, user=guest)
    accounts.join_account(guest=guest, user=ann)
    assert names(noon.entries.all()) == ["ann"]


def test_a_guest_keeps_partners_and_invitations_when_logging_in(event):
    guest, ann = accounts.make_guest(), person("ann")
    pairs = [event(game="push", options={}, seats=4, people=people) for people in ("bob", "cat", "dan ann")]
    first, second, third = pairs
    services.join_partner(entry_id=first.entries.get().pk, user=guest)
    services.invite_partner(event_id=second.pk, user=person("cat"), partner=guest)
    services.join_partner(entry_id=third.entries.get(user__username="dan").pk, user=guest)
    accounts.join_account(guest=guest, user=ann)
    assert first.entries.get().partner == ann
    assert second.entries.get().invited == ann
    assert third.entries.get(user__username="dan").partner == guest, "nobody is in an event twice"


@pytest.mark.parametrize(
    ("field", "settings"),
    [
        ("match_games", {"match_games": 2}),
        ("options", {"options": {"target": 12}}),
        ("options", {"options": {"speed": 1}}),
        ("format_options", {"format_options": {"coin": True}}),
        ("max_entries", {"max_entries": 4, "fill_to": 8}),
        ("fill_to", {"bots_only": True}),
        ("max_rating", {"min_rating": 1600, "max_rating": 1500}),
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
    services.enter_event(event_id=noon.pk, user=person("ann"))
    assert status_of(noon, "ann") == Entry.Status.ENTERED


# The waiting list


def test_a_place_that_gets_free_goes_to_the_first_in_line(event):
    noon = event(people="ann bob cat dan", max_entries=2)
    assert [waiting_number(entry) for entry in noon.entries.waiting()] == [1, 2]
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert set(names(noon.entries.present())) == {"bob", "cat"}
    assert [notice.text for notice in person("cat").notices.all()] == [
        "You now have a place in Noon knock-out: you were first on the waiting list."
    ]
    assert not person("dan").notices.exists()


def test_who_withdraws_from_the_line_and_returns_stands_at_its_end(event):
    noon = event(people="ann bob cat dan", max_entries=2)
    services.withdraw_entry(event_id=noon.pk, user=person("cat"))
    services.enter_event(event_id=noon.pk, user=person("cat"))
    assert names(noon.entries.waiting()) == ["dan", "cat"]
    assert set(names(noon.entries.present())) == {"ann", "bob"}


def test_the_line_moves_up_when_a_director_adds_places(event):
    noon = event(people="ann bob cat dan", max_entries=2)
    noon.max_entries = 3
    services.save_event(noon, by=person("director"), now=NOON)
    assert set(names(noon.entries.present())) == {"ann", "bob", "cat"}


def test_who_waits_in_line_can_check_in_and_then_has_the_place_at_once_when_it_gets_free(event):
    noon = event(people="ann bob cat", max_entries=2, check_in_minutes=5)
    services.open_check_in(event_id=noon.pk, now=NOON.replace(hour=11, minute=56))
    services.check_in_player(event_id=noon.pk, user=person("cat"))
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert status_of(noon, "cat") == Entry.Status.CHECKED_IN


def test_the_last_place_goes_to_one_of_two_who_come_at_once(transactional_db):
    now = NOON - timedelta(hours=1)
    noon = Event(name="Noon", game="casino", starts_at=NOON, status="registration", max_entries=1)
    services.save_event(noon, by=None, now=now)
    people = [person(name) for name in ("ann", "bob", "cat", "dan")]
    at_once(people, lambda user: services.enter_event(event_id=noon.pk, user=user))
    assert noon.entries.present().count() == 1
    assert noon.entries.waiting().count() == 3


def test_who_is_joined_by_two_at_once_plays_with_one_of_them(transactional_db):
    now = NOON - timedelta(hours=1)
    noon = Event(name="Noon", game="push", seats=4, starts_at=NOON, status="registration")
    services.save_event(noon, by=None, now=now)
    entry = services.enter_event(event_id=noon.pk, user=person("ann"))
    people = [person(name) for name in ("bob", "cat", "dan")]
    refused = at_once(people, lambda user: services.join_partner(entry_id=entry.pk, user=user))
    assert noon.entries.get().partner in people
    assert [str(error) for error in refused] == ["ann is no longer looking for a partner."] * 2


# Entering and returning after the start


def test_late_entries_get_the_next_seed_and_play_from_the_next_round(event):
    swiss = started(event(people="ann bob cat dan", format="swiss", late_rounds=2))
    services.enter_event(event_id=swiss.pk, user=person("eve"))
    eve = swiss.entries.get(user__username="eve")
    assert (eve.seed, eve.first_round, eve.status, eve.rating) == (5, 2, Entry.Status.PLAYING, 1500)
    for name in ("ann", "cat", "bob", "dan"):
        if match_of(swiss, name).status == Match.Status.PLAYING:
            lose(swiss, name)
    assert match_of(swiss, "eve").round.number == 2


def test_who_comes_back_while_a_round_is_played_waits_for_the_next_one(event):
    swiss = started(event(people="ann bob cat dan", format="swiss"))
    services.withdraw_entry(event_id=swiss.pk, user=person("ann"))
    lose(swiss, "bob" if match_of(swiss, "bob").status == Match.Status.PLAYING else "cat")
    services.enter_event(event_id=swiss.pk, user=person("ann"))
    services.advance_running_event(event_id=swiss.pk, now=NOON)
    assert status_of(swiss, "ann") == Entry.Status.PLAYING
    assert match_of(swiss, "ann").round.number == 1


def test_late_entries_end_with_their_round_but_not_for_a_director(event):
    swiss = started(event(people="ann bob cat dan", format="swiss", late_rounds=1))
    with pytest.raises(services.EventError, match="open"):
        services.enter_event(event_id=swiss.pk, user=person("eve"))
    services.add_entry(event_id=swiss.pk, user=person("eve"), by=person("director"), late=True)
    assert status_of(swiss, "eve") == Entry.Status.PLAYING


def test_late_entries_meet_the_conditions_and_the_most_entries(event):
    swiss = started(event(people="ann bob", format="swiss", late_rounds=9, max_entries=2))
    with pytest.raises(services.EventError, match="tournament is full"):
        services.enter_event(event_id=swiss.pk, user=person("eve"))
    Event.objects.update(min_rating=1600, max_entries=None)
    with pytest.raises(services.EventError, match="requires a rating"):
        services.enter_event(event_id=swiss.pk, user=person("eve"))


def test_an_arena_can_be_entered_and_returned_to_until_its_time_is_up(event):
    now = timezone.now()
    arena = started(event(people="ann bob", format="arena", starts_at=now), now=now)
    services.enter_event(event_id=arena.pk, user=person("cat"))
    services.withdraw_entry(event_id=arena.pk, user=person("cat"))
    services.enter_event(event_id=arena.pk, user=person("cat"))
    assert status_of(arena, "cat") == Entry.Status.PLAYING
    Event.objects.update(ends_at=timezone.now())
    with pytest.raises(services.EventError, match="open"):
        services.enter_event(event_id=arena.pk, user=person("dan"))


def test_a_knock_out_takes_no_late_entries_even_from_a_director(event):
    noon = started(event(people="ann bob", late_rounds=3))
    with pytest.raises(services.EventError, match="open"):
        services.enter_event(event_id=noon.pk, user=person("eve"))
    with pytest.raises(services.EventError, match="follow from its first draw"):
        services.add_entry(event_id=noon.pk, user=person("eve"), by=person("director"), late=True)


def test_who_withdrew_from_a_running_event_may_return_with_the_same_seed(event):
    swiss = started(event(people="ann bob cat dan", format="swiss"))
    seed = swiss.entries.get(user__username="ann").seed
    services.withdraw_entry(event_id=swiss.pk, user=person("ann"))
    services.enter_event(event_id=swiss.pk, user=person("ann"))
    ann = swiss.entries.get(user__username="ann")
    assert (ann.seed, ann.status) == (seed, Entry.Status.PLAYING)


def test_who_was_removed_during_play_returns_only_through_a_director(event):
    swiss = started(event(people="ann bob cat dan", format="swiss", late_rounds=9))
    entry = swiss.entries.get(user__username="ann")
    services.remove_entry(entry_id=entry.pk, by=person("director"), why="")
    with pytest.raises(services.EventError, match="removed"):
        services.enter_event(event_id=swiss.pk, user=person("ann"))
    services.add_entry(event_id=swiss.pk, user=person("ann"), by=person("director"), late=True)
    assert status_of(swiss, "ann") == Entry.Status.PLAYING


def test_a_knocked_out_entry_does_not_return(event):
    noon = started(event(people="ann bob cat dan"))
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    with pytest.raises(services.EventError, match="out of this tournament"):
        services.enter_event(event_id=noon.pk, user=person("ann"))


# What people are told


def test_everybody_is_called_to_the_table_or_told_that_it_has_started(event):
    noon = started(event(people="ann bob cat"))
    with_bye = noon.matches.get(decided_by="bye").sides.get().entry.user
    assert [notice.text for notice in with_bye.notices.all()] == [
        "Noon knock-out has started. We'll notify you when your first match starts."
    ]
    match = noon.matches.get(status=Match.Status.PLAYING)
    for side in match.sides.all():
        (notice,) = side.entry.user.notices.all()
        assert notice.url == table_of(match).get_absolute_url()
        assert "starts now. Go to your table within 5 minutes." in notice.text


def test_the_call_to_a_table_is_taken_back_when_the_match_is_over(event):
    noon = started(event(people="ann bob cat dan"))
    assert person("ann").notices.unread().count() == 1
    lose(noon, "ann")
    assert not person("ann").notices.unread().exists()
    other = noon.matches.get(round__number=1, status=Match.Status.PLAYING).sides.all()[0].entry.user
    assert other.notices.unread().count() == 1


def test_who_gets_a_place_a_second_time_is_told_again(event):
    noon = event(people="ann bob", max_entries=2)
    for name in ("bob", "ann"):
        services.enter_event(event_id=noon.pk, user=person("cat"))
        services.withdraw_entry(event_id=noon.pk, user=person(name))
        services.withdraw_entry(event_id=noon.pk, user=person("cat"))
        services.enter_event(event_id=noon.pk, user=person(name))
    assert person("cat").notices.count() == 2


def test_everybody_in_an_event_that_is_cancelled_is_told_why(event):
    noon = event(people="ann bob cat", max_entries=2)
    services.cancel_event(event_id=noon.pk, by=person("director"), why="Power cut.")
    for name in ("ann", "bob", "cat"):
        assert [notice.text for notice in person(name).notices.all()] == ["Noon knock-out is cancelled. Power cut."]


def test_who_is_removed_is_told(event):
    noon = event(people="ann")
    services.remove_entry(entry_id=noon.entries.get().pk, by=person("director"), why="")
    assert [notice.text for notice in person("ann").notices.all()] == ["director has removed you from Noon knock-out."]


def test_an_event_that_is_closed_for_entries_starts_all_the_same(event):
    noon = event(people="ann bob")
    Event.objects.update(is_closed=True)
    with pytest.raises(services.EventError, match="open"):
        services.enter_event(event_id=noon.pk, user=person("cat"))
    assert started(noon).is_running


def test_settings_that_are_saved_from_an_old_reading_undo_nothing(event):
    noon = event(people="ann bob")
    services.close_entries(event_id=noon.pk, by=person("director"))
    services.save_event(noon, by=person("director"), now=NOON - timedelta(minutes=30))
    assert Event.objects.get(pk=noon.pk).is_closed
