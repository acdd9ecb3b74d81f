"""The clocks of a table: whose runs, what a move costs, what the page shows."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games import services, tasks
from games.domain.clocks import LAG_A_MOVE, PACES
from games.models import Table
from games.signals import time_short
from tests.pages import page_html

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time_stands")]

STANDARD = PACES["standard"].fields  # 5 minutes + 10 seconds a turn
MOVE_CLOCK = re.compile(r'data-deadline="([^"]+)"')


def left(table):
    """Seconds left by seat, whole."""
    now = timezone.now().timestamp()
    return [round(timer.left(now)) for timer in Table.objects.get(pk=table.pk).timers]


def running(table):
    return [seat for seat, timer in enumerate(Table.objects.get(pk=table.pk).timers) if timer.since is not None]


@pytest.fixture
def move(state_of):
    """`move(table, seat=None, held=None)`: plays the last legal move of that seat, or of who is first to act."""

    def play(table, seat=None, held=None):
        table = Table.objects.get(pk=table.pk)
        state = state_of(table)
        seat = state.to_act[0] if seat is None else seat
        text = str(state.legal_moves(seat)[-1])
        return services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version, held=held)

    return play


def test_a_turn_takes_its_time_from_the_own_clock_and_brings_the_increment(table_of, let_pass, move):
    table = table_of("ann", "bob", **STANDARD)
    assert (left(table), running(table)) == ([300, 300], [0])
    assert table.deadline_at.timestamp() - table.timers[0].deadline == pytest.approx(LAG_A_MOVE)
    let_pass(table, 42)
    move(table)
    assert (left(table), running(table)) == ([268, 300], [1])
    let_pass(table, 7)
    assert left(table) == [268, 293]


def test_where_several_are_awaited_the_clock_of_each_runs_until_his_own_move(table_of, let_pass, move, state_of):
    table = table_of("ann", "bob", "cat", "dan", game="partnership-cribbage", **STANDARD)
    assert state_of(table).to_act == (0, 1, 2, 3)
    let_pass(table, 20)
    move(table, seat=0)
    assert running(table) == [1, 2, 3]
    let_pass(table, 20)
    assert left(table) == [290, 260, 260, 260]


def test_whose_time_is_up_falls_although_another_moves_before_the_tick(table_of, let_pass, move):
    table = table_of("ann", "bob", "cat", "dan", game="partnership-cribbage", **STANDARD)
    table.timers = [timer._replace(reserve=100.0 + 100 * seat) for seat, timer in enumerate(table.timers)]
    table.save()
    let_pass(table, 150)
    table = move(table, seat=2)
    assert (table.seats.get(number=0).has_left, table.move_count) == (True, 1)
    assert (left(table), running(table)) == ([0, 50, 160, 250], [1, 3])


def test_a_bot_has_no_clock_and_its_person_another_time_for_the_next_turn(person, house_bot, let_pass):
    table = services.seat_and_start(
        game="casino", players=[house_bot("Ada").user, person("ann")], options=None, first_dealer=1, **STANDARD
    )
    assert (running(table), table.deadline_at) == ([], None)
    tasks.play_bot(table.pk)
    assert running(table) == [1]


def test_a_pause_keeps_the_time_of_every_seat(table_of, let_pass, move):
    table = table_of("ann", "bob", **STANDARD)
    let_pass(table, 30)
    services.pause_table(table_id=table.pk)
    assert (left(table), running(table)) == ([270, 300], [])
    let_pass(table, 1000)
    services.resume_table(table_id=table.pk)
    assert (left(table), running(table)) == ([270, 300], [0])


@pytest.mark.parametrize(
    ("late", "held", "counts"),
    [(-1, None, True), (0.05, 299.9, True), (0.3, 300.2, False), (0.3, None, False), (LAG_A_MOVE + 0.1, 0, False)],
)
def test_a_move_counts_if_it_was_in_time_but_for_the_network(table_of, let_pass, move, late, held, counts):
    table = table_of("ann", "bob", **STANDARD)
    let_pass(table, 300 + late)
    if counts:  # then the tick has waited for it
        tasks.flag_overdue(table.pk)
    table = move(table, held=held)
    assert (table.status == Table.Status.RUNNING, table.move_count) == (counts, int(counts))


def test_the_network_gets_nothing_back_in_a_turn_of_days(table_of, let_pass, move):
    table = table_of("ann", "bob", **PACES["days-1"].fields)
    let_pass(table, 4 * 86_400 + 0.1)
    assert move(table, held=0).ended_by == Table.EndedBy.FLAG


def test_of_three_the_one_out_of_time_has_not_moved_although_the_table_goes_on(table_of, let_pass, move):
    table = table_of("ann", "bob", "cat", **STANDARD)
    let_pass(table, 302)
    table = move(table)
    assert (table.status, table.move_count) == (Table.Status.RUNNING, 0)
    assert table.seats.get(number=0).has_left


def test_of_three_the_one_out_of_time_is_replaced_and_the_others_keep_theirs(table_of, let_pass, move):
    table = table_of("ann", "bob", "cat", **STANDARD)
    let_pass(table, 100)
    move(table)
    let_pass(table, 301)
    tasks.flag_overdue(table.pk)
    table = Table.objects.get()
    assert table.seats.get(number=1).has_left and table.status == Table.Status.RUNNING
    assert (left(table)[0], left(table)[2], running(table)) == (210, 300, [])


def test_who_comes_back_from_the_bot_has_some_time_again(table_of, let_pass, person):
    table = table_of("ann", "bob", absence="bot", **STANDARD)
    let_pass(table, 301)
    tasks.flag_overdue(table.pk)
    services.come_back(table_id=table.pk, user=person("ann"))
    assert (left(table), running(table)) == ([30, 300], [0])


def test_a_seat_that_is_handed_over_has_a_fresh_clock(table_of, let_pass, person):
    table = table_of("ann", "bob", **STANDARD)
    let_pass(table, 200)
    services.hand_over(table_id=table.pk, user=person("ann"), to=person("cat"))
    assert left(table) == [300, 300]


def test_a_director_adds_time_to_one_clock_or_to_all(table_of, let_pass, person):
    table = table_of("ann", "bob", **STANDARD)
    let_pass(table, 42)
    services.add_time(table_id=table.pk, seconds=120, user=person("bob"))
    assert (left(table), running(table)) == ([258, 420], [0])
    before = Table.objects.get()
    services.add_time(table_id=table.pk, seconds=60)
    assert (left(table), running(table)) == ([318, 480], [0])
    after = Table.objects.get()
    assert (after.deadline_at - before.deadline_at, after.version) == (timedelta(minutes=1), before.version + 1)


@pytest.mark.parametrize("pace", ["quick", "standard", "days-1"])
def test_added_time_saves_a_player_whose_time_was_almost_up(table_of, let_pass, pace):
    table = table_of("ann", "bob", **PACES[pace].fields)
    total = left(table)[0]
    let_pass(table, total - 1)
    services.add_time(table_id=table.pk, seconds=60)
    let_pass(table, 30)
    tasks.flag_overdue(table.pk)
    assert (Table.objects.get().status, left(table)) == (Table.Status.RUNNING, [31, total + 60])


def test_added_time_moves_no_deadline_that_is_none_of_a_clock(table_of, person):
    table = table_of("ann", "bob", **STANDARD)
    services.pause_table(table_id=table.pk)
    services.add_time(table_id=table.pk, seconds=60, user=person("ann"))
    assert (Table.objects.get().deadline_at, running(table)) == (None, [])
    services.resume_table(table_id=table.pk)
    assert (left(table), running(table)) == ([360, 300], [0])
    ends = timezone.now() + timedelta(minutes=3)
    Table.objects.update(appear_by=ends, deadline_at=ends)
    services.add_time(table_id=table.pk, seconds=60)
    assert (Table.objects.get().deadline_at, left(table)) == (ends, [420, 360])


def test_time_to_come_to_the_table_is_added_to_a_game_that_waits_for_players(table_of):
    table = table_of("ann", "bob", **STANDARD)
    with pytest.raises(services.TableError, match="the time for that is over"):
        services.add_time_to_appear(table_id=table.pk, seconds=60)
    ends = timezone.now() + timedelta(minutes=3)
    Table.objects.update(appear_by=ends, deadline_at=ends)
    services.add_time_to_appear(table_id=table.pk, seconds=60)
    later, found = ends + timedelta(minutes=1), Table.objects.get()
    assert (found.appear_by, found.deadline_at, left(table)) == (later, later, [300, 300])
    services.pause_table(table_id=table.pk)
    services.add_time_to_appear(table_id=table.pk, seconds=60)
    found = Table.objects.get()
    assert (found.appear_by, found.deadline_at) == (later + timedelta(minutes=1), None)


def test_time_is_added_only_to_a_clock(table_of, person):
    table = table_of("ann", "bob", **STANDARD)
    with pytest.raises(services.TableError, match="no clock to add time to"):
        services.add_time(table_id=table.pk, seconds=60, user=person("cat"))
    assert left(table) == [300, 300]
    Table.objects.update(**PACES["none"].fields)
    with pytest.raises(services.TableError, match="no clock to add time to"):
        services.add_time(table_id=table.pk, seconds=60)


def test_the_clock_plays_for_nobody_whose_time_for_the_whole_game_is_up(table_of, let_pass):
    table = table_of("ann", "bob", game="vatican", **STANDARD)
    let_pass(table, 301)
    tasks.flag_overdue(table.pk)
    assert Table.objects.get().ended_by == Table.EndedBy.FLAG


def test_a_table_whose_deadline_nobody_has_missed_is_wound_again(table_of):
    table = table_of("ann", "bob", **STANDARD)
    Table.objects.update(deadline_at=timezone.now() - timedelta(seconds=5))
    tasks.flag_overdue(table.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.RUNNING and table.deadline_at > timezone.now() + timedelta(seconds=290)


def test_both_see_the_same_clocks_and_a_rematch_has_them_again(table_of, let_pass, move, person, as_user):
    table = table_of("ann", "bob", **STANDARD)
    let_pass(table, 42)
    move(table)
    pages = [page_html(as_user(person(name)).get(reverse("games:table", args=[table.code]))) for name in ("ann", "bob")]
    assert MOVE_CLOCK.findall(pages[0]) == MOVE_CLOCK.findall(pages[1]) != []
    assert all('<span class="clock">4:28</span>' in page for page in pages)
    assert ['data-since="' in page for page in pages] == [False, True]
    table = services.resign(table_id=table.pk, user=person("ann"))
    assert services.join_rematch(table_id=table.pk, user=person("ann")).clock == PACES["standard"].clock


def test_the_page_sends_with_a_move_how_long_the_board_was_there(table_of, let_pass, person, as_user, state_of):
    table = table_of("ann", "bob", **STANDARD)
    let_pass(table, 100.3)
    data = {"version": table.version, "text": str(state_of(table).legal_moves(0)[-1]), "held": "100000"}
    as_user(person("ann")).post(reverse("games:move", args=[table.code]), data)
    assert Table.objects.get().timers[0].lag < 2.81  # of 3 seconds, and a tenth for the move


@pytest.fixture
def told():
    """Whom `time_short` has named: (user, table)."""
    names = []

    def note(user_id, table_id, **kwargs):
        names.append((user_id, table_id))

    time_short.connect(note)
    yield names
    time_short.disconnect(note)


@pytest.mark.django_db(transaction=True)
def test_the_tick_says_once_that_little_is_left_of_a_turn_of_days(table_of, let_pass, move, person, told, eager_tasks):
    table = table_of("ann", "bob", **PACES["days-1"].fields)
    version = table.version
    let_pass(table, 3.7 * 86_400)
    tasks.tick()
    assert told == []
    let_pass(table, 0.1 * 86_400)
    tasks.tick()
    tasks.tick()
    assert told == [(person("ann").pk, table.pk)]
    assert Table.objects.get().version == version
    move(table)
    let_pass(table, 3.8 * 86_400)
    tasks.tick()
    assert told[1:] == [(person("bob").pk, table.pk)]


@pytest.mark.django_db(transaction=True)
def test_where_several_are_awaited_each_is_told_at_his_own_time(table_of, let_pass, person, told, eager_tasks):
    table = table_of("ann", "bob", "cat", "dan", game="partnership-cribbage", **PACES["days-1"].fields)
    table.timers = [timer._replace(reserve=86_400.0 * (seat + 1)) for seat, timer in enumerate(table.timers)]
    table.short_at = timezone.now()
    table.save()
    tasks.tick()  # finds nobody, and the right moment
    let_pass(table, 1.8 * 86_400)
    tasks.tick()
    let_pass(table, 86_400)
    tasks.tick()
    assert told == [(person("ann").pk, table.pk), (person("bob").pk, table.pk)]
