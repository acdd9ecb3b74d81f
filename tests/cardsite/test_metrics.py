"""Metrics: what Prometheus reads at `/metrics`, and who may."""

import re

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.backends.signals import connection_created
from django.test import Client

from accounts.models import User
from cardsite.celery import app
from cardsite.web.metrics import may_read
from games import services
from infra import metrics, task_queue
from tests.pages import page_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def value(client: Client):
    """The value of a metric now; 0 if nothing has counted it."""

    def read(name: str) -> float:
        lines = client.get("/metrics").content.decode().splitlines()
        return next((float(line.removeprefix(name)) for line in lines if line.startswith(f"{name} ")), 0.0)

    return read


def test_a_move_is_counted_by_game_and_by_who_made_it(table_of, value, django_capture_on_commit_callbacks) -> None:
    table = table_of("alice", "bob")
    name = 'cardsite_moves_total{by="person",game="casino"}'
    before = value(name)
    move = next(iter(services.moves.replay.state_of(table).legal_moves(0)))
    with django_capture_on_commit_callbacks(execute=True):
        services.play_move(table_id=table.pk, seat=0, text=str(move), version=table.version)
    assert value(name) == before + 1


def test_a_task_is_counted_with_its_state(value, eager_tasks) -> None:
    name = 'cardsite_task_seconds_count{state="SUCCESS",task="games.tasks.tick"}'
    before = value(name)
    app.tasks["games.tasks.tick"].delay()
    assert value(name) == before + 1


def test_the_site_itself_is_read_when_it_is_asked(value, table_of) -> None:
    table_of("alice", "bob")
    task_queue.enqueue("games.tasks.tick")
    cache.delete("last-run:games.tasks.tick")
    assert value("cardsite_running_tables") == 1
    assert value('cardsite_waiting_tasks{queue="default"}') >= 1
    assert value('cardsite_tick_age_seconds{tick="games.tasks.tick"}') == float("inf")


def test_statements_are_timed_once_however_often_the_connection_opens(value) -> None:
    name = "cardsite_statement_seconds_count"
    connection_created.send(sender=type(connection), connection=connection)
    first, second = value(name), value(name)
    User.objects.count()
    assert value(name) - second == second - first + 1


def test_admins_read_them_without_grafana(client: Client, person, table_of) -> None:
    table_of("alice", "bob")
    admin = person("admin")
    client.force_login(admin)
    assert client.get("/admin/state/").status_code == 302
    User.objects.filter(pk=admin.pk).update(is_staff=True)
    assert client.get("/admin/state/").status_code == 403
    User.objects.filter(pk=admin.pk).update(is_superuser=True)
    words = page_words(client.get("/admin/state/"))
    assert "games.tasks.tick has never run. Start beat and a worker" in words
    assert "Tables at which a game runs 1" in words
    assert "State of the site" in page_words(client.get("/admin/"))


def test_the_state_of_a_site_without_redis_is_shown_too(client: Client, person, settings) -> None:
    admin = person("admin")
    User.objects.filter(pk=admin.pk).update(is_staff=True, is_superuser=True)
    client.force_login(admin)
    settings.LIVE_REDIS_URL = "redis://127.0.0.1:1"
    assert "Redis does not answer: " in page_words(client.get("/admin/state/"))


def test_only_those_who_collect_metrics_get_them(client: Client, settings) -> None:
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="203.0.113.9").status_code == 404
    settings.METRICS_ALLOW_IPS = ["203.0.113.0/24"]
    assert client.get("/metrics", REMOTE_ADDR="203.0.113.9").status_code == 200
    assert client.get("/metrics").status_code == 404


def test_the_board_of_grafana_asks_for_metrics_that_there_are(client: Client, table_of, eager_tasks) -> None:
    table = table_of("alice", "bot")
    metrics.count_move(table.game, "bot")
    with metrics.bot_moves.labels(table.game, "club").time(), metrics.open_streams.track_inprogress():
        metrics.requests.labels("home", "200").observe(0.1)
        app.tasks["games.tasks.tick"].delay()
        known = set(re.findall(r"^(cardsite_\w+)", client.get("/metrics").content.decode(), re.MULTILINE))
    asked = set(re.findall(r"cardsite_\w+", (settings.BASE_DIR / "deploy" / "grafana.json").read_text()))
    assert asked and asked <= known


@pytest.mark.parametrize(("address", "may"), [("127.0.0.1", True), ("::1", True), ("", True), ("nonsense", False)])
def test_this_machine_may_read_them(address: str, may: bool) -> None:
    assert may_read(address) is may
