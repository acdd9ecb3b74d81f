"""Qualifying: an event of the best in the standings of another, seeded by their places."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.models import Entry, Event, TeamMember
from tournaments.queries import records
from tournaments.services import notices
from tournaments.services.common import log_action
from tournaments.services.entries import first_status
from tournaments.services.schedule import save_event

SETTINGS_LEFT_OUT = {
    "format", "format_options", "min_entries", "max_entries", "fill_to", "is_evened", "bots_only", "seeding",
    "late_rounds", "check_in_minutes", "fee", "questions",
}  # fmt: skip


def best_entries(event: Event, count: int) -> list[Entry]:
    """The best in the standings who have not left, best first."""
    ranking = event.plan.standings(records.records_of(event))
    entries = event.entries.present().with_players().in_bulk([standing.entrant for standing in ranking])
    return [entries[standing.entrant] for standing in ranking if standing.entrant in entries][:count]


@transaction.atomic
def plan_event_of_best(*, event_id: int, count: int, plan: str, starts_at: datetime, by: User, now: datetime) -> Event:
    """Plans an event of the best entries, so many, who are notified. plan: its format. :raises EventError:"""
    source = Event.objects.get(pk=event_id)
    best = best_entries(source, count)
    if not source.is_finished or len(best) < count:
        raise EventError(f"There are only {len(best)} entries in the final standings.")
    kept = {name: value for name, value in source.setting_values().items() if name not in SETTINGS_LEFT_OUT}
    event = Event(
        name=f"{source.name}: the best {count}"[:100],
        description=source.description,
        time_zone=source.time_zone,
        starts_at=starts_at,
        status=Event.Status.REGISTRATION,
        is_closed=True,
        format=plan,
        min_entries=2,
        check_in_minutes=0,
        seeding=Event.Seeding.HAND,
        **kept,
    )
    event.clean()
    save_event(event, by=by, now=now)
    _enter(event, best)
    log_action(event, f"Entered the best {count} of {source.name}, seeded by their places.", by=by)
    notices.notify_qualified(event, source, best)
    return event


def _enter(event: Event, best: Sequence[Entry]) -> None:
    """The same people, pairs and teams, seeded in this order."""
    entered = Entry.objects.bulk_create(
        Entry(
            event=event,
            user=entry.user,
            partner=entry.partner,
            is_pair=event.has_pairs,
            team_name=entry.team_name,
            status=first_status(event, entry, has_place=True),
            wanted_seed=number,
        )
        for number, entry in enumerate(best, start=1)
    )
    TeamMember.objects.bulk_create(
        TeamMember(entry=entry, user=member.user, number=member.number, has_accepted=True)
        for entry, old in zip(entered, best, strict=True)
        for member in (old.team if old.team_name else ())
    )
