"""`manage.py doctor`: each fault of a set-up is told in a sentence that names it."""

import re
import time
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.urls import get_resolver
from django.utils import timezone

from cardsite.web import doctor, health
from games.models import Table
from infra.redis_client import redis_client
from infra.task_queue import enqueue
from notifications.models import PushSubscription
from tests.tournaments.factories import NOON
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def healthy(settings, tmp_path):
    """A set-up without a fault, with nothing in its folder but a list of static files."""
    get_resolver().check()  # the addresses name static files, where they were collected
    tmp_path.chmod(0o700)
    settings.VAR_DIR = settings.STATIC_ROOT = tmp_path
    (tmp_path / "staticfiles.json").touch()
    for name in health.TICK_TASKS:
        cache.set(f"last-run:{name}", time.time())
    return tmp_path


def faults() -> list[str]:
    return [finding.text for finding in doctor.examine(doctor.PARTS) if finding.is_wrong]


def test_nothing_is_wrong_with_a_healthy_set_up(healthy, capsys) -> None:
    call_command("doctor")
    assert capsys.readouterr().out.endswith("All is well.\n")


def test_a_fault_is_marked_and_ends_the_command_with_1(healthy, capsys) -> None:
    healthy.chmod(0o755)
    with pytest.raises(SystemExit) as stop:
        call_command("doctor")
    assert stop.value.code == 1
    assert f"! Others on this machine can read {healthy}." in capsys.readouterr().out


def test_static_files_that_were_not_collected(healthy) -> None:
    (healthy / "staticfiles.json").unlink()
    assert faults() == ["Static files have not been collected. Run `manage.py prepare`."]


def test_a_disk_that_is_nearly_full(healthy, monkeypatch) -> None:
    monkeypatch.setattr(doctor, "LEAST_DISK_BYTES", 10**18)
    (fault,) = faults()
    assert fault.startswith("Only ") and str(healthy) in fault


def test_time_zone_data_that_are_missing(healthy, monkeypatch) -> None:
    monkeypatch.setattr(doctor, "NEEDED_ZONES", ("Europe/Nowhere",))
    (fault,) = faults()
    assert "Europe/Nowhere" in fault and "tzdata" in fault


def test_a_tick_that_has_never_run_and_one_that_is_late(healthy) -> None:
    first, second = health.TICK_TASKS
    cache.delete(f"last-run:{first}")
    cache.set(f"last-run:{second}", time.time() - 90)
    never, late = [fault.split(". ")[0] for fault in faults()]
    assert never == f"{first} has never run"
    assert re.fullmatch(rf"{second} last ran (9\d|\d{{3}}) s ago", late)  # the other checks take their time


def test_redis_that_does_not_answer(healthy, settings) -> None:
    settings.LIVE_REDIS_URL = settings.REDIS_URL = "redis://127.0.0.1:1"
    (fault,) = faults()
    assert fault.startswith("Redis does not answer: Error 111") and fault.endswith("or correct REDIS_URL.")
    settings.REDIS_URL = ""
    (fault,) = faults()
    assert fault.endswith("or start the site, whose `manage.py up` has its own.")


def test_redis_that_throws_tasks_away(healthy, settings) -> None:
    client = redis_client(settings.LIVE_REDIS_URL)
    client.config_set("maxmemory", "1gb")
    client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        (fault,) = faults()
    finally:
        client.config_set("maxmemory", 0)
        client.config_set("maxmemory-policy", "noeviction")
    assert "allkeys-lru" in fault


def test_a_queue_that_nobody_works_off(healthy, monkeypatch) -> None:
    monkeypatch.setattr(doctor, "LONG_QUEUE", 1)
    for _ in range(2):
        enqueue("games.tasks.tick")
    assert faults() == ["2 tasks wait in the queue default. Start more workers for it."]


def test_clocks_that_differ(healthy, monkeypatch) -> None:
    monkeypatch.setattr(doctor, "CLOCK_SECONDS", 0.0)
    assert all(fault.startswith("The clock of this machine is 0.0 s ") for fault in faults())
    assert faults()[-1].endswith("let both follow a time server.")


def test_a_mail_server_that_is_out_of_reach(healthy, settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 1
    assert faults() == ["The mail server 127.0.0.1:1 does not take e-mails: Connection refused. Correct EMAIL_URL."]


@pytest.fixture
def subscribed(person, settings):
    """A browser that is subscribed at a push service of this machine which is not there."""
    settings.PUSH_SERVICES = ["http://127.0.0.1:1"]
    settings.EMAIL_FROM = "cards@cards.example"
    return PushSubscription.objects.create(user=person("ann"), endpoint="http://127.0.0.1:1/send/1")


def test_a_push_service_that_is_out_of_reach(healthy, subscribed) -> None:
    assert faults() == ["http://127.0.0.1:1 does not take push messages: Connection refused."]


def test_a_push_service_that_the_site_may_not_call(healthy, subscribed, settings) -> None:
    settings.PUSH_SERVICES = ["https://push.example"]
    (fault,) = faults()
    assert fault.startswith("http://127.0.0.1:1 takes messages of subscribed browsers, but")


def test_a_sender_to_whom_push_services_cannot_write(healthy, subscribed, settings) -> None:
    settings.EMAIL_FROM = "cards@localhost"
    assert faults()[0].endswith("Set EMAIL_FROM.")


def test_a_table_whose_clock_nobody_reads(healthy, table_of) -> None:
    table = table_of("alice", "bob")
    past = timezone.now() - 2 * doctor.STUCK
    Table.objects.filter(pk=table.pk).update(deadline_at=past)
    (fault,) = faults()
    assert fault.startswith("Tables whose clock has run out have waited for more than 5 minutes.")
    assert fault.endswith(f" 1: Casino {table.code} (/tables/{table.code}/).")
    Table.objects.filter(pk=table.pk).update(deadline_at=past + timedelta(hours=1))
    assert not faults()


def test_a_tournament_that_waits_for_a_director(healthy) -> None:
    Event.objects.create(name="Cup", game="casino", starts_at=NOON, cannot_go_on_because="Someone is missing.")
    (fault,) = faults()
    assert fault.startswith("Tournaments have stopped") and "(/tournaments/" in fault


def test_a_clock_that_was_set_back(healthy, table_of) -> None:
    table = table_of("alice", "bob")
    Table.objects.filter(pk=table.pk).update(created_at=timezone.now() + timedelta(hours=1))
    (fault,) = faults()
    assert fault.startswith("The clock of this machine is slow: it says ")


@pytest.mark.only_on("sqlite")  # whose database in the tests was made without migrations
def test_of_a_database_without_tables_only_that_is_told(healthy, settings) -> None:
    settings.MIGRATION_MODULES = {}
    (fault,) = faults()
    assert fault.startswith("The database is new or of an earlier version: ")
