"""The pure clock: what it gives, in words and in seconds."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.domain.clocks import (
    LAG_A_GAME,
    LAG_A_MOVE,
    LAG_REFILL,
    NO_CLOCK,
    PACES,
    Clock,
    Timer,
    countdown,
    duration,
    short_moment,
)

CLOCKS = [pace.clock for pace in PACES.values() if pace.clock] + [Clock(base=60), Clock(move=20, base=40, increment=5)]
clocks = st.sampled_from(CLOCKS)
seconds = st.integers(0, 120).map(float)


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (Clock(base=300, increment=10), "5 minutes + 10 seconds a turn"),
        (Clock(base=600), "10 minutes for the game"),
        (Clock(move=45), "45 seconds a move"),
        (Clock(move=86_400, base=259_200), "1 day a move, 3 days in reserve"),
    ],
)
def test_a_clock_is_told_in_words(clock, words):
    assert clock.words == words


def test_a_duration_is_told_in_the_largest_unit_that_fits():
    assert [duration(s) for s in (0, 1, 45, 60, 90, 120, 7200, 129_600, 172_800)] == [
        "0 seconds", "1 second", "45 seconds", "1 minute", "90 seconds", "2 minutes", "2 hours", "36 hours", "2 days",
    ]  # fmt: skip


def test_a_duration_beyond_two_of_a_unit_is_split():
    assert [duration(s) for s in (6300, 9000, 150, 178_260)] == [
        "105 minutes", "2 hours 30 minutes", "2 minutes 30 seconds", "2 days 1 hour 31 minutes",
    ]  # fmt: skip


def test_a_clock_counts_hours_days_and_every_second_that_has_begun():
    assert [countdown(s) for s in (0, 8.2, 275, 7199, 11_159, 86_399, 183_601)] == [
        "0:00", "0:09", "4:35", "119:59", "3 h 5 min", "23 h 59 min", "2 d 3 h",
    ]  # fmt: skip


def test_a_clock_without_time_is_refused():
    for wrong in ({"increment": 5}, {"base": -1, "move": 5}, {}):
        with pytest.raises(ValueError, match="gives some time"):
            Clock(**wrong)


def test_every_pace_says_what_it_is_and_how_a_table_keeps_it():
    assert PACES["none"].fields == NO_CLOCK
    for pace in PACES.values():
        assert pace.help and pace.choice.startswith(pace.label)
        assert pace.fields.keys() == NO_CLOCK.keys()
    assert PACES["standard"].fields == {"base_seconds": 300, "increment_seconds": 10, "move_seconds": None}
    assert [slug for slug, pace in PACES.items() if pace.clock and pace.clock.is_turn_based] == ["days-1", "days-3"]


def after(timer, clock, *turns):
    """The time of a seat whose turns took so long, each beginning at 0."""
    for took in turns:
        timer = timer.started(0.0).moved(clock, took)
    return timer


@settings(max_examples=60, deadline=None)
@given(clocks, st.lists(seconds, max_size=20))
def test_the_reserve_is_what_came_in_less_what_turns_took_beyond_their_own_time(clock, turns):
    timer, reserve = Timer.fresh(clock), float(clock.base)
    for took in turns:
        timer = after(timer, clock, took)
        reserve = max(reserve - max(took - clock.move, 0), 0) + clock.increment
        assert timer.reserve == pytest.approx(reserve) and timer.turn == clock.move


@settings(max_examples=60, deadline=None)
@given(clocks, st.lists(seconds, min_size=1, max_size=10))
def test_pauses_cost_nothing(clock, parts):
    paused = Timer.fresh(clock)
    for part in parts:
        paused = paused.started(1000.0).stopped(1000.0 + part)
    through = Timer.fresh(clock).started(0.0)
    assert paused.left(5000.0) == pytest.approx(through.left(sum(parts)))
    assert paused.started(0.0).moved(clock, 0.0) == pytest.approx(through.moved(clock, sum(parts)))


@settings(max_examples=100, deadline=None)
@given(clocks, seconds, st.one_of(st.none(), seconds))
def test_no_time_is_ever_below_zero(clock, took, held):
    timer = Timer.fresh(clock).started(0.0)
    moved = timer.moved(clock, took, held=held)
    assert timer.left(took) >= 0 and min(moved.turn, moved.reserve, moved.lag, timer.stopped(took).reserve) >= 0


@settings(max_examples=60, deadline=None)
@given(clocks, st.lists(st.tuples(seconds, seconds), max_size=40))
@example(Clock(base=60), [(30.0, 0.0)] * 20)
def test_whoever_lies_about_the_network_gains_no_more_than_the_quota(clock, turns):
    """The time that runs on the server, less what is counted."""
    timer, gained = Timer.fresh(clock), 0.0
    for took, held in turns:
        timer = timer.started(0.0)
        delay = timer.delay(clock, took, held)
        assert 0 <= delay <= min(took, LAG_A_MOVE)
        gained += delay
        timer = timer.moved(clock, took, held=held)
    assert gained <= LAG_A_GAME + LAG_REFILL * len(turns)
    assert gained == 0 or not clock.is_turn_based


@settings(max_examples=100, deadline=None)
@given(clocks, st.floats(0, 700_000), st.one_of(st.none(), st.floats(0, 700_000)))
def test_a_move_that_counts_is_never_one_for_which_the_tick_would_not_have_waited(clock, now, held):
    timer = Timer.fresh(clock).started(0.0)
    if not timer.is_up(now, timer.delay(clock, now, held)):
        assert not timer.is_up(now, timer.allowance(clock))


def test_at_its_deadline_a_move_is_too_late_and_before_it_in_time():
    timer = Timer.fresh(Clock(base=60)).started(100.0)
    assert (timer.is_up(159.999, 0.0), timer.is_up(160.0, 0.0)) == (False, True)
    assert (timer.is_up(160.2, 0.25), timer.is_up(160.25, 0.25)) == (False, True)


def test_a_turn_of_several_moves_gets_one_increment_and_nobody_collects_them_by_quick_moves():
    clock = Clock(base=60, increment=10)
    timer = Timer.fresh(clock).started(0.0)
    for now in (1.0, 2.0, 3.0):
        timer = timer.moved(clock, now, keeps_turn=True).started(now)
        assert timer.reserve == 60
    assert timer.moved(clock, 4.0).reserve == 69


def test_what_a_turn_of_days_takes_too_long_comes_off_the_reserve_once():
    clock = Clock(move=100, base=300)
    timer = after(Timer.fresh(clock), clock, 90.0, 150.0)
    assert (timer.turn, timer.reserve) == (100, 250)
    assert timer.started(0.0).deadline == 350


def test_who_loses_the_turn_without_a_move_has_a_whole_one_next_time():
    clock = Clock(move=30)
    timer = Timer.fresh(clock).started(0.0).ended(clock, 20.0)
    assert (timer.left(20.0), timer.since) == (30, None)


def test_a_clock_stands_during_a_vacation_and_goes_on_from_where_it_was():
    clock = Clock(move=100, base=50)
    away = Timer.fresh(clock).started(0.0).resting(30.0, until=1000.0)
    assert (away.left(999.0), away.left(1010.0), away.deadline) == (120, 110, 1120)
    assert away.after_vacation(500.0).left(510.0) == 110
    waiting = Timer.fresh(clock).resting(30.0, until=1000.0)
    assert (waiting.since, waiting.started(40.0).since, waiting.after_vacation(50.0).started(60.0).since) == (
        None,
        1000,
        60,
    )


def test_who_comes_back_to_a_game_lost_on_time_has_some_again():
    clock = Clock(base=300, increment=10)
    assert Timer.fresh(clock).started(0.0).stopped(400.0).renewed(clock).left(0.0) == 30
    assert Timer.fresh(clock).started(0.0).stopped(100.0).renewed(clock).left(0.0) == 200


def test_little_is_left_of_days_in_the_last_quarter_of_a_turn_but_not_before_the_last_12_hours():
    day, week = Clock(move=86_400), Clock(move=7 * 86_400)
    assert short_moment(day, Timer.fresh(day).started(0.0)) == 86_400 * 3 / 4
    assert short_moment(week, Timer.fresh(week).started(0.0)) == 6.5 * 86_400
    assert short_moment(day, Timer.fresh(day)) is None
    assert short_moment(Clock(move=30), Timer.fresh(Clock(move=30)).started(0.0)) is None
