"""When the events of a series start. Pure; the one place that reads rules of recurrence."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr


def check(rule: str, zone: str) -> None:
    """:raises ValueError: not a rule of recurrence, or no such time zone."""
    try:
        rrulestr(rule, dtstart=datetime(2026, 1, 1, tzinfo=ZoneInfo(zone)))
    except (ValueError, KeyError) as error:
        raise ValueError(f"This rule or time zone cannot be read: {error}.") from error


def occurrences(rule: str, first: datetime, zone: str, *, after: datetime, count: int) -> list[datetime]:
    """The next `count` starts later than `after`, in UTC, of a series that began, or will begin, at `first`."""
    local = ZoneInfo(zone)
    starts = rrulestr(rule, dtstart=first.astimezone(local).replace(tzinfo=None))
    wall = after.astimezone(local).replace(tzinfo=None)
    return [start.replace(tzinfo=local).astimezone(UTC) for start in starts.xafter(wall, count=count)]
