"""Browsers commit to their values under the seal of a table, then reveal them; then the cards are dealt, once."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games import services, tasks
from games.core import deals
from games.live import presence
from games.models import Seek, Table
from games.presentation.verification import contribution_of, dealer_source
from games.record import replay
from games.services import TableError
from games.services.shuffling import COMMIT_WITHIN, REVEAL_WITHIN, shuffle_step
from games.signals import table_started
from tests.pages import page_html
from tests.tables import add_values, commit, fresh, reveal

pytestmark = pytest.mark.django_db


@pytest.fixture
def full_table(person):
    """`full_table("alice", "bob")`: all seats are taken by people whose browsers add to the shuffle."""

    def make(*names, **more):
        people = [person(name) for name in names]
        table = services.open_table(game="casino", seats=len(names), options=None, created_by=people[0], **more)
        for user in people:
            services.sit_down(table_id=table.pk, user=user, shuffles=True)
        return fresh(table)

    return make


@pytest.fixture
def started():
    """The ids of the tables that have started, as often as they have."""
    seen = []

    def note(table_id, **kwargs):
        seen.append(table_id)

    table_started.connect(note)
    yield seen
    table_started.disconnect(note)


def pass_time(table):
    """The time is over for what the table waits for now."""
    services.end_overdue_shuffle(table_id=table.pk, now=table.shuffle_due_at)
    return fresh(table)


def kinds(table):
    return [contribution_of(seat) for seat in fresh(table).seats.all()]


def together(*calls):
    """Calls them at the same moment, each in a thread; gives what they raised."""
    at_once, errors = threading.Barrier(len(calls)), []

    def run(call):
        try:
            at_once.wait(10)
            call()
        except TableError as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return errors


# The protocol


def test_a_full_table_waits_for_commitments_then_for_values_then_deals(full_table, person):
    table = full_table("alice", "bob")
    assert (table.status, table.is_shuffling, table.is_revealing) == (Table.Status.OPEN, True, False)
    commit(table, person("alice"), "a1")
    assert not fresh(table).is_revealing
    commit(table, person("bob"), "b2")
    assert fresh(table).is_revealing
    reveal(table, person("bob"), "b2")
    assert fresh(table).status == Table.Status.OPEN
    table = reveal(table, person("alice"), "a1")
    assert (table.status, table.entropy, table.shuffle_due_at) == (Table.Status.RUNNING, "a1,b2", None)
    assert not table.is_revealing
    assert kinds(table) == ["browser", "browser"]


def test_a_browser_may_commit_while_seats_are_free(person):
    table = services.open_table(game="casino", seats=2, options=None, created_by=person("alice"))
    services.sit_down(table_id=table.pk, user=person("alice"), shuffles=True)
    commit(table, person("alice"))
    table = services.sit_down(table_id=table.pk, user=person("bob"), shuffles=True)
    assert [shuffle_step(seat) for seat in table.seats.all()] == ["", "reveal"]
    commit(table, person("bob"))
    assert [shuffle_step(seat) for seat in fresh(table).seats.all()] == ["reveal", "reveal"]


def test_the_seal_is_published_before_any_contribution_and_stays(full_table):
    table = full_table("alice", "bob")
    seal = table.commitment
    assert seal == deals.commitment(bytes(table.secret))
    assert table.commitments == table.entropy == ","
    assert add_values(table).commitment == seal


def test_one_person_with_bots_commits_and_reveals_in_one_request(person, house_bot):
    house_bot("Ada")
    table = services.open_and_sit(
        user=person("alice"), shuffles=True, bot_level="first-steps", game="casino", seats=2, options=None
    )
    assert shuffle_step(table.seat_of(person("alice").pk)) == "reveal"
    table = reveal(table, person("alice"))
    assert table.status == Table.Status.RUNNING
    assert kinds(table) == ["browser", "none"]


def test_people_without_script_and_bots_start_at_once_with_what_the_site_makes(person, house_bot):
    house_bot("Ada")
    table = services.open_and_sit(user=person("alice"), bot_level="first-steps", game="casino", seats=2, options=None)
    assert table.status == Table.Status.RUNNING
    assert kinds(table) == ["site", "none"]
    site = table.seats.first()
    assert site.commitment == deals.bound_commitment(table.commitment, site.entropy)


def test_who_has_no_script_does_not_hold_up_whose_browser_adds(person):
    table = services.open_and_sit(user=person("alice"), shuffles=True, game="casino", seats=2, options=None)
    table = services.sit_down(table_id=table.pk, user=person("bob"))
    assert table.is_shuffling
    assert reveal(table, person("alice")).status == Table.Status.RUNNING
    assert kinds(table) == ["browser", "site"]


# What is refused


def test_a_contribution_for_another_seal_is_refused(full_table, person):
    table, other = full_table("alice", "bob"), full_table("alice", "carol")
    commit(other, person("alice"))
    theirs = {"seal": other.commitment, "commitment": other.seats.first().commitment}
    with pytest.raises(TableError, match="another deal"):
        services.add_to_shuffle(table_id=table.pk, user=person("alice"), **theirs)
    assert not fresh(table).seats.first().commitment


def test_a_commitment_to_another_seal_cannot_be_revealed(full_table, person):
    table = full_table("alice", "bob")
    theirs = deals.bound_commitment("0" * 64, "ab")
    own = {"table_id": table.pk, "user": person("alice"), "seal": table.commitment, "commitment": theirs}
    services.add_to_shuffle(**own)
    commit(table, person("bob"))
    with pytest.raises(TableError, match="isn't the number your browser committed to"):
        services.add_to_shuffle(**own, value="ab")
    assert not fresh(table).seats.first().entropy


def test_a_value_that_was_not_committed_to_is_refused_also_with_a_commitment_of_its_own(full_table, person):
    table = full_table("alice", "bob")
    for name in ("alice", "bob"):
        commit(table, person(name))
    committed = fresh(table).seats.first().commitment
    with pytest.raises(TableError, match="isn't the number"):
        reveal(table, person("alice"), "cd", commitment=committed)
    with pytest.raises(TableError, match="Another of your browsers"):
        reveal(table, person("alice"), "cd")
    assert not fresh(table).seats.first().entropy


def test_a_commitment_that_is_sent_twice_counts_once_and_the_first_one_stays(full_table, person):
    table = full_table("alice", "bob")
    for _ in range(2):
        commit(table, person("alice"))
    with pytest.raises(TableError, match="Another of your browsers"):
        commit(table, person("alice"), "cd")
    assert fresh(table).seats.first().commitment == deals.bound_commitment(table.commitment, "ab")


def test_what_is_sent_again_after_the_deal_has_arrived_already(full_table, person):
    table = add_values(full_table("alice", "bob"))
    assert reveal(table, person("alice")).version == table.version
    assert commit(table, person("alice")).version == table.version


def test_nobody_reveals_while_others_have_not_committed(full_table, person):
    table = full_table("alice", "bob")
    with pytest.raises(TableError, match="too early"):
        reveal(table, person("alice"))
    assert not fresh(table).seats.first().commitment


def test_only_those_who_sit_there_and_said_so_add_to_the_shuffle(person):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    with pytest.raises(TableError, match="The site has made a number"):
        commit(table, person("alice"))
    with pytest.raises(TableError, match="have a seat"):
        commit(table, person("carol"))


def test_who_is_not_logged_in_does_not_pass_for_the_person_in_an_empty_seat(person, client):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    sent = {"seal": table.commitment, "commitment": "0" * 64}
    assert client.post(f"{table.get_absolute_url()}shuffle/", sent).status_code == 409
    answer = client.post(f"{table.get_absolute_url()}leave/", follow=True)
    assert "have a seat at this table." in page_html(answer)
    assert fresh(table).version == table.version


# Time


def test_who_does_not_commit_in_time_is_left_out_and_the_others_count(full_table, person):
    table = full_table("alice", "bob", "carol")
    for name in ("alice", "bob"):
        commit(table, person(name))
    table = pass_time(fresh(table))
    assert table.is_revealing
    with pytest.raises(TableError, match="too late"):
        commit(table, person("carol"))
    for name in ("alice", "bob"):
        table = reveal(table, person(name))
    assert (table.status, table.entropy) == (Table.Status.RUNNING, "ab,ab,")
    assert kinds(table) == ["browser", "browser", "not committed"]


def test_who_does_not_reveal_in_time_is_left_out(full_table, person, client):
    table = full_table("alice", "bob")
    for name in ("alice", "bob"):
        commit(table, person(name))
    reveal(table, person("alice"))
    table = pass_time(fresh(table))
    assert (table.status, table.entropy) == (Table.Status.RUNNING, "ab,")
    assert kinds(table) == ["browser", "not revealed"]
    with pytest.raises(TableError, match="too late"):
        reveal(table, person("bob"))
    html = page_html(client.get(f"{table.get_absolute_url()}verify/"))
    assert "reveal its number in time" in html


def test_if_nobody_sends_anything_the_game_begins_all_the_same(full_table):
    table = pass_time(full_table("alice", "bob"))
    assert table.status == Table.Status.RUNNING
    assert kinds(table) == ["not committed", "not committed"]


def test_the_tick_ends_what_is_overdue_and_nothing_before(full_table, person, eager_tasks):
    table = full_table("alice", "bob")
    tasks.tick()
    assert fresh(table).is_shuffling and not fresh(table).is_revealing
    assert table.shuffle_due_at <= timezone.now() + COMMIT_WITHIN
    commit(table, person("alice"))
    Table.objects.update(shuffle_due_at=timezone.now())
    tasks.tick()
    table = fresh(table)
    assert table.is_revealing and table.shuffle_due_at > timezone.now() + REVEAL_WITHIN - timedelta(seconds=4)
    tasks.tick()
    assert fresh(table).is_revealing
    Table.objects.update(shuffle_due_at=timezone.now())
    tasks.tick()
    assert fresh(table).status == Table.Status.RUNNING


def test_a_late_second_tick_does_not_shorten_the_time_to_reveal(full_table, person):
    table = full_table("alice", "bob")
    due = table.shuffle_due_at
    commit(table, person("alice"))
    for _ in range(2):
        services.end_overdue_shuffle(table_id=table.pk, now=due)
    assert fresh(table).is_revealing


# Seats


def test_a_full_table_that_shuffles_is_not_listed_and_takes_nobody(full_table, person, client):
    table = full_table("alice", "bob")
    assert table.code not in page_html(client.get("/play/"))
    with pytest.raises(TableError, match="All seats are taken"):
        services.sit_down(table_id=table.pk, user=person("carol"))
    services.complete_table(table_id=table.pk)
    services.start_seek(user=person("dora"), game="casino", seats=[2], paces=["none"])
    assert [seat.user for seat in fresh(table).seats.all()] == [person("alice"), person("bob")]


def test_who_leaves_during_the_shuffle_frees_the_seat_and_everybody_adds_anew(full_table, person):
    table = full_table("alice", "bob")
    seal, secret = table.commitment, bytes(table.secret)
    for name in ("alice", "bob"):
        commit(table, person(name))
    reveal(table, person("alice"))
    services.leave_table(table_id=table.pk, user=person("bob"))
    table = fresh(table)
    assert (table.status, table.is_shuffling, table.is_revealing) == (Table.Status.OPEN, False, False)
    assert (table.commitments, table.entropy) == (",", ",")
    assert table.commitment != seal and bytes(table.secret) != secret
    assert table.commitment == deals.commitment(bytes(table.secret))
    services.sit_down(table_id=table.pk, user=person("carol"), shuffles=True)
    assert add_values(fresh(table)).status == Table.Status.RUNNING


def test_what_the_site_made_is_made_anew_for_the_new_seal(person):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    services.sit_down(table_id=table.pk, user=person("bob"), shuffles=True)
    services.leave_table(table_id=table.pk, user=person("bob"))
    site = fresh(table).seats.first()
    assert site.commitment == deals.bound_commitment(fresh(table).commitment, site.entropy)


def test_if_all_leave_during_the_shuffle_the_table_is_given_up(full_table, person, eager_tasks):
    table = full_table("alice", "bob")
    for name in ("alice", "bob"):
        services.leave_table(table_id=table.pk, user=person(name))
    assert fresh(table).status == Table.Status.ABORTED
    tasks.tick()
    assert fresh(table).status == Table.Status.ABORTED


def test_who_leaves_before_the_table_is_full_takes_the_commitment_along(person):
    table = services.open_and_sit(user=person("alice"), shuffles=True, game="casino", seats=3, options=None)
    services.sit_down(table_id=table.pk, user=person("bob"), shuffles=True)
    for name in ("alice", "bob"):
        commit(table, person(name))
    services.leave_table(table_id=table.pk, user=person("bob"))
    committed = deals.bound_commitment(table.commitment, "ab")
    assert [seat.commitment for seat in fresh(table).seats.all()] == [committed, "", ""]


def test_players_who_are_moved_to_another_table_commit_there(person):
    def pair(*names):
        people = [person(name) for name in names]
        terms = {"game": "partnership-cribbage", "seats": 4, "options": None, "base_seconds": 300}
        table = services.open_and_sit(user=people[0], shuffles=True, **terms)
        services.sit_down(table_id=table.pk, user=people[1], seat=2, shuffles=True)
        for user in people:
            commit(table, user)
            presence.record_request(table.pk, user.pk)
        return table

    first, second = pair("alice", "bob"), pair("carol", "dora")
    services.complete_table(table_id=second.pk)
    table = fresh(first)
    assert fresh(second).moved_to == table and table.is_shuffling
    committed = deals.bound_commitment(table.commitment, "ab")
    assert [seat.commitment for seat in table.seats.all()] == [committed, "", committed, ""]
    with pytest.raises(TableError, match="another deal"):
        services.add_to_shuffle(table_id=table.pk, user=person("carol"), seal=second.commitment, commitment=committed)
    assert add_values(table).status == Table.Status.RUNNING


# However a table comes about


def test_a_rematch_publishes_its_seal_before_it_takes_contributions(table_of, person):
    old = services.resign(table_id=table_of("alice", "bob").pk, user=person("bob"))
    new = services.join_rematch(table_id=old.pk, user=person("alice"), shuffles=True)
    assert new.commitment == deals.commitment(bytes(new.secret)) != old.commitment
    assert new.commitments == ","
    commit(new, person("alice"))
    new = services.join_rematch(table_id=old.pk, user=person("bob"), shuffles=True)
    assert new.is_shuffling
    with pytest.raises(TableError, match="another deal"):
        services.add_to_shuffle(table_id=new.pk, user=person("bob"), seal=old.commitment, commitment="0" * 64)
    new = add_values(fresh(new))
    assert (new.status, dealer_source(new), new.first_dealer) == (Table.Status.RUNNING, "rematch", old.first_dealer)


def test_people_who_find_each_other_contribute_to_the_seal_of_their_table(person):
    wants = {"game": "gin-rummy", "seats": [2], "paces": ["standard"], "shuffles": True}
    services.start_seek(user=person("alice"), **wants)
    table = services.join_seek(seek_id=Seek.objects.get().pk, user=person("bob"), shuffles=True).table
    assert table.is_shuffling and table.commitments == ","
    assert Seek.objects.get(user=person("alice")).table == table
    table = add_values(fresh(table))
    assert (table.status, kinds(table)) == (Table.Status.RUNNING, ["browser", "browser"])


def test_bots_that_come_to_a_lonely_seeker_wait_for_the_browser(person, house_bot):
    house_bot("Ada", "gin-rummy", "club")
    wants = {"game": "gin-rummy", "seats": [2], "paces": ["standard"], "bot_level": "club"}
    seek = services.start_seek(user=person("alice"), shuffles=True, **wants)
    services.fill_with_bots(seek_id=seek.pk)
    table = Table.objects.get()
    assert table.is_shuffling
    assert reveal(table, person("alice")).status == Table.Status.RUNNING


def test_a_challenge_is_played_with_the_numbers_of_both(person):
    asked = services.send_challenge(
        user=person("alice"), to=person("bob"), shuffles=True, game="gin-rummy", seats=2, options=None
    )
    commit(asked.table, person("alice"))
    table = services.accept_challenge(challenge_id=asked.pk, user=person("bob"), shuffles=True)
    assert table.is_shuffling
    assert kinds(add_values(table)) == ["browser", "browser"]


def test_a_challenge_to_a_table_that_filled_up_otherwise_is_over_and_nobody_is_sent_away(person, client):
    alice, bob = person("alice"), person("bob")
    asked = services.send_challenge(user=alice, to=bob, shuffles=True, game="gin-rummy", seats=2, options=None)
    services.sit_down(table_id=asked.table_id, user=person("carol"), shuffles=True)
    with pytest.raises(TableError, match="This challenge is no longer open"):
        services.decline_challenge(challenge_id=asked.pk, user=bob)
    services.expire_challenge(challenge_id=asked.pk)
    table = fresh(asked.table)
    assert table.is_shuffling and table.seat_of(alice.pk)
    add_values(table)
    services.expire_challenge(challenge_id=asked.pk)
    asked.refresh_from_db()
    assert asked.answer == asked.Answer.WITHDRAWN


# At the same moment


@pytest.mark.django_db(transaction=True)
def test_values_that_arrive_at_the_same_moment_start_one_game(full_table, person, started):
    table = full_table("alice", "bob", "carol")
    for name in ("alice", "bob", "carol"):
        commit(table, person(name))
    calls = [lambda name=name: reveal(table, person(name)) for name in ("alice", "bob", "carol")]
    assert together(*calls) == []
    assert (fresh(table).status, fresh(table).entropy) == (Table.Status.RUNNING, "ab,ab,ab")
    assert started == [table.pk]


@pytest.mark.django_db(transaction=True)
def test_commitments_that_arrive_at_the_same_moment_all_stand(full_table, person):
    table = full_table("alice", "bob")
    assert together(*(lambda name=name: commit(table, person(name)) for name in ("alice", "bob"))) == []
    assert fresh(table).is_revealing and all(seat.commitment for seat in fresh(table).seats.all())


@pytest.mark.django_db(transaction=True)
def test_a_tick_and_the_last_value_at_the_same_moment_start_one_game(full_table, person, started):
    table = full_table("alice", "bob")
    for name in ("alice", "bob"):
        commit(table, person(name))
    reveal(table, person("alice"))
    due = fresh(table).shuffle_due_at
    refused = together(
        lambda: reveal(table, person("bob")),
        lambda: services.end_overdue_shuffle(table_id=table.pk, now=due),
        lambda: services.end_overdue_shuffle(table_id=table.pk, now=due),
    )
    assert fresh(table).status == Table.Status.RUNNING
    assert started == [table.pk]
    assert fresh(table).entropy == ("ab," if refused else "ab,ab")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["/games/casino/", "/players/bob/challenge/?game=casino"])
def test_a_form_that_is_sent_twice_at_the_same_moment_opens_one_table(person, as_user, address):
    person("bob")
    form = {"company": "link", "level": "club", "seats": "2", "pace": "calm", "chat": "free", "key": "0" * 32}
    browsers, answers = [as_user(person("alice")) for _ in range(2)], []
    together(*(lambda browser=browser: answers.append(browser.post(address, form)) for browser in browsers))
    assert [answer.status_code for answer in answers] == [302, 302]
    assert {answer.url for answer in answers} == {Table.objects.get().get_absolute_url()}


# What is not dealt yet


def test_a_move_that_is_sent_before_the_deal_changes_nothing_that_is_dealt(table_of, person, as_user):
    old = services.resign(table_id=table_of("alice", "bob", game="gin-rummy").pk, user=person("bob"))
    table = services.join_rematch(table_id=old.pk, user=person("alice"), shuffles=True)
    alice = as_user(person("alice"))
    alice.post(f"{table.get_absolute_url()}moves/", {"version": "1", "text": "2C", "is_selection": "1"})
    services.join_rematch(table_id=old.pk, user=person("bob"), shuffles=True)
    table = add_values(fresh(table))
    assert replay.state_of(table).dump() == replay.first_state(table).dump()
