"""Fills an empty site with tables and events in every state, for a backup in this folder.

It speaks the language of the code that it filled last, that of 2026-11-25 (7928815b), and runs there by
`python manage.py shell < fill.py` on PostgreSQL. A later release adapts the names.
"""

from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

from games import engines
from games import services as games
from games.models import Table
from games.record import replay
from games.services.questions import Question
from tests.tables import add_values
from tests.tournaments.factories import person
from tests.tournaments.factories import table_of as table_of_match
from tournaments import services
from tournaments.models import Event, Match

NOW = timezone.now()


def sit(*names, game="casino", options=None, **more):
    people = [person(name) for name in names]
    table = games.open_table(game=game, seats=len(names), options=options, created_by=people[0], **more)
    for user in people:
        table = games.sit_down(table_id=table.pk, user=user, shuffles=True)
    return add_values(table)


def play(table, moves):
    for _ in range(moves):
        table = Table.objects.with_seats().get(pk=table.pk)
        state = replay.state_of(table)
        seat = state.to_act[0]
        table = games.play_move(
            table_id=table.pk, seat=seat, text=str(state.legal_moves(seat)[-1]), version=table.version
        )
    return table


call_command("make_house_bots", verbosity=0)
for game in engines.GAMES:
    names = [f"{game.slug}-{seat}" for seat in range(min(game.seats))]
    play(sit(*names, game=game.slug, move_seconds=3 * 86400), 4)
play(sit("clock-ann", "clock-bob", move_seconds=45), 3)
open_table = games.open_table(game="casino", seats=2, options=None, created_by=person("open-ann"))
games.sit_down(table_id=open_table.pk, user=person("open-ann"), shuffles=False)
bot_table = games.open_table(game="sixty-six", seats=2, options=None, created_by=person("bot-ann"))
games.sit_down(table_id=bot_table.pk, user=person("bot-ann"), shuffles=False)
bot_table = games.seat_bot(table_id=bot_table.pk, level="first-steps")
while bot_table.bot_due_at is None:
    bot_table = play(bot_table, 1)

resigned = play(sit("resigned-ann", "resigned-bob"), 5)
games.resign(table_id=resigned.pk, user=person("resigned-ann"))
ended = sit("ended-ann", "ended-bob", game="sixty-six", options={"target": 5})
while ended.status == "running":
    ended = play(ended, 1)

paused = play(sit("paused-ann", "paused-bob", move_seconds=45), 3)
paused = games.ask(table_id=paused.pk, user=person("paused-ann"), kind="pause")
paused = games.answer(table_id=paused.pk, user=person("paused-bob"), mark=Question.at(paused).mark, agrees=True)

asked = play(sit("asked-ann", "asked-bob"), 3)
games.ask(table_id=asked.pk, user=person("asked-ann"), kind="share")


def plan(name, entrants=(), starts_in=3600, status=Event.Status.REGISTRATION, check_in_minutes=0, **changes):
    event = Event(
        name=name,
        game="casino",
        options={"target": 11},
        status=status,
        check_in_minutes=check_in_minutes,
        starts_at=NOW + timedelta(seconds=starts_in),
        **changes,
    )
    event = services.save_event(event, by=None, now=NOW)
    for entrant in entrants:
        services.enter_event(event_id=event.pk, user=person(f"{name}-{entrant}"))
    return event


def begin(name, entrants=("ann", "bob", "cat", "dan"), **changes):
    event = plan(name, entrants, starts_in=0, **changes)
    services.start_event(event_id=event.pk, now=timezone.now())
    for match in event.matches.filter(status=Match.Status.WAITING):
        services.start_match(match_id=match.pk, now=NOW)
    event.refresh_from_db()
    return event


def finish(event, matches=None):
    for match in list(event.matches.filter(status=Match.Status.PLAYING))[:matches]:
        table = table_of_match(match)
        games.resign(table_id=table.pk, user=table.seats.get(number=0).user)
    services.advance_running_event(event_id=event.pk, now=timezone.now())
    for match in event.matches.filter(status=Match.Status.WAITING):
        services.start_match(match_id=match.pk, now=NOW)


plan("scheduled", status=Event.Status.SCHEDULED, starts_in=10 * 86400)
plan("registration", ("ann", "bob", "cat"))
check_in = plan("check-in", ("ann", "bob"), check_in_minutes=5)
Event.objects.filter(pk=check_in.pk).update(status=Event.Status.CHECK_IN)
for format in ("swiss", "single-elimination", "round-robin"):
    finish(begin(f"running-{format}", format=format), 1)
paused_event = begin("paused", format="swiss")
services.pause_event(event_id=paused_event.pk, by=None)
finished = begin("finished", format="single-elimination")
while not finished.is_finished:
    finish(finished)
    finished.refresh_from_db()
cancelled = plan("cancelled", ("ann",))
services.cancel_event(event_id=cancelled.pk, by=None, why="Rain.")
