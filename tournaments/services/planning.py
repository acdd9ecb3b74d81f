"""Planning in the background: measure the length of a game, and dry runs."""

from dataclasses import astuple

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from infra.task_queue import enqueue_on_commit
from tournaments.models import DryRun, Event
from tournaments.planning import dry_run, estimates

MEASURING_SECONDS = 60  # after this it is queued again


@transaction.atomic
def ask_for_dry_run(*, event_id: int, by: User, entries: int) -> DryRun:
    """Queues a dry run with so many bots."""
    run = DryRun.objects.create(event_id=event_id, by=by, entries=entries)
    enqueue_on_commit("tournaments.tasks.make_dry_run", run.pk)
    return run


def make_dry_run(*, run_id: int) -> None:
    """Plays the event through; a run that has its report stays as it is. :raises DryRun.DoesNotExist:"""
    run = DryRun.objects.select_related("event").get(pk=run_id)
    if run.report is not None:
        return
    pace = estimates.seconds_a_move(run.event.game)
    report = dry_run.simulate_event(run.event, entries=run.entries, seconds_a_move=pace)
    DryRun.objects.filter(pk=run_id, report__isnull=True).update(report=report.as_json(), finished_at=timezone.now())


def is_measured(event: Event) -> bool:
    """Whether the length of a game of the event is known; if not, it is measured in the background."""
    kind = estimates.GameKind.of(event)
    if estimates.known_moves(kind) is None and cache.add(f"asked:{kind.key}", True, MEASURING_SECONDS):
        enqueue_on_commit("tournaments.tasks.measure_game", *astuple(kind))
    return estimates.known_moves(kind) is not None
