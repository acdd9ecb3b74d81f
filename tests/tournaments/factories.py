"""What happens in an event, in a word or two."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import services as games
from games.core.contract import places
from games.live import presence
from games.models import Table
from games.record import replay
from tests.connections import in_own_connection
from tournaments import services
from tournaments.models import Entry, Event, Match

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def person(name: str) -> User:
    return User.objects.get_or_create(username=name)[0]


def url(name: str, *arguments: object) -> str:
    """The address of a page of tournaments; an event or a ladder stands for its number."""
    return reverse(f"tournaments:{name}", args=[getattr(argument, "pk", argument) for argument in arguments])


def started(event: Event, *, now: datetime = NOON) -> Event:
    """The event after its start, with a table at every match that can be played."""
    services.start_event(event_id=event.pk, now=now)
    return open_tables(event)


def fresh(event: Event) -> Event:
    """The event as it is stored, with nothing remembered."""
    return Event.objects.get(pk=event.pk)


def open_tables(event: Event) -> Event:
    for match in event.matches.filter(status=Match.Status.WAITING):
        services.start_match(match_id=match.pk, now=NOON)
    event.refresh_from_db()
    return event


def match_of(event: Event, name: str) -> Match:
    """The match that this person plays, or has played last."""
    return event.matches.filter(sides__entry__user__username=name).order_by("-round__number", "-pk")[0]


def table_of(match: Match) -> Table:
    """The table of its newest game."""
    return match.games.order_by("-number")[0].table


def lose(event: Event, name: str) -> None:
    """This person gives up the game in play, and the event takes it in."""
    games.resign(table_id=table_of(match_of(event, name)).pk, user=person(name))
    services.advance_running_event(event_id=event.pk, now=NOON)
    open_tables(event)


def end_in_a_draw(table: Table) -> None:
    """Nobody's game: what a table looks like after the engine has found no winner."""
    end_with(table, [8, 8])


def end_with(table: Table, scores: Sequence[int]) -> None:
    """What a table looks like after a game with these scores, by seat."""
    table.refresh_from_db()
    table.status, table.ended_by = Table.Status.FINISHED, Table.EndedBy.RULES
    standing = places(table.rules.merits(table.options, scores))
    table.result = {"scores": [*scores], "places": [*standing], "reason": "So it ended.", "gone": []}
    table.save()


def win(event: Event, *names: str) -> None:
    """The tables of these people end with eleven points for them and none for the others, and the event goes on."""
    for name in names:
        end_in_favour(table_of(match_of(event, name)), name)
    advance(event)


def end_in_favour(table: Table, name: str) -> None:
    own = table.seats.get(user=person(name)).number
    side = next(seats for seats in table.sides if own in seats)
    end_with(table, [11 if seat in side else 0 for seat in range(table.seat_count)])


def advance(event: Event) -> Event:
    services.advance_running_event(event_id=event.pk, now=NOON)
    return open_tables(event)


def running_tables(event: Event) -> list[Table]:
    return list(Table.objects.running().with_seats().filter(match_game__match__event=event).order_by("pk"))


def come(event: Event, *names: str) -> None:
    """The pages of these people at their tables give a sign of life, and the tick hears it."""
    now = time.time()
    for table in running_tables(event):
        here = [seat.user_id for seat in table.seats.all() if seat.user.username in names]
        presence.store_heartbeats({presence.heartbeat_member(table.pk, user): now for user in here}, now)
        games.note_arrivals(table_id=table.pk, now=timezone.now())


def miss(noon: Event, *absent: str) -> None:
    """Everybody else comes to the tables, and the time to appear is over."""
    tables = running_tables(noon)
    for table in tables:
        come(noon, *(seat.user.username for seat in table.seats.all() if seat.user.username not in absent))
    for table in tables:
        table.refresh_from_db()
        if table.appear_by:
            games.flag_overdue(table_id=table.pk, now=table.appear_by + timedelta(seconds=1))
    advance(noon)


def win_open(noon: Event) -> None:
    """Seat 0 wins at every table."""
    win(noon, *(table.seats.all()[0].user.username for table in running_tables(noon)))


def run_out_of_time(event: Event, name: str) -> None:
    """The clock finds that the time of this person, whose turn it is, is up; or that the time to appear is over."""
    table = table_of(match_of(event, name))
    games.flag_overdue(table_id=table.pk, now=table.deadline_at + timedelta(seconds=1))


def play(table: Table, moves: int) -> Table:
    """So many moves, the last legal ones."""
    table.refresh_from_db()
    for _ in range(moves):
        state = replay.state_of(table)
        seat = state.to_act[0]
        text = str(state.legal_moves(seat)[-1])
        table = games.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    return table


def status_of(event: Event, name: str) -> str:
    return Entry.objects.get(event=event, user__username=name).status


def entry_of(event: Event, name: str) -> Entry:
    """The entry of a player, or of a partner."""
    return event.entries.of(person(name)).get()


def ids(event: Event, people: str) -> list[int]:
    return [entry_of(event, name).pk for name in people.split()]


def notices_of(name: str) -> list[str]:
    return [notice.text for notice in person(name).notices.all()]


def undo_last(event: Event, *, by: User, of: str = "", skip: int = 0) -> None:
    """Takes back the newest action that can be, or the newest but `skip` of those whose line is `of`."""
    lines = event.log.filter(what=of) if of else event.log.all()
    services.undo_action(line_id=lines[skip].pk, by=by)


def at_once(people: Iterable[User], act: Callable[[User], object]) -> list[services.EventError]:
    """What each of these people is refused when all do the same thing at the same time."""

    def try_it(user: User) -> services.EventError | None:
        try:
            in_own_connection(act, user)
        except services.EventError as error:
            return error
        return None

    people = list(people)
    with ThreadPoolExecutor(len(people)) as threads:
        return [error for error in threads.map(try_it, people) if error]


def names(entries: object) -> list[str]:
    return [entry.user.username for entry in entries]


def settings_of(event: Event, **changes: object) -> dict[str, object]:
    """What the form of an event sends; fields of the game's options begin with `option-`."""
    fields = {
        "name": event.name, "game": "casino", "seats": "2", "format": "single-elimination",
        "starts_at": "2058-01-02T12:30", "time_zone": "UTC", "match_games": 3, "match_rule": "best-of", "deals": "",
        "dealing": "own", "compared_by": "table", "move_seconds": 45, "base_minutes": 0,
        "increment_seconds": 0, "chat": "phrases", "absence": "forfeit", "hold_minutes": 5,
        "appear_minutes": 5, "missed_matches": 1, "no_shows": "sit-out", "half_byes": 1,
        "fee": "", "questions": "", "team_boards": "", "team_substitutes": 2, "team_scoring": "match",
        "min_entries": 2, "max_entries": "", "fill_to": 4, "bot_level": "club", "seeding": "lot", "late_rounds": 0,
        "min_account_days": 0, "min_games": 0, "registration_minutes": 60, "check_in_minutes": 5, "break_seconds": 0,
        "option-target": "11", "option-trail_with_build": "allowed", "option-face_capture": "one",
        "option-sweeps": "off", "option-end": "highest", "format-third_place": "on",
    }  # fmt: skip
    return fields | changes
