"""Tasks are queued by name: a name that no task has would only be noticed by a worker."""

import ast
import json
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
import redis
from django.conf import settings
from django.db import transaction

from cardsite import celery_app
from games import services
from games.record import replay
from infra.task_queue import enqueue, enqueue_on_commit, waiting_tasks

APPS = ("accounts", "cardsite", "chat", "games", "infra", "notifications", "tournaments", "tutorials")


def queued_names() -> Iterator[str]:
    """Every text that is the first argument of `enqueue` or `enqueue_on_commit`."""
    for app in APPS:
        for path in (settings.BASE_DIR / app).rglob("*.py"):
            for call in ast.walk(ast.parse(path.read_text())):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "").startswith("enqueue"):
                    first = call.args[0]
                    if isinstance(first, ast.Constant):
                        yield first.value


def test_every_queued_name_is_the_name_of_a_task():
    celery_app.loader.import_default_modules()
    names = {*queued_names()}
    assert {"games.tasks.play_bot", "notifications.tasks.mail_notice", "tournaments.tasks.start_match"} <= names
    assert names <= celery_app.tasks.keys()


@pytest.mark.parametrize(("level", "queue"), [("expert", "experts"), ("strong", "default")])
def test_an_expert_thinks_in_a_queue_of_its_own(level, queue, transactional_db, valkey, person, house_bot):
    house_bot("Kit", "casino", level)
    before = waiting_tasks(queue)
    table = services.open_and_sit(
        user=person("ann"), shuffles=False, bot_level=level, game="casino", seats=2, options=None
    )
    while replay.state_of(table).to_act != (1,):
        move = replay.state_of(table).legal_moves(0)[0]
        table = services.play_move(table_id=table.pk, seat=0, text=str(move), version=table.version)
    assert waiting_tasks(queue) == before + 1


def test_what_a_person_waits_for_comes_before_what_nobody_waits_for(transactional_db, valkey):
    for task in ("tournaments.tasks.play_chunk", "games.tasks.count_decks", "games.tasks.review_slice"):
        enqueue(task, 1)
    with celery_app.connection_for_read() as connection:
        first = connection.default_channel.basic_get("slow", no_ack=True)
    assert first.headers["task"] == "games.tasks.review_slice"


def test_no_service_imports_a_task():
    for app in APPS:
        for path in (settings.BASE_DIR / app).rglob("services*/*.py"):
            assert " tasks" not in "".join(line for line in path.open() if "import" in line), path


@pytest.fixture
def queued(transactional_db, valkey) -> Iterator[Callable[[], list[str]]]:
    """The names of the tasks that wait in the broker."""
    url = settings.CELERY_BROKER_URL.replace("redis+socket", "unix").replace("virtual_host", "db")
    with redis.Redis.from_url(url) as broker:
        yield lambda: [json.loads(message)["headers"]["task"] for message in broker.lrange("default", 0, -1)]


def test_a_task_waits_in_the_broker_once_the_change_is_stored(queued):
    with transaction.atomic():
        enqueue_on_commit("games.tasks.rate_table", 7)
        assert queued() == []
    assert queued() == ["games.tasks.rate_table"]


def test_a_change_that_is_rolled_back_queues_nothing(queued):
    with suppress(ValueError), transaction.atomic():
        enqueue_on_commit("games.tasks.rate_table", 7)
        raise ValueError
    assert queued() == []
