"""Turn-based games: days for a move, the reserve, and days off."""

import threading
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.locking import lock_accounts
from accounts.services import close_account
from games import services, tasks
from games.domain.clocks import DAY, PACES
from games.models import Table, Vacation
from games.services import TableError
from games.services.common import lock_table
from tests.connections import at_once, wait_for_a_lock
from tests.pages import page_html

pytestmark = pytest.mark.django_db

MARCH = datetime(2027, 3, 1, 12, tzinfo=UTC)
DAILY = PACES["days-1"].fields  # and three days in reserve


def left(table, seat):
    """Days left to this seat."""
    timer = Table.objects.get(pk=table.pk).timers[seat]
    return round(timer.left(timezone.now().timestamp()) / DAY, 2)


def rest(user, days, begins_in=0):
    """A vacation, from now on or so many days later, without its allowance."""
    now = timezone.now()
    begins_at = now + timedelta(days=begins_in)
    return Vacation.objects.create(user=user, begins_at=begins_at, ends_at=begins_at + timedelta(days=days))


def begin_due():
    for vacation in Vacation.objects.due(timezone.now()):
        tasks.begin_vacation(vacation.pk)


@pytest.fixture
def move(state_of):
    """`move(table)`: the person to act makes a turn of moves, each time the last legal one."""

    def play(table):
        table = Table.objects.get(pk=table.pk)
        seat = state_of(table).waiting_on[0]
        while table.status == Table.Status.RUNNING and state_of(table).waiting_on == (seat,):
            text = str(state_of(table).legal_moves(seat)[-1])
            table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
        return table

    return play


def test_a_week_of_gin_rummy_with_a_day_a_move(table_of, let_pass, move, person, state_of):
    table = table_of("ann", "bob", game="gin-rummy", **DAILY)
    assert state_of(table).waiting_on == (0,)
    let_pass(table, 0.75 * DAY)
    move(table)
    assert (left(table, 0), left(table, 1)) == (4, 4)  # ann was in time
    let_pass(table, 2.5 * DAY)
    move(table)
    assert left(table, 1) == 2.5  # bob took a day and a half of his three
    rest(person("ann"), days=2, begins_in=0.5)
    let_pass(table, 0.5 * DAY)
    begin_due()
    assert left(table, 0) == 3.5
    let_pass(table, 2 * DAY)
    tasks.flag_overdue(table.pk)
    assert left(table, 0) == 3.5  # it stood for two days
    let_pass(table, 0.25 * DAY)
    move(table)
    assert left(table, 0) == 4  # within her day, so that the reserve is whole
    let_pass(table, 2.4 * DAY)
    tasks.flag_overdue(table.pk)
    assert Table.objects.get().status == Table.Status.RUNNING
    let_pass(table, 0.2 * DAY)
    tasks.flag_overdue(table.pk)
    table.refresh_from_db()
    assert (table.ended_by, table.result["gone"]) == (Table.EndedBy.FLAG, [1])


def test_a_turn_that_comes_during_a_vacation_waits_for_its_end(table_of, let_pass, move, person):
    table = table_of("ann", "bob", **DAILY)
    rest(person("bob"), days=3)
    begin_due()
    move(table)
    let_pass(table, 2 * DAY)
    assert left(table, 1) == 4
    let_pass(table, 2 * DAY)
    assert left(table, 1) == 3


def test_whoever_ends_a_vacation_early_has_the_clock_run_from_then(table_of, let_pass, person):
    table = table_of("ann", "bob", **DAILY)
    vacation = rest(person("ann"), days=10)
    begin_due()
    let_pass(table, 2 * DAY)
    services.end_vacation(user=person("ann"), vacation_id=vacation.pk, now=timezone.now())
    let_pass(table, DAY)
    assert left(table, 0) == 3
    assert not Vacation.objects.current(timezone.now()).exists()


def test_a_task_that_comes_once_more_begins_no_vacation_again(table_of, let_pass, person):
    table = table_of("ann", "bob", **DAILY)
    vacation = rest(person("ann"), days=10)
    begin_due()
    services.end_vacation(user=person("ann"), vacation_id=vacation.pk, now=timezone.now())
    let_pass(table, DAY)
    tasks.begin_vacation(vacation.pk)
    assert left(table, 0) == 3


def test_no_clock_stands_for_who_has_left(table_of, person):
    table = table_of("ann", "bob", "cat", **DAILY)
    services.resign(table_id=table.pk, user=person("ann"))
    rest(person("ann"), days=3)
    begin_due()
    assert [timer.rests_until for timer in Table.objects.get().timers] == [None] * 3


def test_a_game_that_starts_during_a_vacation_waits_too_but_not_one_of_an_event_or_at_one_sitting(
    table_of, let_pass, person
):
    rest(person("ann"), days=3)
    begin_due()
    daily = table_of("ann", "bob", **DAILY)
    event = table_of("ann", "bob", allows_vacation=False, secret=bytes(31) + b"1", **DAILY)
    quick = table_of("ann", "bob", secret=bytes(31) + b"2", **PACES["quick"].fields)
    let_pass(daily, DAY)
    let_pass(event, DAY)
    assert (left(daily, 0), left(event, 0), quick.timers[0].rests_until) == (4, 3, None)


def test_a_vacation_stops_no_clock_of_an_event_or_of_a_game_at_one_sitting(table_of, let_pass, person):
    event = table_of("ann", "bob", allows_vacation=False, **DAILY)
    quick = table_of("ann", "bob", secret=bytes(31) + b"2", **PACES["quick"].fields)
    rest(person("ann"), days=3)
    begin_due()
    let_pass(event, DAY)
    quick.refresh_from_db()
    assert (left(event, 0), quick.timers[0].rests_until) == (3, None)


def test_a_match_allows_no_vacation_unless_it_is_told_to(person):
    players = [person("ann"), person("bob")]
    match = services.seat_and_start(game="casino", players=players, options=None, **DAILY)
    assert (match.clock_stops_on_vacation, Table(game="casino", **DAILY).clock_stops_on_vacation) == (False, True)


def test_a_vacation_changes_no_clock_of_a_paused_table_before_it_goes_on(table_of, let_pass, person):
    table = table_of("ann", "bob", **DAILY)
    services.pause_table(table_id=table.pk)
    rest(person("ann"), days=2)
    begin_due()
    assert Table.objects.get().deadline_at is None
    services.resume_table(table_id=table.pk)
    let_pass(table, 3 * DAY)
    assert left(table, 0) == 3


def test_a_game_that_is_held_waits_no_longer_because_somebody_goes_on_vacation(table_of, let_pass, person):
    table = table_of("ann", "bob", absence="hold", hold_seconds=600, **DAILY)
    let_pass(table, 5 * DAY)
    tasks.flag_overdue(table.pk)
    table.refresh_from_db()
    assert table.is_held
    rest(person("ann"), days=2)
    begin_due()
    assert Table.objects.get().deadline_at == table.deadline_at


def test_the_others_see_who_is_on_vacation_until_when(table_of, person, as_user):
    """A vacation ends at midnight of its owner; the others are told by the clocks of the world."""
    table, zone = table_of("ann", "bob", **DAILY), "Asia/Kolkata"
    today = timezone.now().astimezone(ZoneInfo(zone)).date()
    taken = services.take_vacation(user=person("ann"), first=today, last=today, now=timezone.now(), time_zone=zone)
    page = page_html(as_user(person("bob")).get(table.get_absolute_url()))
    assert f"on vacation until {taken.ends_at.day} {taken.ends_at:%b}, 18:30 UTC" in page
    assert "data-deadline" not in page


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
def test_a_vacation_waits_for_a_game_that_ends_at_the_same_moment(table_of, play_on, person):
    """The end of the game refers to the player, whose row the vacation has locked."""
    table, bob, is_locked = play_on(table_of("ann", "bob", **DAILY), 2), person("bob"), threading.Event()

    def end():
        with transaction.atomic():
            lock_table(table.pk)
            is_locked.set()
            wait_for_a_lock()
            services.resign(table_id=table.pk, user=person("ann"))

    def go():
        assert is_locked.wait(10)
        today = timezone.now().date()
        services.take_vacation(user=bob, first=today, last=today + timedelta(days=1), now=timezone.now())

    at_once(end, go)
    assert Table.objects.get().status == Table.Status.FINISHED
    assert Vacation.objects.get().has_begun


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
def test_an_account_that_closes_as_its_vacation_begins_waits_for_that(table_of, person):
    """Either changes the table and the vacation."""
    table_of("ann", "bob", **DAILY)
    ann, vacation = person("ann"), rest(person("ann"), days=2)
    is_locked = threading.Event()

    def close():
        with transaction.atomic():
            lock_accounts(ann)
            is_locked.set()
            wait_for_a_lock()
            close_account(user=ann)

    def begin():
        assert is_locked.wait(10)
        tasks.begin_vacation(vacation.pk)

    at_once(close, begin)
    assert not Vacation.objects.exists()


# The allowance


@pytest.fixture
def take(person):
    """`take("1 May", "3 May")`: ann asks for these days of 2027, in March."""

    def ask(first, last, year=2027):
        days = [datetime.strptime(f"{day} {year}", "%d %b %Y").date() for day in (first, last)]
        return services.take_vacation(user=person("ann"), first=days[0], last=days[1], now=MARCH)

    return ask


def test_the_days_of_a_year_are_numbered_and_those_given_back_count_no_more(take, person):
    may, _ = take("1 May", "10 May"), take("1 Jun", "9 Jun")
    assert services.days_left(person("ann"), 2027) == 2
    with pytest.raises(TableError, match="You have 2 of 21 days left in 2027"):
        take("1 Jul", "3 Jul")
    services.end_vacation(user=person("ann"), vacation_id=may.pk, now=MARCH)
    assert not Vacation.objects.filter(pk=may.pk).exists()
    take("1 Jul", "3 Jul")
    assert services.days_left(person("ann"), 2027) == 9


def test_a_vacation_over_new_year_takes_from_both_years(take, person):
    take("1 Mar", "21 Mar")
    with pytest.raises(TableError, match="left in 2027"):
        services.take_vacation(user=person("ann"), first=date(2027, 12, 30), last=date(2028, 1, 5), now=MARCH)
    assert services.days_left(person("ann"), 2028) == 21


@pytest.mark.parametrize(
    ("zone", "begins", "ends"),
    [
        ("Pacific/Auckland", datetime(2027, 4, 2, 11, tzinfo=UTC), datetime(2027, 4, 4, 12, tzinfo=UTC)),
        ("America/New_York", datetime(2027, 4, 3, 4, tzinfo=UTC), datetime(2027, 4, 5, 4, tzinfo=UTC)),
    ],
)
def test_days_are_those_of_the_own_time_zone(person, zone, begins, ends):
    """3 and 4 April; in Auckland clocks are put back on the fourth."""
    ann, days = person("ann"), {"first": date(2027, 4, 3), "last": date(2027, 4, 4)}
    services.take_vacation(user=ann, **days, now=MARCH, time_zone=zone)
    taken = Vacation.objects.get()
    assert (taken.begins_at, taken.ends_at) == (begins, ends)
    assert (taken.first_day, taken.last_day, services.days_left(ann, 2027)) == (*days.values(), 19)


def test_today_is_today_where_one_is(person):
    """Half an hour before midnight UTC it is the second of March in Auckland, and still the first in New York."""
    late = datetime(2027, 3, 1, 23, 30, tzinfo=UTC)
    first, second = date(2027, 3, 1), date(2027, 3, 2)
    with pytest.raises(TableError, match="can't start before today"):
        services.take_vacation(user=person("ann"), first=first, last=first, now=late, time_zone="Pacific/Auckland")
    for name, day, zone in (("ann", second, "Pacific/Auckland"), ("bob", first, "America/New_York")):
        taken = services.take_vacation(user=person(name), first=day, last=day, now=late, time_zone=zone)
        assert (Vacation.objects.get(pk=taken.pk).has_begun, taken.first_day, taken.is_one_day) == (True, day, True)


def test_the_page_says_days_of_the_zone_that_was_chosen(person, as_user):
    ann = as_user(person("ann"))
    data = {"first": "2059-04-03", "last": "2059-04-04", "time_zone": "America/New_York"}
    page = page_html(ann.post("/play/vacation/", data, follow=True))
    assert "3 April to 4 April 2059" in page
    assert '<option value="America/New_York" selected>' in page
    assert ann.post("/play/vacation/", data | {"time_zone": "Nowhere/Else"}).status_code == 422


@pytest.mark.parametrize(("first", "last"), [("28 Feb", "2 Mar"), ("5 May", "4 May"), ("10 May", "12 May")])
def test_days_that_are_gone_turned_round_or_taken_already_are_refused(take, first, last):
    take("1 May", "10 May")
    with pytest.raises(TableError):
        take(first, last)
    assert Vacation.objects.count() == 1


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2059-04-03", "9999-12-31"),
        ("9999-12-30", "9999-12-31"),
        ("0001-01-01", "0001-01-02"),
        ("2059-04-03", "2060-04-03"),
    ],
)
def test_the_page_says_how_long_and_how_late_a_vacation_may_be(
    first, last, person, as_user, django_assert_max_num_queries
):
    ann = as_user(person("ann"))
    for zone in ("UTC", "Pacific/Kiritimati", "Etc/GMT+12"):
        with django_assert_max_num_queries(25):
            answer = ann.post("/play/vacation/", {"first": first, "last": last, "time_zone": zone})
        assert answer.status_code == 422
        assert answer.context["form"].non_field_errors()
    assert not Vacation.objects.exists()


def test_a_vacation_that_is_over_gets_no_longer(take, person):
    taken = take("1 Mar", "2 Mar")
    services.end_vacation(user=person("ann"), vacation_id=taken.pk, now=MARCH + timedelta(days=5))
    assert Vacation.objects.get().ends_at == taken.ends_at


def test_who_is_back_early_may_go_again_on_the_same_day(take, person):
    first = take("1 Mar", "4 Mar")
    services.end_vacation(user=person("ann"), vacation_id=first.pk, now=MARCH)
    again = take("1 Mar", "2 Mar")
    assert again.begins_at == MARCH


def test_the_page_takes_days_off_and_ends_them(person, as_user):
    ann, today = as_user(person("ann")), timezone.now().date()
    data = {"first": today.isoformat(), "last": (today + timedelta(days=1)).isoformat(), "time_zone": "UTC"}
    page = page_html(ann.post("/play/vacation/", data, follow=True))
    assert "You are on vacation." in page and "End vacation" in page
    assert ann.post("/play/vacation/", data).status_code == 422
    vacation = Vacation.objects.get()
    as_user(person("bob")).post(f"/play/vacation/{vacation.pk}/end/")
    assert Vacation.objects.current(timezone.now()).exists()
    ann.post(f"/play/vacation/{vacation.pk}/end/")
    assert not Vacation.objects.current(timezone.now()).exists()
    assert Client().get("/play/vacation/").status_code == 302


def test_a_vacation_that_is_canceled_before_it_begins_is_not_called_over(person, as_user):
    ann, coming, current = as_user(person("ann")), rest(person("ann"), days=2, begins_in=5), rest(person("ann"), days=2)
    begin_due()
    page = page_html(ann.post(f"/play/vacation/{coming.pk}/end/", follow=True))
    assert "Your vacation is canceled." in page and "is over" not in page
    assert "Your vacation is over." in page_html(ann.post(f"/play/vacation/{current.pk}/end/", follow=True))


@pytest.mark.django_db(transaction=True)
def test_the_tick_begins_a_vacation_that_is_due(person, eager_tasks):
    rest(person("ann"), days=2)
    rest(person("ann"), days=2, begins_in=5)
    tasks.tick()
    assert list(Vacation.objects.values_list("has_begun", flat=True)) == [True, False]
