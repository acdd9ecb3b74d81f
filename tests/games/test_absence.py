"""Who leaves, runs out of time, comes back; tables that stand still, are hidden or end after some deals."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import services
from games.models import Table
from games.presentation.table_wording import result_reason
from games.services import StalePosition, TableError
from tests.pages import page_html
from tests.tables import url

pytestmark = pytest.mark.django_db

PAIRS = {"game": "tabletop-cribbage", "move_seconds": 20}


def late(table, hours=1):
    """The clock finds that nobody has moved for so long."""
    services.flag_overdue(table_id=table.pk, now=timezone.now() + timedelta(hours=hours))
    table.refresh_from_db()
    return table


def first_text(state_of, table):
    state = state_of(table)
    return state.to_act[0], str(state.legal_moves(state.to_act[0])[0])


# What happens without somebody


@pytest.mark.parametrize(
    ("names", "more", "goes_on"),
    [
        ("ann bob", {"absence": ""}, False),
        ("ann bob", {"absence": "forfeit"}, False),
        ("ann bob", {"absence": "score"}, False),
        ("ann bob", {"absence": "bot"}, True),
        ("ann bob cat", {"absence": "forfeit"}, True),
        ("ann bob cat", {"absence": "hold", "hold_seconds": 60}, True),
        ("ann bob cat dan", {"absence": ""} | PAIRS, True),
        ("ann bob cat dan", {"absence": "forfeit"} | PAIRS, False),
        ("ann bob cat dan", {"absence": "bot"} | PAIRS, True),
    ],
)
def test_a_late_player_is_replaced_or_ends_the_game_as_the_table_says(table_of, names, more, goes_on):
    table = late(table_of(*names.split(), **{"move_seconds": 20} | more))
    assert (table.status == Table.Status.RUNNING) == goes_on
    assert table.seats.filter(has_left=True).exists() == goes_on
    if not goes_on:
        gone = table.result["gone"][0]
        (side,) = [side for side in table.sides if gone in side]
        assert {seat for seat, place in enumerate(table.result["places"]) if place > 1} == set(side)


def test_resigning_loses_the_game_although_a_bot_would_take_the_seat_of_somebody_late(table_of, person):
    table = table_of("ann", "bob", absence="bot")
    assert services.resign(table_id=table.pk, user=person("ann")).result["places"] == [2, 1]


def test_whoever_leaves_the_event_of_a_game_for_two_leaves_it_to_a_bot_where_the_table_says_so(table_of, person):
    table = services.leave_event_game(table_id=table_of("ann", "bob", absence="bot").pk, user=person("ann"))
    assert (table.status, table.seats.get(number=0).has_left) == (Table.Status.RUNNING, True)


def test_the_score_so_far_decides_for_whoever_was_ahead_when_he_left(table_of, play_on):
    table = play_on(table_of("ann", "bob", options={"target": 21}, move_seconds=20, absence="score"), 60)
    assert table.status == Table.Status.RUNNING
    table = late(table)
    scores = table.result["scores"]
    assert scores[0] != scores[1]
    assert table.result["places"] == ([1, 2] if scores[0] > scores[1] else [2, 1])


def test_whoever_resigns_loses_also_where_the_score_would_decide(table_of, play_on):
    table = play_on(table_of("ann", "bob", options={"target": 21}, move_seconds=20, absence="score"), 60)
    scores = late(table).result["scores"]
    ahead = table.seats.get(number=scores.index(max(scores)))
    Table.objects.update(status=Table.Status.RUNNING, result=None)
    table = services.resign(table_id=table.pk, user=ahead.user)
    assert table.result["places"][ahead.number] == 2


def test_a_level_score_goes_to_whoever_stayed(table_of):
    table = late(table_of("ann", "bob", move_seconds=20, absence="score"))
    assert (table.result["scores"], table.result["gone"], table.result["places"]) == ([0, 0], [0], [2, 1])


def test_without_points_whoever_leaves_loses_where_the_score_decides(table_of):
    table = table_of("ann", "bob", game="russian-bank", options={"target": "none"}, move_seconds=20, absence="score")
    table = late(table)
    assert table.result["places"][table.result["gone"][0]] == 2


def test_a_player_takes_his_seat_again_from_the_bot(table_of, person, state_of):
    table = late(table_of("ann", "bob", move_seconds=20, absence="bot"))
    assert table.bot_due_at and not table.deadline_at
    table = services.come_back(table_id=table.pk, user=person("ann"))
    assert not table.seats.get(number=0).has_left
    assert table.deadline_at and not table.bot_due_at
    seat, text = first_text(state_of, table)
    assert services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version).move_count == 1


def test_nobody_comes_back_to_a_seat_that_is_lost(table_of, person):
    table = late(table_of("ann", "bob", "cat", move_seconds=20))
    with pytest.raises(TableError, match="can't come back"):
        services.come_back(table_id=table.pk, user=person("ann"))


# Games that wait


def test_a_held_game_goes_on_from_its_position_once_the_player_is_back(table_of, person, state_of):
    table = table_of("ann", "bob", move_seconds=20, absence="hold", hold_seconds=300)
    services.flag_overdue(table_id=table.pk, now=timezone.now() + timedelta(seconds=21))
    table.refresh_from_db()
    assert (table.status, table.is_held) == (Table.Status.RUNNING, True)
    assert table.deadline_at > timezone.now() + timedelta(seconds=290)
    seat, text = first_text(state_of, table)
    with pytest.raises(StalePosition, match="ann ran out of time"):
        services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    table = services.come_back(table_id=table.pk, user=person("ann"))
    assert timezone.now() < table.deadline_at < timezone.now() + timedelta(seconds=21)
    assert services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version).move_count == 1


def test_who_does_not_come_back_in_time_loses_the_held_game(table_of):
    table = table_of("ann", "bob", move_seconds=20, absence="hold", hold_seconds=300)
    assert late(table).is_held
    table = late(table, hours=2)
    assert (table.result["places"], table.result["gone"]) == ([2, 1], [0])
    assert result_reason(table) == "ann didn't come back in time."


def test_nobody_is_waited_for_twice_in_a_game(table_of, person):
    table = late(table_of("ann", "bob", move_seconds=20, absence="hold", hold_seconds=300))
    services.come_back(table_id=table.pk, user=person("ann"))
    assert late(table).status == Table.Status.FINISHED


def test_the_page_of_a_held_game_has_a_button_for_the_one_who_is_missing_only(table_of, person, as_user):
    table = late(table_of("ann", "bob", move_seconds=20, absence="hold", hold_seconds=300))
    ann, bob = (as_user(person(name)) for name in ("ann", "bob"))
    own = page_html(ann.get(url("table", table)))
    assert "You ran out of time" in own and "I'm back" in own
    page = page_html(bob.get(url("table", table)))
    assert "ann ran out of time" in page and "I'm back" not in page
    ann.post(url("come-back", table))
    assert "ann ran out of time" not in page_html(bob.get(url("table", table)))


def test_the_page_offers_the_seat_that_a_bot_keeps(table_of, person, as_user):
    table = late(table_of("ann", "bob", move_seconds=20, absence="bot"))
    ann = as_user(person("ann"))
    assert "Take my seat again" in page_html(ann.get(url("table", table)))
    assert 'name="version"' in page_html(ann.post(url("come-back", table), follow=True))


# Pauses


def test_a_paused_table_takes_no_move_and_keeps_the_time_that_was_left(table_of, state_of, let_pass):
    table = table_of("ann", "bob", move_seconds=60)
    let_pass(table, 20)
    services.pause_table(table_id=table.pk)
    services.pause_table(table_id=table.pk)
    late(table)
    seat, text = first_text(state_of, table)
    with pytest.raises(StalePosition, match="paused"):
        services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    services.resume_table(table_id=table.pk)
    table.refresh_from_db()
    assert 35 < table.timers[0].left(timezone.now().timestamp()) <= 40
    assert services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version).move_count == 1


def test_a_bot_does_not_move_at_a_paused_table(table_of):
    table = late(table_of("ann", "bob", move_seconds=20, absence="bot"))
    services.pause_table(table_id=table.pk)
    services.play_bot(table_id=table.pk)
    table.refresh_from_db()
    assert (table.move_count, table.bot_due_at) == (0, None)
    services.resume_table(table_id=table.pk)
    services.play_bot(table_id=table.pk)
    table.refresh_from_db()
    assert table.move_count == 1


def test_who_leaves_a_paused_table_winds_no_clock_and_comes_back_to_a_whole_one(table_of, person):
    table = table_of("ann", "bob", move_seconds=60, absence="bot")
    services.pause_table(table_id=table.pk)
    table = services.leave_event_game(table_id=table.pk, user=person("ann"))
    assert (table.deadline_at, table.bot_due_at) == (None, None)
    services.come_back(table_id=table.pk, user=person("ann"))
    services.resume_table(table_id=table.pk)
    table.refresh_from_db()
    assert 55 < table.timers[0].left(timezone.now().timestamp()) <= 60


def test_a_held_game_that_is_paused_waits_no_shorter(table_of):
    table = late(table_of("ann", "bob", move_seconds=20, absence="hold", hold_seconds=300))
    services.pause_table(table_id=table.pk)
    assert late(table).status == Table.Status.RUNNING
    services.resume_table(table_id=table.pk)
    table.refresh_from_db()
    assert table.is_held
    assert table.deadline_at > timezone.now() + timedelta(seconds=290)


# A number of deals


@pytest.mark.parametrize(
    ("game", "names", "best"),
    [("casino", "ann bob", max), ("shanghai", "ann bob cat", min), ("push", "ann bob cat dan", min)],
)
def test_a_game_ends_after_so_many_deals_and_the_points_decide(table_of, play_on, state_of, game, names, best):
    table = play_on(table_of(*names.split(), game=game, deals=1))
    assert (table.status, table.ended_by) == (Table.Status.FINISHED, Table.EndedBy.RULES)
    assert len(state_of(table).results) == 1
    scores = table.result["scores"]
    assert scores == list(state_of(table).results[0].points)
    assert {scores[seat.number] for seat in table.winners} == {best(scores)}


# Hidden tables


def test_a_hidden_table_opens_for_those_who_sit_there_only(table_of, person, as_user, play_on):
    table = table_of("ann", "bob", deals=1, is_hidden=True)
    staff = person("staff")
    staff.is_staff = staff.is_superuser = True
    staff.save()
    for browser in (as_user(staff), as_user(person("cat")), Client()):
        for name in ("table", "board", "result", "replay", "verify", "deals-json"):
            answer = browser.get(url(name, table))
            assert answer.status_code == 403
            assert "still in play" in page_html(answer)
        assert browser.post(url("move", table), {"version": 1, "text": "AC"}).status_code == 403
    assert as_user(person("ann")).get(url("table", table)).status_code == 200


def test_players_see_the_score_but_neither_replay_nor_secret_until_a_hidden_table_is_revealed(
    table_of, person, as_user, play_on
):
    table = play_on(table_of("ann", "bob", deals=1, is_hidden=True))
    ann, secret = as_user(person("ann")), bytes(table.secret).hex()
    assert ann.get(url("result", table)).status_code == 200
    assert ann.get(url("replay", table)).status_code == ann.get(url("deals-json", table)).status_code == 403
    assert secret not in page_html(ann.get(url("verify", table)))
    services.reveal_tables(Table.objects.filter(pk=table.pk))
    assert Client().get(url("replay", table)).status_code == 200
    assert secret in page_html(Client().get(url("verify", table)))
