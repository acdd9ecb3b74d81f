"""Events of every shape from round to round: tables of any size, pairs, breaks, pauses, publishing, the end."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services as games
from games.models import Table
from notifications.models import Notice
from tests.tournaments.factories import (
    NOON,
    advance,
    end_in_a_draw,
    end_with,
    lose,
    match_of,
    open_tables,
    person,
    running_tables,
    started,
    table_of,
    win,
)
from tournaments import presentation, services
from tournaments.models import Badge, Event, ForbiddenPair, Match
from tournaments.queries import records

SWISS = {"format": "swiss", "format_options": {"planned_rounds": 2}}
PUSH = {"game": "push", "options": {}, "seats": 4}


def pods(*sizes: int, rounds: int = 1) -> dict:
    options = {"sizes": list(sizes), "planned_rounds": rounds}
    return {"game": "carousel", "options": {}, "format": "pods", "format_options": options}


def end_all(event: Event) -> None:
    """Every table ends with a different score in each seat, the first one best."""
    for table in running_tables(event):
        end_with(table, [10 * (table.seat_count - seat) for seat in range(table.seat_count)])
    advance(event)


def pairs_of(event: Event) -> set[frozenset[int]]:
    return {frozenset(match.entrants) for match in records.match_records_of(event)}


# Tables


def test_eleven_sit_at_tables_of_four_four_and_three_and_places_go_from_seats_to_entries(event):
    noon = started(event(people="a b c d e f g h i j k", **pods(4, 3, 5)))
    assert sorted(table.seat_count for table in running_tables(noon)) == [3, 4, 4]
    expected = {seat.user.username: seat.number + 1 for table in running_tables(noon) for seat in table.seats.all()}
    end_all(noon)
    found = {side.entry.name: side.place for match in noon.matches.all() for side in match.sides.all()}
    assert found == expected
    assert Event.objects.get(pk=noon.pk).is_finished


def test_at_a_pod_the_order_of_the_pairing_is_the_order_of_the_seats(event):
    noon = started(event(people="a b c d e", **pods(5)))
    table, match = running_tables(noon)[0], noon.matches.get()
    assert table.names == [side.entry.name for side in match.sides.order_by("number")]
    assert table.first_dealer == 4


def test_fewer_points_are_better_in_records_where_the_game_says_so(event):
    noon = started(event(people="a b c", **pods(3) | {"game": "krambambuli"}))
    end_all(noon)  # 30, 20 and 10 points: the last seat is first
    record = records.match_records_of(noon)[0]
    assert (record.places, record.points) == ((3, 2, 1), (-30, -20, -10))
    assert [side.points for side in noon.matches.get().sides.order_by("number")] == [30, 20, 10]


def pair(event: Event, *names: str) -> None:
    services.enter_event(event_id=event.pk, user=person(names[0]), partner=person(names[1]))
    services.accept_invitation(entry_id=event.entries.get(user__username=names[0]).pk, user=person(names[1]))


def test_partners_sit_where_the_game_seats_them_and_win_together(event):
    noon = event(match_games=3, **PUSH)
    pair(noon, "ann", "bob")
    pair(noon, "cat", "dan")
    started(noon)
    (table,) = running_tables(noon)
    assert {frozenset(table.names[0::2]), frozenset(table.names[1::2])} == {
        frozenset({"ann", "bob"}),
        frozenset({"cat", "dan"}),
    }
    end_with(table, [90 if name in ("ann", "bob") else 20 for name in table.names])  # penalty points
    advance(noon)
    match = match_of(noon, "ann")
    assert match.sides.get(entry__user=person("cat")).games_won == 1
    (second,) = running_tables(noon)
    assert set(second.names[0::2]) != set(table.names[0::2])
    lose(noon, "ann")
    assert match.sides.get(place=1).entry.name == "cat & dan"
    assert {badge.user.username: badge.place for badge in Badge.objects.all()} == {
        "cat": 1,
        "dan": 1,
        "ann": 2,
        "bob": 2,
    }


def test_the_tables_of_an_event_are_rated(event):
    assert running_tables(started(event(people="ann bob")))[0].is_rated


# What a match goes to


def test_a_match_may_be_drawn_where_nobody_is_knocked_out(event):
    noon = started(event(people="ann bob", match_games=2, match_rule="all-games", **SWISS | {"deals": 1}))
    assert running_tables(noon)[0].deals == 1
    win(noon, "ann")
    win(noon, "bob")
    match = noon.matches.get(round__number=1)
    assert [side.place for side in match.sides.all()] == [1, 1]
    assert "share it" in noon.log.filter(what__contains="against").first().what


def test_the_points_of_all_games_decide_where_the_event_says_so(event):
    noon = started(event(people="ann bob", match_games=3, match_rule="points"))
    for own, other in ((11, 10), (11, 10), (0, 11)):
        table = table_of(match_of(noon, "ann"))
        end_with(table, [own if name == "ann" else other for name in table.names])
        advance(noon)
    match = match_of(noon, "ann")
    assert (match.sides.get(place=1).entry.name, match.reason) == ("bob", _either("22 : 31 points", match))


def _either(score: str, match: Match) -> str:
    """The score as the sides of the match have it."""
    first, second = score.removesuffix(" points").split(" : ")
    is_first = match.sides.get(number=0).entry.name == "ann"
    return score if is_first else f"{second} : {first} points"


# Breaks, and events with a time


def test_the_next_round_waits_for_the_end_of_the_break(event):
    noon = started(event(people="ann bob cat dan", break_seconds=300, **SWISS))
    end_all(noon)
    noon.refresh_from_db()
    assert noon.matches.count() == 2
    assert timedelta(seconds=290) < noon.next_round_at - timezone.now() <= timedelta(seconds=300)
    before = noon.version
    advance(noon)
    assert (noon.matches.count(), noon.version) == (2, before)
    Event.objects.update(next_round_at=timezone.now())
    advance(noon)
    assert (noon.matches.count(), noon.next_round_at) == (4, None)


def test_the_clock_comes_back_at_the_very_end_of_a_break(event):
    noon = started(event(people="ann bob", break_seconds=2, **SWISS))
    end_all(noon)
    noon.refresh_from_db()
    assert noon.due_at == noon.next_round_at


def test_in_a_knock_out_with_breaks_nobody_plays_ahead_of_a_round(event):
    noon = started(event(people="ann bob cat dan eve", break_seconds=300))
    assert {match.round.number for match in noon.matches.all()} == {1}


@pytest.fixture
def arena(event: Callable) -> Callable:
    """An arena of half an hour that has just begun."""

    def make(people: str) -> Event:
        now = timezone.now()
        options = {"minutes": 30}
        return started(event(people=people, format="arena", format_options=options, starts_at=now), now=now)

    return make


def test_in_an_arena_one_plays_until_the_time_is_up_and_running_games_are_finished(arena):
    noon = arena("ann bob cat dan")
    assert noon.ends_at == noon.started_at + timedelta(minutes=30)
    assert len(running_tables(noon)) == 2
    first, second = running_tables(noon)
    for table in (first, second):
        end_with(table, [11, 0])
    advance(noon)
    assert not running_tables(noon)  # a few seconds pass before the next pairing
    Event.objects.update(next_round_at=timezone.now())
    advance(noon)
    assert len(running_tables(noon)) == 2
    Event.objects.update(ends_at=timezone.now())
    end_with(running_tables(noon)[0], [11, 0])
    advance(noon)
    assert Event.objects.get(pk=noon.pk).is_running
    end_with(running_tables(noon)[0], [11, 0])
    advance(noon)
    assert Event.objects.get(pk=noon.pk).is_finished
    assert noon.matches.count() == 4


# Pauses


def test_while_an_event_is_paused_no_clock_runs_and_nothing_starts(event):
    noon = started(event(people="ann bob cat dan", match_games=3))
    services.pause_event(event_id=noon.pk, by=person("director"), why="fire drill")
    tables = running_tables(noon)
    assert [(table.deadline_at, table.paused_at is None) for table in tables] == [(None, False)] * 2
    games.resign(table_id=tables[0].pk, user=tables[0].seats.get(number=0).user)
    advance(noon)
    assert len(running_tables(noon)) == 1
    assert noon.log.filter(what="Paused the tournament.", why="fire drill").exists()
    services.resume_event(event_id=noon.pk, by=person("director"))
    assert len(running_tables(noon)) == 2  # the next game of the match, too
    assert all(table.deadline_at and table.paused_at is None for table in running_tables(noon))


def test_a_pause_and_its_end_reach_those_who_are_still_in_but_not_who_paused(event):
    noon = started(event(people="ann bob cat dan eve"))
    lost = running_tables(noon)[0].names[0]
    lose(noon, lost)
    boss = person("ann" if lost != "ann" else "bob")

    def pause(why):
        services.pause_event(event_id=noon.pk, by=boss, why=why)

    def unread():
        found = Notice.objects.unread().filter(Q(key__contains=":paused:") | Q(key__contains=":resumed:"))
        return sorted(found.values_list("user__username", "text"))

    told = sorted({"ann", "bob", "cat", "dan", "eve"} - {lost, boss.username})
    paused = "Noon knock-out is paused: all clocks stop, and no match starts."
    pause("Fire drill.")
    assert unread() == [(name, f"{paused} Fire drill.") for name in told]
    services.resume_event(event_id=noon.pk, by=boss)
    assert unread() == [(name, "Noon knock-out has resumed, and the clocks run again.") for name in told]
    pause("")
    assert unread() == [(name, paused) for name in told]


def test_a_match_that_waits_for_its_table_starts_after_the_pause(event):
    noon = event(people="ann bob")
    services.start_event(event_id=noon.pk, now=NOON)
    services.pause_event(event_id=noon.pk, by=None)
    open_tables(noon)
    assert not running_tables(noon)
    services.resume_event(event_id=noon.pk, by=None)
    open_tables(noon)
    assert len(running_tables(noon)) == 1


def test_games_of_an_event_that_is_cancelled_in_a_pause_may_be_finished(event):
    noon = started(event(people="ann bob"))
    services.pause_event(event_id=noon.pk, by=None)
    services.cancel_event(event_id=noon.pk, by=None, why="rain")
    noon.refresh_from_db()
    table = running_tables(noon)[0]
    assert not noon.is_paused
    assert table.paused_at is None
    assert table.deadline_at


def test_what_was_to_come_comes_later_by_the_length_of_the_pause(arena):
    noon = arena("ann bob")
    win(noon, "ann")
    services.pause_event(event_id=noon.pk, by=None)
    now = timezone.now()
    Event.objects.update(paused_at=now - timedelta(minutes=7), ends_at=now, next_round_at=now)
    services.resume_event(event_id=noon.pk, by=None)
    noon.refresh_from_db()
    for at in (noon.ends_at, noon.next_round_at):
        assert timedelta(minutes=7) <= at - now < timedelta(minutes=8)


def test_an_event_is_not_paused_twice_nor_resumed_without_a_pause(event):
    noon = started(event(people="ann bob"))
    with pytest.raises(services.EventError):
        services.resume_event(event_id=noon.pk, by=None)
    services.pause_event(event_id=noon.pk, by=None)
    with pytest.raises(services.EventError):
        services.pause_event(event_id=noon.pk, by=None)


# Publishing by hand


def test_nobody_sees_a_round_before_it_is_published(event, client):
    noon = started(event(people="ann bob cat", publishes_by_hand=True, **SWISS))
    assert set(noon.matches.values_list("status", flat=True)) == {Match.Status.PROPOSED}
    assert not running_tables(noon)
    assert not presentation.draw_of(noon).live
    assert not [box for box in presentation.draw_of(noon).boxes if box.match]
    assert noon.rounds.get().published_at is None
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=person("director"))
    open_tables(noon)
    assert len(running_tables(noon)) == 1
    assert noon.matches.get(decided_by=Match.DecidedBy.BYE).status == Match.Status.FINISHED
    assert noon.rounds.get().published_at is not None
    with pytest.raises(services.EventError):
        services.publish_round(event_id=noon.pk, section="rounds", number=1, by=person("director"))


def test_the_next_round_is_proposed_once_the_published_one_is_over(event):
    noon = started(event(people="ann bob cat dan", publishes_by_hand=True, **SWISS))
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=person("director"))
    open_tables(noon)
    end_all(noon)
    assert noon.matches.filter(status=Match.Status.PROPOSED, round__number=2).count() == 2
    advance(noon)
    assert noon.matches.count() == 4


def test_pairing_again_keeps_those_apart_who_are_not_to_meet(event):
    noon = started(event(people="ann bob cat dan", publishes_by_hand=True, **SWISS))
    first, second = sorted(pairs_of(noon).pop())
    ForbiddenPair.objects.create(event=noon, first_id=first, second_id=second)
    services.pair_again(event_id=noon.pk, section="rounds", number=1, by=person("director"))
    assert frozenset({first, second}) not in pairs_of(noon)
    assert noon.matches.filter(status=Match.Status.PROPOSED).count() == 2


def test_who_withdraws_before_a_round_is_published_does_not_keep_it_up(event):
    """Of a knock-out, which is not paired again without him."""
    noon = started(event(people="ann bob cat dan", publishes_by_hand=True))
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    services.publish_round(event_id=noon.pk, section="main", number=1, by=person("director"))
    assert match_of(noon, "ann").decided_by == Match.DecidedBy.FORFEIT


# The end


def test_the_first_three_have_badges_once(event):
    noon = started(event(people="ann bob cat dan", format_options={"third_place": True}))
    for _ in range(3):
        end_all(noon)
    assert Event.objects.get(pk=noon.pk).is_finished
    assert sorted(Badge.objects.values_list("place", flat=True)) == [1, 2, 3]
    advance(noon)
    assert Badge.objects.count() == 3


def test_equals_share_the_first_place_and_its_badge(event):
    options = {"planned_rounds": 1, "tie_breaks": []}
    noon = started(event(people="ann bob", format="swiss", format_options=options))
    end_in_a_draw(running_tables(noon)[0])
    advance(noon)
    assert noon.entries.filter(status="champion").count() == 2
    assert list(Badge.objects.values_list("place", flat=True)) == [1, 1]
    assert noon.log.first().what in (
        "Finished: ann and bob share first place.",
        "Finished: bob and ann share first place.",
    )


def test_places_are_open_until_the_last_round_where_nobody_is_knocked_out(event):
    noon = started(event(people="ann bob cat dan", **SWISS))
    end_all(noon)
    assert set(noon.entries.values_list("place", "status")) == {(None, "playing")}
    end_all(noon)
    assert sorted(noon.entries.values_list("place", flat=True)) == [1, 2, 3, 4]


# Steps


def test_a_step_counts_one_change_however_many_matches_it_decides(event):
    noon = started(event(people="ann bob cat dan eve fay gil hal", **SWISS))
    for table in running_tables(noon):
        end_with(table, [11, 0])
    before = noon.version
    services.advance_running_event(event_id=noon.pk, now=NOON)
    noon.refresh_from_db()
    assert noon.matches.count() == 8
    assert noon.version == before + 1


def test_the_page_changes_once_for_all_tables_that_a_round_opens(event):
    noon = event(people="ann bob cat dan eve fay gil hal", **SWISS)
    services.start_event(event_id=noon.pk, now=NOON)
    noon.refresh_from_db()
    before = noon.version
    open_tables(noon)
    assert (len(running_tables(noon)), noon.version) == (4, before + 1)


def test_an_event_of_many_starts_in_few_queries(event, django_assert_max_num_queries):
    noon = event(people=" ".join(f"p{number}" for number in range(66)))
    with django_assert_max_num_queries(60):
        services.start_event(event_id=noon.pk, now=NOON)
    assert noon.matches.filter(decided_by=Match.DecidedBy.BYE).count() == 62
    assert noon.matches.filter(status=Match.Status.WAITING).count() == 2 + 30


def test_many_groups_start_in_as_many_queries_as_few(event, django_assert_num_queries):
    few, many = (event(people=" ".join(map(str, range(size))), format="groups") for size in (8, 40))
    with CaptureQueriesContext(connection) as counted:
        services.start_event(event_id=few.pk, now=NOON)
    with django_assert_num_queries(len(counted)):
        services.start_event(event_id=many.pk, now=NOON)
    assert many.rounds.count() == 5 * few.rounds.count()


def test_a_result_among_many_is_taken_in_with_few_queries(event, django_assert_max_num_queries):
    noon = started(event(people=" ".join(f"p{number}" for number in range(40)), **SWISS))
    end_with(running_tables(noon)[0], [11, 0])
    with django_assert_max_num_queries(40):
        services.advance_running_event(event_id=noon.pk, now=NOON)
    assert noon.matches.filter(status=Match.Status.FINISHED).count() == 1
    assert Table.objects.running().count() == 19
