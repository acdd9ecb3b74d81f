"""Import of entries from a pasted or uploaded list: each line has a name, for pairs the partner's, and perhaps a seed.

Cells are separated by tabs, semicolons or commas, whichever of them occurs, in this order. A seed is a number in the
last cell. A first line that begins with "name" is a heading.

A long list goes on in a worker, and where it was if that is lost. Its page shows how far it has come.
"""

import csv
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.models import User
from infra.numbers import read_number
from infra.task_queue import enqueue_on_commit
from tournaments.domain.errors import EventError
from tournaments.models import Entry, EntryImport, Event
from tournaments.queries.conditions import unmet_conditions
from tournaments.services.entries import add_entries, add_entry, admit_people

DELIMITERS = "\t;,"
MOST_SEED = 99_999
BITES = range(3, 26)  # people who are entered in one transaction, as many as take `BITE_SECONDS`
BITE_SECONDS = 0.05  # a quarter of what others should wait for the lock of SQLite at most
IMPORTS_KEPT = timedelta(days=30)
PATIENCE = timedelta(seconds=20)  # a worker that has not taken a bite for so long is gone


@dataclass(frozen=True, slots=True)
class ImportLine:
    """A line of the list. number: from 1, as in the text. verdict: what will become of it, or why it fails.

    unknown: the names that no player has.
    """

    number: int
    text: str
    players: tuple[User, ...] = ()
    unknown: tuple[str, ...] = ()
    seed: int | None = None
    verdict: str = ""
    can_enter: bool = False
    is_entered: bool = False


@dataclass(frozen=True, slots=True)
class _Cells:
    number: int
    text: str
    names: tuple[str, ...]
    seed: int | None


@dataclass(frozen=True)
class _Known:
    """What the verdicts depend on. named: how often each name is in the list. entries: by the ids of their players."""

    event: Event
    users: dict[str, User]
    named: Counter[str]
    entries: dict[int, Entry]


def preview_import(event: Event, text: str) -> list[ImportLine]:
    """What an import would do with each line that is not empty."""
    rows = _rows(text)
    return _with_waiting(event, _judged(event, rows, named=_counted(rows)))


def _with_waiting(event: Event, lines: list[ImportLine]) -> list[ImportLine]:
    """Marks the lines after the last free place: they go to the waiting list."""
    if event.max_entries is None:
        return lines
    free = max(event.max_entries - event.entries.present().count(), 0)
    late = [line.number for line in lines if line.can_enter][free:]
    return [
        replace(line, verdict=line.verdict.replace(ENTERS, "will join the waiting list", 1))
        if line.number in late
        else line
        for line in lines
    ]


def begin_import(event: Event, text: str, *, by: User) -> EntryImport:
    """Enters every line that is valid: the first ones at once, the others in a worker."""
    begun = EntryImport.objects.create(
        event=event, by=by, text=text, line_count=len(_rows(text)), due_at=timezone.now()
    )
    if not _take_bite(begun, BITES[-1]).is_last:
        enqueue_on_commit("tournaments.tasks.continue_import", begun.pk)
    begun.refresh_from_db()
    return begun


def continue_import(*, import_id: int) -> None:
    """Enters the lines that are left. If another worker does so, too, the slower one stops."""
    running = EntryImport.objects.select_related("event", "by").filter(pk=import_id).first()
    size = BITES[0]
    while running and not (bite := _take_bite(running, size)).is_last:
        size = next_bite(size, bite.seconds)
        running.refresh_from_db(fields=["done", "finished_at"])


def next_bite(size: int, seconds: float) -> int:
    """How many people to enter at once after so many took so long: fewer where the machine is slow, or busy."""
    fitting = int(size * BITE_SECONDS / seconds) if seconds else BITES[-1]
    return min(max(fitting, BITES[0]), 2 * size, BITES[-1])


def prune_imports(*, now: datetime) -> None:
    """Deletes lists of names that were entered more than `IMPORTS_KEPT` ago; the entries stay."""
    EntryImport.objects.filter(finished_at__lte=now - IMPORTS_KEPT).delete()


@dataclass(frozen=True, slots=True)
class _Bite:
    """is_last: nothing is left to do here. seconds: with the lock."""

    is_last: bool
    seconds: float = 0.0


def _take_bite(running: EntryImport, size: int) -> _Bite:
    """Enters the next lines in a short transaction, so that others never wait long for the one lock of SQLite.

    A bite is a pair, or up to so many single people.
    """
    rows, event = _rows(running.text), running.event
    judged = _judged(event, rows[running.done : running.done + size], named=_counted(rows))
    alone = list(takewhile(lambda line: not (line.can_enter and len(line.players) > 1), judged))
    bite = alone or judged[:1]
    with transaction.atomic():
        begun = time.perf_counter()
        unfinished = EntryImport.objects.select_for_update().filter(finished_at=None)
        stored = unfinished.filter(pk=running.pk, done=running.done).first()
        if stored is None:
            return _Bite(is_last=True)
        wanted = [line for line in bite if line.can_enter]
        refusal = (_enter_some if alone else _enter_pair)(event, wanted, stored.by) if wanted else ""
        failed = [line for line in bite if not line.is_entered and (refusal or not line.can_enter)]
        stored.entered += 0 if refusal else len(wanted)
        stored.refusals += [f"{line.text}: {refusal}" for line in wanted if refusal]
        stored.rest = "\n".join(filter(None, [stored.rest, *(line.text for line in failed)]))
        stored.done += len(bite)
        is_over: bool = stored.done >= stored.line_count
        stored.finished_at = timezone.now() if is_over else None
        stored.due_at = None if is_over else timezone.now() + PATIENCE
        stored.save()
    return _Bite(is_over, time.perf_counter() - begun)


def invite_all(event: Event, text: str, *, by: User) -> tuple[str, str]:
    """Invites everyone in the list to an event for invited people. Returns what was done, and the lines that failed.

    A line fails if one of its names is unknown; its other players are invited.
    """
    lines = preview_import(event, text)
    users = dict.fromkeys(user for line in lines for user in line.players)
    admit_people(event_id=event.pk, users=users, by=by)
    unknown = dict.fromkeys(name for line in lines for name in line.unknown)
    done = f"{len(users)} can now enter themselves." + f" Not found: {', '.join(unknown)}." * bool(unknown)
    return done, "\n".join(line.text for line in lines if line.unknown or not line.players)


def _enter_some(event: Event, lines: Sequence[ImportLine], by: User) -> str:
    """Enters lines of one person each. Returns the refusal, "" for none."""
    try:
        add_entries(event_id=event.pk, seeds={line.players[0]: line.seed for line in lines}, by=by)
    except EventError as error:
        return str(error)
    return ""


def _enter_pair(event: Event, lines: Sequence[ImportLine], by: User) -> str:
    """Enters a line of two people. Returns the refusal, "" for none."""
    (line,) = lines
    user, partner = line.players
    try:
        add_entry(event_id=event.pk, user=user, partner=partner, seed=line.seed, by=by)
    except EventError as error:
        return str(error)
    return ""


def _rows(text: str) -> list[_Cells]:
    delimiter = next((mark for mark in DELIMITERS if mark in text), ",")
    rows: list[_Cells] = []
    for number, line in enumerate(text.splitlines(), start=1):
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
        if not any(cells) or not rows and cells[0].lower() == "name":
            continue
        seed = read_number(cells[-1], None, most=MOST_SEED) if len(cells) > 1 else None
        if seed is not None:
            cells.pop()
        rows.append(_Cells(number, line, tuple(filter(None, cells)), seed))
    return rows


def _counted(rows: Iterable[_Cells]) -> Counter[str]:
    return Counter(name.lower() for row in rows for name in row.names)


def _judged(event: Event, rows: Sequence[_Cells], *, named: Counter[str]) -> list[ImportLine]:
    """What will become of these lines. named: how often each name is in the whole list."""
    names = [name for row in rows for name in row.names]
    is_named = Q(lower__in=[name.lower() for name in names]) | Q(username__in=names)  # SQLite lowers only ASCII
    users = User.objects.filter(is_active=True).annotate(lower=Lower("username")).filter(is_named)
    by_name: dict[str, User] = {user.username.lower(): user for user in users}
    players = Q(user__in=by_name.values()) | Q(partner__in=by_name.values())
    entries = event.entries.entered().filter(players).with_players()
    known = _Known(event, by_name, named, {player.pk: entry for entry in entries for player in entry.players})
    return [_judged_line(row, known) for row in rows]


def _judged_line(row: _Cells, known: _Known) -> ImportLine:
    event, names = known.event, row.names
    found = [known.users.get(name.lower()) for name in names]
    players = tuple(user for user in found if user)
    unknown = tuple(name for name, user in zip(names, found, strict=True) if user is None)
    line = ImportLine(row.number, row.text, players, unknown, row.seed)
    if problem := _problem(line, names, known):
        return replace(line, verdict=problem, is_entered=problem == ENTERED)
    return replace(line, verdict=_entry_preview(event, players, row.seed), can_enter=True)


ENTERED, ENTERS = "is already entered", "will be entered"


def _problem(line: ImportLine, names: Sequence[str], known: _Known) -> str:
    """Why a line with these names cannot be entered, "" if it can be."""
    if len(names) > known.event.entry_size:
        return "has too many names: " + ("a pair has two" if known.event.has_pairs else "everyone plays alone")
    if line.unknown or not names:
        return f"no player is called {' or '.join(line.unknown)}" if line.unknown else "has no name"
    twice = [name for name in names if known.named[name.lower()] > 1]
    if twice:
        return f"{' and '.join(dict.fromkeys(twice))} is in the list more than once"
    entries = [known.entries[user.pk] for user in line.players if user.pk in known.entries]
    if any(all(map(entry.includes, line.players)) for entry in entries):
        return ENTERED
    return "".join(f"{entry.name} already play together" for entry in entries[:1] if entry.partner_id)


def _entry_preview(event: Event, players: tuple[User, ...], seed: int | None) -> str:
    """What will become of a line that can be entered."""
    promise = ENTERS
    if seed is not None:
        promise += (
            f" with seed {seed}" if event.seeding == Event.Seeding.HAND else f"; seed {seed} is saved but not used"
        )
    if len(players) < event.entry_size:
        promise += ", and will look for a partner"
    needs = list(dict.fromkeys(condition.needs for user in players for condition, _ in unmet_conditions(event, user)))
    return f"{promise}, although the tournament requires {' and '.join(needs)}" if needs else promise
