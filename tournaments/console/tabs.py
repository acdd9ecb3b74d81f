"""Tabs of the director's console. They read results and times, never a card."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.http import QueryDict

from accounts.models import User
from games.models import Table
from tournaments.console.actions.base import Action
from tournaments.console.actions.director_calls import AnswerCall
from tournaments.console.actions.entries import ENTRY_ACTIONS
from tournaments.console.actions.event import EVENT_ACTIONS, Undo, may_undo
from tournaments.console.actions.results import MATCH_ACTIONS
from tournaments.models import DirectorCall, Entry, Event, EventLog, Match, Round
from tournaments.presentation import entry_wording
from tournaments.presentation.draw import draw_of
from tournaments.presentation.match_box import MatchBox
from tournaments.presentation.names import with_entry_names
from tournaments.queries import records
from tournaments.queries.divisions import division_of_event
from tournaments.queries.permissions import EventRank, event_rank
from tournaments.services import next_shiftable_time, with_games
from tournaments.services.rounds import matches_to_pair
from tournaments.services.seeding import entries_in_seed_order
from tournaments.services.undoing import undo_objection

CONSOLE_LOG_LINES = 60
ENTRIES_A_PAGE = 60
TABS = {
    "now": "Now",
    "entries": "Entries",
    "rounds": "Rounds",
    "results": "Results",
    "people": "Helpers",
    "announcements": "Announcements",
}
TABS_OF_HELPERS = ("now", "entries", "results")


@dataclass(frozen=True, slots=True)
class ConsoleStep:
    """A coming step of the event."""

    what: str
    at: datetime


@dataclass(frozen=True, slots=True)
class EntryRow:
    """number: in the order of the seeds now. button: the action that is one press away. actions: those with a page."""

    entry: Entry
    number: int | None
    button: type[Action] | None
    actions: Sequence[type[Action]]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """table: of the newest game. why: why it was paired. box: it in the draw, or the team match of a board."""

    match: Match
    table: Table | None
    why: str
    actions: Sequence[type[Action]] = ()
    box: MatchBox | None = None

    @property
    def where(self) -> str:
        """Such as "Round 1, table 2", or "Quarter-final 3"; of an arena, its round."""
        is_placed = self.box is not None and self.match.event.has_rounds
        return self.box.title if self.box and is_placed else f"Round {self.match.round.number}"

    @property
    def results(self) -> list[tuple[int | None, str, str]]:
        """The place, the name and the score of each side, best first."""
        scores = {line.entry.pk: line.score for line in self.box.lines if line.entry} if self.box else {}
        sides = [
            (side.place, side.name, "" if side.is_at_board else scores.get(side.entry_id, ""))
            for side in self.match.sides.all()
        ]
        return sorted(sides, key=lambda side: side[0] or 0)

    @property
    def missing(self) -> str:
        """The players who have not come to the table, while they still may."""
        if self.table is None or self.table.is_over or not self.table.appear_by:
            return ""
        return ", ".join(seat.user.display_name for seat in self.table.missing if seat.user)


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round that is not published yet, or one that would be paired now (round: None)."""

    title: str
    matches: Sequence[MatchRow]
    round: Round | None = None


@dataclass(frozen=True, slots=True)
class CallRow:
    """An open call for the director. row: its match."""

    call: DirectorCall
    row: MatchRow


@dataclass(frozen=True, slots=True)
class LogRow:
    line: EventLog
    can_undo: bool


def console_frame(event: Event, user: User) -> dict[str, Any]:
    """The context that all tabs share."""
    own = event_rank(user, event)
    return {
        "event": event,
        "division": division_of_event(event),
        "can_direct": own == EventRank.DIRECTOR,
        "tabs": [(slug, title) for slug, title in TABS.items() if own == EventRank.DIRECTOR or slug in TABS_OF_HELPERS],
        "actions": [kind for kind in EVENT_ACTIONS if kind.is_offered(event, user, own)],
        "calls": _call_rows(event, user),
        "answer_call": AnswerCall,
        "counts": _counts(event),
        "undo": Undo,
        "log": [_log_row(line, event, user) for line in event.log.select_related("by")[:CONSOLE_LOG_LINES]],
    }


def _call_rows(event: Event, user: User) -> list[CallRow]:
    """Open calls for the director that the user may answer, the oldest first."""
    calls = list(DirectorCall.objects.open().neutral_for(user).filter(match__event=event))
    if not calls:
        return []
    rows = _match_rows(event, user, event.matches.filter(pk__in=[call.match_id for call in calls]))
    by_match = {row.match.pk: row for row in rows}
    return [CallRow(call, by_match[call.match_id]) for call in calls]


def _counts(event: Event) -> list[tuple[str, int]]:
    entries = list(event.entries.values_list("status", flat=True))
    played = event.matches.between_entries().filter(sides__number=1)  # without byes
    matches = list(played.values_list("status", flat=True))
    waiting = sum(status in Entry.IN_LINE for status in entries)
    here = sum(status in (Entry.Status.CHECKED_IN, Entry.Status.READY) for status in entries)
    found = [
        ("Entries", sum(status not in Entry.ABSENT for status in entries)),
        ("Checked in", here if event.is_before_start and event.check_in_minutes else 0),
        ("Waiting list", waiting),
        ("Left", sum(status in Entry.GONE for status in entries)),
        ("Sitting out", event.entries.filter(sits_out=True, status=Entry.Status.PLAYING).count()),
        ("Matches in progress", matches.count(Match.Status.PLAYING)),
        ("Matches set aside", event.matches.set_aside().count()),
        ("Matches decided", matches.count(Match.Status.FINISHED)),
        ("Unpublished matches", matches.count(Match.Status.PROPOSED)),
    ]
    return [(what, count) for what, count in found if count or what == "Entries"]


def _log_row(line: EventLog, event: Event, user: User) -> LogRow:
    return LogRow(line, may_undo(user, event, line.undo) and not undo_objection(line, event, user))


def coming_steps(event: Event) -> list[ConsoleStep]:
    """What is still to come: registration, check-in and start, or the next step while it runs."""
    if event.is_before_start:
        is_scheduled, is_checking_in = event.status == Event.Status.SCHEDULED, event.status == Event.Status.CHECK_IN
        steps = (
            ("Registration opens", event.registration_at if is_scheduled else None),
            ("Check-in opens", None if is_checking_in else event.check_in_at),
            ("Start", event.starts_at),
        )
        return [ConsoleStep(what, at) for what, at in steps if at]
    moment = next_shiftable_time(event)
    return [ConsoleStep(moment[0].capitalize(), moment[1])] if moment else []


def round_to_publish(event: Event) -> str:
    """The title of a round that nothing but its director keeps from starting; "" without one."""
    unfinished = event.matches.filter(status__in=(Match.Status.WAITING, Match.Status.PLAYING))
    first = event.rounds.filter(matches__status=Match.Status.PROPOSED).order_by("number", "section").first()
    if first is None or not event.is_running or unfinished.exists():
        return ""
    return _round_title(event, first.section, first.number)


def running_rows(event: Event, user: User) -> list[MatchRow]:
    return _match_rows(event, user, event.matches.filter(status__in=(Match.Status.WAITING, Match.Status.PLAYING)))


def decided_rows(event: Event, user: User) -> list[MatchRow]:
    """Decided matches, newest first; byes too."""
    rows = event.matches.filter(status=Match.Status.FINISHED).order_by("-finished_at", "-pk")
    return _match_rows(event, user, rows)


def _match_rows(event: Event, user: User, matches: Any) -> list[MatchRow]:
    own, draw = event_rank(user, event), draw_of(event)
    boxes = {box.paired.pk: box for box in draw.every_match}
    return [
        MatchRow(
            match,
            next((row.table for row in reversed(match.games.all())), None),
            with_entry_names(match.why_paired, draw.names),
            [kind for kind in MATCH_ACTIONS if kind.rank <= own and kind.is_for(match)],
            boxes.get(match.parent_id or match.pk),
        )
        for match in with_games(matches)
    ]


def entries_in_order(event: Event) -> list[Entry]:
    """All entries; before the start in the order of their seeds now, those without a place last."""
    entries = list(event.entries.with_players(teams=event.has_teams))
    if event.is_before_start:
        present = entries_in_seed_order(event, [entry for entry in entries if not entry.is_absent])
        entries = [*present, *(entry for entry in entries if entry.is_absent)]
    return entries


def entries_page(event: Event, user: User, query: QueryDict) -> dict[str, Any]:
    """The context of a page of the entries: `?q=` is a part of their names."""
    own, text = event_rank(user, event), query.get("q", "")
    numbered = [(entry, _number(event, entry, place)) for place, entry in enumerate(entries_in_order(event), start=1)]
    found = [(entry, number) for entry, number in numbered if entry_wording.is_named(entry, text)]
    page = Paginator(found, ENTRIES_A_PAGE).get_page(query.get("page"))
    return {"page": page, "q": text, "rows": [entry_row(event, entry, own, number) for entry, number in page]}


def door_rows(event: Event, user: User, text: str) -> dict[str, Any]:
    """The context of the list at the door: entries by name, and how many of all of them are here.

    Who wasn't there at the start is expected, too.
    """
    own = event_rank(user, event)
    expected = event.entries.exclude(status__in=(Entry.Status.WITHDRAWN, Entry.Status.REMOVED))
    entries = sorted(expected.with_players(teams=event.has_teams), key=lambda entry: entry.name.casefold())
    found = [entry for entry in entries if entry_wording.is_named(entry, text)]
    return {
        "q": text,
        "can_direct": own == EventRank.DIRECTOR,
        "rows": [entry_row(event, entry, own) for entry in found],
        "here": sum(
            entry.is_here or event.is_running and not (entry.is_absent or entry.is_sitting_out) for entry in entries
        ),
        "expected": len(entries),
    }


def _number(event: Event, entry: Entry, place: int) -> int | None:
    if not event.is_before_start:
        return entry.seed
    return None if entry.is_absent else place


def entry_row(event: Event, entry: Entry, own: EventRank, number: int | None = None) -> EntryRow:
    fitting = [kind for kind in ENTRY_ACTIONS if kind.rank <= own and kind.is_for(event, entry)]
    button = next((kind for kind in fitting if kind.is_button()), None)
    return EntryRow(entry, number, button, [kind for kind in fitting if kind is not button])


def proposed_rounds(event: Event) -> list[RoundRow]:
    """Unpublished rounds; if there are none, what would be paired now."""
    rows = list(with_games(event.matches.filter(status=Match.Status.PROPOSED)).order_by("round", "slot"))
    names, found = _names(event), []
    for of_round in {row.round_id: row.round for row in rows}.values():
        matches = [
            MatchRow(row, None, with_entry_names(row.why_paired, names)) for row in rows if row.round == of_round
        ]
        found.append(RoundRow(_round_title(event, of_round.section, of_round.number), matches, of_round))
    return found


def pairing_preview(event: Event) -> list[tuple[str, str]]:
    """What would be paired now, and why, if it is not paired yet: who meets whom, in words."""
    if not event.is_running or event.matches.filter(status=Match.Status.PROPOSED).exists():
        return []
    names = _names(event)
    return [
        (" against ".join(names[pk] for pk in pairing.entrants) + (", bye" if pairing.is_bye else ""),
         with_entry_names(pairing.why, names))
        for pairing in matches_to_pair(event, records.records_of(event))
    ]  # fmt: skip


def _round_title(event: Event, section: str, number: int) -> str:
    for part in event.plan.draw(records.records_of(event)):
        if part.id == section:
            return next((column.title for column in part.columns if column.round == number), f"Round {number}")
    return f"Round {number}"


def _names(event: Event) -> dict[int, str]:
    return {entry.pk: entry.name for entry in event.entries.with_players()}
