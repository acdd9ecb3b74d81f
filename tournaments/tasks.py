"""Celery tasks of tournaments. Each may run twice or be lost; the tick finds what is still due."""

from datetime import timedelta
from typing import Any

from celery import shared_task
from django.utils import timezone

from tournaments import services
from tournaments.models import BotLeague, EntryImport, Ladder, LadderChallenge, MatchGame, Series
from tournaments.planning import estimates
from tournaments.services import calendar, importing, ladders, league, reminders

LOOKAHEAD = timedelta(seconds=1.1)  # a little more than from tick to tick
CLOCK_SKEW_SECONDS = 0.02  # the worker's clock may be a little behind


@shared_task
def tick() -> None:
    """Once a second: queues due series and bot leagues, and events with a step before the next tick.

    Steps are queued for their exact time, so that an event does not start late by the length of a tick.
    """
    now = timezone.now()
    for series_id, _ in Series.objects.claim(until=now, patience=services.RETRY_AFTER):
        plan_series.delay(series_id)
    for event_id, due_at in services.claim_due_events(until=now + LOOKAHEAD):
        wait_seconds = max((due_at - now).total_seconds() + CLOCK_SKEW_SECONDS, 0)
        run_due_steps.apply_async((event_id,), countdown=wait_seconds)
    for event_id in reminders.events_to_remind(now).values_list("pk", flat=True):
        remind.delay(event_id)
    for league_id in BotLeague.objects.due(now).values_list("pk", flat=True):
        start_night.delay(league_id)
    for import_id, _ in EntryImport.objects.claim(until=now, patience=importing.PATIENCE):
        continue_import.delay(import_id)
    for challenge_id, _ in LadderChallenge.objects.claim(until=now, patience=ladders.LOOKS_AGAIN):
        run_due_challenge.delay(challenge_id)
    for ladder_id, _ in Ladder.objects.claim(until=now, patience=ladders.LOOKS_AGAIN):
        drop_idle_players.delay(ladder_id)
    for night_id in league.claim_due_nights(now=now):
        hand_out_chunks.delay(night_id)


@shared_task
def prune() -> None:
    """Once a day: deletes games of bots that nobody has opened for long, and old lists of imported names."""
    league.prune_games(now=timezone.now())
    importing.prune_imports(now=timezone.now())


@shared_task
def plan_series(series_id: int) -> None:
    services.plan_series(series_id=series_id, now=timezone.now())


@shared_task
def run_due_steps(event_id: int) -> None:
    services.run_due_steps(event_id=event_id, now=timezone.now())


@shared_task
def remind(event_id: int) -> None:
    reminders.remind(event_id=event_id, now=timezone.now())


@shared_task
def expect_end(event_id: int) -> None:
    calendar.expect_end(event_id=event_id)


@shared_task
def start_match(match_id: int) -> None:
    services.start_match(match_id=match_id, now=timezone.now())


@shared_task
def advance_event_of_table(table_id: int) -> None:
    """The game of a match is over: the event, or the ladder, advances. Other tables are skipped."""
    for event_id in MatchGame.objects.filter(table_id=table_id).values_list("match__event_id", flat=True):
        services.record_result(event_id=event_id, now=timezone.now())
    ladders.record_ladder_game(table_id=table_id, now=timezone.now())


@shared_task
def run_due_challenge(challenge_id: int) -> None:
    ladders.run_due_challenge(challenge_id=challenge_id, now=timezone.now())


@shared_task
def drop_idle_players(ladder_id: int) -> None:
    ladders.drop_idle_players(ladder_id=ladder_id, now=timezone.now())


@shared_task
def warn_ladder_players() -> None:
    ladders.warn_players(now=timezone.now())


@shared_task
def continue_import(import_id: int) -> None:
    importing.continue_import(import_id=import_id)


@shared_task
def start_night(league_id: int) -> None:
    league.start_due_night(league_id=league_id, now=timezone.now())


@shared_task
def hand_out_chunks(night_id: int) -> None:
    league.hand_out_chunks(night_id=night_id, now=timezone.now())


@shared_task
def play_chunk(chunk_id: int) -> None:
    league.play_chunk(chunk_id=chunk_id, now=timezone.now())


@shared_task
def make_dry_run(run_id: int) -> None:
    services.make_dry_run(run_id=run_id)


@shared_task
def measure_game(game: str, seats: int, deals: int | None, options: dict[str, Any]) -> None:
    estimates.measure_moves(estimates.GameKind(game, seats, deals, options))
