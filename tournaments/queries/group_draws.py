"""Draw of groups from pots: it begins with the event, and everyone sees a step at the same time."""

from datetime import datetime, timedelta

from tournaments.formats.contract import Records
from tournaments.models import Event

STEP_SECONDS = 4


def draws_groups(event: Event) -> bool:
    """Whether its groups are drawn from pots."""
    return getattr(event.plan, "drawn", "") == "pots"


def draw_ends_at(event: Event, known: Records) -> datetime | None:
    """When the last step has been shown, and the first matches can start; None where nothing is drawn."""
    steps = len(event.plan.group_draw(known))
    return event.started_at + timedelta(seconds=STEP_SECONDS * (steps + 1)) if steps and event.started_at else None


def shown_steps(event: Event, now: datetime) -> int:
    """How many steps have been shown by now."""
    return int((now - event.started_at).total_seconds() // STEP_SECONDS) if event.started_at else 0
