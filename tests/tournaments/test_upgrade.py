"""Events of a database from before keep what their players were told."""

import importlib

import pytest
from django.apps import apps

from tournaments.models import Event

migration = importlib.import_module("tournaments.migrations.0019_tie_breaks_of_2024")


@pytest.mark.parametrize(
    ("format", "status", "kept"),
    [
        ("swiss", Event.Status.FINISHED, {"planned_rounds": 5, "unplayed": "2024"}),
        ("swiss", Event.Status.RUNNING, {"planned_rounds": 5, "unplayed": "2024"}),
        ("swiss", Event.Status.REGISTRATION, {"planned_rounds": 5}),
        ("round-robin", Event.Status.FINISHED, {"planned_rounds": 5}),
    ],
)
def test_events_that_have_begun_keep_the_tie_breaks_of_2024(event, format, status, kept):
    made = event(format="swiss", format_options={"planned_rounds": 5})
    Event.objects.filter(pk=made.pk).update(format=format, status=status)
    migration.keep_the_text_of_2024(apps, None)
    made.refresh_from_db()
    assert made.format_options == kept
