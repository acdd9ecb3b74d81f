"""Wall time: a start as a person writes it, by the clocks of a time zone, and back. Pure."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


class SkippedWallTime(ValueError):
    """Clocks skip this time in spring. The message is for the person who wrote it."""


def utc_from_wall_time(wall: datetime, zone: str) -> datetime:
    """The moment in UTC; of a time that comes twice in autumn the first one. :raises SkippedWallTime:"""
    moment = wall.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)
    if wall_time_of(moment, zone) != wall:
        raise SkippedWallTime(
            f"{wall:%H:%M} doesn't exist on {_day(wall)} in {zone}, because the clocks go forward. Choose another time."
        )
    return moment


def wall_time_of(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def shifted_by_wall_clock(moment: datetime, by: timedelta, zone: str) -> datetime:
    """A moment moved by so much on the clocks of a zone; an hour later still if they skip that time in spring."""
    return (wall_time_of(moment, zone) + by).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def wall_time_in_words(moment: datetime, zone: str) -> str:
    """Such as "Fri 20 Nov 2026, 18:30 (Europe/Berlin)"."""
    wall = wall_time_of(moment, zone)
    return f"{wall:%a} {_day(wall)}, {wall:%H:%M} ({zone})"


def past_start(moment: datetime, zone: str, *, now: datetime) -> str:
    """Why nothing can start then, "" if it is still to come."""
    if moment > now:
        return ""
    return f"This start is in the past: it is now {wall_time_in_words(now, zone)}."


def _day(wall: datetime) -> str:
    return f"{wall.day} {wall:%b %Y}"
