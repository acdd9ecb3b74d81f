"""What directors do with an event and its people, and how it is taken back."""

from __future__ import annotations

import csv
from datetime import timedelta

import pytest
from django.urls import reverse

from notifications.models import Notice
from tests.pages import page_words
from tests.tournaments.factories import (
    entry_of,
    fresh,
    lose,
    match_of,
    names,
    person,
    started,
    status_of,
    table_of,
    undo_last,
)
from tournaments import services
from tournaments.models import Event, EventLog


@pytest.fixture
def boss(db):
    """Not the director in whose name `event` enters people."""
    return person("boss")


def last_line(event: Event) -> EventLog:
    return event.log.first()


# Open and closed


def test_a_director_opens_entries_before_their_time(event, boss):
    noon = event(status=Event.Status.SCHEDULED)
    services.open_entries(event_id=noon.pk, by=boss, why="all are here")
    assert fresh(noon).takes_entries
    line = last_line(noon)
    assert (line.what, line.by, line.why) == ("Opened entries.", boss, "all are here")


def test_closing_entries_is_taken_back_by_opening_them(event, boss):
    noon = event()
    services.close_entries(event_id=noon.pk, by=boss)
    with pytest.raises(services.EventError, match="open for entries"):
        services.enter_event(event_id=noon.pk, user=person("ann"))
    undo_last(noon, by=boss)
    assert services.enter_event(event_id=noon.pk, user=person("ann")).is_in


def test_nothing_is_taken_back_twice(event, boss):
    noon = event()
    services.close_entries(event_id=noon.pk, by=boss)
    line = last_line(noon)
    services.undo_action(line_id=line.pk, by=boss)
    assert last_line(noon).why == "Undone: Closed entries."
    with pytest.raises(services.EventError, match="already been undone"):
        services.undo_action(line_id=line.pk, by=boss)


def test_what_leaves_no_way_back_is_not_taken_back(event, boss):
    noon = event()
    services.cancel_event(event_id=noon.pk, by=boss, why="")
    with pytest.raises(services.EventError, match="can't be undone"):
        undo_last(noon, by=boss)


# Times


def test_the_start_is_shifted_and_shifted_back(soon, boss):
    event = soon(people="ann", check_in_minutes=5, time_zone="Asia/Tokyo")
    before = event.starts_at
    services.shift_time(event_id=event.pk, minutes=20, by=boss)
    event = fresh(event)
    wall = event.starts_at + timedelta(hours=9)
    when = f"{wall:%a} {wall.day} {wall:%b %Y, %H:%M} (Asia/Tokyo)"
    assert event.log.first().what == f"Shifted the start: 20 minutes later, to {when}."
    assert event.starts_at - before == timedelta(minutes=20)
    assert event.due_at == event.check_in_at
    notice = Notice.objects.get(user=person("ann"), key__contains="shifted")
    assert f"the start is now on {when}." in notice.text
    undo_last(event, by=boss)
    assert fresh(event).starts_at == before


def test_check_in_closes_again_where_the_start_is_later(soon, boss):
    event = soon(check_in_minutes=60, registration_minutes=90)
    services.open_check_in(event_id=event.pk, now=event.check_in_at)
    assert fresh(event).status == Event.Status.CHECK_IN
    services.shift_time(event_id=event.pk, minutes=10, by=boss)
    assert fresh(event).status == Event.Status.REGISTRATION


def test_nothing_is_shifted_into_the_past(soon, boss):
    with pytest.raises(services.EventError, match="in the past"):
        services.shift_time(event_id=soon().pk, minutes=-61, by=boss)


def test_a_shift_of_the_start_is_not_taken_back_after_it(soon, boss):
    event = soon(people="ann bob")
    services.shift_time(event_id=event.pk, minutes=5, by=boss)
    line = last_line(event)
    started(event, now=fresh(event).starts_at)
    with pytest.raises(services.EventError, match="too late to shift the start"):
        services.undo_action(line_id=line.pk, by=boss)


def test_a_break_is_made_longer(event, boss):
    noon = started(event(people="ann bob cat dan", format="swiss", break_seconds=300))
    for name in ("ann", "bob", "cat", "dan"):
        match = match_of(noon, name)
        if not match.is_over:
            lose(noon, name)
    end = fresh(noon).next_round_at
    assert noon.matches.count() == 2
    services.shift_time(event_id=noon.pk, minutes=3, by=boss)
    assert fresh(noon).next_round_at == end + timedelta(minutes=3)


# Check-in


def test_a_director_adds_time_to_a_clock_and_the_players_of_the_match_hear_of_it(event, boss):
    noon = started(event(people="ann bob", base_minutes=10, move_seconds=0))
    match = match_of(noon, "ann")
    services.add_time(match_id=match.pk, minutes=5, user=person("bob"), by=boss, why="the light went out")
    seat = table_of(match).seats.get(user=person("bob")).number
    assert [timer.reserve for timer in table_of(match).timers] == [900 if n == seat else 600 for n in (0, 1)]
    line = last_line(noon)
    assert (line.what, line.why) == (f"Added 5 minutes to the clock of bob: {match}.", "the light went out")
    text = f"Noon knock-out: a director has added 5 minutes to the clock of bob: {match} (the light went out)."
    assert {notice.user.username for notice in Notice.objects.filter(text=text)} == {"ann", "bob"}
    services.add_time(match_id=match.pk, minutes=1, by=boss)
    assert last_line(noon).what == f"Added 1 minute to all clocks: {match}."
    assert sum(timer.reserve for timer in table_of(match).timers) == 1620


def test_time_is_added_by_others_and_only_while_a_game_is_in_play(event, boss):
    noon = started(event(people="ann bob"))
    match = match_of(noon, "ann")
    with pytest.raises(services.EventError, match="someone else has to add time in this match"):
        services.add_time(match_id=match.pk, minutes=5, by=person("ann"))
    lose(noon, "ann")
    with pytest.raises(services.EventError, match="no game in play"):
        services.add_time(match_id=match.pk, minutes=5, by=boss)


def test_a_director_checks_somebody_in_and_takes_it_back(event, boss):
    noon = event(people="ann", check_in_minutes=5)
    services.check_in_entry(entry_id=entry_of(noon, "ann").pk, by=boss)
    assert status_of(noon, "ann") == "checked-in"
    undo_last(noon, by=boss)
    assert status_of(noon, "ann") == "entered"
    undo_last(noon, by=boss)
    assert status_of(noon, "ann") == "checked-in"


def test_check_in_ends_with_the_start(event, boss):
    noon = event(people="ann bob")
    services.check_in_entry(entry_id=entry_of(noon, "ann").pk, by=boss)
    started(noon)
    with pytest.raises(services.EventError, match="Check-in is over"):
        undo_last(noon, of="ann is checked in.", by=boss)


# Seeds


def test_seeds_by_hand_are_those_of_the_start(event, boss):
    noon = event(people="ann bob cat")
    order = [entry_of(noon, name).pk for name in ("cat", "ann", "bob")]
    services.set_seeds(event_id=noon.pk, order=order, by=boss)
    assert names(started(noon).entries.order_by("seed")) == ["cat", "ann", "bob"]


def test_seeds_by_hand_are_taken_back_with_the_order_before_them(event, boss):
    noon = event(people="ann bob", seeding="rating")
    ann, bob = (entry_of(noon, name) for name in ("ann", "bob"))
    services.set_seeds(event_id=noon.pk, order=[bob.pk, ann.pk], by=boss)
    services.set_seeds(event_id=noon.pk, order=[ann.pk, bob.pk], by=boss)
    undo_last(noon, by=boss)
    assert fresh(noon).seeding == "hand"
    assert (entry_of(noon, "bob").wanted_seed, entry_of(noon, "ann").wanted_seed) == (1, 2)
    undo_last(noon, of="Set the seeds manually.", by=boss, skip=2)  # the undoing is the newest
    assert (fresh(noon).seeding, entry_of(noon, "bob").wanted_seed) == ("rating", None)


def test_nobody_seeds_himself_by_hand(event, boss):
    noon = event(people="ann boss")
    with pytest.raises(services.EventError, match="You are one of the players here"):
        services.set_seeds(event_id=noon.pk, order=[], by=boss)
    services.seed_by(event_id=noon.pk, how="rating", by=boss)
    assert fresh(noon).seeding == "rating"


# Who plays


def test_an_added_entry_is_taken_back_before_the_start_only(event, boss):
    noon = event()
    services.add_entry(event_id=noon.pk, user=person("ann"), by=boss)
    undo_last(noon, by=boss)
    assert not noon.entries.exists()
    for name in ("ann", "bob"):
        services.add_entry(event_id=noon.pk, user=person(name), by=boss)
    started(noon)
    with pytest.raises(services.EventError, match="The tournament has started"):
        undo_last(noon, of="bob entered.", by=boss)


def test_whoever_enters_himself_is_not_taken_out_by_undo(event):
    noon = event()
    services.enter_event(event_id=noon.pk, user=person("ann"))
    assert last_line(noon).undo is None


def test_a_disqualification_is_taken_back_while_nothing_has_followed(event, boss):
    noon = event(people="ann bob")
    services.remove_entry(entry_id=entry_of(noon, "ann").pk, by=boss, why="late")
    undo_last(noon, by=boss)
    assert status_of(noon, "ann") == "entered"


def test_who_is_taken_out_and_put_back_hears_of_both_each_time(event, boss):
    noon = event(people="ann bob")
    for _ in range(2):
        services.remove_entry(entry_id=entry_of(noon, "ann").pk, by=boss, why="late")
        undo_last(noon, of="Removed ann.", by=boss)
    out, back = "boss has removed you from Noon knock-out.", "boss has put you back in Noon knock-out."
    assert [notice.text for notice in person("ann").notices.all()] == [back, out, back, out]
    assert not person("ann").notices.unread().filter(text=out), "no longer true"


def test_a_disqualification_that_costs_a_match_stays(event, boss):
    noon = started(event(people="ann bob cat dan"))
    services.remove_entry(entry_id=entry_of(noon, "ann").pk, by=boss, why="rude")
    assert match_of(noon, "ann").decided_by == "forfeit"
    with pytest.raises(services.EventError, match="can't be undone"):
        undo_last(noon, of="Removed ann.", by=boss)


def test_a_disqualification_between_rounds_is_taken_back_until_a_match_is_forfeited(event, boss):
    noon = started(event(people="ann bob cat dan eve"))  # the first seed waits for the winner of 4 and 5
    first, fourth = noon.entries.get(seed=1), noon.entries.get(seed=4)
    name = first.user.username
    services.remove_entry(entry_id=first.pk, by=boss, why="phone")
    undo_last(noon, of=f"Removed {name}.", by=boss)
    assert status_of(noon, name) == "playing"
    services.remove_entry(entry_id=first.pk, by=boss, why="phone again")
    lose(noon, fourth.user.username)
    with pytest.raises(services.EventError, match="has forfeited a match since"):
        undo_last(noon, of=f"Removed {name}.", by=boss)


def test_a_director_does_not_take_out_whom_he_plays_against(event):
    noon = started(event(people="ann bob"))
    bob, ann = entry_of(noon, "bob"), person("ann")
    with pytest.raises(services.EventError, match="You are playing against bob now"):
        services.remove_entry(entry_id=bob.pk, by=ann, why="mine")
    with pytest.raises(services.EventError, match="You are playing against bob now"):
        services.substitute(entry_id=bob.pk, out_id=bob.user_id, to_id=person("cat").pk, by=ann)
    assert services.remove_entry(entry_id=entry_of(noon, "ann").pk, by=ann, why="must go").status == "removed"


def test_a_place_that_is_taken_back_goes_to_the_waiting_list(event, boss):
    noon = event(people="ann", max_entries=2, min_entries=2)
    services.add_entry(event_id=noon.pk, user=person("bob"), by=boss)
    line = last_line(noon)
    services.enter_event(event_id=noon.pk, user=person("cat"))
    services.undo_action(line_id=line.pk, by=boss)
    assert status_of(noon, "cat") == "entered"


def test_what_has_gone_in_the_meantime_is_not_taken_back(event, boss):
    noon = event()
    services.add_entry(event_id=noon.pk, user=person("ann"), by=boss)
    line = last_line(noon)
    entry_of(noon, "ann").delete()
    with pytest.raises(services.EventError, match="no longer exists"):
        services.undo_action(line_id=line.pk, by=boss)


def test_somebody_who_has_left_returns_in_a_swiss_and_not_in_a_knock_out(event, boss):
    swiss = started(event(people="ann bob cat dan", format="swiss"))
    knock_out = started(event(people="ann bob cat dan"))
    for noon in (swiss, knock_out):
        services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert services.reinstate_entry(entry_id=entry_of(swiss, "ann").pk, by=boss, why="sorry").status == "playing"
    assert [(line.what, line.why) for line in swiss.log.filter(by=boss)] == [("ann came back.", "sorry")]
    with pytest.raises(services.EventError, match="can't come back"):
        services.reinstate_entry(entry_id=entry_of(knock_out, "ann").pk, by=boss)


def test_a_removed_entry_gets_its_place_back_before_the_start(event, boss):
    noon = event(people="ann bob")
    services.remove_entry(entry_id=entry_of(noon, "ann").pk, by=boss, why="")
    services.reinstate_entry(entry_id=entry_of(noon, "ann").pk, by=boss)
    assert status_of(noon, "ann") == "entered"


def test_who_was_removed_by_mistake_during_check_in_does_not_lose_the_place_at_the_start(event, boss):
    noon = event(people="ann bob cat", status=Event.Status.CHECK_IN, check_in_minutes=30)
    assert status_of(noon, "ann") == "checked-in"
    services.remove_entry(entry_id=entry_of(noon, "ann").pk, by=boss, why="")
    undo_last(noon, of="Removed ann.", by=boss)
    assert status_of(noon, "ann") == "checked-in"


def test_a_substitute_takes_the_seat_in_the_game_in_play(event, boss):
    noon = started(event(people="ann bob"))
    entry, table = entry_of(noon, "ann"), table_of(match_of(noon, "ann"))
    is_seated = services.substitute(entry_id=entry.pk, out_id=person("ann").pk, to_id=person("cat").pk, by=boss)
    table.refresh_from_db()
    assert is_seated
    assert set(table.names) == {"cat", "bob"}
    assert not table.is_rated
    told = Notice.objects.filter(key__contains="substituted").values_list("user__username", "text")
    assert dict(told) == {
        "ann": "cat replaces you in Noon knock-out.",
        "cat": "You replace ann in Noon knock-out.",
    }
    lose(noon, "cat")
    assert status_of(noon, "bob") == "champion"


def test_a_substitution_is_taken_back(event, boss):
    noon = event(people="ann bob")
    ids = {"out_id": person("ann").pk, "to_id": person("cat").pk}
    services.substitute(entry_id=entry_of(noon, "ann").pk, **ids, by=boss)
    assert set(names(noon.entries.all())) == {"cat", "bob"}
    undo_last(noon, by=boss)
    assert set(names(noon.entries.all())) == {"ann", "bob"}


def test_results_keep_the_name_of_who_played_them(client, event, boss):
    noon = started(event(people="ann bob cat dan", format="swiss", format_options={"planned_rounds": 3}))
    for match in noon.matches.filter(status="playing"):
        lose(noon, match.sides.get(number=1).entry.user.username)
    first = match_of(noon, "ann").event.matches.get(round__number=1, sides__entry=entry_of(noon, "ann"))
    entry = entry_of(noon, "ann")
    services.substitute(entry_id=entry.pk, out_id=person("ann").pk, to_id=person("eve").pk, by=boss)
    assert "ann" in str(noon.matches.get(pk=first.pk))
    assert "eve" in str(match_of(noon, "eve"))

    def downloaded(name: str) -> list[dict[str, str]]:
        page = client.get(reverse(f"tournaments:download-{name}", args=[noon.pk]))
        return list(csv.DictReader(page.content.decode().splitlines()))

    by_round = {number: {row["Name"] for row in downloaded("results") if row["Round"] == number} for number in "12"}
    assert by_round == {"1": {"ann", "bob", "cat", "dan"}, "2": {"eve", "bob", "cat", "dan"}}
    row = next(row for row in downloaded("standings") if row["Name"] == "eve")
    assert row["Played before"] == "ann played until round 1"
    pairings = reverse("tournaments:sheet", args=[noon.pk, "pairings"])
    assert "ann" in page_words(client.get(pairings, {"round": 1}))
    assert "ann" not in page_words(client.get(pairings, {"round": 2}))
    assert "ann played until round 1" in page_words(client.get(noon.get_absolute_url()))
    undo_last(noon, by=boss, of="eve replaces ann, also in the game in play.")
    assert {str(side) for side in first.sides.all()} == set(str(first).split(" against "))


def test_nobody_substitutes_who_is_in_the_event(event, boss):
    noon = event(people="ann bob")
    with pytest.raises(services.EventError, match="already in this tournament"):
        services.substitute(entry_id=entry_of(noon, "ann").pk, out_id=person("ann").pk, to_id=person("bob").pk, by=boss)


# Roles, announcements


def test_roles_are_named_changed_and_taken_back(event, boss):
    noon, ann = event(), person("ann")
    services.name_role(event_id=noon.pk, user_id=ann.pk, role="helper", by=boss)
    services.name_role(event_id=noon.pk, user_id=ann.pk, role="director", by=boss)
    undo_last(noon, by=boss)
    assert noon.roles.get().role == "helper"
    services.drop_role(event_id=noon.pk, user_id=ann.pk, by=boss)
    assert not noon.roles.exists()
    undo_last(noon, by=boss)
    assert noon.roles.get().user == ann


@pytest.mark.parametrize("kind", ["is_bot", "is_guest"])
def test_neither_guests_nor_bots_help(event, boss, kind):
    noon, somebody = event(), person("somebody")
    setattr(somebody, kind, True)
    somebody.save()
    with pytest.raises(services.EventError, match="with an account"):
        services.name_role(event_id=noon.pk, user_id=somebody.pk, role="helper", by=boss)


def test_an_announcement_is_told_and_taken_down(event, boss):
    noon = event(people="ann")
    services.post_announcement(event_id=noon.pk, text="Tea at four.", by=boss)
    assert Notice.objects.get(user=person("ann"), key__contains="announced").text == "Noon knock-out: Tea at four."
    assert [str(said) for said in noon.announcements.shown()] == ["Tea at four."]
    undo_last(noon, by=boss)
    assert not noon.announcements.shown()
