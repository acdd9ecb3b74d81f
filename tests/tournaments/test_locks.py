"""Writes of large events are short: what each transaction writes is counted, since seconds depend on the machine."""

from __future__ import annotations

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import User
from cardsite.management.commands.bench_writes import Evening, Write, end, recorded_writes
from games.models import Table
from infra.bulk import insert_rows, update_rows
from tests.tournaments.factories import person
from tournaments import services
from tournaments.models import Entry, Match
from tournaments.services import importing
from tournaments.services.clock import SETTLED_AT_ONCE
from tournaments.services.importing import BITE_SECONDS, BITES, next_bite

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("sqlite")]
PEOPLE = 90


@pytest.fixture
def evening() -> Evening:
    return Evening(PEOPLE, lambda step, act: act())


def imported(evening: Evening) -> list[Write]:
    event = evening.planned("Evening")
    with recorded_writes() as found:
        evening.imported(event)
    assert event.entries.count() == PEOPLE
    return found


def test_a_list_of_names_is_entered_some_at_a_time(evening):
    found = imported(evening)
    assert len(found) >= PEOPLE / BITES[-1]
    assert max(write.rows for write in found) <= 3 * BITES[-1] + 10, "an entry and a line in the log for each"
    assert max(write.statements for write in found) <= 20, "none of them for each person"


@pytest.mark.parametrize(
    ("size", "seconds", "following"),
    [
        (10, BITE_SECONDS, 10),
        (10, BITE_SECONDS / 2, 20),
        (10, BITE_SECONDS * 2, 5),
        (4, BITE_SECONDS / 100, 8),
        (25, BITE_SECONDS / 100, 25),
        (25, 9.0, 3),
        (5, 0.0, 10),
    ],
)
def test_a_slow_or_busy_machine_enters_fewer_at_once(size, seconds, following):
    assert next_bite(size, seconds) == following


def test_a_slow_import_goes_on_in_small_bites(evening, monkeypatch):
    """BITE_SECONDS: so short that every bite is slow."""
    monkeypatch.setattr(importing, "BITE_SECONDS", 1e-9)
    found = imported(evening)
    assert len(found) >= (PEOPLE - BITES[-1]) / BITES[0]


def test_many_results_at_once_are_recorded_some_at_a_time(evening):
    event = evening.planned("Evening")
    evening.imported(event)
    services.start_event(event_id=event.pk, now=event.starts_at)
    for pk in event.matches.filter(status=Match.Status.WAITING).values_list("pk", flat=True):
        services.start_match(match_id=pk, now=event.starts_at)
    for table in Table.objects.running():
        end(table)
    with recorded_writes() as found:
        services.record_result(event_id=event.pk, now=event.starts_at)
    assert event.matches.filter(round__number=1).exclude(status=Match.Status.FINISHED).count() == 0
    assert event.matches.filter(round__number=2).exists()
    writes = [write for write in found if write.rows > 10]
    assert len(writes) >= PEOPLE / 2 / SETTLED_AT_ONCE
    assert max(write.statements for write in found) <= 4 * SETTLED_AT_ONCE + 40


def test_the_start_of_an_event_is_several_writes(evening):
    event = evening.planned("Evening")
    evening.imported(event)
    with recorded_writes() as found:
        services.start_event(event_id=event.pk, now=event.starts_at)
    assert len(found) == 4 and max(write.statements for write in found) <= 40


def test_rows_are_updated_by_one_statement(db):
    people = [person(name) for name in ("ann", "bob")]
    people[0].first_name, people[1].first_name = "Ann", "Bob"
    with recorded_writes() as found:
        update_rows(people, ["first_name", "is_bot"])
        update_rows([], ["first_name"])
    assert [(write.statements, write.rows) for write in found] == [(1, 2)]
    assert [*User.objects.order_by("username").values_list("first_name", flat=True)] == ["Ann", "Bob"]


def test_rows_are_inserted_by_one_statement(db):
    joined = datetime(2026, 11, 20, 12, tzinfo=UTC)
    with recorded_writes() as found:
        insert_rows(User(username=name, date_joined=joined, is_bot=name == "bob") for name in ("ann", "bob"))
        insert_rows([])
    assert [(write.statements, write.rows) for write in found] == [(1, 2)]
    stored = User.objects.order_by("username").values_list("username", "is_bot", "date_joined")
    assert [*stored] == [("ann", False, joined), ("bob", True, joined)]


def test_the_bench_prints_each_step(capsys):
    out = StringIO()
    call_command("bench_writes", "--inside", "--entries", "10", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[1].startswith("10 entries") and any(line.startswith("import of all names") for line in lines)
    assert any(line.startswith("last result: next round, or end") for line in lines)
    assert Entry.objects.filter(place=1).exists()
