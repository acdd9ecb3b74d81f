"""`manage.py bench_writes`: how long the writes of a large tournament hold the lock of SQLite."""

import os
import subprocess
import sys
import time
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from accounts.models import User
from cardsite.management.commands.bench_live import scratch_servers
from games import services as games
from games.models import Table
from infra.garbage import freeze_what_is_loaded
from tournaments import services
from tournaments.models import Event, Match
from tournaments.services import importing

LIMIT_SECONDS = 0.2
FINISHED_AT_ONCE = 8  # tables of a round whose end is measured; the others end in the same way


@dataclass
class Write:
    """A transaction, or a statement that writes outside of one. rows: written, as far as the database says."""

    seconds: float = 0.0
    spent: float = 0.0
    statements: int = 0
    rows: int = 0


@contextmanager
def recorded_writes() -> Iterator[list[Write]]:
    """All writes of this thread's connection, each from when it has the lock until it is stored."""
    found: list[Write] = []
    begun: list[tuple[float, float]] = []
    commit, rollback = connection.commit, connection.rollback

    def execute(run: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        is_begin, is_read = sql.startswith("BEGIN"), sql.lstrip("( ").startswith(("SELECT", "SAVEPOINT", "RELEASE"))
        start = time.perf_counter(), time.process_time()
        answer = run(sql, params, many, context)
        if is_begin:
            begun[:] = [(time.perf_counter(), time.process_time())]
            found.append(Write())
        elif begun:
            found[-1].statements += 1
            found[-1].rows += 0 if is_read else max(context["cursor"].rowcount, 0)
        elif not is_read:
            rows = max(context["cursor"].rowcount, 0)
            found.append(Write(time.perf_counter() - start[0], time.process_time() - start[1], 1, rows))
        return answer

    def ending(end: Callable[[], None]) -> Callable[[], None]:
        def ended() -> None:
            end()
            if begun:
                [(at, spent_at)] = begun
                found[-1].seconds, found[-1].spent = time.perf_counter() - at, time.process_time() - spent_at
                begun.clear()

        return ended

    connection.commit, connection.rollback = ending(commit), ending(rollback)  # type: ignore[method-assign]
    try:
        with connection.execute_wrapper(execute):
            yield found
    finally:
        connection.commit, connection.rollback = commit, rollback  # type: ignore[method-assign]


class Command(BaseCommand):
    help = (
        "Plays the steps of a tournament with many entries on an empty SQLite, and prints for each how many "
        "transactions it took, and the longest one: seconds with the lock, processor seconds, statements, rows. "
        f"Those of more than {LIMIT_SECONDS} s are marked."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--entries", type=int, nargs="+", default=[60, 947])
        parser.add_argument("--inside", action="store_true", help=SUPPRESS)  # this process has a scratch database

    def handle(self, *, entries: list[int], inside: bool, **options: object) -> None:
        if not inside:
            with scratch_servers("sqlite") as env:
                code = subprocess.run([sys.executable, *sys.argv[:2], "--inside", *sys.argv[2:]], env=env).returncode
            if code:
                raise CommandError("The tournament could not be played; see above.")
            return
        freeze_what_is_loaded()  # as the processes of the site do
        for count in entries:
            self.stdout.write(f"\n{count} entries, load {os.getloadavg()[0]:.1f}")
            self.stdout.write(f"{'step':<34}{'writes':>7}{'seconds':>9}{'CPU':>7}{'statements':>12}{'rows':>7}")
            Evening(count, self.measure).run()

    def measure(self, step: str, act: Callable[[], Any]) -> Any:
        with recorded_writes() as found:
            answer = act()
        longest = max(found, key=lambda write: write.seconds, default=Write())
        mark = "  too long" if longest.seconds > LIMIT_SECONDS else ""
        self.stdout.write(
            f"{step:<34}{len(found):>7}{longest.seconds:>9.3f}{longest.spent:>7.3f}{longest.statements:>12}"
            f"{longest.rows:>7}{mark}"
        )
        return answer


class Evening:
    """A Swiss with so many entries, from the list of names to its end. measure: runs a step and prints its writes."""

    def __init__(self, count: int, measure: Callable[[str, Callable[[], Any]], Any]) -> None:
        self.count, self.measure, self.now = count, measure, timezone.now()
        self.names = [f"p{count}-{number}" for number in range(count)]
        User.objects.bulk_create(User(username=name, email=f"{name}@example.org") for name in self.names)
        self.director = User.objects.create(username=f"director-{count}", is_superuser=True, is_staff=True)

    def planned(self, name: str, **settings: Any) -> Event:
        event = Event(
            name=name,
            game="casino",
            format="swiss",
            format_options={"planned_rounds": 2},
            check_in_minutes=30,
            starts_at=self.now + timedelta(hours=5),
            status=Event.Status.REGISTRATION,
            **settings,
        )
        return services.save_event(event, by=self.director, now=self.now)

    def imported(self, event: Event) -> None:
        begun = importing.begin_import(event, "\n".join(self.names), by=self.director)
        importing.continue_import(import_id=begun.pk)

    def run(self) -> None:
        measure, by = self.measure, self.director
        event = measure("plan", lambda: self.planned(f"Evening {self.count}"))
        measure("import of all names", lambda: self.imported(event))
        measure("edit, which notifies everyone", lambda: self.edit(event))
        measure("shift of the start, to everyone", lambda: services.shift_time(event_id=event.pk, minutes=30, by=by))
        measure("message to everyone", lambda: services.message_everyone(event_id=event.pk, text="Hello", by=by))
        seeds = [*event.entries.order_by("-pk").values_list("pk", flat=True)]
        measure("seeds by hand", lambda: services.set_seeds(event_id=event.pk, order=seeds, by=by))
        opens = event.starts_at + timedelta(minutes=10)
        measure("check-in opens", lambda: services.open_check_in(event_id=event.pk, now=opens))
        measure("all here", lambda: services.check_in_everyone(event_id=event.pk, by=by))
        event.refresh_from_db()
        measure("start", lambda: services.start_event(event_id=event.pk, now=event.starts_at))
        self.play_round(event, 1)
        self.play_round(event, 2)
        event.refresh_from_db()
        assert event.status == Event.Status.FINISHED, "the evening is over"
        other = self.planned(f"Called off {self.count}")
        self.imported(other)
        measure("cancel, which notifies everyone", lambda: services.cancel_event(event_id=other.pk, by=by, why="Fog"))

    def edit(self, event: Event) -> None:
        event.refresh_from_db()
        event.starts_at += timedelta(minutes=10)
        services.save_event(event, by=self.director, now=self.now)

    def play_round(self, event: Event, number: int) -> None:
        measure, matches = self.measure, event.matches.filter(round__number=number)
        waiting = [*matches.filter(status=Match.Status.WAITING).values_list("pk", flat=True)]
        measure(
            f"tables of round {number}", lambda: [services.start_match(match_id=pk, now=self.now) for pk in waiting]
        )
        tables = [*Table.objects.running().filter(match_game__match__in=matches).order_by("pk")]
        for table in tables[:-FINISHED_AT_ONCE]:
            end(table)
        measure("many results at once", lambda: self.advance(event))
        for table in tables[-FINISHED_AT_ONCE:-1]:
            resign_first_seat(table)
        measure("some results", lambda: self.advance(event))
        measure("a game ends", lambda: resign_first_seat(tables[-1]))
        measure("last result: next round, or end", lambda: self.advance(event))

    def advance(self, event: Event) -> None:
        services.record_result(event_id=event.pk, now=self.now)


def resign_first_seat(table: Table) -> None:
    user = table.seats.get(number=0).user
    assert user is not None, "every seat is taken at the table of a match"
    games.resign(table_id=table.pk, user=user)


def end(table: Table) -> None:
    """What a table looks like after a game that its first seat has lost."""
    table.status, table.ended_by, table.finished_at = Table.Status.FINISHED, Table.EndedBy.RULES, timezone.now()
    table.result = {"scores": [5, 11], "places": [2, 1], "reason": "", "gone": []}
    table.save()
