"""Places on a ladder as pure functions."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.domain.ladder import drop_idle, in_reach, new_places, take_place

orders = st.lists(st.integers(0, 30), unique=True, max_size=12)


def test_one_reaches_so_many_places_up():
    order = [10, 11, 12, 13, 14]
    assert in_reach(order, 14, 3) == [11, 12, 13]
    assert in_reach(order, 11, 3) == [10]
    assert in_reach(order, 10, 3) == []
    assert in_reach(order, 99, 3) == []


def test_the_winner_takes_the_place_and_those_between_slide_down():
    assert take_place([1, 2, 3, 4, 5], 4, 2) == [1, 4, 2, 3, 5]
    assert take_place([1, 2], 2, 1) == [2, 1]


def test_a_winner_who_is_above_by_now_stays_there():
    assert take_place([1, 2, 3], 1, 3) == take_place([1, 2, 3], 2, 2) == [1, 2, 3]


def test_players_who_have_left_take_and_give_no_place():
    assert take_place([1, 2, 3], 9, 1) == take_place([1, 2, 3], 3, 9) == [1, 2, 3]


def test_idle_players_drop_below_the_next_active_one():
    assert drop_idle([1, 2, 3, 4], {1}) == [2, 1, 3, 4]
    assert drop_idle([1, 2, 3, 4], {1, 2}) == [3, 1, 2, 4]
    assert drop_idle([1, 2, 3, 4], {1, 3}) == [2, 1, 4, 3]
    assert drop_idle([1, 2, 3, 4], {4}) == drop_idle([1, 2, 3, 4], {1, 2, 3, 4}) == [1, 2, 3, 4]


def test_changes_name_the_old_and_the_new_place():
    assert new_places([1, 2, 3], [3, 1, 2]) == {3: (3, 1), 1: (1, 2), 2: (2, 3)}
    assert new_places([1, 2], [2, 3]) == {2: (2, 1), 3: (None, 2), 1: (1, None)}


@settings(deadline=None, max_examples=100)
@given(orders, st.data())
def test_a_win_moves_the_winner_up_and_only_those_between_down_by_one(order, data):
    winner, loser = data.draw(st.integers(0, 30)), data.draw(st.sampled_from([*order, 99]))
    found = take_place(order, winner, loser)
    assert sorted(found) == sorted(order)
    if found == order:
        return
    top, bottom = order.index(loser), order.index(winner)
    assert found[:top] == order[:top] and found[bottom + 1 :] == order[bottom + 1 :]
    assert found[top] == winner and found[top + 1 : bottom + 1] == order[top:bottom]


@settings(deadline=None, max_examples=100)
@given(orders, st.sets(st.integers(0, 30)))
def test_idle_players_drop_at_most_a_place_and_active_ones_never(order, idle):
    found = drop_idle(order, idle)
    assert sorted(found) == sorted(order)
    for player in order:
        shift = found.index(player) - order.index(player)
        assert 0 <= shift <= 1 if player in idle else shift <= 0
    for some in (idle, {*order} - idle):
        assert [one for one in found if one in some] == [one for one in order if one in some]
    lowest_active = max((at for at, one in enumerate(order) if one not in idle), default=0)
    assert all(found.index(one) > at for at, one in enumerate(order) if one in idle and at < lowest_active)


@settings(deadline=None, max_examples=60)
@given(orders, orders)
def test_changes_lead_from_one_order_to_the_other(before, after):
    places = {one: place for place, one in enumerate(before, start=1)}
    for one, (old, new) in new_places(before, after).items():
        assert places.pop(one, None) == old != new
        if new is not None:
            places[one] = new
    assert sorted(places, key=places.__getitem__) == after
