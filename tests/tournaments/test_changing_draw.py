"""The draw of an event that changes while it is read: statement by statement, something happens in between."""

from contextlib import contextmanager

import pytest
from django.db import connection

from tests.tournaments.factories import come, lose, person, started
from tournaments import presentation, services
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

STATEMENTS = 7  # of a draw


@contextmanager
def before_statement(number, happen):
    """Something happens once, before the given statement of those that are carried out inside."""
    count = 0

    def wrapper(execute, *arguments):
        nonlocal count
        count += 1
        if count == number + 1:
            happen()
        return execute(*arguments)

    with connection.execute_wrapper(wrapper):
        yield


def shown(event):
    draw = presentation.draw_of(event)
    return [box.title for box in draw.boxes], draw.rows(draw.ranking)


@pytest.mark.parametrize("number", range(STATEMENTS))
def test_a_round_is_published_between_two_statements(event, number):
    swiss = event(people="ann bob cat dan", format="swiss", format_options={"planned_rounds": 2})
    with before_statement(number, lambda: started(swiss)):
        shown(swiss)
    boxes, rows = shown(Event.objects.get(pk=swiss.pk))
    assert len(boxes) == 2 and len(rows) == 4


@pytest.mark.parametrize("number", range(STATEMENTS))
def test_a_late_entry_is_paired_between_two_statements(event, number):
    swiss = event(people="ann bob cat dan", format="swiss", format_options={"planned_rounds": 3}, late_rounds=3)
    started(swiss)

    def next_round():
        services.enter_event(event_id=swiss.pk, user=person("eve"))
        come(swiss, "ann", "bob", "cat", "dan")
        for match in swiss.matches.all():
            lose(swiss, match.sides.first().entry.name)

    with before_statement(number, next_round):
        shown(Event.objects.get(pk=swiss.pk))
    assert len(shown(Event.objects.get(pk=swiss.pk))[1]) == 5
