"""Due rows are claimed once, whoever else looks at the same moment."""

from datetime import UTC, datetime, timedelta

import pytest

from games.models import Table
from infra.due import claim_due, claim_row

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def tables(table_of):
    made = [table_of("alice", "bob", secret=bytes([number] * 32)) for number in range(3)]
    for table, minutes in zip(made, (1, -2, 0), strict=True):
        Table.objects.filter(pk=table.pk).update(bot_due_at=NOON + minutes * MINUTE)
    return made


def test_due_rows_come_earliest_first_and_are_put_off(tables):
    _, early, now = tables
    found = claim_due(Table.objects.all(), "bot_due_at", until=NOON, patience=5 * MINUTE)
    assert found == [(early.pk, NOON - 2 * MINUTE), (now.pk, NOON)]
    assert claim_due(Table.objects.all(), "bot_due_at", until=NOON, patience=5 * MINUTE) == []
    again = claim_due(Table.objects.all(), "bot_due_at", until=NOON + 5 * MINUTE, patience=MINUTE)
    assert {pk for pk, _ in again} == {table.pk for table in tables}


def test_a_row_that_somebody_else_has_claimed_meanwhile_is_not_claimed(tables):
    table = tables[2]
    Table.objects.filter(pk=table.pk).update(bot_due_at=NOON + MINUTE)
    assert not claim_row(Table.objects.all(), table.pk, "bot_due_at", NOON, put_off_to=NOON + 9 * MINUTE)
    table.refresh_from_db()
    assert table.bot_due_at == NOON + MINUTE


def test_rows_outside_the_query_are_left_alone(tables):
    assert claim_due(Table.objects.none(), "bot_due_at", until=NOON, patience=MINUTE) == []
