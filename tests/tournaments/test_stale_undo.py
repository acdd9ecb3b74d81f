"""Undo after something else has happened: it is refused with its reason, not offered, and changes nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournaments.factories import (
    NOON,
    entry_of,
    fresh,
    ids,
    lose,
    match_of,
    open_tables,
    person,
    started,
    status_of,
)
from tournaments import services
from tournaments.console import tabs
from tournaments.models import Entry, Event, EventLog, Match


def newest(event: Event) -> EventLog:
    """The newest line with an undo."""
    return event.log.exclude(undo=None)[0]


def picture(event: Event) -> object:
    """Everything that an undo might change."""
    sides = event.matches.order_by("pk").values_list("pk", "status", "decided_by", "sides__entry", "sides__place")
    return (
        Event.objects.filter(pk=event.pk).values_list(
            "status", "is_closed", "seeding", "starts_at", "ends_at", "next_round_at", "publishes_by_hand"
        )[0],
        sorted(map(str, sides)),
        sorted(map(str, event.entries.values_list("pk", "user", "partner", "status", "wanted_seed"))),
        sorted(map(str, event.roles.values_list("user", "role"))),
        sorted(map(str, event.forbidden_pairs.values_list("first", "second"))),
        sorted(map(str, event.announcements.values_list("pk", "taken_down_at"))),
        event.log.count(),
    )


def offers(event: Event, line: EventLog, by: object) -> bool:
    return next(row.can_undo for row in tabs.console_frame(fresh(event), by)["log"] if row.line == line)


def refuses(event: Event, line: EventLog, by: object, why: str) -> None:
    before = picture(event)
    assert not offers(event, line, by)
    with pytest.raises(services.EventError, match=why):
        services.undo_action(line_id=line.pk, by=by)
    line.refresh_from_db()
    assert (picture(event), line.undone_at) == (before, None)


def undoes(event: Event, line: EventLog, by: object) -> None:
    assert offers(event, line, by)
    services.undo_action(line_id=line.pk, by=by)


def sides(event: Event, number: int = 1) -> list[list[int]]:
    rows = event.matches.filter(round__number=number).order_by("slot")
    return [[side.entry_id for side in row.sides.all()] for row in rows]


def publish(event: Event, by: object, number: int = 1) -> None:
    services.publish_round(event_id=event.pk, section="rounds", number=number, by=by)


def decide_all(event: Event, by: object) -> None:
    for match in event.matches.filter(status__in=(Match.Status.WAITING, Match.Status.PLAYING)):
        services.adjudicate(match_id=match.pk, places=[1, 2], by=by)


def swapped(event: Event, by: object, number: int = 1) -> EventLog:
    (a, _), (c, _) = sides(event, number)[:2]
    services.swap_entries(event_id=event.pk, first=a, second=c, by=by)
    return newest(event)


# Swaps


def test_a_swap_of_a_published_round_is_not_undone_in_the_next_one(proposed, boss):
    noon = proposed("ann bob cat dan eve fay")
    line = swapped(noon, boss)
    publish(noon, boss)
    refuses(noon, line, boss, "published")
    decide_all(noon, boss)
    refuses(noon, line, boss, "published")
    publish(noon, boss, 2)
    refuses(noon, line, boss, "published")


def test_of_two_swaps_the_later_one_is_undone_first(proposed, boss):
    noon = proposed()
    before = sides(noon)
    first = swapped(noon, boss)
    second = swapped(noon, boss)
    (a, b), (c, d) = before
    services.swap_entries(event_id=noon.pk, first=a, second=d, by=boss)
    third = newest(noon)
    refuses(noon, first, boss, "changed since")
    undoes(noon, third, boss)
    undoes(noon, second, boss)
    undoes(noon, first, boss)
    assert sides(noon) == before


def test_an_undone_swap_leaves_the_round_free_to_be_paired_again(proposed, boss):
    noon = proposed()
    before = list(noon.matches.values_list("is_fixed", "why_paired"))
    undoes(noon, swapped(noon, boss), boss)
    assert list(noon.matches.values_list("is_fixed", "why_paired")) == before
    undoes(noon, newest(noon), boss)
    assert all(match.is_fixed for match in noon.matches.all())


def test_a_swap_is_not_undone_once_its_round_is_paired_again(proposed, boss):
    noon = proposed()
    line = swapped(noon, boss)
    services.pair_again(event_id=noon.pk, section="rounds", number=1, by=boss, keep_fixed=False)
    refuses(noon, line, boss, "changed since")


def test_nobody_undoes_a_swap_of_their_own(proposed, boss):
    noon = proposed("ann bob cat director")
    own = entry_of(noon, "director").pk
    other = next(pair[0] for pair in sides(noon) if own not in pair)
    services.swap_entries(event_id=noon.pk, first=own, second=other, by=person("dora"))
    refuses(noon, newest(noon), boss, "You are one of the players here")


# Byes and matches by hand, who is not to meet


def test_a_match_by_hand_is_not_undone_once_its_players_are_others(proposed, boss):
    noon = proposed("ann bob cat dan eve fay")
    (a, _), (c, d), _ = sides(noon)
    services.arrange_match(event_id=noon.pk, entries=[a, c], by=boss)
    line = newest(noon)
    match = noon.matches.get(pk=line.undo["match_id"])
    services.swap_entries(
        event_id=noon.pk, first=a, second=next(x for p in sides(noon) for x in p if a not in p), by=boss
    )
    refuses(noon, line, boss, "changed since")
    undoes(noon, newest(noon), boss)
    publish(noon, boss)
    refuses(noon, line, boss, "published since")
    assert [side.entry_id for side in match.sides.all()] == [a, c]


def test_a_bye_that_another_arrangement_has_replaced_is_not_undone(proposed, boss):
    noon = proposed("ann bob cat dan eve")
    a, b = ids(noon, "ann bob")
    services.arrange_match(event_id=noon.pk, entries=[a], by=boss)
    line = newest(noon)
    services.arrange_match(event_id=noon.pk, entries=[a, b], by=boss)
    refuses(noon, line, boss, "no longer exists")


def test_a_forbidden_pair_that_was_allowed_is_not_allowed_again_by_undo(proposed, boss):
    noon = proposed()
    a, b = ids(noon, "ann bob")
    services.forbid_pair(event_id=noon.pk, first=a, second=b, by=boss)
    forbidden = newest(noon)
    services.allow_pair(event_id=noon.pk, first=a, second=b, by=boss)
    allowed = newest(noon)
    refuses(noon, forbidden, boss, "changed since")
    services.forbid_pair(event_id=noon.pk, first=a, second=b, by=boss)
    refuses(noon, allowed, boss, "changed since")
    services.cancel_event(event_id=noon.pk, by=boss, why="")
    refuses(noon, newest(noon), boss, "over")


# Publishing, entries, times


def test_publishing_by_hand_that_has_ended_is_not_ended_by_undo(event, boss):
    noon = started(event(people="ann bob cat dan", format="swiss"))
    services.hold_rounds(event_id=noon.pk, by=boss)
    held = newest(noon)
    services.let_rounds_go(event_id=noon.pk, by=boss)
    refuses(noon, held, boss, "changed since")
    services.cancel_event(event_id=noon.pk, by=boss, why="")
    refuses(noon, newest(noon), boss, "over")


def test_entries_opened_before_their_time_open_by_themselves_again_after_undo(soon, boss):
    event = soon(status=Event.Status.SCHEDULED, registration_minutes=30)
    services.open_entries(event_id=event.pk, by=boss)
    undoes(event, newest(event), boss)
    again = fresh(event)
    assert (again.status, again.is_closed, again.due_at) == ("scheduled", False, again.registration_at)


def test_entries_opened_before_their_time_are_not_closed_once_it_has_come(soon, boss):
    event = soon(status=Event.Status.SCHEDULED, registration_minutes=90)
    services.open_entries(event_id=event.pk, by=boss)
    refuses(event, newest(event), boss, "would be open by now")


def test_entries_that_were_closed_again_are_not_closed_by_undo(event, boss):
    noon = event(people="ann bob")
    services.close_entries(event_id=noon.pk, by=boss)
    closed = newest(noon)
    services.open_entries(event_id=noon.pk, by=boss)
    opened = newest(noon)
    refuses(noon, closed, boss, "changed since")
    services.close_entries(event_id=noon.pk, by=boss)
    refuses(noon, opened, boss, "changed since")
    started(noon)
    refuses(noon, newest(noon), boss, "too late to enter")


def test_a_shift_is_not_undone_once_the_start_was_edited(soon, boss):
    event = soon()
    services.shift_time(event_id=event.pk, minutes=20, by=boss)
    line = newest(event)
    edited = fresh(event)
    edited.starts_at += timedelta(minutes=7)
    services.save_event(edited, by=boss, now=timezone.now())
    refuses(event, line, boss, "changed since")


def test_of_two_shifts_the_later_one_is_undone_first(soon, boss):
    event = soon()
    before = event.starts_at
    for minutes in (20, 10):
        services.shift_time(event_id=event.pk, minutes=minutes, by=boss)
    second, first = event.log.exclude(undo=None)[:2]
    refuses(event, first, boss, "changed since")
    undoes(event, second, boss)
    undoes(event, first, boss)
    assert fresh(event).starts_at == before


def test_a_longer_break_is_not_undone_in_the_next_break(event, boss):
    noon = started(event(people="ann bob cat dan", format="swiss", break_seconds=300))
    decide_all(noon, boss)
    services.shift_time(event_id=noon.pk, minutes=3, by=boss)
    line = newest(noon)
    Event.objects.filter(pk=noon.pk).update(next_round_at=timezone.now())  # the break ends
    services.advance_running_event(event_id=noon.pk, now=NOON)
    refuses(noon, line, boss, "too late to shift the next round")
    open_tables(noon)
    decide_all(noon, boss)
    assert fresh(noon).next_round_at is not None
    refuses(noon, line, boss, "changed since")


def test_a_start_is_told_again_when_it_is_shifted_to_a_time_told_before(soon, boss):
    event = soon(people="ann")
    for minutes in (20, -20, 20):
        services.shift_time(event_id=event.pk, minutes=minutes, by=boss)
    assert person("ann").notices.filter(key__contains="shifted").count() == 3


# Check-in, seeds


def test_a_check_in_is_not_undone_for_a_substitute(event, boss):
    noon = event(people="ann", check_in_minutes=5)
    entry = entry_of(noon, "ann")
    services.check_in_entry(entry_id=entry.pk, by=boss)
    line = newest(noon)
    services.substitute(entry_id=entry.pk, out_id=person("ann").pk, to_id=person("bob").pk, by=boss)
    refuses(noon, line, boss, "changed since")


def test_a_check_in_is_not_undone_when_it_was_or_after_the_start(event, boss):
    noon = event(people="ann bob", check_in_minutes=5)
    entry = entry_of(noon, "ann")
    services.check_in_entry(entry_id=entry.pk, by=boss)
    line = newest(noon)
    services.check_out_entry(entry_id=entry.pk, by=boss)
    refuses(noon, line, boss, "changed since")
    started(noon)
    refuses(noon, line, boss, "Check-in is over")


def test_seeds_are_not_undone_once_others_were_set(event, boss):
    noon = event(people="ann bob")
    services.seed_by(event_id=noon.pk, how="rating", by=boss)
    by_rating = newest(noon)
    services.set_seeds(event_id=noon.pk, order=ids(noon, "ann bob"), by=boss)
    by_hand = newest(noon)
    refuses(noon, by_rating, boss, "changed since")
    services.set_seeds(event_id=noon.pk, order=ids(noon, "bob ann"), by=boss)
    refuses(noon, by_hand, boss, "changed since")
    started(noon)
    refuses(noon, newest(noon), boss, "started")


def test_nobody_undoes_seeds_by_hand_who_plays(event, boss):
    noon = event(people="ann director")
    services.set_seeds(event_id=noon.pk, order=ids(noon, "ann director"), by=person("dora"))
    refuses(noon, newest(noon), boss, "You are one of the players here")


# Who plays


def test_an_entry_that_was_disqualified_since_is_not_made_free_by_undo(event, boss):
    noon = event()
    entry = services.add_entry(event_id=noon.pk, user=person("ann"), by=boss)
    added = newest(noon)
    services.remove_entry(entry_id=entry.pk, by=boss, why="cheated")
    refuses(noon, added, boss, "changed since")
    assert status_of(noon, "ann") == Entry.Status.REMOVED


def test_an_entry_that_found_a_partner_is_not_deleted_with_the_partner(event, boss):
    noon = event(game="partnership-cribbage", options={}, seats=4)
    services.add_entry(event_id=noon.pk, user=person("ann"), by=boss)
    line = newest(noon)
    services.join_partner(entry_id=entry_of(noon, "ann").pk, user=person("bob"))
    refuses(noon, line, boss, "changed since")


def test_a_team_that_players_have_joined_is_not_deleted_with_them(teams_of_two, boss):
    noon = teams_of_two("Reds: ann bob")
    entry = services.add_entry(event_id=noon.pk, user=person("cat"), team="Blues", by=boss)
    line = newest(noon)
    assert offers(noon, line, boss)
    services.invite_member(entry_id=entry.pk, member=person("dan"), by=person("cat"))
    assert offers(noon, line, boss), "who is only asked is not in the team"
    services.accept_team(entry_id=entry.pk, user=person("dan"))
    refuses(noon, line, boss, "changed since")
    services.leave_team(entry_id=entry.pk, user=person("dan"))
    undoes(noon, line, boss)
    assert not noon.entries.filter(team_name="Blues").exists()


def test_somebody_who_withdrew_is_not_brought_back_by_undo(event, boss):
    noon = event(people="ann bob")
    entry = entry_of(noon, "ann")
    services.remove_entry(entry_id=entry.pk, by=boss, why="")
    line = newest(noon)
    services.reinstate_entry(entry_id=entry.pk, by=boss)
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    refuses(noon, line, boss, "entry is back")


def test_whoever_is_back_in_time_is_paired_again(proposed, boss):
    noon = proposed()
    publish(noon, boss)
    decide_all(noon, boss)
    services.remove_entry(entry_id=entry_of(noon, "ann").pk, by=boss, why="")
    assert sorted(map(len, sides(noon, 2))) == [1, 2]
    undoes(noon, newest(noon), boss)
    assert sorted(map(len, sides(noon, 2))) == [2, 2]


def test_whoever_has_missed_a_round_does_not_come_back_with_a_bye_in_it(proposed, boss):
    noon = proposed()
    publish(noon, boss)
    decide_all(noon, boss)
    services.remove_entry(entry_id=entry_of(noon, "ann").pk, by=boss, why="")
    line = newest(noon)
    publish(noon, boss, 2)
    refuses(noon, line, boss, "missed a round")


def test_a_substitution_is_not_undone_once_the_substitute_has_played(event, boss):
    noon = started(event(people="ann bob cat dan", format="swiss"))
    entry = entry_of(noon, "ann")
    services.substitute(entry_id=entry.pk, out_id=person("ann").pk, to_id=person("eve").pk, by=boss)
    line = newest(noon)
    assert offers(noon, line, boss)
    lose(noon, "eve")
    refuses(noon, line, boss, "has changed players")


def test_a_substitution_before_the_start_is_not_undone_after_it(event, boss):
    noon = event(people="ann bob")
    services.substitute(entry_id=entry_of(noon, "ann").pk, out_id=person("ann").pk, to_id=person("eve").pk, by=boss)
    line = newest(noon)
    started(noon)
    refuses(noon, line, boss, "has changed players")


def test_a_substitution_is_not_undone_for_a_second_substitute_or_a_closed_account(event, boss):
    noon = event(people="ann bob")
    entry, ann = entry_of(noon, "ann"), person("ann")
    services.substitute(entry_id=entry.pk, out_id=ann.pk, to_id=person("eve").pk, by=boss)
    first = newest(noon)
    services.substitute(entry_id=entry.pk, out_id=person("eve").pk, to_id=person("fay").pk, by=boss)
    second = newest(noon)
    refuses(noon, first, boss, "has changed players")
    eve = person("eve")
    eve.is_active = False
    eve.save()
    refuses(noon, second, boss, "account of eve is closed")


# Roles, announcements, results


def test_a_role_that_was_changed_since_is_not_undone(event, boss):
    noon, ann = event(), person("ann")
    services.name_role(event_id=noon.pk, user_id=ann.pk, role="helper", by=boss)
    helper = newest(noon)
    services.name_role(event_id=noon.pk, user_id=ann.pk, role="director", by=boss)
    refuses(noon, helper, boss, "changed since")
    services.drop_role(event_id=noon.pk, user_id=ann.pk, by=boss)
    dropped = newest(noon)
    services.name_role(event_id=noon.pk, user_id=ann.pk, role="helper", by=boss)
    refuses(noon, dropped, boss, "changed since")


def test_an_announcement_that_was_taken_down_is_not_taken_down_by_undo(event, boss):
    noon = event()
    said = services.post_announcement(event_id=noon.pk, text="Tea at four.", by=boss)
    line = newest(noon)
    services.remove_announcement(announcement_id=said.pk, by=boss)
    refuses(noon, line, boss, "no longer exists")


def test_of_two_corrections_the_later_one_is_undone_first(event, boss):
    noon = started(event(people="ann bob cat dan", format="swiss"))
    match = match_of(noon, "ann")
    services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    for places in ([2, 1], [1, 1]):
        services.correct_result(match_id=match.pk, places=places, by=boss)
    second, first = event_lines(noon, "Corrected")
    refuses(noon, first, boss, "changed since")
    undoes(noon, second, boss)
    undoes(noon, first, boss)
    assert [side.place for side in match.sides.all()] == [1, 2]


def test_a_correction_is_not_undone_once_its_score_was_corrected(event, boss):
    noon = started(event(people="ann bob cat dan", format="swiss"))
    match = match_of(noon, "ann")
    services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    for points in (11, 12):
        services.correct_result(match_id=match.pk, places=[2, 1], score=[(0, 3), (1, points)], by=boss)
    second, first = event_lines(noon, "Corrected")
    refuses(noon, first, boss, "changed since")
    undoes(noon, second, boss)
    assert [side.points for side in match.sides.all()] == [3, 11]


def event_lines(event: Event, what: str) -> list[EventLog]:
    return list(event.log.filter(what__startswith=what, undone_at=None))


def test_a_correction_is_not_undone_under_a_match_that_has_begun_because_of_it(event, boss):
    noon = started(event(people="ann bob cat dan"))
    first, second = noon.matches.filter(round__number=1)
    for match in (first, second):
        services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    services.correct_result(match_id=first.pk, places=[2, 1], by=boss)
    (line,) = event_lines(noon, "Corrected")
    assert offers(noon, line, boss)
    open_tables(noon)
    refuses(noon, line, boss, "depends on this result")


def test_a_correction_is_not_undone_after_the_event_was_cancelled(event, boss):
    noon = started(event(people="ann bob cat dan"))
    match = match_of(noon, "ann")
    services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    services.correct_result(match_id=match.pk, places=[2, 1], by=boss)
    services.cancel_event(event_id=noon.pk, by=boss, why="")
    refuses(noon, newest(noon), boss, "isn't running")


def test_an_action_from_before_undo_knew_what_it_left_is_not_undone(event, boss):
    noon = event()
    services.close_entries(event_id=noon.pk, by=boss)
    line = newest(noon)
    line.undo.pop("left")
    line.save()
    refuses(noon, line, boss, "too old")
