"""What calendar programs show of an event, and a hash of it."""

import hashlib
import json

from tournaments.models import Event


def calendar_fields(event: Event) -> dict[str, str]:
    """By the names of iCalendar properties: all that a calendar shows of an event, besides its times."""
    about = f"{event.rules.name}, {event.plan.name.lower()}."
    return {
        "summary": event.name,
        "description": "\n\n".join(filter(None, [about, event.description])),
        "status": "CANCELLED" if event.status == Event.Status.CANCELLED else "CONFIRMED",
        "categories": event.rules.name,
    }


def content_hash(event: Event) -> str:
    """Hash of all that a calendar shows: an event whose hash has changed looks different there."""
    times = [at.isoformat() if at else "" for at in (event.starts_at, event.finished_at)]
    return hashlib.sha256(json.dumps([calendar_fields(event), times]).encode()).hexdigest()
