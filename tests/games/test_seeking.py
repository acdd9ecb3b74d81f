"""Looking for a game: who finds whom."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts import blocking
from accounts.services import join_account
from games import services, tasks
from games.live import presence
from games.models import Rating, Seek, Table
from games.services import TableError, seeking
from games.services.common import lock_table
from games.services.seeking import BOTS_AFTER
from notifications.models import Notice
from tests.connections import at_once, wait_for_a_lock

pytestmark = pytest.mark.django_db


@pytest.fixture
def look(person):
    """`look("alice", game=..., ...)`: what becomes of her seek."""

    def seek(name, **changes):
        wants = {"game": "gin-rummy", "seats": [2], "paces": ["standard"], **changes}
        return services.start_seek(user=person(name), **wants)

    return seek


@pytest.fixture
def guest(db):
    from accounts.services import make_guest

    return make_guest()


def names(table):
    return {seat.user.username for seat in table.seats.all()}


def later(seconds):
    """As if so much time had gone by for everybody who waits."""
    for one in Seek.objects.all():
        one.created_at -= timedelta(seconds=seconds)
        one.bots_at = one.bots_at and one.bots_at - timedelta(seconds=seconds)
        one.save()


# Finding each other


def test_two_who_want_the_same_sit_at_one_running_table(look):
    assert look("alice").table is None
    table = look("bob").table
    assert table.status == Table.Status.RUNNING
    assert names(table) == {"alice", "bob"}
    assert Seek.objects.get(user__username="alice").table == table


def test_the_table_has_the_clock_and_the_options_of_those_who_asked(look):
    look("alice", paces=["quick", "calm"])
    table = look("bob", paces=["calm"], is_rated=True, options={"target": 50}).table
    assert (table.base_seconds, table.increment_seconds) == (900, 30)
    assert table.is_rated
    assert table.options == table.rules.read_options({"target": 50}, 2)


def test_who_wants_something_else_waits(look):
    look("alice")
    assert look("bob", game="piquet").table is None
    assert look("carol", paces=["quick"]).table is None
    assert look("dora", options={"oklahoma": True}, paces=["calm"]).table is None
    assert Table.objects.count() == 0


def test_whoever_has_waited_longest_plays_first(look):
    look("alice", is_rated=True)
    look("bob", is_rated=False)
    assert names(look("carol").table) == {"alice", "carol"}


def test_ratings_that_are_far_apart_do_not_meet(look, person):
    Rating.objects.create(user=person("bob"), game="gin-rummy", mu=40)
    look("alice", reach=200)
    assert look("bob").table is None
    assert names(look("carol", reach=200).table) == {"alice", "carol"}


def test_people_who_keep_apart_never_meet(look, person):
    blocking.block_user(blocker=person("alice"), blocked=person("bob"))
    look("alice")
    assert look("bob").table is None
    assert names(look("carol").table) == {"alice", "carol"}


def test_three_wait_until_the_third_is_there(look):
    look("alice", game="casino", seats=[3])
    look("bob", game="casino", seats=[3, 4])
    table = look("carol", game="casino", seats=[2, 3]).table
    assert names(table) == {"alice", "bob", "carol"}
    assert table.status == Table.Status.RUNNING


def test_who_looks_again_looks_for_that_only(look):
    look("alice")
    look("alice", game="piquet")
    assert look("bob").table is None
    assert Seek.objects.count() == 2


def test_a_guest_plays_what_is_not_rated(look, guest):
    look("alice")
    table = services.start_seek(user=guest, game="gin-rummy", seats=[2], paces=["standard"]).table
    assert not table.is_rated
    with pytest.raises(TableError, match="Sign up"):
        services.start_seek(user=guest, game="gin-rummy", seats=[2], paces=["standard"], is_rated=True)


# Open tables


def test_an_open_table_that_fits_begins_with_whoever_looks_for_one(look, person):
    opened = services.open_and_sit(
        user=person("alice"), game="gin-rummy", seats=2, options={"target": 50}, base_seconds=300, increment_seconds=10
    )
    assert look("dora", options={"target": 50}).table is None  # nobody looks at the table
    services.cancel_seek(user=person("dora"))
    presence.record_request(opened.pk, person("alice").pk)
    assert look("bob", options={"target": 100}).table is None
    assert look("carol", options={"target": 50}).table == opened


def test_a_new_table_begins_with_those_who_have_been_looking(look, person):
    look("alice", game="casino", seats=[3])
    look("bob", game="casino", seats=[3])
    opened = services.open_and_sit(
        user=person("carol"), game="casino", seats=3, options=None, base_seconds=300, increment_seconds=10
    )
    services.complete_table(table_id=opened.pk)
    opened.refresh_from_db()
    assert opened.status == Table.Status.RUNNING
    assert names(opened) == {"alice", "bob", "carol"}


def test_nobody_is_seated_where_hands_are_shown_to_those_who_watch(look, person):
    look("alice")
    opened = services.open_and_sit(
        user=person("bob"), game="gin-rummy", seats=2, options=None, opens_deals=True, base_seconds=300,
        increment_seconds=10,
    )  # fmt: skip
    services.complete_table(table_id=opened.pk)
    assert Seek.objects.get().table is None


def test_a_private_table_stays_among_friends(look, person):
    services.open_and_sit(
        user=person("alice"), game="gin-rummy", seats=2, options=None, is_private=True, base_seconds=300,
        increment_seconds=10,
    )  # fmt: skip
    assert look("bob").table is None


# Who is not there


def test_nobody_is_seated_whose_page_is_closed(look, person):
    look("alice")
    services.suspend_seek(user=person("alice"))
    assert look("bob").table is None
    assert services.keep_seeking(user=person("alice")).table == Seek.objects.get(user__username="bob").table is not None


def test_a_slow_game_begins_without_anybody_looking_who_is_told(look, person, django_capture_on_commit_callbacks):
    look("alice", paces=["days-1"])
    services.suspend_seek(user=person("alice"))
    with django_capture_on_commit_callbacks(execute=True):
        table = look("bob", paces=["days-1", "days-3"]).table
    notice = Notice.objects.get(user=person("alice"))
    assert (notice.text, notice.url) == ("Your game has started: Gin Rummy.", table.get_absolute_url())


def test_who_stops_or_stays_away_is_forgotten(look, person):
    look("alice")
    look("bob", game="piquet")
    services.cancel_seek(user=person("alice"))
    services.delete_forgotten_seeks(now=timezone.now())
    assert [one.user.username for one in Seek.objects.all()] == ["bob"]
    services.delete_forgotten_seeks(now=timezone.now() + timedelta(hours=1))
    assert not Seek.objects.exists()


def test_who_sits_down_elsewhere_looks_no_further(look, person, django_capture_on_commit_callbacks):
    look("alice")
    with django_capture_on_commit_callbacks(execute=True):
        services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    assert not Seek.objects.exists()


# Bots


def test_after_the_wait_bots_take_the_seats_if_everybody_agreed(look, house_bot, eager_tasks):
    house_bot("Ada", "casino", "club")
    look("alice", game="casino", seats=[3], bot_level="club")
    look("bob", game="casino", seats=[3], bot_level="club")
    look("carol", game="casino", seats=[4])
    tasks.tick()
    assert not Table.objects.exists()
    later(BOTS_AFTER.seconds)
    tasks.tick()
    table = Table.objects.get()
    assert table.status == Table.Status.RUNNING
    assert names(table) == {"alice", "bob", "bot-casino-Ada"}


def test_no_bot_comes_to_a_rated_game_or_to_one_who_wants_people(look, house_bot):
    house_bot("Ada", "gin-rummy", "club")
    assert look("alice", is_rated=True, bot_level="club").bots_at is None
    assert look("bob", paces=["quick"]).bots_at is None
    later(60)
    assert services.claim_seeks_for_bots(now=timezone.now()) == []


def test_a_second_tick_leaves_the_bots_to_the_first(look):
    look("alice", bot_level="club")
    later(60)
    now = timezone.now()
    assert (len(services.claim_seeks_for_bots(now=now)), services.claim_seeks_for_bots(now=now)) == (1, [])


def test_without_enough_bots_one_goes_on_waiting(look):
    one = look("alice", bot_level="club")
    services.fill_with_bots(seek_id=one.pk)
    assert not Table.objects.exists()
    assert Seek.objects.get().table is None


@pytest.mark.django_db(transaction=True)
def test_people_who_come_at_the_same_moment_are_each_seated_once(person):
    people = [person(f"p{number}") for number in range(6)]
    barrier = threading.Barrier(len(people))

    def look(user):
        try:
            barrier.wait(5)
            services.start_seek(user=user, game="gin-rummy", seats=[2], paces=["standard"])
        finally:
            connection.close()

    threads = [threading.Thread(target=look, args=[user]) for user in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert Table.objects.filter(status=Table.Status.RUNNING).count() == 3
    assert not Seek.objects.waiting().exists()
    assert sorted(name for table in Table.objects.all() for name in names(table)) == [user.username for user in people]


@pytest.mark.django_db(transaction=True)
def test_a_seek_that_is_sent_twice_at_the_same_moment_is_one(person):
    alice, barrier, seeks = person("alice"), threading.Barrier(2), []

    def look():
        try:
            barrier.wait(5)
            seeks.append(services.start_seek(user=alice, game="gin-rummy", seats=[2], paces=["standard"]))
        finally:
            connection.close()

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(seeks) == 2
    assert Seek.objects.get().pk in [seek.pk for seek in seeks]


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
def test_a_guest_who_logs_in_while_a_game_is_found_waits_for_that(look, person, guest):
    """Matching locks the seek, and then the open table at which the guest sits too."""
    table = services.open_and_sit(user=guest, game="casino", seats=2, options=None)
    services.start_seek(user=guest, game="gin-rummy", seats=[2], paces=["standard"])
    ann, is_locked = person("ann"), threading.Event()

    def match():
        with transaction.atomic():
            assert seeking._lock_waiting("gin-rummy", guest)
            is_locked.set()
            wait_for_a_lock()
            lock_table(table.pk)

    def join():
        assert is_locked.wait(10)
        join_account(guest=guest, user=ann)

    at_once(match, join)
    assert table.seats.filter(user=ann).exists()
    assert not Seek.objects.exists()
