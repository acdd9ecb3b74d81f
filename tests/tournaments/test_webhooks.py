"""Webhooks of directors: what happens in an event is told to them, and to nobody else."""

import json

import pytest

from accounts import bots
from notifications import webhooks
from notifications.models import Webhook, WebhookDelivery
from tests.tournaments.factories import lose, match_of, person, started
from tournaments import services
from tournaments.models import Event, EventRole

pytestmark = pytest.mark.django_db


@pytest.fixture
def hook_of(settings):
    settings.WEBHOOKS_TO_LOOPBACK = True

    def make(name):
        hook, _ = webhooks.make_webhook(
            user=person(name), url="http://127.0.0.1:9/hook", kinds=webhooks.KINDS, site="https://cards.example"
        )
        return hook

    return make


def told(hook):
    return [json.loads(row.body) for row in hook.deliveries.order_by("pk")]


def kinds(hook):
    return [said["kind"] for said in told(hook)]


@pytest.fixture
def boss(event, hook_of):
    """The webhook of the director of an event."""
    return hook_of("boss")


def directed(noon):
    Event.objects.filter(pk=noon.pk).update(created_by=person("boss"))
    noon.refresh_from_db()
    return noon


def test_a_knock_out_from_its_start_to_its_end(event, boss):
    noon = started(directed(event(people="ann bob")))
    assert kinds(boss) == ["event.started", "event.round_published"]
    lose(noon, "bob")
    assert kinds(boss)[2:] == ["event.match_decided", "event.finished"]
    decided = told(boss)[2]
    assert decided["event"] == {"id": noon.pk, "name": noon.name, "status": "running"}
    places = {side["name"]: side["place"] for side in decided["match"]["sides"]}
    assert places == {"ann": 1, "bob": 2} and decided["match"]["round"] == 1
    assert decided["links"] == {
        "page": f"https://cards.example/tournaments/{noon.pk}/",
        "api": f"https://cards.example/api/v1/tournaments/{noon.pk}",
    }
    assert told(boss)[3]["event"]["status"] == "finished"


def test_what_a_director_decides_and_corrects(event, boss):
    noon = started(directed(event(people="ann bob cat dan")))
    match = match_of(noon, "ann")
    services.adjudicate(match_id=match.pk, places=[1, 2], by=person("head"))
    services.correct_result(match_id=match.pk, places=[2, 1], by=person("head"))
    results = [said for said in told(boss) if "match" in said]
    assert [said["kind"] for said in results] == ["event.match_decided", "event.result_corrected"]
    assert [[side["place"] for side in said["match"]["sides"]] for said in results] == [[1, 2], [2, 1]]


def test_an_unpublished_round_is_told_when_it_is_published(event, boss):
    noon = started(directed(event(people="ann bob", publishes_by_hand=True)))
    assert "event.round_published" not in kinds(boss)
    services.publish_round(event_id=noon.pk, section=noon.rounds.get().section, number=1, by=person("boss"))
    assert kinds(boss).count("event.round_published") == 1


def test_an_event_that_is_cancelled(event, boss):
    services.cancel_event(event_id=directed(event(people="ann")).pk, by=person("boss"), why="Rain")
    assert kinds(boss) == ["event.cancelled"]


def test_a_message_is_told_without_its_text(event, boss):
    noon = directed(event(people="ann bob"))
    services.message_everyone(event_id=noon.pk, text="Bring a pen.", by=person("boss"))
    assert kinds(boss) == ["event.message"]
    assert "pen" not in boss.deliveries.get().body and told(boss)[0]["people"] == 2


def test_directors_are_told_and_nobody_else(event, hook_of):
    hooks = {name: hook_of(name) for name in ("boss", "second", "helper", "ann", "outsider")}
    noon = directed(event(people="ann bob"))
    EventRole.objects.create(event=noon, user=person("second"), role=EventRole.Role.DIRECTOR)
    EventRole.objects.create(event=noon, user=person("helper"), role=EventRole.Role.HELPER)
    started(noon)
    assert {name for name, hook in hooks.items() if hook.deliveries.exists()} == {"boss", "second"}
    assert kinds(hooks["second"]).count("event.started") == 1


def test_an_invited_bot_is_told_to_its_owner(event, hook_of):
    hook, noon = hook_of("alice"), event()
    bot, _ = bots.register_bot(owner=person("alice"), name="Deep")
    services.admit_people(event_id=noon.pk, users=[bot, person("bob")], by=person("boss"))
    [said] = told(hook)
    assert (said["kind"], said["bot"], said["event"]["id"]) == ("bot.invited", "Deep", noon.pk)


def test_without_webhooks_nothing_is_stored(event):
    lose(started(directed(event(people="ann bob"))), "bob")
    assert not Webhook.objects.exists() and not WebhookDelivery.objects.exists()
