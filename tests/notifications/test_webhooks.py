"""Webhooks: making them, what they send and how it is signed, retries, turning off, and who may see them."""

import hashlib
import hmac
import json
import re
import socket
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import timezone
from django.utils.datastructures import CaseInsensitiveMapping

from accounts import bots, services
from games import services as games
from notifications import tasks, webhooks
from notifications.models import Webhook, WebhookDelivery
from tests.api import Program, problem
from tests.pages import page_html

pytestmark = pytest.mark.django_db


@pytest.fixture
def receiver(push_service, settings):
    """A server on this machine that takes deliveries."""
    settings.WEBHOOKS_TO_LOOPBACK = True
    return push_service


@pytest.fixture
def hook_of(person, receiver):
    """`hook_of("alice")`: a webhook of alice for all kinds."""

    def make(name, *, kinds=webhooks.KINDS):
        hook, _ = webhooks.make_webhook(
            user=person(name), url=f"{receiver.origin}/hook", kinds=kinds, site="https://cards.example"
        )
        return hook

    return make


def published(hook, kind="bot.turn", **said):
    webhooks.publish(Webhook.objects.filter(pk=hook.pk), kind, [said])
    return hook.deliveries.latest("pk")


def tried(delivery, *, now=None):
    webhooks.deliver(delivery.pk, now=now or timezone.now())
    delivery.refresh_from_db()
    return delivery


# Delivery


def example():
    """The function of the documentation that checks a signature."""
    text = (settings.BASE_DIR / "docs" / "api.md").read_text()
    [code] = re.findall(r"```python\n(import hashlib.*?)```", text, re.DOTALL)
    names = {}
    exec(code, names)
    return names["is_genuine"]


def test_a_message_arrives_signed_as_the_documentation_checks_it(hook_of, receiver):
    hook = hook_of("alice")
    delivery = tried(published(hook, bot="Deep", links={"page": "/tables/abc/"}))
    [(headers, body)] = receiver.got
    expected = hmac.new(
        webhooks.secret_of(hook).encode(), headers["webhook-timestamp"].encode() + b"." + body, hashlib.sha256
    ).hexdigest()
    assert headers["webhook-signature"] == f"sha256={expected}"
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 10
    assert example()(webhooks.secret_of(hook), CaseInsensitiveMapping(headers), body)
    assert not example()(webhooks.secret_of(hook), CaseInsensitiveMapping(headers), body + b" ")
    told = json.loads(body)
    assert told.pop("time") == delivery.created_at.isoformat()
    assert told == {
        "id": str(delivery.uid), "kind": "bot.turn", "bot": "Deep", "links": {"page": "https://cards.example/tables/abc/"},
    }  # fmt: skip
    assert headers["webhook-id"] == told["id"]
    assert (delivery.status, delivery.problem, delivery.due_at, delivery.attempts) == (201, "", None, 1)
    assert delivery.delivered_at is not None


def test_secrets_differ_and_are_not_stored(hook_of, person):
    first, second = hook_of("alice"), hook_of("alice")
    secrets = {webhooks.secret_of(first), webhooks.secret_of(second)}
    assert len(secrets) == 2
    assert not any(secret in str(list(Webhook.objects.values())) for secret in secrets)


def test_a_delivery_is_sent_once_however_many_tasks_it_has(hook_of, receiver):
    delivery = published(hook_of("alice"))
    tasks.deliver_webhook(delivery.pk)
    tasks.deliver_webhook(delivery.pk)
    assert len(receiver.got) == 1


@pytest.fixture
def while_sending(monkeypatch):
    """`while_sending(act)`: the next delivery asks for the address of its host, and `act` runs before the answer."""

    def once(act):
        resolve = socket.getaddrinfo

        def act_first(*arguments, **named):
            monkeypatch.setattr(socket, "getaddrinfo", resolve)
            act()
            return resolve(*arguments, **named)

        monkeypatch.setattr(socket, "getaddrinfo", act_first)

    return once


def test_a_second_task_while_the_first_is_sending_does_nothing(hook_of, receiver, while_sending):
    delivery = published(hook_of("alice"))
    while_sending(lambda: tasks.deliver_webhook(delivery.pk))
    tasks.deliver_webhook(delivery.pk)
    assert len(receiver.got) == 1


def test_a_webhook_that_is_turned_off_while_it_sends_gets_no_retry(hook_of, receiver, while_sending):
    hook, receiver.status = hook_of("alice"), 500
    delivery = published(hook)
    while_sending(lambda: webhooks.turn_off(hook))
    tried(delivery)
    assert (delivery.due_at, delivery.problem) == (None, "The webhook was turned off.")


def test_a_message_that_is_to_be_sent_again_while_it_is_sent_stays_due(hook_of, receiver, while_sending):
    delivery = published(hook_of("alice"))
    while_sending(lambda: webhooks.redeliver(delivery))
    tried(delivery)
    assert webhooks.due_deliveries(now=timezone.now()) == [delivery.pk]


def test_publishing_queues_the_delivery_on_commit(hook_of, receiver, eager_tasks, django_capture_on_commit_callbacks):
    hook = hook_of("alice")
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        published(hook)
        assert not receiver.got
    assert len(receiver.got) == 1


def test_a_kind_that_is_not_wanted_is_not_sent(hook_of):
    hook = hook_of("alice", kinds=["bot.game_over"])
    webhooks.publish(Webhook.objects.all(), "bot.turn", [{}])
    assert not hook.deliveries.exists()


@pytest.mark.parametrize("status", [302, 400, 404, 500])
def test_a_failure_is_retried_later_and_later_and_then_given_up(hook_of, receiver, status):
    receiver.status = status
    delivery, now = published(hook_of("alice")), timezone.now()
    waits = []
    while delivery.due_at is not None:
        now = max(now, delivery.due_at)
        assert webhooks.due_deliveries(now=now) == [delivery.pk]
        tried(delivery, now=now)
        assert (delivery.status, delivery.problem) == (status, f"The answer was {status}.")
        if delivery.due_at is not None:
            assert webhooks.due_deliveries(now=now) == []
            waits.append(delivery.due_at - now)
    assert waits == webhooks.RETRY_AFTER
    assert len(receiver.got) == len(waits) + 1
    assert len({body for _, body in receiver.got}) == 1
    assert delivery.delivered_at is None


def test_a_success_ends_the_row_of_failures(hook_of, receiver):
    hook, now = hook_of("alice"), timezone.now()
    receiver.status = 500
    tried(published(hook))
    hook.refresh_from_db()
    assert hook.failures == 1 and hook.failing_since is not None
    receiver.status = 200
    tried(hook.deliveries.get(), now=now + timedelta(hours=1))
    hook.refresh_from_db()
    assert (hook.failures, hook.failing_since) == (0, None)


def test_a_task_that_was_lost_is_repeated_by_the_tick(hook_of, receiver, eager_tasks):
    delivery = published(hook_of("alice"))
    tasks.tick()
    delivery.refresh_from_db()
    assert delivery.delivered_at and len(receiver.got) == 1


def test_after_many_failures_over_a_day_it_is_turned_off_and_its_owner_is_notified(hook_of, receiver, person):
    hook, now = hook_of("alice"), timezone.now() + timedelta(minutes=1)
    receiver.status = 500
    for number in range(webhooks.MOST_FAILURES):
        hook.refresh_from_db()
        assert hook.is_on
        tried(published(hook), now=now + timedelta(hours=2 * number))
    waiting = hook.deliveries.exclude(due_at=None).count()
    hook.refresh_from_db()
    assert not hook.is_on and "failed too often" in hook.off_because and waiting == 0
    [notice] = person("alice").notices.all()
    assert "turned off" in notice.text and notice.url == hook.get_absolute_url()
    webhooks.publish(Webhook.objects.all(), "bot.turn", [{}])
    assert hook.deliveries.count() == webhooks.MOST_FAILURES


def test_many_failures_within_minutes_do_not_turn_it_off(hook_of, receiver):
    hook = hook_of("alice")
    receiver.status = 503
    for _ in range(webhooks.MOST_FAILURES + 5):
        tried(published(hook))
    hook.refresh_from_db()
    assert hook.is_on


def test_not_more_than_so_many_deliveries_wait(hook_of, monkeypatch):
    monkeypatch.setattr(webhooks, "MOST_WAITING", 3)
    hook = hook_of("alice")
    webhooks.publish(Webhook.objects.all(), "bot.turn", [{}] * 5)
    webhooks.publish(Webhook.objects.all(), "bot.turn", [{}])
    assert hook.deliveries.count() == 3


def test_an_address_that_has_become_private_is_not_asked(hook_of, receiver, settings):
    delivery = published(hook_of("alice"))
    settings.WEBHOOKS_TO_LOOPBACK = False
    tried(delivery)
    assert delivery.problem and delivery.status is None and receiver.got == []


def test_old_deliveries_are_deleted(hook_of):
    hook = hook_of("alice")
    old, new = published(hook), published(hook)
    WebhookDelivery.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=15))
    tasks.prune()
    assert [*hook.deliveries.all()] == [new]


# Bots


def kinds_sent(hook):
    return [(row.kind, json.loads(row.body)["bot"]) for row in hook.deliveries.order_by("pk")]


@pytest.fixture
def bot_table(person, table_of, django_capture_on_commit_callbacks):
    """A table of Deep, a bot of alice, and bob."""
    deep, _ = bots.register_bot(owner=person("alice"), name="Deep")

    def make(**more):
        with django_capture_on_commit_callbacks(execute=True):
            return table_of("Deep", "bob", **more)

    return make


def test_the_owner_of_a_bot_is_told_of_its_turns_and_the_end(
    hook_of, person, bot_table, play_on, django_capture_on_commit_callbacks
):
    hook, other = hook_of("alice"), hook_of("bob")
    table = bot_table()
    assert sorted(kinds_sent(hook)) == [("bot.game_started", "Deep"), ("bot.turn", "Deep")]
    with django_capture_on_commit_callbacks(execute=True):
        games.resign(table_id=table.pk, user=person("bob"))
    assert ("bot.game_over", "Deep") in kinds_sent(hook)
    assert not other.deliveries.exists(), "only owners of bots are told"


def test_a_message_about_a_table_has_no_cards(hook_of, bot_table):
    hook = hook_of("alice")
    table = bot_table()
    told = json.loads(hook.deliveries.filter(kind="bot.turn").get().body)
    assert told.keys() == {"id", "kind", "time", "bot", "game", "table", "version", "links"}
    assert told["links"]["api"] == f"https://cards.example/api/v1/tables/{table.code}"


# Pages


@pytest.fixture
def alice(person, as_user):
    return as_user(person("alice"))


def test_a_webhook_is_made_and_its_secret_shown_once(alice, receiver):
    sent = {"url": f"{receiver.origin}/hook", "kinds": ["bot.turn", "event.started"]}
    page = alice.post("/notices/webhooks/", sent)
    hook = Webhook.objects.get()
    secret = webhooks.secret_of(hook)
    assert (hook.url, hook.kinds, hook.site) == (sent["url"], sent["kinds"], "http://testserver")
    assert secret in page.content.decode()
    for path in ("/notices/webhooks/", hook.get_absolute_url(), "/accounts/"):
        assert secret not in alice.get(path).content.decode()


@pytest.mark.parametrize(
    "url",
    ["http://example.org/", "https://127.0.0.1/", "https://localhost/", "https://ann:b@example.org/", "https://[::1]/"],
)
def test_an_address_that_is_not_public_is_refused(alice, url):
    page = alice.post("/notices/webhooks/", {"url": url, "kinds": ["bot.turn"]})
    assert page.status_code == 422 and not Webhook.objects.exists()


def test_there_is_a_limit(alice, hook_of, receiver, monkeypatch):
    monkeypatch.setattr(webhooks, "MOST_WEBHOOKS", 1)
    hook_of("alice")
    page = alice.post("/notices/webhooks/", {"url": f"{receiver.origin}/", "kinds": ["bot.turn"]})
    assert page.status_code == 422 and "You have 1 webhooks" in page.content.decode()


def test_a_message_of_the_log_is_sent_again(alice, hook_of, receiver, eager_tasks, django_capture_on_commit_callbacks):
    hook = hook_of("alice")
    receiver.status = 500
    delivery = tried(published(hook))
    WebhookDelivery.objects.update(due_at=None, attempts=6)
    receiver.status = 200
    assert "The answer was 500." in alice.get(hook.get_absolute_url()).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        alice.post(f"/notices/webhooks/deliveries/{delivery.pk}/repeat/")
    delivery.refresh_from_db()
    assert (delivery.status, delivery.problem) == (200, "")
    assert receiver.got[0][1] == receiver.got[1][1]
    assert "Delivered: the answer was 200." in alice.get(hook.get_absolute_url()).content.decode()


def test_it_is_turned_off_and_on_and_deleted(alice, hook_of):
    hook = hook_of("alice")
    waiting = published(hook)
    assert 'name="off"' in page_html(alice.get(hook.get_absolute_url()))
    for _ in range(2):  # a form that is sent twice
        alice.post(f"/notices/webhooks/{hook.pk}/switch/", {"off": "yes"})
    hook.refresh_from_db()
    waiting.refresh_from_db()
    assert not hook.is_on and waiting.due_at is None
    alice.post(f"/notices/webhooks/deliveries/{waiting.pk}/repeat/")
    waiting.refresh_from_db()
    assert waiting.due_at is None
    assert 'name="off"' not in page_html(alice.get(hook.get_absolute_url()))
    for _ in range(2):
        alice.post(f"/notices/webhooks/{hook.pk}/switch/")
    hook.refresh_from_db()
    assert hook.is_on
    alice.post(f"/notices/webhooks/{hook.pk}/delete/")
    assert not Webhook.objects.exists()


def test_nobody_else_sees_or_changes_it(person, as_user, hook_of):
    hook = hook_of("alice")
    delivery, bob = published(hook), as_user(person("bob"))
    assert bob.get(hook.get_absolute_url()).status_code == 404
    for path in (f"{hook.pk}/switch/", f"{hook.pk}/delete/", f"deliveries/{delivery.pk}/repeat/"):
        assert bob.post(f"/notices/webhooks/{path}").status_code == 404
    hook.refresh_from_db()
    assert hook.is_on
    assert Client().get(hook.get_absolute_url()).status_code == 302


def test_the_api_lists_them_without_the_secret(person, hook_of):
    hook = hook_of("alice")
    answer = Program(person("alice")).get("/webhooks")
    assert [row["url"] for row in answer.json()] == [hook.url]
    assert webhooks.secret_of(hook) not in answer.content.decode() and hook.nonce not in answer.content.decode()
    assert Program(person("bob")).get("/webhooks").json() == []
    assert problem(Program(person("alice"), scopes=["play"]).get("/webhooks")) == (403, "scope")


# Accounts


def test_a_data_export_has_them_and_closing_deletes_them(person, hook_of):
    hook = hook_of("alice")
    published(hook)
    [exported] = services.export_account_data(person("alice"))["webhooks"]
    assert exported["url"] == hook.url and exported["deliveries"][0]["kind"] == "bot.turn"
    assert hook.nonce not in str(exported)
    services.close_account(user=person("alice"))
    assert not Webhook.objects.exists() and not WebhookDelivery.objects.exists()


def test_a_suspended_owner_is_not_told_anything(person, hook_of, receiver):
    hook = hook_of("alice")
    delivery = published(hook)
    services.suspend_account(user=person("alice"), why="cheating")
    tried(delivery)
    webhooks.publish(Webhook.objects.all(), "bot.turn", [{}])
    assert receiver.got == [] and hook.deliveries.count() == 1


# A test message


def test_a_test_message_is_sent_whatever_kinds_the_webhook_takes(hook_of, receiver, person):
    hook = hook_of("alice", kinds=["bot.turn"])
    program = Program(person("alice"), scopes=["read"])
    answer = program.post(f"/webhooks/{hook.pk}/test")
    assert answer.status_code == 200
    tried(hook.deliveries.get())
    [(_, body)] = receiver.got
    told = json.loads(body)
    assert (told["id"], told["kind"]) == (answer.json()["id"], "test")
    assert told["links"] == {"page": f"https://cards.example{hook.get_absolute_url()}"}


def test_the_page_of_a_webhook_sends_a_test(hook_of, client, person):
    hook = hook_of("alice")
    client.force_login(person("alice"))
    page = client.get(hook.get_absolute_url()).content.decode()
    [action] = re.findall(r'action="([^"]+/test/)"', page)
    assert client.post(action).status_code == 302
    assert hook.deliveries.get().kind == "test"
    webhooks.turn_off(hook)
    assert "/test/" not in client.get(hook.get_absolute_url()).content.decode()
    client.post(action)
    assert hook.deliveries.count() == 1


def test_tests_are_refused_of_others_webhooks_when_off_and_when_too_many_wait(hook_of, person):
    hook = hook_of("alice")
    assert problem(Program(person("mallory")).post(f"/webhooks/{hook.pk}/test")) == (404, "not-found")
    program = Program(person("alice"))
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=hook, kind="test", body="{}", due_at=timezone.now())
        for _ in range(webhooks.MOST_WAITING)
    )
    assert problem(program.post(f"/webhooks/{hook.pk}/test")) == (422, "refused")
    webhooks.turn_off(hook)
    assert problem(program.post(f"/webhooks/{hook.pk}/test")) == (422, "refused")
