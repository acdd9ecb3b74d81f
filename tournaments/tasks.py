"""What happens without a visitor. Every task may run twice or be lost; the tick finds what is still due."""

from celery import shared_task
from django.utils import timezone

from tournaments import services
from tournaments.models import MatchGame, Series


@shared_task
def tick() -> None:
    """Once a second: series that need their next events, events with a step to take."""
    now = timezone.now()
    for series_id in Series.objects.due(now).values_list("pk", flat=True):
        plan_series.delay(series_id)
    for event_id in services.claim_due_events(now=now):
        take_step.delay(event_id)


@shared_task
def plan_series(series_id: int) -> None:
    services.plan_series(series_id=series_id, now=timezone.now())


@shared_task
def take_step(event_id: int) -> None:
    services.take_step(event_id=event_id, now=timezone.now())


@shared_task
def start_match(match_id: int) -> None:
    services.start_match(match_id=match_id, now=timezone.now())


@shared_task
def table_finished(table_id: int) -> None:
    """The game of a match is over: the event goes on. Tables outside of events are none of ours."""
    for event_id in MatchGame.objects.filter(table_id=table_id).values_list("match__event_id", flat=True):
        services.advance(event_id=event_id, now=timezone.now())
