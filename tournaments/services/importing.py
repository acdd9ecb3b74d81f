"""Import of entries from a pasted or uploaded list: each line has a name, for pairs the partner's, and perhaps a seed.

Cells are separated by tabs, semicolons or commas, whichever of them occurs, in this order. A seed is a number in the
last cell. A first line that begins with "name" is a heading.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from django.db.models.functions import Lower

from accounts.models import User
from infra.numbers import read_number
from tournaments.domain.errors import EventError
from tournaments.models import Entry, Event
from tournaments.queries.conditions import unmet_conditions
from tournaments.services.entries import add_entries, add_entry, admit_people

DELIMITERS = "\t;,"
MOST_SEED = 99_999
TOGETHER = 100  # people who are entered in one transaction


@dataclass(frozen=True, slots=True)
class ImportLine:
    """A line of the list. number: from 1, as in the text. verdict: what will become of it, or why it fails."""

    number: int
    text: str
    players: tuple[User, ...] = ()
    seed: int | None = None
    verdict: str = ""
    can_enter: bool = False
    is_entered: bool = False


@dataclass(frozen=True, slots=True)
class ImportResult:
    """summary: what was done. rest: the lines that failed, to be fixed."""

    summary: str
    rest: str
    refusals: list[str]


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
    """What `enter_all` would do with each line that is not empty."""
    rows = _rows(text)
    named = Counter(name.lower() for row in rows for name in row.names)
    users = User.objects.filter(is_active=True).annotate(lower=Lower("username")).filter(lower__in=list(named))
    entries = {player.pk: entry for entry in event.entries.entered().with_players() for player in entry.players}
    known = _Known(event, {user.username.lower(): user for user in users}, named, entries)
    return _with_waiting(event, [_judged(row, known) for row in rows])


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


def enter_all(event: Event, text: str, *, by: User) -> ImportResult:
    """Enters every line that is valid, in short transactions, so that others never wait long for the one lock of
    SQLite.
    """
    lines = preview_import(event, text)
    refused: dict[int, str] = {}
    for has_partner, run in groupby((line for line in lines if line.can_enter), key=lambda line: len(line.players) > 1):
        while some := list(islice(run, 1 if has_partner else TOGETHER)):
            refusal = _enter_pair(event, some[0], by) if has_partner else _enter_some(event, some, by)
            refused |= dict.fromkeys((line.number for line in some), refusal)
    rest = [line.text for line in lines if refused.get(line.number, not line.is_entered)]
    refusals = [f"{line.text}: {refused[line.number]}" for line in lines if refused.get(line.number)]
    return ImportResult(f"{len(refused) - len(refusals)} entered.", "\n".join(rest), refusals)


def invite_all(event: Event, text: str, *, by: User) -> ImportResult:
    """Invites everyone in the list to an event for invited people."""
    lines = preview_import(event, text)
    users = dict.fromkeys(user for line in lines for user in line.players)
    admit_people(event_id=event.pk, users=users, by=by)
    rest = [line.text for line in lines if not line.players]
    return ImportResult(f"{len(users)} can now enter themselves.", "\n".join(rest), [])


def _enter_some(event: Event, lines: Sequence[ImportLine], by: User) -> str:
    """Enters lines of one person each. Returns the refusal, "" for none."""
    try:
        add_entries(event_id=event.pk, seeds={line.players[0]: line.seed for line in lines}, by=by)
    except EventError as error:
        return str(error)
    return ""


def _enter_pair(event: Event, line: ImportLine, by: User) -> str:
    """Enters a pair. Returns the refusal, "" for none."""
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


def _judged(row: _Cells, known: _Known) -> ImportLine:
    event, names = known.event, row.names
    found = [known.users.get(name.lower()) for name in names]
    players = tuple(user for user in found if user)
    problem = _problem(row, found, known)
    if problem:
        return ImportLine(row.number, row.text, players, row.seed, problem, is_entered=problem == ENTERED)
    return ImportLine(row.number, row.text, players, row.seed, _entry_preview(event, players, row.seed), can_enter=True)


ENTERED, ENTERS = "is already entered", "will be entered"


def _problem(row: _Cells, found: Iterable[User | None], known: _Known) -> str:
    """Why a line cannot be entered, "" if it can be."""
    if len(row.names) > known.event.entry_size:
        return "has too many names: " + ("a pair has two" if known.event.has_pairs else "everyone plays alone")
    unknown = [name for name, user in zip(row.names, found, strict=True) if user is None]
    if unknown or not row.names:
        return f"no player is called {' or '.join(unknown)}" if unknown else "has no name"
    twice = [name for name in row.names if known.named[name.lower()] > 1]
    if twice:
        return f"{' and '.join(dict.fromkeys(twice))} is in the list more than once"
    entries = [known.entries[user.pk] for user in found if user and user.pk in known.entries]
    if any(all(user and entry.includes(user) for user in found) for entry in entries):
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
