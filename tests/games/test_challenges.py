"""Asking somebody to a game."""

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from accounts import blocking
from accounts.services import close_account, export_account_data
from cardsite import celery_app
from games import services, tasks
from games.models import Challenge, Seek, Table
from games.services import TableError
from notifications.models import Notice
from tests.pages import page_html

pytestmark = pytest.mark.django_db


@pytest.fixture
def challenge(person, django_capture_on_commit_callbacks):
    """`challenge("alice", "bob", ...)`: she asks him, and he is told."""

    def ask(by, to, **table):
        with django_capture_on_commit_callbacks(execute=True):
            wanted = {"game": "gin-rummy", "seats": 2, "options": None, **table}
            return services.send_challenge(user=person(by), to=person(to), **wanted)

    return ask


def told(user):
    return [notice.text for notice in Notice.objects.filter(user=user)]


def test_who_accepts_sits_down_and_the_game_begins(challenge, person, as_user):
    asked = challenge("alice", "bob", is_rated=True, base_seconds=300, increment_seconds=10)
    assert told(person("bob")) == ["alice challenges you to Gin Rummy: 5 minutes + 10 seconds a turn, rated."]
    bob = as_user(person("bob"))
    html = page_html(bob.get(asked.get_absolute_url()))
    verify_url = f"{asked.table.get_absolute_url()}verify/"
    assert f'href="{verify_url}"' in html and asked.table.commitment in page_html(bob.get(verify_url))
    answer = bob.post(f"/challenges/{asked.pk}/answer/", {"answer": "accept"})
    table = Table.objects.get()
    assert (answer.url, table.status) == (table.get_absolute_url(), Table.Status.RUNNING)
    assert bob.get(asked.get_absolute_url()).url == table.get_absolute_url()


def test_who_declines_ends_it_and_the_challenger_hears_of_it(
    challenge, person, as_user, django_capture_on_commit_callbacks
):
    asked = challenge("alice", "bob")
    with django_capture_on_commit_callbacks(execute=True):
        as_user(person("bob")).post(f"/challenges/{asked.pk}/answer/", {"answer": "decline"})
    assert Table.objects.get().status == Table.Status.ABORTED
    assert told(person("alice")) == ["bob declined your challenge to Gin Rummy."]
    assert not Notice.objects.unread().filter(user=person("bob")).exists()
    with pytest.raises(TableError, match="no longer open"):
        services.accept_challenge(challenge_id=asked.pk, user=person("bob"))


def test_a_challenge_runs_out_sooner_in_a_game_at_one_sitting(challenge, person):
    soon = challenge("alice", "bob")
    slow = challenge("alice", "carol", move_seconds=86_400)
    overdue = Challenge.objects.overdue(timezone.now() + timedelta(minutes=16))
    for one in overdue:
        services.expire_challenge(challenge_id=one.pk)
    answers = [Challenge.objects.get(pk=one.pk).answer for one in (soon, slow)]
    assert answers == [Challenge.Answer.EXPIRED, Challenge.Answer.NONE]
    assert Table.objects.get(pk=soon.table_id).status == Table.Status.ABORTED
    assert Table.objects.get(pk=slow.table_id).status == Table.Status.OPEN


@pytest.mark.django_db(transaction=True)
def test_a_challenge_that_cannot_be_ended_leaves_the_others_to_the_tick(challenge, eager_tasks):
    broken, sound = challenge("alice", "bob"), challenge("alice", "carol")
    Challenge.objects.update(expires_at=timezone.now())
    celery_app.conf.task_eager_propagates = False

    def refuse_lock(execute, sql, params, *rest):
        if 'FROM "games_table" WHERE "games_table"."id" =' in sql and params[0] == broken.table_id:
            raise OperationalError("canceled: it waited too long for a lock")
        return execute(sql, params, *rest)

    with connection.execute_wrapper(refuse_lock):
        tasks.tick()
    answers = [Challenge.objects.get(pk=one.pk).answer for one in (broken, sound)]
    assert answers == [Challenge.Answer.NONE, Challenge.Answer.EXPIRED]


def test_the_tick_says_that_time_has_run_out(challenge, person, eager_tasks, django_capture_on_commit_callbacks):
    challenge("alice", "bob")
    Challenge.objects.update(expires_at=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        tasks.tick()
    assert told(person("alice")) == ["bob did not answer your challenge to Gin Rummy."]


def test_at_a_larger_table_the_others_may_still_come(challenge, person):
    asked = challenge("alice", "bob", game="casino", seats=3)
    services.decline_challenge(challenge_id=asked.pk, user=person("bob"))
    assert Table.objects.get().status == Table.Status.OPEN


def test_a_withdrawn_challenge_cannot_be_accepted(challenge, person, as_user):
    asked = challenge("alice", "bob")
    services.leave_table(table_id=asked.table_id, user=person("alice"))
    html = page_html(as_user(person("bob")).get(asked.get_absolute_url()))
    assert "over" in html and "Accept" not in html
    with pytest.raises(TableError, match="withdrawn"):
        services.accept_challenge(challenge_id=asked.pk, user=person("bob"))


def test_of_a_withdrawn_challenge_nobody_hears_any_more(
    challenge, person, eager_tasks, django_capture_on_commit_callbacks
):
    asked = challenge("alice", "bob")
    services.leave_table(table_id=asked.table_id, user=person("alice"))
    with django_capture_on_commit_callbacks(execute=True):
        tasks.tick()
    assert Challenge.objects.get().answer == Challenge.Answer.WITHDRAWN
    assert told(person("alice")) == []
    assert not Notice.objects.unread().filter(user=person("bob")).exists()


def test_nobody_is_challenged_by_himself_or_by_who_is_kept_away(challenge, person, house_bot):
    blocking.block_user(blocker=person("bob"), blocked=person("alice"))
    for to, called in (("alice", "yourself"), ("bob", "bob")):
        with pytest.raises(TableError, match=f"You can't challenge {called}"):
            challenge("alice", to)
    with pytest.raises(TableError, match="can't challenge"):
        services.send_challenge(user=person("alice"), to=house_bot("Ada").user, game="casino", seats=2, options=None)
    assert not Table.objects.exists()


def test_the_own_page_and_the_own_form_offer_no_challenge(person, as_user):
    alice = as_user(person("alice"))
    assert "/players/alice/challenge/" not in page_html(alice.get("/players/alice/"))
    for answer in (alice.get("/players/alice/challenge/"), alice.post("/players/alice/challenge/", {"seats": "2"})):
        html = page_html(answer)
        assert "You can't challenge yourself" in html and "Send challenge" not in html
    assert not Table.objects.exists()


def test_the_page_of_a_blocked_player_offers_no_challenge(person, as_user):
    alice, bob = as_user(person("alice")), person("bob")
    blocking.block_user(blocker=person("alice"), blocked=bob)
    html = page_html(alice.get("/players/bob/"))
    assert "Unblock" in html and "/players/bob/challenge/" not in html


def test_only_the_person_who_is_asked_can_answer(challenge, person, as_user, client):
    asked = challenge("alice", "bob")
    assert client.get(asked.get_absolute_url()).status_code == 404
    assert as_user(person("carol")).get(asked.get_absolute_url()).status_code == 404
    assert as_user(person("alice")).get(asked.get_absolute_url()).url == asked.table.get_absolute_url()
    as_user(person("carol")).post(f"/challenges/{asked.pk}/answer/", {"answer": "accept"})
    assert Table.objects.get().status == Table.Status.OPEN


def test_the_page_about_a_person_leads_to_a_challenge_that_waits_at_its_table(person, as_user):
    alice = as_user(person("alice"))
    person("bob")
    link = re.search(r'href="(/players/bob/challenge/)"', page_html(alice.get("/players/bob/")))[1]
    html = page_html(alice.get(f"{link}?game=gin-rummy"))
    assert "Challenge bob" in html and 'name="option-oklahoma"' in html
    key = re.search(r'name="key" value="(\w+)"', html)[1]
    form = {"seats": "2", "pace": "calm", "chat": "free", "key": key, "option-target": "50"}
    first = alice.post(f"{link}?game=gin-rummy", form)
    assert alice.post(f"{link}?game=gin-rummy", form).url == first.url
    table = Table.objects.get()
    assert (table.options["target"], table.is_private, table.challenges.get().to.username) == (50, True, "bob")
    assert "bob can answer until" in page_html(alice.get(first.url))
    assert "Challenges for you" in page_html(as_user(person("bob")).get("/play/"))


def test_after_a_game_one_can_ask_for_another_on_other_terms(table_of, person, as_user):
    table = table_of("alice", "bob")
    services.resign(table_id=table.pk, user=person("bob"))
    html = page_html(as_user(person("alice")).get(table.get_absolute_url()))
    assert 'href="/players/bob/challenge/?game=casino"' in html


def test_challenges_are_limited(person, as_user):
    alice, _ = as_user(person("alice")), person("bob")
    codes = [alice.post("/players/bob/challenge/?game=casino", {"seats": "9"}).status_code for _ in range(21)]
    assert codes == [422] * 20 + [429]


def test_an_account_that_is_closed_waits_for_nothing(challenge, person):
    challenge("alice", "bob")
    services.start_seek(user=person("bob"), game="piquet", seats=[2], paces=["quick"])
    close_account(user=person("bob"))
    assert Challenge.objects.get().answer == Challenge.Answer.DECLINED
    assert not Seek.objects.exists()


def test_an_account_is_closed_although_a_challenge_runs_out_meanwhile(challenge, person, monkeypatch):
    challenge("alice", "bob")
    moments = iter([timezone.now(), timezone.now() + timedelta(hours=1)])  # it waits; then it is answered too late
    monkeypatch.setattr("games.models.challenge.timezone", SimpleNamespace(now=lambda: next(moments)))
    bob = person("bob")
    close_account(user=bob)
    bob.refresh_from_db()
    assert bob.is_former
    assert Challenge.objects.get().answer == Challenge.Answer.NONE


def test_ones_data_hold_what_one_looks_for_and_who_asked_whom(challenge, person):
    challenge("alice", "bob")
    services.start_seek(user=person("bob"), game="piquet", seats=[2], paces=["quick"])
    data = export_account_data(person("bob"))
    assert data["looking for a game"][0]["game"] == "piquet"
    assert data["challenges"][0] | {"at": None} == {
        "by": "alice", "to": "bob", "game": "gin-rummy", "answer": "", "at": None,
    }  # fmt: skip
    assert export_account_data(person("alice"))["challenges"] == data["challenges"]


def test_a_challenge_is_forgotten_thirty_days_after_it_was_over(challenge, person):
    asked, waiting = challenge("alice", "bob"), challenge("carol", "bob")
    services.decline_challenge(challenge_id=asked.pk, user=person("bob"))
    services.prune_challenges(now=asked.expires_at + timedelta(days=29))
    assert Challenge.objects.count() == 2
    services.prune_challenges(now=asked.expires_at + timedelta(days=31))
    assert Challenge.objects.get() == waiting
