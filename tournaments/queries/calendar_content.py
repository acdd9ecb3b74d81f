"""What calendar programs show of an event, and a hash of it."""

import hashlib
import json

from tournaments.domain.wall_clock import wall_time_in_words
from tournaments.models import Event


def calendar_fields(event: Event) -> dict[str, str]:
    """By the names of iCalendar properties: all that a calendar shows of an event, besides its times."""
    about = f"{event.rules.name}, {event.plan.name}."
    return {
        "summary": event.name,
        "description": "\n\n".join(filter(None, [about, _times_in_words(event), event.description])),
        "status": "CANCELLED" if event.status == Event.Status.CANCELLED else "CONFIRMED",
        "categories": event.rules.name,
    }


def _times_in_words(event: Event) -> str:
    """The timetable, where rounds have times of their own."""
    times = event.round_times.all() if event.pk else ()
    return "\n".join(f"Round {row.number}: {wall_time_in_words(row.starts_at, event.time_zone)}" for row in times)


def content_hash(event: Event) -> str:
    """Hash of all that a calendar shows: an event whose hash has changed looks different there."""
    times = [at.isoformat() if at else "" for at in (event.starts_at, event.finished_at)]
    return hashlib.sha256(json.dumps([calendar_fields(event), times]).encode()).hexdigest()
